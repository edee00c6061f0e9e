package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestEventAfterKnownSuccess: a failure that comes late is kept, raises an incident, calls a person and changes no state.
func TestEventAfterKnownSuccess(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Execute(hooked(capture))
	wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
	w.Hear(w.Event(psp, "evt_1", ledger.SaysNot, func(r *ledger.RecordEvent) {
		r.ObjectID, r.EventTime = "ch_1", w.Now.Add(-time.Hour)
	}))
	o := h.Now()
	wantState(t, o, ledger.CompletedSuccess)
	wantIncidents(t, o, ledger.IncidentAgainstSuccess)
	if o.Human == nil || o.Human.Reason != ledger.HumanBadSuccess || len(o.Evidence) != 1 || o.Evidence[0].Grade != ledger.GradeWebhook {
		t.Fatalf("human %+v, evidence %+v", o.Human, o.Evidence)
	}
}

// TestLastWordOnWhatWasTakenOn: an acknowledgement is finished by the provider's own "it failed", in either order, and not
// by one that is about another attempt.
func TestLastWordOnWhatWasTakenOn(t *testing.T) {
	failed := func(w *ledgertest.World, at time.Time, object string) {
		w.Hear(w.Event(psp, w.ID("evt"), ledger.SaysNot, func(r *ledger.RecordEvent) { r.ObjectID, r.EventTime = object, at }))
	}
	t.Run("after the acknowledgement", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(hooked(capture))
		wantOK(t, h.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1")))
		failed(w, w.Now, "ch_1")
		wantState(t, h.Now(), ledger.FailedRetryable)
	})
	t.Run("before the acknowledgement", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(hooked(capture))
		w.Hear(w.Event(psp, "evt_1", ledger.SaysNot, func(r *ledger.RecordEvent) { r.VendorKey = h.Now().VendorKey }))
		wantState(t, h.Now(), ledger.Dispatched)
		wantOK(t, h.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1")))
		wantState(t, h.Now(), ledger.FailedRetryable)
	})
	t.Run("by a clock of whole seconds", func(t *testing.T) {
		w := ledgertest.New(t)
		w.Advance(900 * time.Millisecond)
		h := w.Execute(hooked(capture))
		wantOK(t, h.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1")))
		failed(w, w.Now.Truncate(time.Second), "ch_1")
		wantState(t, h.Now(), ledger.FailedRetryable)
	})
	t.Run("of the attempt before", func(t *testing.T) {
		w := ledgertest.New(t)
		first, second := resent(t, w, hooked(capture))
		wantOK(t, second.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_2")))
		w.Hear(w.Event(psp, "evt_1", ledger.SaysNot, func(r *ledger.RecordEvent) {
			r.VendorKey, r.EventTime = first.Now().VendorKey, first.Now().Attempts[0].GrantedAt
		}))
		wantState(t, second.Now(), ledger.Acknowledged)
	})
	t.Run("a lookup that finds nothing is none", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(hooked(capture))
		wantOK(t, h.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1")))
		w.Advance(4 * time.Minute)
		ticket := ledger.Ticket{IssuedAt: w.Now, Attempts: 1}.String()
		w.Tell(w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysNot, func(s *ledger.Statement) { s.Ticket = ticket }))
		wantState(t, h.Now(), ledger.Acknowledged)
	})
}

// TestEventSaysNo: a webhook's "no" about an attempt that is not known waits as a lookup's does.
func TestEventSaysNo(t *testing.T) {
	for name, tc := range map[string]struct {
		after, observed time.Duration // after the ambiguous report: when it comes, and when it was observed; zero: not said
		want            ledger.State
	}{
		"too early":                     {after: time.Second, want: ledger.UnknownOutcome},
		"late enough":                   {after: time.Minute, want: ledger.FailedRetryable},
		"observed early and come late":  {after: time.Hour, observed: time.Second, want: ledger.UnknownOutcome},
		"observed in a future":          {after: time.Second, observed: time.Hour, want: ledger.UnknownOutcome},
		"observed and come late enough": {after: time.Hour, observed: time.Minute, want: ledger.FailedRetryable},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := ambiguously(t, w, hooked(capture))
			reported := w.Now
			w.Advance(tc.after)
			w.Hear(w.Event(psp, "evt_1", ledger.SaysNot, func(r *ledger.RecordEvent) {
				r.ClientReference = h.Now().ClientReference
				if tc.observed != 0 {
					r.EventTime = reported.Add(tc.observed)
				}
			}))
			wantState(t, h.Now(), tc.want)
		})
	}
}

// TestWebhookByReconcile: a webhook's "no" that is handed in as evidence counts by the same terms, if it says when it was
// observed.
func TestWebhookByReconcile(t *testing.T) {
	for name, tc := range map[string]struct {
		observed time.Duration // after the ambiguous report, which was an hour ago
		want     ledger.State
	}{
		"too early": {time.Second, ledger.UnknownOutcome}, "late enough": {time.Minute, ledger.FailedRetryable},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := ambiguously(t, w, capture)
			reported := w.Now
			w.Advance(time.Hour)
			w.Tell(w.Statement(h.Now(), ledger.SourceWebhook, ledger.SaysNot, func(s *ledger.Statement) {
				s.VendorKey, s.ObservedAt = h.Now().VendorKey, reported.Add(tc.observed)
			}))
			wantState(t, h.Now(), tc.want)
		})
	}
	w := ledgertest.New(t)
	h := ambiguously(t, w, capture)
	_, err := w.Do(w.Statement(h.Now(), ledger.SourceWebhook, ledger.SaysNot, func(s *ledger.Statement) {
		s.VendorKey, s.ObservedAt = h.Now().VendorKey, w.Now.Add(time.Second)
	}))
	wantRefusal(t, err, ledger.ReasonInvalidRequest)
}
