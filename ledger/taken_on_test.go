package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

// sentTwice is a payment that was sent twice under one key, after the first time came to nothing that anybody knows.
func sentTwice(t *testing.T) (w *ledgertest.World, first, second *ledgertest.Holder) {
	t.Helper()
	w = ledgertest.New(t)
	first = w.Execute(capture)
	wantOK(t, first.Says(ledger.OutcomeAmbiguous))
	w.Advance(time.Minute)
	w.NotFound(first.Now(), time.Second)
	w.Advance(time.Minute)
	second = w.Execute(capture)
	if second.Operation != first.Operation {
		t.Fatalf("it was sent again as %s", second.Operation)
	}
	return w, first, second
}

// underWay is a lookup's word that the provider is at it.
func underWay(w *ledgertest.World, o *ledger.Operation, effect string) {
	w.Tell(w.Statement(o, ledger.SourceLookup, ledger.SaysInProgress, func(s *ledger.Statement) {
		s.By, s.ClientReference, s.EffectID = registry.ByClientReference, o.ClientReference, effect
	}))
}

// TestTakenOnBeside: what the provider has taken on beside the known effect, or beside something else that it has taken on,
// is an incident as soon as both are heard of, in whatever order: the effect may come twice.
func TestTakenOnBeside(t *testing.T) {
	for name, play := range map[string]func(*testing.T) *ledgertest.Holder{
		"a lookup finds another effect": func(t *testing.T) *ledgertest.Holder {
			w, _, second := sentTwice(t)
			wantOK(t, second.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_2")))
			w.Advance(10 * time.Minute)
			w.Found(second.Now(), "ch_1")
			return second
		},
		"a late acknowledgement beside a success": func(t *testing.T) *ledgertest.Holder {
			_, first, second := sentTwice(t)
			wantOK(t, second.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_2")))
			wantRefusal(t, first.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1")), ledger.ReasonStaleAttempt)
			return first
		},
		"a success after a late acknowledgement": func(t *testing.T) *ledgertest.Holder {
			_, first, second := sentTwice(t)
			wantRefusal(t, first.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1")), ledger.ReasonStaleAttempt)
			wantOK(t, second.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_2")))
			return second
		},
		"two acknowledgements": func(t *testing.T) *ledgertest.Holder {
			_, first, second := sentTwice(t)
			wantOK(t, second.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_2")))
			wantRefusal(t, first.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1")), ledger.ReasonStaleAttempt)
			return first
		},
		"a lookup says that it is at another": func(t *testing.T) *ledgertest.Holder {
			w, _, second := sentTwice(t)
			wantOK(t, second.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_2")))
			underWay(w, second.Now(), "ch_1")
			underWay(w, second.Now(), "ch_1") // and again: one incident
			return second
		},
		"two lookups, of which each is at another": func(t *testing.T) *ledgertest.Holder {
			w, _, second := sentTwice(t)
			wantOK(t, second.Says(ledger.OutcomeAmbiguous))
			underWay(w, second.Now(), "ch_1")
			underWay(w, second.Now(), "ch_2")
			return second
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := play(t).Now()
			wantIncidents(t, o, ledger.IncidentPossibleDuplicate)
			wantHuman(t, o, ledger.HumanIncident)
		})
	}
	t.Run("and when it is there", func(t *testing.T) {
		w, first, second := sentTwice(t)
		wantOK(t, second.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_2")))
		wantRefusal(t, first.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1")), ledger.ReasonStaleAttempt)
		w.Found(first.Now(), "ch_1")
		wantIncidents(t, first.Now(), ledger.IncidentPossibleDuplicate, ledger.IncidentDuplicate)
	})
}

// TestTakenOnAlone: what may not come twice raises nothing.
func TestTakenOnAlone(t *testing.T) {
	for name, play := range map[string]func(*testing.T) *ledgertest.Holder{
		"one effect, told by all": func(t *testing.T) *ledgertest.Holder {
			w, first, second := sentTwice(t)
			wantOK(t, second.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1")))
			wantRefusal(t, first.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1")), ledger.ReasonStaleAttempt)
			underWay(w, second.Now(), "ch_1")
			w.Found(second.Now(), "ch_1")
			underWay(w, second.Now(), "ch_1")
			return second
		},
		"an acknowledgement that names none": func(t *testing.T) *ledgertest.Holder {
			w, _, second := sentTwice(t)
			wantOK(t, second.Says(ledger.OutcomeAcknowledge))
			w.Found(second.Now(), "ch_1")
			return second
		},
		"an attempt that ends otherwise than it was taken on": func(t *testing.T) *ledgertest.Holder {
			w := ledgertest.New(t)
			h := w.Execute(capture)
			wantOK(t, h.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("job_1")))
			wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
			return h
		},
		"one that was sent once, found under another name": func(t *testing.T) *ledgertest.Holder {
			w := ledgertest.New(t)
			h := w.Execute(capture)
			wantOK(t, h.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("job_1")))
			w.Found(h.Now(), "ch_1")
			return h
		},
		"what was taken on came to nothing": func(t *testing.T) *ledgertest.Holder {
			w := ledgertest.New(t)
			h := w.Execute(capture)
			wantOK(t, h.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1")))
			wantOK(t, h.Says(ledger.OutcomeDeclined))
			w.Advance(time.Hour)
			again := w.Execute(capture)
			wantOK(t, again.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_2")))
			return again
		},
		"a read": func(t *testing.T) *ledgertest.Holder {
			w := ledgertest.New(t)
			c := read
			c.Tool = c.Tool.With(func(t *ledger.Terms) { t.BeginRequired = true })
			h := w.Execute(c)
			wantOK(t, h.Begin())
			wantOK(t, h.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("order_1")))
			underWay(w, h.Now(), "order_2")
			return h
		},
	} {
		t.Run(name, func(t *testing.T) { wantIncidents(t, play(t).Now()) })
	}
}
