package ledger_test

import (
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// planned is the compensation of a capture by these steps, of which none was proposed yet.
func planned(t *testing.T, w *ledgertest.World, steps ...ledger.UndoStep) *ledger.Operation {
	t.Helper()
	o := captured(t, w)
	did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1", steps...))
	return o
}

// keptWaiting keeps a step waiting.
func keptWaiting(t *testing.T, w *ledgertest.World, s *ledger.Step) *ledger.StepAdvanced {
	t.Helper()
	return did[ledger.StepAdvanced](t, w, &ledger.PostponeStep{Key: s.Key(), Because: "not now", Jitter: 0.5})
}

// TestAPostponedStepAsksAPersonInTime, by the very decision that keeps it waiting.
func TestAPostponedStepAsksAPersonInTime(t *testing.T) {
	w := ledgertest.New(t)
	o := planned(t, w, undoStep("refund"))
	if out := keptWaiting(t, w, rowsOf(t, w, o.ID)[0]); out.Changed {
		t.Error("the original has changed by a pause")
	}
	w.Advance(o.Terms.HumanAfter)
	if out := keptWaiting(t, w, rowsOf(t, w, o.ID)[0]); !out.Changed || out.Original.Human == nil || out.Original.Human.Reason != ledger.HumanCompensation {
		t.Errorf("changed: %t, asked: %+v", out.Changed, out.Original.Human)
	}
}

// TestAStepThatIsNotToBegin is not proposed, however late that comes.
func TestAStepThatIsNotToBegin(t *testing.T) {
	w := ledgertest.New(t)
	o := planned(t, w, undoStep("refund"))
	late := proposeStep(w, rowsOf(t, w, o.ID)[0])
	gaveUp(t, w, o.ID)
	refusedBy(t, w, late, ledger.ReasonStateNotSuitable)
}
