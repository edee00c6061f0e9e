package ledger_test

import (
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestAnEffectThatShowsDuringACompensation is asked about as a duplicate, and once that is answered, as what stands.
func TestAnEffectThatShowsDuringACompensation(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1", undoStep("refund")))
	ran(t, w)
	showsToo(t, w, o, "ch_2")
	step := carryOut(t, w, rowsOf(t, w, o.ID)[0], ledger.OutcomeSucceeded)
	ran(t, w)
	showsToo(t, w, step.Now(), "undone_twice")
	did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1"))
	ran(t, w)
	now := w.Operation(ledgertest.North, o.ID)
	wantState(t, now, ledger.Compensating)
	if now.Human == nil || now.Human.Reason != ledger.HumanDuplicate { // they are two, which is asked about already
		t.Errorf("asked about the duplicate: %+v", now.Human)
	}
	w.Person(now, ledger.SaysHappened)
	if now = w.Operation(ledgertest.North, o.ID); now.Human == nil || now.Human.Reason != ledger.HumanEffectShows || questions(w, o, ledger.HumanEffectShows) != 1 {
		t.Errorf("asked %d times about the one that stands, now %+v", questions(w, o, ledger.HumanEffectShows), now.Human)
	}
}

// TestADuplicateIsAskedAboutUntilOneIsLeft: of three effects one is undone, and then another.
func TestADuplicateIsAskedAboutUntilOneIsLeft(t *testing.T) {
	w := ledgertest.New(t)
	o := twice(t, w)
	showsToo(t, w, o, "ch_3")
	for i, c := range []struct {
		effect string
		asked  bool
	}{{"ch_3", true}, {"ch_2", false}} {
		did[ledger.Compensation](t, w, undo(w, o.ID, c.effect, undoStep("refund")))
		ran(t, w)
		if human := w.Operation(ledgertest.North, o.ID).Human; human == nil || human.Reason != ledger.HumanDuplicate {
			t.Fatalf("while %s is being undone: %+v", c.effect, human)
		}
		carryOut(t, w, rowsOf(t, w, o.ID)[i], ledger.OutcomeSucceeded)
		ran(t, w)
		now := w.Operation(ledgertest.North, o.ID)
		wantState(t, now, ledger.CompletedSuccess)
		if (now.Human != nil) != c.asked {
			t.Errorf("after %s: asked %+v", c.effect, now.Human)
		}
	}
}

// TestAnotherQuestionOutlivesACompensation: that the provider spoke against a success is not answered by undoing it.
func TestAnotherQuestionOutlivesACompensation(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	if _, err := w.Do(w.Statement(o, ledger.SourceWebhook, ledger.SaysNot, func(s *ledger.Statement) { s.ClientReference = o.ClientReference })); err != nil {
		t.Fatal(err)
	}
	refunded(t, w, o.ID, "ch_1", ledger.OutcomeSucceeded)
	now := w.Operation(ledgertest.North, o.ID)
	wantState(t, now, ledger.Compensated)
	if now.Human == nil || now.Human.Reason != ledger.HumanBadSuccess {
		t.Errorf("asked: %+v", now.Human)
	}
}

// TestWhatIsUndoneShowsNoMore: hearing again of an effect that was undone changes nothing.
func TestWhatIsUndoneShowsNoMore(t *testing.T) {
	w := ledgertest.New(t)
	o := twice(t, w)
	for i, effect := range []string{"ch_1", "ch_2"} {
		did[ledger.Compensation](t, w, undo(w, o.ID, effect, undoStep("refund")))
		ran(t, w)
		carryOut(t, w, rowsOf(t, w, o.ID)[i], ledger.OutcomeSucceeded)
		ran(t, w)
	}
	wantState(t, w.Operation(ledgertest.North, o.ID), ledger.Compensated)
	showsToo(t, w, o, "ch_1") // known and undone: nothing shows by it
	wantState(t, w.Operation(ledgertest.North, o.ID), ledger.Compensated)
}

// TestAStepThatWasNotDoneAfterAll: what it was said to have undone stands, and the operation is a success again, also where
// the compensation learns all of that at once.
func TestAStepThatWasNotDoneAfterAll(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	h := refunded(t, w, o.ID, "ch_1", ledger.OutcomeNoop)
	wantState(t, w.Operation(ledgertest.North, o.ID), ledger.Compensated)
	underWay(w, h.Now(), "re_1") // the provider is at it
	did[ledger.Cancelled](t, w, &ledger.CancelOperation{Namespace: ledgertest.North, Principal: "kim", OperationID: h.Operation, Reason: "enough"})
	wantRefusal(t, h.Says(ledger.OutcomeRejected), ledger.ReasonStaleAttempt)
	wantState(t, h.Now(), ledger.FailedPermanent)
	ran(t, w)
	wantState(t, w.Operation(ledgertest.North, o.ID), ledger.CompletedSuccess)
	for _, e := range w.Events(ledgertest.North, o.ID) {
		if e.From == ledger.Compensated && e.Detail["because"] != "it is not undone after all" {
			t.Errorf("it is compensated no longer because %q", e.Detail["because"])
		}
	}
}
