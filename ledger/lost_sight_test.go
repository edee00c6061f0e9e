package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestStuckCompensationKeepsItsPerson: a compensation that cannot go on is before a person until it can, also where the
// operation was before one for another reason first and that has been answered.
func TestStuckCompensationKeepsItsPerson(t *testing.T) {
	word := func(w *ledgertest.World, o *ledger.Operation) {
		w.Tell(w.Statement(o, ledger.SourcePerson, ledger.SaysHappened, func(s *ledger.Statement) { s.EffectID = "ch_1" }))
	}
	t.Run("a word about the original answers nothing about its step", func(t *testing.T) {
		w := ledgertest.New(t)
		o := captured(t, w)
		do(t, w, undo(w, o.ID, "ch_1", undoStep("refund")))
		ran(t, w)
		carryOut(t, w, rowsOf(t, w, o.ID)[0], ledger.OutcomeRejected)
		ran(t, w)
		word(w, w.Operation(ledgertest.North, o.ID))
		wantHuman(t, w.Operation(ledgertest.North, o.ID), ledger.HumanCompensation)
	})
	t.Run("the answer to an earlier question uncovers it", func(t *testing.T) {
		w := ledgertest.New(t)
		o := captured(t, w)
		do(t, w, undo(w, o.ID, "ch_1", undoStep("refund")))
		ran(t, w)
		w.Found(w.Operation(ledgertest.North, o.ID), "ch_2")
		wantHuman(t, w.Operation(ledgertest.North, o.ID), ledger.HumanDuplicate)
		carryOut(t, w, rowsOf(t, w, o.ID)[0], ledger.OutcomeRejected)
		ran(t, w)
		word(w, w.Operation(ledgertest.North, o.ID))
		wantHuman(t, w.Operation(ledgertest.North, o.ID), ledger.HumanCompensation)
	})
	t.Run("an effect that is left standing", func(t *testing.T) {
		w := ledgertest.New(t)
		o := captured(t, w)
		do(t, w, undo(w, o.ID, "ch_1", undoStep("refund")))
		ran(t, w)
		carryOut(t, w, rowsOf(t, w, o.ID)[0], ledger.OutcomeSucceeded)
		ran(t, w)
		wantState(t, w.Operation(ledgertest.North, o.ID), ledger.Compensated)
		w.Found(w.Operation(ledgertest.North, o.ID), "ch_2")
		wantState(t, w.Operation(ledgertest.North, o.ID), ledger.Compensating)
		word(w, w.Operation(ledgertest.North, o.ID))
		if o := w.Operation(ledgertest.North, o.ID); o.Human == nil {
			t.Fatalf("it is %s, and nobody looks at what stands", o.State)
		}
	})
}

func wantHuman(t *testing.T, o *ledger.Operation, reason string) {
	t.Helper()
	if o.Human == nil || o.Human.Reason != reason {
		t.Fatalf("%s, and a person is asked: %+v; want %s", o.State, o.Human, reason)
	}
}

// TestProviderThatNeverFinishes: whoever is told "in progress" for ever is told so by a provider that has lost it. Nothing
// waits for ever: the time that was stated passes, and from then on a person's turn comes, whatever polls answer.
func TestProviderThatNeverFinishes(t *testing.T) {
	for name, within := range map[string]time.Duration{"without a time": 0, "in an hour, at each question": time.Hour} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			call := queued(capture)
			call.Tool = call.Tool.With(func(t *ledger.Terms) { t.HumanAfter = 30 * time.Minute })
			h := w.Dispatch(enqueue(t, w, call))
			wantOK(t, h.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1")))
			start := w.Now
			for h.Now().Human == nil {
				if w.Now.Sub(start) > 2*time.Hour {
					t.Fatalf("after %s it is %s, and nobody was asked", w.Now.Sub(start), h.Now().State)
				}
				if !nextOccasion(w, h.Now()) {
					t.Fatalf("it is %s, and nothing looks at it again", h.Now().State)
				}
				if work, there := w.Work(h.Now()); there && work.Kind == ledger.WorkLookup && !work.At.After(w.Now) {
					handed := w.TakeUp(h.Now())
					w.Tell(w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysInProgress, func(s *ledger.Statement) {
						s.Ticket, s.ClientReference, s.FinishWithin = handed.Lookup.Ticket, h.Now().ClientReference, within
					}))
				}
			}
		})
	}
}

// nextOccasion lets time pass until the next due work or work of the operation, and does the due work.
func nextOccasion(w *ledgertest.World, o *ledger.Operation) bool {
	work, there := w.Work(o)
	due, isDue := ledger.DueOf(o)
	at := work.At
	if isDue && (!there || due.At.Before(at)) {
		at = due.At
	}
	if !there && !isDue {
		return false
	}
	w.Now = later(w.Now, at)
	w.RunDue()
	return true
}

// TestLastWordOfAnotherObject: that one charge under a reference failed says nothing of another one that is taken on.
func TestLastWordOfAnotherObject(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Execute(hooked(capture))
	wantOK(t, h.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_2")))
	w.Hear(w.Event(psp, "evt_1", ledger.SaysNot, func(r *ledger.RecordEvent) {
		r.ClientReference, r.ObjectID, r.EventTime = h.Now().ClientReference, "ch_1", w.Now
	}))
	wantState(t, h.Now(), ledger.Acknowledged)
	w.Hear(w.Event(psp, "evt_2", ledger.SaysNot, func(r *ledger.RecordEvent) { r.ObjectID, r.EventTime = "ch_2", w.Now }))
	wantState(t, h.Now(), ledger.FailedRetryable)
}

// TestBabblingSourceKeepsTheRowSmall: each event against a success is an incident, and there can be any number of events.
func TestBabblingSourceKeepsTheRowSmall(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Execute(hooked(capture))
	wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
	const events = 60
	for range events {
		w.Hear(w.Event(psp, w.ID("evt"), ledger.SaysNot, func(r *ledger.RecordEvent) { r.ObjectID, r.EventTime = "ch_1", w.Now }))
	}
	o := h.Now()
	if len(o.Incidents) > ledger.MaxIncidents || len(o.Evidence) > ledger.MaxEvidence {
		t.Errorf("the row keeps %d incidents and %d statements of %d events", len(o.Incidents), len(o.Evidence), events)
	}
}

func do(t *testing.T, w *ledgertest.World, c ledger.Command) {
	t.Helper()
	_, err := w.Do(c)
	wantOK(t, err)
}
