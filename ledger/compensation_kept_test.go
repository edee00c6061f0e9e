package ledger_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

func TestARefusalNamesTheEffectsThatThereAre(t *testing.T) {
	for _, c := range []struct {
		name    string
		effects []string
		want    string
	}{
		{"one with an id", []string{"ch_1"}, "it has ch_1"},
		{"one without an id", []string{""}, "it has one without an id"},
		{"two", []string{"ch_1", "ch_2"}, "it has ch_1, ch_2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := w.Execute(capture)
			wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect(c.effects[0])))
			for _, more := range c.effects[1:] {
				showsToo(t, w, h.Now(), more)
			}
			_, err := w.Do(undo(w, h.Operation, "ch_9", undoStep("refund")))
			wantRefusal(t, err, ledger.ReasonNotCompensable)
			if !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("%q does not end in %q", err, c.want)
			}
		})
	}
}

// TestTheOtherOfTwoEffectsIsNotUndoneByGuessing: a repeat that names no effect may mean the one that is undone already.
func TestTheOtherOfTwoEffectsIsNotUndoneByGuessing(t *testing.T) {
	w := ledgertest.New(t)
	o := twice(t, w)
	c := undo(w, o.ID, "ch_1", undoStep("refund"))
	c.Plan.Steps[0].Skipped = true
	wantState(t, did[ledger.Compensation](t, w, c).Operation, ledger.CompletedSuccess)
	refusedBy(t, w, undo(w, o.ID, "", undoStep("refund")), ledger.ReasonNotCompensable)
}

func TestACompensationKeepsWhatItLeaves(t *testing.T) {
	w := ledgertest.New(t)
	o := twice(t, w)
	if o.HasCompensation("ch_1") || o.HasCompensation("ch_2") {
		t.Error("one was begun before anybody asked")
	}
	did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1", undoStep("refund"), undoStep("notify")))
	did[ledger.Compensation](t, w, undo(w, o.ID, "ch_2", undoStep("refund")))
	now := w.Operation(ledgertest.North, o.ID)
	if !now.HasCompensation("ch_1") || !now.HasCompensation("ch_2") {
		t.Error("a compensation that was begun is not told")
	}
	if first, second := now.Undoing[0].Leaves, now.Undoing[1].Leaves; !slices.Equal(first, []string{"ch_2"}) || len(second) != 0 {
		t.Errorf("the first leaves %v, the second %v", first, second)
	}
	var numbers []int
	for _, s := range rowsOf(t, w, o.ID) {
		numbers = append(numbers, s.Number)
	}
	if !slices.Equal(numbers, []int{1, 2, 1}) {
		t.Errorf("the steps are numbered %v", numbers)
	}
}

func TestWhenAnOperationWasASuccess(t *testing.T) {
	w := ledgertest.New(t)
	rejected := w.Execute(email)
	wantOK(t, rejected.Begin())
	wantOK(t, rejected.Says(ledger.OutcomeRejected))
	wantState(t, rejected.Now(), ledger.FailedPermanent)
	if at := rejected.Now().SucceededAt(); !at.IsZero() {
		t.Errorf("what failed was a success at %s", at)
	}
	o := captured(t, w)
	was := w.Now
	w.Advance(time.Minute)
	did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1", undoStep("refund")))
	for _, o := range []*ledger.Operation{o, w.Operation(ledgertest.North, o.ID)} {
		if !o.SucceededAt().Equal(was) {
			t.Errorf("%s: a success at %s, want %s", o.State, o.SucceededAt(), was)
		}
	}
}

// TestWhatIsTakenUpAgain needs the version that was seen, as what is begun does.
func TestWhatIsTakenUpAgain(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1", undoStep("refund"), undoStep("notify")))
	ran(t, w)
	carryOut(t, w, rowsOf(t, w, o.ID)[0], ledger.OutcomeSucceeded)
	now := gaveUp(t, w, o.ID)
	again := undo(w, o.ID, "ch_1")
	again.Etag = o.Etag()
	refusedBy(t, w, again, ledger.ReasonVersionSeenOutdated)
	again.Etag = now.Etag()
	did[ledger.Compensation](t, w, again)
	ran(t, w)
	wantSteps(t, w, o.ID, "done open")
}

// TestGivingUpTouchesWhatIsUnderWay and nothing else: the first compensation has ended, the second is given up, and a
// second wish does not take the first one's place.
func TestGivingUpTouchesWhatIsUnderWay(t *testing.T) {
	w := ledgertest.New(t)
	o := twice(t, w)
	refunded(t, w, o.ID, "ch_1", ledger.OutcomeSucceeded)
	did[ledger.Compensation](t, w, undo(w, o.ID, "ch_2", undoStep("refund"), undoStep("notify")))
	ran(t, w)
	carryOut(t, w, rowsOf(t, w, o.ID)[1], ledger.OutcomeSucceeded)
	ran(t, w)
	if now := gaveUp(t, w, o.ID); now.Undoing[0].GivenUp != nil || now.Undoing[1].GivenUp == nil {
		t.Fatalf("given up: %+v and %+v", now.Undoing[0].GivenUp, now.Undoing[1].GivenUp)
	}
	was := w.Now
	w.Advance(time.Minute)
	if now := gaveUp(t, w, o.ID); !now.Undoing[1].GivenUp.At.Equal(was) {
		t.Errorf("given up at %s, want %s", now.Undoing[1].GivenUp.At, was)
	}
	if n := len(told(w, o.ID, "change", "given up")); n != 1 {
		t.Errorf("it is told %d times", n)
	}
}

// TestGivingUpLeavesWhatShowedLater to stand, without asking a person about it first, and leaves in doubt what it has half
// undone.
func TestGivingUpLeavesWhatShowedLater(t *testing.T) {
	for _, c := range []struct {
		name    string
		outcome ledger.Outcome
		want    ledger.State
	}{
		{"nothing was undone", ledger.OutcomeRejected, ledger.CompletedSuccess},
		{"half was undone", ledger.OutcomeSucceeded, ledger.Compensating},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := ledgertest.New(t)
			o := captured(t, w)
			did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1", undoStep("refund"), undoStep("notify")))
			ran(t, w)
			carryOut(t, w, rowsOf(t, w, o.ID)[0], c.outcome)
			showsToo(t, w, o, "ch_2")
			now := gaveUp(t, w, o.ID)
			wantState(t, now, c.want)
			if !slices.Equal(now.Undoing[0].Leaves, []string{"ch_2"}) || len(told(w, o.ID, "change", "left")) == 0 {
				t.Errorf("it leaves %v", now.Undoing[0].Leaves)
			}
			if questions(w, o, ledger.HumanEffectShows) != 0 {
				t.Error("a person was asked about what is left to stand")
			}
		})
	}
}
