package ledger_test

import (
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestAReplaySaysWhenItWasDone: when the effect was learned of, whatever the operation went through since; and it names
// a later try only where there is one.
func TestAReplaySaysWhenItWasDone(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	done := w.Now.UTC().Format("2 January 2006 15:04:05 MST")
	w.Advance(time.Minute)
	did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1", undoStep("refund")))
	wantState(t, gaveUp(t, w, o.ID), ledger.CompletedSuccess)
	w.Advance(time.Minute)
	call := capture
	call.Order = "order_123"
	a := w.Propose(call)
	wantDecision(t, a, ledger.DecisionReplayed)
	for _, text := range []string{a.Told.SafeUser, a.Told.Model} {
		if !strings.Contains(text, done) || strings.Contains(text, "later, deliberate try") {
			t.Errorf("%q, and it was done on %s", text, done)
		}
	}
}

func TestAReplayNamesItsSuccessor(t *testing.T) {
	w := ledgertest.New(t)
	first := w.Execute(capture)
	wantOK(t, first.Says(ledger.OutcomeRejected))
	alone := w.Propose(capture).Told.Model
	corrected := revising(capture, first)
	corrected.Key, corrected.Args = "payment:order_123:capture:4900:EUR", `{"amount":4900,"currency":"EUR","order_id":"order_123"}`
	second := w.Execute(corrected)
	if text := w.Propose(capture).Told.Model; !strings.HasPrefix(text, alone+" ") || !strings.Contains(text, string(second.Operation)) {
		t.Errorf("%q, want %q and its successor %s", text, alone, second.Operation)
	}
}

// TestWhyToTryLater: a pause after a try without effect is no limit that a person could lift.
func TestWhyToTryLater(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Execute(capture)
	wantOK(t, h.Says(ledger.OutcomeNotSent))
	a := w.Propose(capture)
	wantDecision(t, a, ledger.DecisionRetryLater)
	if !strings.HasPrefix(a.Told.Model, "The last try is known to have had no effect.") || a.Told.NextAfter != a.RetryAfter || a.RetryAfter <= 0 {
		t.Errorf("after %s: %q", a.Told.NextAfter, a.Told.Model)
	}
}

// TestWhenToAskAgain: where the answer has an occasion of its own, at that; else when something is due. Nobody who is to
// ask a person is told to wait.
func TestWhenToAskAgain(t *testing.T) {
	w := ledgertest.New(t)
	call := email
	call.Tool = call.Tool.With(func(t *ledger.Terms) { t.HumanAfter, t.HumanDue = 10*time.Minute, time.Hour })
	h := w.Execute(call)
	wantOK(t, h.Begin())
	held := w.Propose(call)
	if held.RetryAfter <= 0 || held.Told.NextAfter != held.RetryAfter {
		t.Errorf("the permit ends in %s, and the caller waits %s", held.RetryAfter, held.Told.NextAfter)
	}
	wantOK(t, h.Says(ledger.OutcomeAmbiguous))
	now := h.Now()
	due, _ := ledger.DueOf(now)
	if told := ledger.TellState(now, w.Now); told.NextAction != ledger.NextWait || told.NextAfter != due.At.Sub(w.Now) || told.NextAfter <= 0 {
		t.Errorf("%s after %s, and it is due at %s", told.NextAction, told.NextAfter, due.At)
	}
	w.Advance(10 * time.Minute)
	w.RunDue()
	if due, ok := ledger.DueOf(h.Now()); h.Now().Human == nil || !ok || !due.At.After(w.Now) {
		t.Fatalf("asked: %+v, due %+v", h.Now().Human, due)
	}
	if told := ledger.TellState(h.Now(), w.Now); told.NextAction != ledger.NextAskPerson || told.NextAfter != 0 {
		t.Errorf("%s after %s", told.NextAction, told.NextAfter)
	}
}

// TestWhatAPersonIsLookingInto is said of what a person was asked about, and of nothing else.
func TestWhatAPersonIsLookingInto(t *testing.T) {
	for name, c := range map[string]struct {
		state ledger.State
		human *ledger.Human
		want  ledger.NextAction
	}{
		"it is being undone":             {ledger.Compensating, nil, ledger.NextWait},
		"its undoing cannot go on":       {ledger.Compensating, &ledger.Human{Reason: ledger.HumanCompensation}, ledger.NextAskPerson},
		"it waits":                       {ledger.PendingDispatch, nil, ledger.NextWait},
		"it may be so already":           {ledger.PendingDispatch, &ledger.Human{Reason: ledger.HumanLook}, ledger.NextAskPerson},
		"it keeps others from an entity": {ledger.PendingDispatch, &ledger.Human{Reason: ledger.HumanUnknown}, ledger.NextWait},
	} {
		o := &ledger.Operation{State: c.state, Human: c.human, Terms: email.Tool.Terms}
		if told := ledger.TellState(o, ledgertest.Start); told.NextAction != c.want || strings.Contains(told.SafeUser, "person") != (c.want == ledger.NextAskPerson) {
			t.Errorf("%s: %s, %q", name, told.NextAction, told.SafeUser)
		}
	}
}
