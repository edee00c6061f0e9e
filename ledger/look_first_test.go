package ledger_test

import (
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

// looking is a call whose tool asks its provider before the first dispatch.
func looking(c ledgertest.Call, change ...func(*ledger.Terms)) ledgertest.Call {
	c = queued(c)
	c.Tool = c.Tool.With(func(t *ledger.Terms) {
		t.LookFirst = true
		for _, f := range change {
			f(t)
		}
	})
	return c
}

// answers hands in what a question that was just taken up came to.
func answers(w *ledgertest.World, h *ledger.Handed, says ledger.Says, change ...func(*ledger.Statement)) *ledger.Reconciliation {
	return w.Tell(w.Statement(h.Operation, ledger.SourceLookup, says, append([]func(*ledger.Statement){func(s *ledger.Statement) {
		s.Ticket = h.Lookup.Ticket
	}}, change...)...))
}

// putQuestion takes up a lookup and expects it.
func putQuestion(t *testing.T, w *ledgertest.World, o *ledger.Operation) *ledger.Handed {
	t.Helper()
	if work := w.NextWork(o); work.Kind != ledger.WorkLookup {
		t.Fatalf("the work is %s", work.Kind)
	}
	h := w.TakeUp(o)
	if h.Lookup == nil || h.Permit != nil {
		t.Fatalf("it is answered %+v", h)
	}
	return h
}

func TestLookFirstThenDispatch(t *testing.T) {
	w := ledgertest.New(t)
	o := enqueue(t, w, looking(email))
	h := putQuestion(t, w, o)
	if h.Lookup.ClientReference != o.ClientReference || h.Lookup.CountsAfter != 0 {
		t.Errorf("the question is %+v", h.Lookup)
	}
	if e := answers(w, h, ledger.SaysNot).Evidence; !e.Counted {
		t.Errorf("the answer does not count: %s", e.Why)
	}
	wantWork(t, w, o, ledger.WorkDispatch, w.Operation(o.Namespace, o.ID).StateSince.Sub(w.Now))
	wantOK(t, w.Dispatch(o).Says(ledger.OutcomeNotSent))
	w.NextWork(o)
	if second := w.Dispatch(o); second.Number != 2 { // no look before the second
		t.Errorf("it is attempt %d", second.Number)
	}
}

func TestLookFirstFindsItAlreadySo(t *testing.T) {
	w := ledgertest.New(t)
	o := enqueue(t, w, looking(email))
	answers(w, putQuestion(t, w, o), ledger.SaysHappened, func(s *ledger.Statement) { s.ObjectID, s.ResultJSON = "msg_9", []byte(`{"id":"msg_9"}`) })
	o = w.Operation(o.Namespace, o.ID)
	wantState(t, o, ledger.CompletedNoop)
	if o.Result.ProviderObjectID != "msg_9" || len(o.Effects) != 0 || len(o.Attempts) != 0 || o.PresenceSaid {
		t.Errorf("the result is %+v, the effects %v", o.Result, o.Effects)
	}
	wantIncidents(t, o)
	wantDecision(t, w.Propose(looking(email)), ledger.DecisionReplayed)
}

// TestLookFirstFindsItsOwn: what bears the operation's own reference is its effect, sent by somebody of whom the ledger
// knows nothing: after a lost tail, for instance.
func TestLookFirstFindsItsOwn(t *testing.T) {
	w := ledgertest.New(t)
	o := enqueue(t, w, looking(email))
	answers(w, putQuestion(t, w, o), ledger.SaysHappened, func(s *ledger.Statement) { s.ClientReference, s.EffectID = o.ClientReference, "msg_1" })
	o = w.Operation(o.Namespace, o.ID)
	wantState(t, o, ledger.CompletedSuccess)
	if len(o.Effects) != 1 {
		t.Errorf("the effects are %+v", o.Effects)
	}
	wantIncidents(t, o, ledger.IncidentContradiction)
}

// TestLookFirstUnanswered: where a repeated request is told by its key the dispatch goes on; elsewhere a person is asked.
func TestLookFirstUnanswered(t *testing.T) {
	for name, c := range map[string]struct {
		call   ledgertest.Call
		person bool
	}{
		"by a key":      {looking(capture), false},
		"without a key": {looking(email), true},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			o := enqueue(t, w, c.call)
			for range 3 {
				answers(w, putQuestion(t, w, o), ledger.SaysUnknown)
			}
			w.NextWork(o)
			w.TakeUp(o)
			o = w.Operation(o.Namespace, o.ID)
			wantState(t, o, ledger.PendingDispatch)
			if !c.person {
				if w.Dispatch(o); o.Human != nil {
					t.Error("a person is asked")
				}
				return
			}
			if o.Human == nil || o.Human.Reason != ledger.HumanLook {
				t.Fatalf("a person is asked: %+v", o.Human)
			}
			wantWork(t, w, o, ledger.WorkLookup, 12e9) // questions go on
			w.Person(o, ledger.SaysNot)
			if o = w.Operation(o.Namespace, o.ID); o.Human != nil {
				t.Errorf("a person has answered, and is asked for %s", o.Human.Reason)
			}
			if h := w.Dispatch(o); h.Now().Human != nil {
				t.Error("a person is still asked")
			}
		})
	}
}

func TestLookFirstAsksAsOftenAsTheProfileSays(t *testing.T) {
	w := ledgertest.New(t)
	o := enqueue(t, w, looking(email, func(t *ledger.Terms) {
		t.Lookups = append(t.Lookups[:0:0], t.Lookups...)
		t.Lookups[0].EmptyAnswers = 2
	}))
	h := putQuestion(t, w, o)
	answers(w, h, ledger.SaysNot)
	answers(w, h, ledger.SaysNot) // of the same question
	if o := w.Operation(o.Namespace, o.ID); o.Looked {
		t.Fatal("one question was enough")
	}
	answers(w, putQuestion(t, w, o), ledger.SaysNot)
	w.Dispatch(o)
}

// TestLookFirstByAnotherWay: what is not found in a way that the profile does not name may well be there.
func TestLookFirstByAnotherWay(t *testing.T) {
	w := ledgertest.New(t)
	o := enqueue(t, w, looking(email))
	h := putQuestion(t, w, o)
	e := answers(w, h, ledger.SaysNot, func(s *ledger.Statement) { s.By = registry.ByVendorKey }).Evidence
	if o = w.Operation(o.Namespace, o.ID); o.Looked || e.Counted || e.Why == "" {
		t.Errorf("looked %t, by an answer that counts %t: %s", o.Looked, e.Counted, e.Why)
	}
	answers(w, h, ledger.SaysNot)
	w.Dispatch(o)
}

// TestLookFirstHearsNobodyElse: only an answer to the question that was put decides about the dispatch.
func TestLookFirstHearsNobodyElse(t *testing.T) {
	for name, source := range map[string]ledger.Source{"a lookup without a ticket": ledger.SourceLookup, "a webhook": ledger.SourceWebhook} {
		for _, says := range []ledger.Says{ledger.SaysNot, ledger.SaysHappened} {
			w := ledgertest.New(t)
			o := enqueue(t, w, looking(email))
			putQuestion(t, w, o)
			w.Tell(w.Statement(o, source, says, func(s *ledger.Statement) { s.ClientReference, s.VendorKey = "", "" }))
			if o = w.Operation(o.Namespace, o.ID); o.State != ledger.PendingDispatch || o.Looked {
				t.Errorf("%s says %s: it is %s, looked %t", name, says, o.State, o.Looked)
			}
		}
	}
}
