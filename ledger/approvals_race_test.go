package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestOneOutcome: of two that race on an approval the second finds it as the first has left it, in either order.
func TestOneOutcome(t *testing.T) {
	cancel := func(w *office, a *ledger.Approval) ledger.Command {
		return &ledger.CancelOperation{Namespace: ledgertest.North, Principal: ledgertest.Agent, OperationID: a.OperationID}
	}
	yes := func(name string) func(*office, *ledger.Approval) ledger.Command {
		return func(w *office, a *ledger.Approval) ledger.Command { return w.word(person(name, "lead"), a.ID, true) }
	}
	no := func(w *office, a *ledger.Approval) ledger.Command {
		return w.word(person("cleo", "lead"), a.ID, false)
	}
	for name, c := range map[string]struct {
		first, second func(*office, *ledger.Approval) ledger.Command
		refused       ledger.Reason // the second one; empty: it is answered
		approval      ledger.ApprovalState
		state         ledger.State
	}{
		"yes, then yes":    {yes("ben"), yes("cleo"), ledger.ReasonApprovalNotOpen, ledger.ApprovalGranted, ledger.PendingDispatch},
		"yes, then no":     {yes("ben"), no, ledger.ReasonApprovalNotOpen, ledger.ApprovalGranted, ledger.PendingDispatch},
		"no, then yes":     {no, yes("ben"), ledger.ReasonApprovalNotOpen, ledger.ApprovalDenied, ledger.FailedPermanent},
		"yes, then cancel": {yes("ben"), cancel, "", ledger.ApprovalVoid, ledger.FailedPermanent},
		"cancel, then yes": {cancel, yes("ben"), ledger.ReasonApprovalNotOpen, ledger.ApprovalVoid, ledger.FailedPermanent},
		"cancel, then no":  {cancel, no, ledger.ReasonApprovalNotOpen, ledger.ApprovalVoid, ledger.FailedPermanent},
	} {
		t.Run(name, func(t *testing.T) {
			w := newOffice(t, need())
			a := w.waits(revoking("u_7"))
			first, second := c.first(w, a), c.second(w, a) // both saw the open approval
			_, err := w.Do(first)
			wantOK(t, err)
			_, err = w.Do(second)
			if c.refused == "" {
				wantOK(t, err)
			} else {
				wantRefusal(t, err, c.refused)
			}
			w.wantApproval(a.ID, c.approval)
			wantState(t, w.now(a), c.state)
		})
	}
	t.Run("yes in the last moment", func(t *testing.T) {
		w := newOffice(t, need())
		a := w.waits(revoking("u_7"))
		due, _ := w.Due(ledgertest.North, a.OperationID)
		w.Advance(time.Hour - time.Microsecond)
		w.approve(a.ID, "ben")
		w.Advance(time.Microsecond)
		if reply, err := w.Do(&ledger.Wake{Due: due}); err != nil || reply.(*ledger.Woken).Changed {
			t.Fatalf("the expiry of before changes what was decided: %v, %v", reply, err)
		}
		w.wantApproval(a.ID, ledger.ApprovalGranted)
	})
	t.Run("yes a moment too late", func(t *testing.T) {
		w := newOffice(t, need())
		a := w.waits(revoking("u_7"))
		w.Advance(time.Hour) // and no due work has run
		wantRefusal(t, w.says(person("ben", "lead"), a.ID, true), ledger.ReasonApprovalNotOpen)
		w.wantApproval(a.ID, ledger.ApprovalExpired)
		wantEnd(t, w.now(a), ledger.CategoryExpired)
	})
}
