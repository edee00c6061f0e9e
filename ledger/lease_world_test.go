package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/locks"
)

// orders names entities by their ids.
func orders(ids ...string) []locks.Entity {
	var all []locks.Entity
	for _, id := range ids {
		all = append(all, locks.Entity{Type: "order", ID: id})
	}
	return all
}

// acquire is an acquisition with a fresh request and a fresh id for its lease.
func acquire(w *ledgertest.World, workflow, run string, entities ...locks.Entity) *ledger.AcquireLease {
	return &ledger.AcquireLease{
		Namespace: ledgertest.North, Actor: ledger.Actor{Principal: ledgertest.Agent}, RequestID: ledger.RequestID(w.ID("request")),
		NewLease: w.ID("lea"), Entities: entities, WorkflowID: workflow, RunID: run, TTL: time.Minute,
	}
}

// did runs a command and expects its reply.
func did[Reply any](t *testing.T, w *ledgertest.World, c ledger.Command) *Reply {
	t.Helper()
	reply, err := w.Do(c)
	if err != nil {
		t.Fatalf("%T: %v", c, err)
	}
	return reply.(*Reply)
}

// granted acquires and expects the lease.
func granted(t *testing.T, w *ledgertest.World, c *ledger.AcquireLease) *ledger.Lease {
	t.Helper()
	a := did[ledger.AcquiredLease](t, w, c)
	if !a.Granted {
		t.Fatalf("%s of %s is not granted: held by %+v, %d wait before", c.RunID, c.WorkflowID, a.Holders, a.WaitingBefore)
	}
	return a.Lease
}

// withheld acquires and expects that it is not granted.
func withheld(t *testing.T, w *ledgertest.World, c *ledger.AcquireLease) *ledger.AcquiredLease {
	t.Helper()
	a := did[ledger.AcquiredLease](t, w, c)
	if a.Granted || a.Lease != nil || len(a.Holders)+a.WaitingBefore == 0 {
		t.Fatalf("%s of %s: %+v; it is to be withheld, with who stands in the way", c.RunID, c.WorkflowID, a)
	}
	return a
}

func proof(l *ledger.Lease) ledger.LeaseProof { return ledger.LeaseProof{LeaseID: l.ID, Proven: true} }

func renew(w *ledgertest.World, l *ledger.Lease) *ledger.RenewLease {
	return &ledger.RenewLease{Namespace: ledgertest.North, Proof: proof(l), RenewalID: w.ID("renewal")}
}

func release(l *ledger.Lease, entities ...locks.Entity) *ledger.ReleaseLease {
	return &ledger.ReleaseLease{Namespace: ledgertest.North, Proof: proof(l), Entities: entities}
}

// refusedBy runs a command and expects its refusal.
func refusedBy(t *testing.T, w *ledgertest.World, c ledger.Command, want ledger.Reason) {
	t.Helper()
	_, err := w.Do(c)
	wantRefusal(t, err, want)
}

// unknownOn leaves an operation of a workflow about the order with an outcome that is not known.
func unknownOn(t *testing.T, w *ledgertest.World, workflow, order string) *ledger.Operation {
	t.Helper()
	call := email
	call.Workflow, call.Order, call.Key = workflow, order, "email:"+workflow+":"+order
	h := w.Execute(call)
	wantOK(t, h.Begin())
	wantOK(t, h.Says(ledger.OutcomeAmbiguous))
	wantState(t, h.Now(), ledger.UnknownOutcome)
	return h.Now()
}
