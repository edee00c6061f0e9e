package ledger_test

import (
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

// ids is the answer of a provider that gave its request and its object an id.
func ids(request, object string) func(*ledger.Report) {
	return func(r *ledger.Report) { r.RequestRef, r.ObjectID = request, object }
}

// TestOneIDIsOneStatement: an id under which something else was stated before is refused, whatever of it differs.
func TestOneIDIsOneStatement(t *testing.T) {
	for name, change := range map[string]func(*ledger.Statement){
		"another answer": func(s *ledger.Statement) { s.Says = ledger.SaysInProgress },
		"another source": func(s *ledger.Statement) { s.Source = ledger.SourceWebhook },
		"another effect": func(s *ledger.Statement) { s.EffectID = "ch_2" },
	} {
		w := ledgertest.New(t)
		h := ambiguously(t, w, capture)
		first := w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysHappened, func(s *ledger.Statement) { s.EffectID = "ch_1" })
		w.Tell(first)
		second := *first
		statement := *first.Statement
		change(&statement)
		second.Statement = &statement
		if _, err := w.Do(&second); err == nil {
			t.Errorf("%s: it is taken", name)
		} else {
			wantRefusal(t, err, ledger.ReasonEvidenceReused)
		}
	}
}

// TestWhatAFindBelongsTo: a find is the operation's own by its references, or by an id that the operation is known under.
func TestWhatAFindBelongsTo(t *testing.T) {
	changes := func(c ledgertest.Call) ledgertest.Call { // the call changes an object that stood before
		c.Tool = c.Tool.With(func(t *ledger.Terms) { t.Effect = registry.EffectChange })
		return c
	}
	for name, c := range map[string]struct {
		call  ledgertest.Call
		found ledger.Statement
		own   bool
	}{
		"the request's id":                  {capture, ledger.Statement{ProviderRequestID: "req_1"}, true},
		"another request's":                 {capture, ledger.Statement{ProviderRequestID: "req_2"}, false},
		"the object's id":                   {capture, ledger.Statement{EffectID: "ch_1"}, true},
		"another object's":                  {capture, ledger.Statement{EffectID: "ch_2"}, false},
		"the object that it was to change":  {changes(capture), ledger.Statement{EffectID: "ch_1"}, false},
		"nothing":                           {capture, ledger.Statement{}, false},
		"another's vendor key":              {capture, ledger.Statement{VendorKey: "opk-another"}, false},
		"an object, with the request's id":  {capture, ledger.Statement{EffectID: "ch_2", ProviderRequestID: "req_1"}, true},
		"the object, of another request":    {capture, ledger.Statement{EffectID: "ch_1", ProviderRequestID: "req_2"}, true},
		"another's, with another reference": {capture, ledger.Statement{EffectID: "ch_2", ClientReference: "opr-another"}, false},
	} {
		w := ledgertest.New(t)
		h := w.Execute(c.call)
		wantOK(t, h.Says(ledger.OutcomeAmbiguous, ids("req_1", "ch_1")))
		e := w.Tell(w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysHappened, func(s *ledger.Statement) {
			s.EffectID, s.ProviderRequestID, s.VendorKey, s.ClientReference = c.found.EffectID, c.found.ProviderRequestID, c.found.VendorKey, c.found.ClientReference
		})).Evidence
		if e.Attributed != c.own {
			t.Errorf("%s: it is its own: %t", name, e.Attributed)
		}
	}
	w := ledgertest.New(t)
	h := w.Execute(capture)
	wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
	for effect, own := range map[string]bool{"ch_1": true, "ch_2": false} {
		e := w.Tell(w.Statement(h.Now(), ledger.SourceWebhook, ledger.SaysHappened, func(s *ledger.Statement) { s.EffectID = effect })).Evidence
		if e.Attributed != own {
			t.Errorf("%s beside the known effect ch_1: it is its own: %t", effect, e.Attributed)
		}
	}
}

// TestByWhichReferenceAbsenceCounts: a provider's own id names one attempt's request, or the object that it made.
func TestByWhichReferenceAbsenceCounts(t *testing.T) {
	const unnamed = "does not name this way of looking"
	asking := func(by registry.LookupBy, change ...func(*ledger.Terms)) ledgertest.Call {
		c := capture
		c.Tool = c.Tool.With(func(t *ledger.Terms) {
			t.Lookups = append(t.Lookups[:0:0], registry.Lookup{By: registry.ByClientReference}, registry.Lookup{By: by})
			for _, f := range change {
				f(t)
			}
		})
		return c
	}
	changing := func(t *ledger.Terms) { t.Effect = registry.EffectChange }
	for name, c := range map[string]struct {
		call   ledgertest.Call
		by     registry.LookupBy
		value  string
		counts bool
	}{
		"the request's id":                  {asking(registry.ByProviderRequestID), registry.ByProviderRequestID, "req_1", true},
		"the object's in its place":         {asking(registry.ByProviderRequestID), registry.ByProviderRequestID, "ch_1", false},
		"the object's id":                   {asking(registry.ByObjectID), registry.ByObjectID, "ch_1", true},
		"the request's in its place":        {asking(registry.ByObjectID), registry.ByObjectID, "req_1", false},
		"an object that stood before":       {asking(registry.ByObjectID, changing), registry.ByObjectID, "ch_1", false},
		"the request, of such a change":     {asking(registry.ByProviderRequestID, changing), registry.ByProviderRequestID, "req_1", true},
		"a way that the profile lacks":      {asking(registry.ByObjectID), registry.ByProviderRequestID, "req_1", false},
		"the reference that all of it bear": {asking(registry.ByObjectID), registry.ByClientReference, "", true},
	} {
		w := ledgertest.New(t)
		h := w.Execute(c.call)
		wantOK(t, h.Says(ledger.OutcomeAmbiguous, ids("req_1", "ch_1")))
		w.Advance(time.Hour)
		ticket := w.Ask(h.Now()).Ticket
		e := w.Tell(w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysNot, func(s *ledger.Statement) {
			s.By, s.AskedValue, s.Ticket = c.by, c.value, ticket
		})).Evidence
		if e.Counted != c.counts || strings.Contains(e.Why, unnamed) == c.counts {
			t.Errorf("%s: it counts: %t (%s)", name, e.Counted, e.Why)
		}
		wantState(t, h.Now(), map[bool]ledger.State{true: ledger.FailedRetryable, false: ledger.UnknownOutcome}[c.counts])
	}
	w := ledgertest.New(t)
	h := ambiguously(t, w, capture)
	e := w.Tell(w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysHappened, func(s *ledger.Statement) { s.By = registry.ByObjectID })).Evidence
	if strings.Contains(e.Why, unnamed) {
		t.Errorf("what was found was asked for in a way that does not matter: %s", e.Why)
	}
	e = w.Tell(w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysNot)).Evidence
	if e.Why != "it does not say when it was asked" {
		t.Errorf("a question without a ticket, in a way that the profile names: %s", e.Why)
	}
}

// TestAnIDOfOneCopy: where a permit went out twice and nothing tells its bearers apart, an id that one of them was given
// names its own request; that it is not there says nothing of the other's.
func TestAnIDOfOneCopy(t *testing.T) {
	for _, twice := range []bool{false, true} {
		w := ledgertest.New(t)
		call := capture
		call.Request = "req-1"
		call.Tool = call.Tool.With(func(t *ledger.Terms) { t.Lookups = []registry.Lookup{{By: registry.ByProviderRequestID}} })
		h := w.Execute(call)
		if twice {
			if again := w.Propose(call); again.Permit == nil || !again.Permit.Attempt.HandedAgain {
				t.Fatalf("the permit does not go out again: %+v", again)
			}
		}
		wantOK(t, h.Says(ledger.OutcomeAmbiguous, ids("req_1", "")))
		w.Advance(24 * time.Hour)
		w.RunDue()
		ticket := w.Ask(h.Now()).Ticket
		e := w.Tell(w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysNot, func(s *ledger.Statement) { s.Ticket = ticket })).Evidence
		if e.Counted == twice {
			t.Errorf("out twice %t: it counts: %t (%s)", twice, e.Counted, e.Why)
		}
	}
}

// TestAnIDOfOneAttempt says nothing of the request of another.
func TestAnIDOfOneAttempt(t *testing.T) {
	w := ledgertest.New(t)
	call := capture
	call.Tool = call.Tool.With(func(t *ledger.Terms) { t.Lookups = []registry.Lookup{{By: registry.ByProviderRequestID}} })
	wantOK(t, w.Execute(call).Says(ledger.OutcomeAmbiguous, ids("req_1", "")))
	w.Advance(time.Hour)
	h := w.Execute(call)
	wantOK(t, h.Says(ledger.OutcomeAmbiguous, ids("req_2", "")))
	w.Advance(24 * time.Hour)
	ticket := w.Ask(h.Now()).Ticket
	if e := w.Tell(w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysNot, func(s *ledger.Statement) { s.Ticket = ticket })).Evidence; e.Counted {
		t.Errorf("it counts: %s", e.Why)
	}
}

// TestASearchSaysLess: whether the profile or whoever asked says that it was one.
func TestASearchSaysLess(t *testing.T) {
	for _, c := range []struct {
		profile, asked bool
		want           ledger.Grade
	}{
		{false, false, ledger.GradeLookup}, {true, false, ledger.GradeSearch}, {false, true, ledger.GradeSearch}, {true, true, ledger.GradeSearch},
	} {
		w := ledgertest.New(t)
		call := capture
		call.Tool = call.Tool.With(func(t *ledger.Terms) {
			t.Lookups = []registry.Lookup{{By: registry.ByClientReference, Search: c.profile}}
		})
		h := ambiguously(t, w, call)
		if e := w.Tell(w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysNot, func(s *ledger.Statement) { s.Search = c.asked })).Evidence; e.Grade != c.want {
			t.Errorf("search by the profile %t, as asked %t: its grade is %d", c.profile, c.asked, e.Grade)
		}
	}
}

// TestAWebhooksTime is taken for the time of a "no" about the operation itself, and of nothing else.
func TestAWebhooksTime(t *testing.T) {
	for name, c := range map[string]struct {
		says     ledger.Says
		own, sat bool // it carries the operation's reference; it says when it was observed
		dated    bool
	}{
		"a no":                   {ledger.SaysNot, true, true, true},
		"a no of no time":        {ledger.SaysNot, true, false, false},
		"a no about something":   {ledger.SaysNot, false, true, false},
		"a yes":                  {ledger.SaysHappened, true, true, false},
		"progress":               {ledger.SaysInProgress, true, true, false},
		"a yes about something":  {ledger.SaysHappened, false, true, false},
		"progress of no time":    {ledger.SaysInProgress, true, false, false},
		"no about some, no time": {ledger.SaysNot, false, false, false},
	} {
		w := ledgertest.New(t)
		h := ambiguously(t, w, capture)
		w.Advance(time.Hour)
		o := h.Now()
		e := w.Tell(w.Statement(o, ledger.SourceWebhook, c.says, func(s *ledger.Statement) {
			s.EffectID = "ch_1"
			if c.own {
				s.ClientReference = o.ClientReference
			}
			if c.sat {
				s.ObservedAt = w.Now.Add(-time.Minute)
			}
		})).Evidence
		if e.AskedAt.IsZero() == c.dated {
			t.Errorf("%s: asked at %s", name, e.AskedAt)
		}
	}
}

// TestALookupThatIsDownLetsTheResendGo, and nobody else's ignorance does.
func TestALookupThatIsDownLetsTheResendGo(t *testing.T) {
	for source, cleared := range map[ledger.Source]bool{ledger.SourceLookup: true, ledger.SourceWebhook: false, ledger.SourcePerson: false} {
		w := ledgertest.New(t)
		h := ambiguously(t, w, capture)
		w.Tell(w.Statement(h.Now(), source, ledger.SaysUnknown))
		if got := h.Now().ResendCleared; got != cleared {
			t.Errorf("%s: %t", source, got)
		}
	}
	w := ledgertest.New(t)
	h := w.Execute(capture)
	wantOK(t, h.Says(ledger.OutcomeAcknowledge))
	w.Tell(w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysUnknown))
	if h.Now().ResendCleared {
		t.Error("nothing is sent again of what the provider has taken on")
	}
}

// TestProgressIsOfTheNewestAttemptThatMayBeIt: of one that may have had the effect before one that counts as without.
func TestProgressIsOfTheNewestAttemptThatMayBeIt(t *testing.T) {
	w := ledgertest.New(t)
	h, second := resent(t, w, capture)
	wantOK(t, second.Says(ledger.OutcomeNotSent))
	o := h.Now()
	if o.Attempts[0].Verdict != ledger.VerdictOpen || o.Attempts[1].Verdict != ledger.VerdictNone {
		t.Fatalf("the attempts are %s and %s", o.Attempts[0].Verdict, o.Attempts[1].Verdict)
	}
	w.Tell(w.Statement(o, ledger.SourceLookup, ledger.SaysInProgress, func(s *ledger.Statement) { s.ClientReference = o.ClientReference }))
	o = h.Now()
	wantState(t, o, ledger.Acknowledged)
	wantIncidents(t, o)
	if o.Attempts[1].Verdict != ledger.VerdictNone {
		t.Errorf("the attempt that sent nothing is %s", o.Attempts[1].Verdict)
	}
}
