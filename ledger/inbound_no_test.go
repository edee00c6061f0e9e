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

// TestOfWhatALastWordSpeaks: of the attempt whose object it names, or, where it names nobody's, of the only one that may have
// had the effect. An attempt that it does not speak of goes on, and nothing is sent beside it.
func TestOfWhatALastWordSpeaks(t *testing.T) {
	type holders = [2]*ledgertest.Holder
	// both are two attempts that the provider has taken on, under these objects.
	both := func(one, two string) func(*testing.T, *ledgertest.World) holders {
		return func(t *testing.T, w *ledgertest.World) holders {
			first, second := overtaken(t, w, hooked(capture))
			wantOK(t, second.Says(ledger.OutcomeAcknowledge, ledgertest.Effect(two)))
			wantRefusal(t, first.Says(ledger.OutcomeAcknowledge, ledgertest.Effect(one)), ledger.ReasonStaleAttempt)
			return holders{first, second}
		}
	}
	// then is an attempt that the provider has taken on, after one of that outcome.
	then := func(outcome ledger.Outcome, object string) func(*testing.T, *ledgertest.World) holders {
		return func(t *testing.T, w *ledgertest.World) holders {
			first := w.Execute(hooked(capture))
			wantOK(t, first.Says(outcome))
			w.Advance(time.Hour)
			second := w.Execute(hooked(capture))
			wantOK(t, second.Says(ledger.OutcomeAcknowledge, ledgertest.Effect(object)))
			return holders{first, second}
		}
	}
	const open, none = ledger.VerdictOpen, ledger.VerdictNone
	for name, c := range map[string]struct {
		make  func(*testing.T, *ledgertest.World) holders
		names string
		times int // that it is said, by as many events
		want  [2]ledger.Verdict
	}{
		"the first one's object":                         {both("ch_1", "ch_2"), "ch_1", 1, [2]ledger.Verdict{none, open}},
		"the second one's object":                        {both("ch_1", "ch_2"), "ch_2", 1, [2]ledger.Verdict{open, none}},
		"the first one's, the other has no name":         {both("ch_1", ""), "ch_1", 1, [2]ledger.Verdict{none, open}},
		"the second one's, the other has no name":        {both("", "ch_2"), "ch_2", 1, [2]ledger.Verdict{open, none}},
		"the first one's and again, the other has none":  {both("ch_1", ""), "ch_1", 2, [2]ledger.Verdict{none, open}},
		"the second one's and again, the other has none": {both("", "ch_2"), "ch_2", 2, [2]ledger.Verdict{open, none}},
		"nobody's, of two":                               {both("", ""), "ch_9", 1, [2]ledger.Verdict{open, open}},
		"that of both":                                   {both("ch_1", "ch_1"), "ch_1", 1, [2]ledger.Verdict{none, none}},
		"none, of two":                                   {both("ch_1", ""), "", 1, [2]ledger.Verdict{open, open}},
		"none, of two without names":                     {both("", ""), "", 1, [2]ledger.Verdict{open, open}},
		"none, of the one that is left":                  {then(ledger.OutcomeNotSent, "ch_2"), "", 1, [2]ledger.Verdict{none, none}},
		"nobody's, of the one that is left":              {then(ledger.OutcomeNotSent, "ch_2"), "ch_9", 1, [2]ledger.Verdict{none, open}},
		"nobody's, of the one that is left and has none": {then(ledger.OutcomeNotSent, ""), "ch_9", 1, [2]ledger.Verdict{none, none}},
		"none, beside one of which nobody knows":         {then(ledger.OutcomeAmbiguous, "ch_2"), "", 1, [2]ledger.Verdict{open, open}},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := c.make(t, w)[1]
			for range c.times {
				w.Hear(w.Event(psp, w.ID("evt"), ledger.SaysNot, func(r *ledger.RecordEvent) {
					r.VendorKey, r.ObjectID, r.EventTime = h.Now().VendorKey, c.names, w.Now
				}))
			}
			o := h.Now()
			if one, two := o.Attempts[0].Verdict, o.Attempts[1].Verdict; one != c.want[0] || two != c.want[1] {
				t.Errorf("the first is %s, the second %s, want %s", one, two, c.want)
			}
			want := ledger.Acknowledged
			if c.want[1] == none && c.want[0] == none {
				want = ledger.FailedRetryable
			}
			wantState(t, o, want)
		})
	}
}

// TestALastWordIsHeardOnce: what the provider takes up again after it goes on until the next word.
func TestALastWordIsHeardOnce(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Execute(hooked(capture))
	wantOK(t, h.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1")))
	w.Hear(w.Event(psp, "evt_1", ledger.SaysNot, func(r *ledger.RecordEvent) { r.ObjectID = "ch_1" }))
	wantState(t, h.Now(), ledger.FailedRetryable)
	underWay(w, h.Now(), "ch_1")
	wantState(t, h.Now(), ledger.UnknownOutcome)
	underWay(w, h.Now(), "ch_1")
	wantState(t, h.Now(), ledger.Acknowledged)
}

// TestANoWithoutItsTime finishes nothing that was taken on: it may be older than that.
func TestANoWithoutItsTime(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Execute(hooked(capture))
	wantOK(t, h.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1")))
	w.Tell(w.Statement(h.Now(), ledger.SourceWebhook, ledger.SaysNot, func(s *ledger.Statement) { s.VendorKey = h.Now().VendorKey }))
	wantState(t, h.Now(), ledger.Acknowledged)
}

// TestOfWhenAProvidersNoSpeaks: of all attempts that there were when it was observed; of a revision's first one only where
// that was there.
func TestOfWhenAProvidersNoSpeaks(t *testing.T) {
	t.Run("two attempts", func(t *testing.T) {
		w := ledgertest.New(t)
		_, second := resent(t, w, hooked(capture))
		wantOK(t, second.Says(ledger.OutcomeAmbiguous))
		w.Advance(time.Minute)
		w.Hear(w.Event(psp, "evt_1", ledger.SaysNot, func(r *ledger.RecordEvent) { r.VendorKey, r.EventTime = second.Now().VendorKey, w.Now }))
		wantState(t, second.Now(), ledger.FailedRetryable)
	})
	t.Run("a revision under the same key", func(t *testing.T) {
		w := ledgertest.New(t)
		c := hooked(capture)
		c.Tool = c.Tool.With(func(t *ledger.Terms) { t.MaxAttempts = 1 })
		first := w.Execute(c)
		wantOK(t, first.Says(ledger.OutcomeDeclined))
		of := w.Now
		w.Advance(time.Minute)
		next := w.Execute(revising(c, first))
		wantOK(t, next.Says(ledger.OutcomeAcknowledge))
		w.Hear(w.Event(psp, "evt_1", ledger.SaysNot, func(r *ledger.RecordEvent) { r.VendorKey, r.EventTime = next.Now().VendorKey, of }))
		wantState(t, next.Now(), ledger.Acknowledged) // it is about the first
		w.Hear(w.Event(psp, "evt_2", ledger.SaysNot, func(r *ledger.RecordEvent) { r.VendorKey, r.EventTime = next.Now().VendorKey, w.Now }))
		wantState(t, next.Now(), ledger.FailedPermanent)
	})
}
