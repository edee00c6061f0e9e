package ledger_test

import (
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestWhatAWaitingStepKnew is gone once it is open or given up: nothing is due of it, and nobody waits for it.
func TestWhatAWaitingStepKnew(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(t *testing.T, w *ledgertest.World, id ledger.OperationID, lease *ledger.Lease)
		want string
	}{
		{"it is let start", func(t *testing.T, w *ledgertest.World, id ledger.OperationID, lease *ledger.Lease) {
			did[ledger.ReleasedLease](t, w, release(lease))
			w.Now = rowsOf(t, w, id)[0].NextAt
			ran(t, w)
		}, "open"},
		{"it is given up", func(t *testing.T, w *ledgertest.World, id ledger.OperationID, _ *ledger.Lease) { gaveUp(t, w, id) }, "given_up"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := ledgertest.New(t)
			o := captured(t, w)
			lease := granted(t, w, acquire(w, "wf_2", "run_9", orders("order_123")...))
			did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1", undoStep("refund")))
			ran(t, w)
			if s := rowsOf(t, w, o.ID)[0]; s.WaitsFor == "" || s.WaitsSince.IsZero() || s.Tries == 0 {
				t.Fatalf("it does not wait: %+v", s)
			}
			c.end(t, w, o.ID, lease)
			wantSteps(t, w, o.ID, c.want)
			if s := rowsOf(t, w, o.ID)[0]; s.WaitsFor != "" || !s.WaitsSince.IsZero() || !s.NextAt.IsZero() || s.Tries != 0 {
				t.Errorf("it waits still: %+v", s)
			}
		})
	}
}

// TestAnEndIsToldOnce: nothing that is looked at again is taken back, and nothing is taken back that was never told.
func TestAnEndIsToldOnce(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1", undoStep("refund"), undoStep("notify")))
	ran(t, w)
	carryOut(t, w, rowsOf(t, w, o.ID)[0], ledger.OutcomeSucceeded)
	ran(t, w)
	last := carryOut(t, w, rowsOf(t, w, o.ID)[1], ledger.OutcomeSucceeded)
	ran(t, w)
	wantState(t, w.Operation(ledgertest.North, o.ID), ledger.Compensated)
	showsToo(t, w, last.Now(), "undone_twice") // the step's operation changes, its end does not
	ran(t, w)
	showsToo(t, w, o, "ch_2")
	did[ledger.Compensation](t, w, undo(w, o.ID, "ch_2", undoStep("refund")))
	did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1"))
	ran(t, w)
	if w.Operation(ledgertest.North, o.ID).UndoneAt("ch_1").IsZero() {
		t.Error("it is not undone any more")
	}
	for change, want := range map[string]int{"undone": 1, "not undone after all": 0, "left": 0, "not left after all": 0} {
		if n := len(told(w, o.ID, "change", change)); n != want {
			t.Errorf("%q is told %d times, want %d", change, n, want)
		}
	}
}

// TestNobodyIsAskedWithoutATerm: a tool that names no time leaves a waiting step to wait.
func TestNobodyIsAskedWithoutATerm(t *testing.T) {
	w := ledgertest.New(t)
	call := capture
	call.Order = "order_123"
	call.Tool = call.Tool.With(func(t *ledger.Terms) { t.HumanAfter = 0 })
	h := w.Execute(call)
	wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
	lease := granted(t, w, acquire(w, "wf_2", "run_9", orders("order_123")...))
	did[ledger.Compensation](t, w, undo(w, h.Operation, "ch_1", undoStep("refund")))
	for range 60 {
		ran(t, w)
		w.Advance(20 * time.Second)
		lease = did[ledger.HeldLease](t, w, renew(w, lease)).Lease
	}
	ran(t, w)
	wantSteps(t, w, h.Operation, "planned")
	if human := h.Now().Human; human != nil {
		t.Errorf("asked: %+v", human)
	}
}

// TestThePersonIsToldOfTheFirstStepThatCannotGoOn: the later ones only follow from it.
func TestThePersonIsToldOfTheFirstStepThatCannotGoOn(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1", undoStep("refund"), undoStep("notify"), undoStep("close")))
	ran(t, w)
	carryOut(t, w, rowsOf(t, w, o.ID)[0], ledger.OutcomeSucceeded)
	ran(t, w)
	notify := rowsOf(t, w, o.ID)[1].OperationID
	did[ledger.Cancelled](t, w, &ledger.CancelOperation{Namespace: ledgertest.North, Principal: "kim", OperationID: notify})
	ran(t, w)
	wantSteps(t, w, o.ID, "done given_up given_up")
	stuck := told(w, o.ID, "change", "stuck")
	if len(stuck) != 1 || !strings.Contains(stuck[0].Detail["because"], "notify") {
		t.Errorf("%+v", stuck)
	}
	if human := w.Operation(ledgertest.North, o.ID).Human; human == nil || human.Owner != o.Terms.HumanOwner || human.Owner == "" {
		t.Errorf("asked: %+v, want the tool's own %q", human, o.Terms.HumanOwner)
	}
}

// TestAQuestionStandsAsLongAsOneIsStuck: of two compensations that cannot go on, one goes on again.
func TestAQuestionStandsAsLongAsOneIsStuck(t *testing.T) {
	w := ledgertest.New(t)
	o := twice(t, w)
	w.Person(o, ledger.SaysHappened) // the duplicate is answered for, so that the question below is the compensations' own
	for i, effect := range []string{"ch_1", "ch_2"} {
		did[ledger.Compensation](t, w, undo(w, o.ID, effect, undoStep("refund")))
		ran(t, w)
		carryOut(t, w, rowsOf(t, w, o.ID)[i], ledger.OutcomeRejected)
		ran(t, w)
	}
	asked := func() *ledger.Human { return w.Operation(ledgertest.North, o.ID).Human }
	since := asked().Since
	w.Advance(time.Minute)
	for i, want := range []bool{true, false} {
		s := rowsOf(t, w, o.ID)[i]
		call := stepCall(s)
		call.Revise, call.Args = s.OperationID, `{"step":"corrected"}`
		h := w.Execute(call)
		ran(t, w)
		if have := asked() != nil && asked().Reason == ledger.HumanCompensation; have != want {
			t.Fatalf("after %d went on again: asked %+v", i+1, asked())
		}
		if want && !asked().Since.Equal(since) {
			t.Errorf("asked anew at %s, want the question of %s", asked().Since, since)
		}
		wantOK(t, h.Begin())
		wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("re_"+s.ID)))
		ran(t, w)
	}
}

// TestAStepFollowsTheOperationThatCarriesItOut, and not the one that was revised.
func TestAStepFollowsTheOperationThatCarriesItOut(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	first := refunded(t, w, o.ID, "ch_1", ledger.OutcomeRejected)
	call := stepCall(rowsOf(t, w, o.ID)[0])
	call.Revise, call.Args = first.Operation, `{"step":"corrected"}`
	w.Execute(call)
	ran(t, w)
	showsToo(t, w, first.Now(), "re_late")
	wantState(t, first.Now(), ledger.CompletedSuccess)
	if due := dueStep(w); due != nil {
		t.Errorf("the step is due for its predecessor: %+v", due)
	}
}
