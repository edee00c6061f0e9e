package ledger_test

import (
	"testing"
	"time"

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

// TestThePausesOfAStepThatWaits double, and half of each hangs on luck.
func TestThePausesOfAStepThatWaits(t *testing.T) {
	w := ledgertest.New(t)
	o := planned(t, w, undoStep("refund"))
	for i, want := range []time.Duration{1500 * time.Millisecond, 3 * time.Second, 6 * time.Second} {
		s := rowsOf(t, w, o.ID)[0]
		if out := keptWaiting(t, w, s); out.Changed {
			t.Error("the original has changed by a pause")
		}
		s = rowsOf(t, w, o.ID)[0]
		if pause := s.NextAt.Sub(w.Now); pause != want {
			t.Errorf("pause %d is %s, want %s", i+1, pause, want)
		}
		if out := did[ledger.StepAdvanced](t, w, &ledger.AdvanceStep{Key: s.Key()}); out.Propose != nil {
			t.Errorf("it is to be proposed %s early", s.NextAt.Sub(w.Now))
		}
		w.Now = s.NextAt
	}
}

// TestAPostponedStepAsksAPersonInTime, by the very decision that keeps it waiting.
func TestAPostponedStepAsksAPersonInTime(t *testing.T) {
	w := ledgertest.New(t)
	o := planned(t, w, undoStep("refund"))
	keptWaiting(t, w, rowsOf(t, w, o.ID)[0])
	w.Advance(o.Terms.HumanAfter)
	if out := keptWaiting(t, w, rowsOf(t, w, o.ID)[0]); !out.Changed || out.Original.Human == nil || out.Original.Human.Reason != ledger.HumanCompensation {
		t.Errorf("changed: %t, asked: %+v", out.Changed, out.Original.Human)
	}
}

// TestAStepThatIsNotToBegin is neither kept waiting nor proposed, whoever asks for it late.
func TestAStepThatIsNotToBegin(t *testing.T) {
	w := ledgertest.New(t)
	o := planned(t, w, undoStep("refund"))
	late := proposeStep(w, rowsOf(t, w, o.ID)[0])
	gaveUp(t, w, o.ID)
	s := rowsOf(t, w, o.ID)[0]
	keptWaiting(t, w, s)
	if now := rowsOf(t, w, o.ID)[0]; now.Status != ledger.StepGivenUp || now.Etag() != s.Etag() {
		t.Errorf("it was kept waiting: %+v", now)
	}
	refusedBy(t, w, late, ledger.ReasonStateNotSuitable)
}

// TestAStepIsAdvancedWhenItIsDue: once its end is known, which changes the original; then nothing is written any more.
func TestAStepIsAdvancedWhenItIsDue(t *testing.T) {
	w := ledgertest.New(t)
	o := planned(t, w, undoStep("refund"), undoStep("notify"))
	s := rowsOf(t, w, o.ID)[0]
	if out := did[ledger.StepAdvanced](t, w, &ledger.AdvanceStep{Key: s.Key()}); out.Propose == nil || out.Changed {
		t.Fatalf("%+v", out)
	}
	ran(t, w)
	carryOut(t, w, rowsOf(t, w, o.ID)[0], ledger.OutcomeSucceeded)
	if out := did[ledger.StepAdvanced](t, w, &ledger.AdvanceStep{Key: s.Key()}); out.Propose != nil || !out.Changed {
		t.Fatalf("%+v", out)
	}
	done := rowsOf(t, w, o.ID)[0]
	did[ledger.StepAdvanced](t, w, &ledger.AdvanceStep{Key: s.Key()})
	if now := rowsOf(t, w, o.ID)[0]; now.Status != ledger.StepDone || now.Etag() != done.Etag() {
		t.Errorf("written again: %s after %s, %+v", now.Etag(), done.Etag(), now)
	}
}
