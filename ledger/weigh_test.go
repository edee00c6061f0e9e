package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

// TestOnlyANoIsWeighed as one: that a question got no answer, or that it is under way, says nothing against the effect,
// however often a "no" has the rest looked at again.
func TestOnlyANoIsWeighed(t *testing.T) {
	for _, says := range []ledger.Says{ledger.SaysUnknown, ledger.SaysHappened, ledger.SaysInProgress} {
		w := ledgertest.New(t)
		h := ambiguously(t, w, email)
		w.Advance(time.Hour)
		ticket := w.Ask(h.Now()).Ticket
		w.Tell(w.Statement(h.Now(), ledger.SourceLookup, says, func(s *ledger.Statement) { s.Ticket = ticket }))
		before := h.Now().Evidence[0]
		w.Tell(w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysNot)) // of no time: it counts for nothing by itself
		wantState(t, h.Now(), ledger.UnknownOutcome)
		if after := h.Now().Evidence[0]; after.Counted || after.Why != before.Why {
			t.Errorf("%s: it counts: %t (%s), and was %s", says, after.Counted, after.Why, before.Why)
		}
	}
}

// TestWhyANoDoesNotClear: what is said of it, and whether the request may be sent once more nevertheless.
func TestWhyANoDoesNotClear(t *testing.T) {
	const (
		stall  = "asked within the stall allowance of an attempt that never reported"
		resend = "it permits a resend under the same key, not an end"
		early  = "asked before the effect of the last attempt must show"
		never  = "absence never clears this attempt; its provider's last word or a person does"
	)
	stalls := func(c ledgertest.Call) ledgertest.Call {
		c.Tool = c.Tool.With(func(t *ledger.Terms) { t.StallAllowance = 10 * time.Minute })
		return c
	}
	for name, c := range map[string]struct {
		make   func(*testing.T, *ledgertest.World, ledgertest.Call) *ledgertest.Holder
		call   ledgertest.Call
		asked  time.Duration // after the attempt
		why    string
		clears bool // the request may be sent once more, whatever else is waited for
	}{
		"keyed, too early":                   {silently, capture, 0, early, false},
		"keyed, within the stall allowance":  {silently, capture, time.Minute, resend, true},
		"no key, within the stall allowance": {silently, email, 2 * time.Minute, stall, false},
		"keyed, taken on":                    {takenOnThenOver, capture, time.Hour, never, true},
		"no key, taken on":                   {takenOnThenOver, email, time.Hour, never, false},
		"irreversible, silent":               {silently, stalls(revoke), 2 * time.Minute, never, false}, // no allowance makes a lookup count there
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := c.make(t, w, c.call)
			w.Advance(c.asked)
			e := w.NotFound(h.Now(), 0).Evidence
			if e.Counted || e.Became != "" || e.Why != c.why {
				t.Errorf("it counts: %t, became %q: %s; want %s", e.Counted, e.Became, e.Why, c.why)
			}
			if got := h.Now().ResendCleared; got != c.clears {
				t.Errorf("that the request may be sent once more is %t", got)
			}
		})
	}
}

// takenOnThenOver makes an operation whose only attempt was taken on, and was not heard of again in the provider's time.
func takenOnThenOver(t *testing.T, w *ledgertest.World, c ledgertest.Call) *ledgertest.Holder {
	t.Helper()
	h := acting(t, c, w.Execute(c))
	wantOK(t, h.Says(ledger.OutcomeAcknowledge))
	w.Advance(c.Tool.Terms.TimeToFinish)
	w.RunDue()
	wantState(t, h.Now(), ledger.UnknownOutcome)
	return h
}

// TestANoOfAnEarlierAttempt says nothing of the newest: within the stall allowance the request is not sent once more by it.
func TestANoOfAnEarlierAttempt(t *testing.T) {
	w := ledgertest.New(t)
	h := silently(t, w, capture)
	w.Advance(time.Minute)
	ticket := w.Ask(h.Now()).Ticket // of the first attempt alone
	second := w.Execute(capture)
	wantOK(t, second.Says(ledger.OutcomeAmbiguous))
	e := w.Tell(w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysNot, func(s *ledger.Statement) { s.Ticket = ticket })).Evidence
	if e.Attempts != 1 || e.Counted || e.Why != "asked within the stall allowance of an attempt that never reported" {
		t.Errorf("of %d attempts, it counts: %t (%s)", e.Attempts, e.Counted, e.Why)
	}
	if h.Now().ResendCleared {
		t.Error("the request may be sent once more")
	}
}

// TestAPersonsNoWaitsForTheStallAllowance in every class: who says that it did not happen cannot know what wakes later.
func TestAPersonsNoWaitsForTheStallAllowance(t *testing.T) {
	for class, c := range ofClass {
		if class == registry.PureRead {
			continue
		}
		c.Tool = c.Tool.With(func(t *ledger.Terms) { t.StallAllowance = 10 * time.Minute })
		w := ledgertest.New(t)
		h := silently(t, w, c)
		w.Advance(5 * time.Minute)
		if e := w.Person(h.Now(), ledger.SaysNot).Evidence; e.Counted {
			t.Errorf("%s: it counts within the allowance: %s", class, e.Why)
		}
		wantState(t, h.Now(), ledger.UnknownOutcome)
		w.Advance(10 * time.Minute)
		if e := w.Person(h.Now(), ledger.SaysNot).Evidence; !e.Counted || e.Why != "it cleared what it speaks for" {
			t.Errorf("%s: it counts after it: %t (%s)", class, e.Counted, e.Why)
		}
	}
}

// TestWhatAPersonSettles: their word stands for the effect where nothing else names it.
func TestWhatAPersonSettles(t *testing.T) {
	for effect, settles := range map[string]bool{"": true, "ch_1": false} {
		w := ledgertest.New(t)
		h := ambiguously(t, w, capture)
		w.Tell(w.Statement(h.Now(), ledger.SourcePerson, ledger.SaysHappened, func(s *ledger.Statement) { s.EffectID, s.Reason = effect, "I saw it" }))
		o := h.Now()
		wantState(t, o, ledger.CompletedSuccess)
		if (o.Settled != nil) != settles || len(o.Effects) == 1 == settles {
			t.Errorf("effect %q: settled by %+v, the effects are %+v", effect, o.Settled, o.Effects)
		}
		if settles && (o.Settled.By != "kim" || o.Settled.Note != "I saw it") {
			t.Errorf("settled by %+v", o.Settled)
		}
	}
}

// TestACountOfEmptyAnswersIsOfOneWay: the profile says of each of its ways how many it asks for, and of others nothing.
func TestACountOfEmptyAnswersIsOfOneWay(t *testing.T) {
	w := ledgertest.New(t)
	o := enqueue(t, w, looking(email, func(t *ledger.Terms) {
		t.Lookups = []registry.Lookup{{By: registry.ByClientReference, EmptyAnswers: 2}}
	}))
	h := putQuestion(t, w, o)
	e := answers(w, h, ledger.SaysNot).Evidence
	if e.Counted || e.Became != ledger.BecameWaiting || e.Why != "it is 1 of the 2 clean empty answers that the provider's profile asks for" {
		t.Errorf("by the profile's way: it counts: %t (%s)", e.Counted, e.Why)
	}
	h = putQuestion(t, w, o)
	if e := answers(w, h, ledger.SaysNot, func(s *ledger.Statement) { s.By = registry.ByObjectID }).Evidence; e.Became == ledger.BecameWaiting {
		t.Errorf("by another way it waits for more: %s", e.Why)
	}
}
