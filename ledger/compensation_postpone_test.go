package ledger_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestAStepWaitsLongerEachTime: half of the pause is certain, the other half is drawn; it doubles up to the last one.
func TestAStepWaitsLongerEachTime(t *testing.T) {
	w := ledgertest.New(t)
	o := planned(t, w, undoStep("refund"))
	for try, want := range []time.Duration{1500, 3000, 6000, 12000, 24000, 48000, 96000, 192000, 225000, 225000} {
		keptWaiting(t, w, rowsOf(t, w, o.ID)[0])
		s := rowsOf(t, w, o.ID)[0]
		if wait := s.NextAt.Sub(w.Now); wait != want*time.Millisecond {
			t.Errorf("after %d tries it waits %s, want %s", try, wait, want*time.Millisecond)
		}
		if s.Tries != try+1 {
			t.Errorf("after %d tries it counts %d", try, s.Tries)
		}
	}
}

// TestAStepThatIsNotPlannedIsNotPostponed: one that was given up has no operation either.
func TestAStepThatIsNotPlannedIsNotPostponed(t *testing.T) {
	for name, end := range map[string]func(w *ledgertest.World, id ledger.OperationID){
		"given up": func(w *ledgertest.World, id ledger.OperationID) { gaveUp(t, w, id) },
		"open":     func(w *ledgertest.World, _ ledger.OperationID) { ran(t, w) },
	} {
		w := ledgertest.New(t)
		o := planned(t, w, undoStep("refund"))
		end(w, o.ID)
		before := *rowsOf(t, w, o.ID)[0]
		keptWaiting(t, w, &before)
		if after := *rowsOf(t, w, o.ID)[0]; !reflect.DeepEqual(before, after) {
			t.Errorf("%s: %+v has become %+v", name, before, after)
		}
	}
}

// TestAStepIsAdvancedInItsTime: asked early, or of what is not due at all, nothing is changed and nothing is to be proposed.
func TestAStepIsAdvancedInItsTime(t *testing.T) {
	w := ledgertest.New(t)
	o := planned(t, w, undoStep("refund"))
	idle := func(why string) {
		t.Helper()
		before := *rowsOf(t, w, o.ID)[0]
		reply := did[ledger.StepAdvanced](t, w, &ledger.AdvanceStep{Key: before.Key(), Jitter: 0.5})
		if after := *rowsOf(t, w, o.ID)[0]; reply.Propose != nil || reply.Changed || !reflect.DeepEqual(before, after) {
			t.Errorf("%s: it is brought on: %+v, %+v has become %+v", why, reply, before, after)
		}
	}
	keptWaiting(t, w, rowsOf(t, w, o.ID)[0])
	idle("early")
	w.Now = rowsOf(t, w, o.ID)[0].NextAt
	reply := did[ledger.StepAdvanced](t, w, &ledger.AdvanceStep{Key: rowsOf(t, w, o.ID)[0].Key(), Jitter: 0.5})
	if reply.Propose == nil || reply.Changed {
		t.Errorf("due: propose %+v, changed %t", reply.Propose, reply.Changed)
	}
	did[ledger.Answer](t, w, proposeStep(w, reply.Propose))
	quieted := did[ledger.StepAdvanced](t, w, &ledger.AdvanceStep{Key: rowsOf(t, w, o.ID)[0].Key(), Jitter: 0.5})
	if s := rowsOf(t, w, o.ID)[0]; !s.NextAt.IsZero() || quieted.Changed {
		t.Errorf("an open step is due at %s, the operation is said to change: %t", s.NextAt, quieted.Changed)
	}
	idle("never due")
	carryOut(t, w, rowsOf(t, w, o.ID)[0], ledger.OutcomeSucceeded)
	if !did[ledger.StepAdvanced](t, w, &ledger.AdvanceStep{Key: rowsOf(t, w, o.ID)[0].Key(), Jitter: 0.5}).Changed {
		t.Error("the operation is compensated, and is not said to change")
	}
}

// TestACompensationThatIsStuckTakesNoQuestionsPlace: whoever the playbook names, what was asked before is asked still.
func TestACompensationThatIsStuckTakesNoQuestionsPlace(t *testing.T) {
	for _, owner := range []string{"", "payments"} {
		w := ledgertest.New(t)
		o := twice(t, w)
		c := undo(w, o.ID, "ch_1", undoStep("refund"))
		c.Plan.EscalateTo = owner
		did[ledger.Compensation](t, w, c)
		ran(t, w)
		carryOut(t, w, rowsOf(t, w, o.ID)[0], ledger.OutcomeRejected)
		ran(t, w)
		now := w.Operation(ledgertest.North, o.ID)
		if now.Undoing[0].StuckSince.IsZero() {
			t.Fatalf("owner %q: the compensation goes on", owner)
		}
		if now.Human == nil || *now.Human != *o.Human {
			t.Errorf("owner %q: %+v was asked, and now %+v", owner, o.Human, now.Human)
		}
	}
}
