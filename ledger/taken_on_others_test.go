package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

// TestTakenOnByNoName: what nobody has named cannot be told from anything else, so that it raises nothing beside an effect,
// whichever of the two is heard of first.
func TestTakenOnByNoName(t *testing.T) {
	for name, play := range map[string]func(*testing.T) *ledgertest.Holder{
		"an acknowledgement without one, beside an effect": func(t *testing.T) *ledgertest.Holder {
			_, first, second := sentTwice(t)
			wantOK(t, second.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_2")))
			wantRefusal(t, first.Says(ledger.OutcomeAcknowledge), ledger.ReasonStaleAttempt)
			return first
		},
		"an effect without one, beside an acknowledgement": func(t *testing.T) *ledgertest.Holder {
			_, first, second := sentTwice(t)
			wantRefusal(t, first.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1")), ledger.ReasonStaleAttempt)
			wantOK(t, second.Says(ledger.OutcomeSucceeded))
			return second
		},
		"a lookup's word without one, before an effect": func(t *testing.T) *ledgertest.Holder {
			w, _, second := sentTwice(t)
			wantOK(t, second.Says(ledger.OutcomeAmbiguous))
			underWay(w, second.Now(), "")
			w.Found(second.Now(), "ch_2")
			return second
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := play(t).Now()
			wantState(t, o, ledger.CompletedSuccess)
			wantIncidents(t, o)
		})
	}
}

// TestTakenOnOfAnother: what counts as taken on is what the provider has under way for this operation and may still finish.
func TestTakenOnOfAnother(t *testing.T) {
	for name, c := range map[string]struct {
		play func(*testing.T) *ledgertest.Holder
		want []string
	}{
		"a lookup is at one and finds another": {func(t *testing.T) *ledgertest.Holder {
			w, _, second := sentTwice(t)
			wantOK(t, second.Says(ledger.OutcomeAmbiguous))
			underWay(w, second.Now(), "ch_1")
			w.Found(second.Now(), "ch_2")
			return second
		}, []string{ledger.IncidentPossibleDuplicate}},
		"the attempt that was taken on ends under another name": {func(t *testing.T) *ledgertest.Holder {
			_, _, second := sentTwice(t)
			wantOK(t, second.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("job_1")))
			wantOK(t, second.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
			return second
		}, nil},
		"two that are there, of which none is under way": {func(t *testing.T) *ledgertest.Holder {
			w, _, second := sentTwice(t)
			wantOK(t, second.Says(ledger.OutcomeAmbiguous))
			w.Found(second.Now(), "ch_1")
			w.Found(second.Now(), "ch_2")
			return second
		}, []string{ledger.IncidentDuplicate}},
		"what a lookup is at is not the operation's own": {func(t *testing.T) *ledgertest.Holder {
			w, _, second := sentTwice(t)
			wantOK(t, second.Says(ledger.OutcomeAmbiguous))
			w.Tell(w.Statement(second.Now(), ledger.SourceLookup, ledger.SaysInProgress, func(s *ledger.Statement) { s.EffectID = "ch_9" }))
			w.Found(second.Now(), "ch_1")
			return second
		}, nil},
		"two others are under way": {func(t *testing.T) *ledgertest.Holder {
			w, _, second := sentTwice(t)
			wantOK(t, second.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
			underWay(w, second.Now(), "ch_2")
			underWay(w, second.Now(), "ch_3")
			return second
		}, []string{ledger.IncidentPossibleDuplicate, ledger.IncidentPossibleDuplicate, ledger.IncidentPossibleDuplicate}},
	} {
		t.Run(name, func(t *testing.T) { wantIncidents(t, c.play(t).Now(), c.want...) })
	}
}

// TestAReadTakenOnTwice: whatever a read returns is nobody's effect, so that a second one is no duplicate.
func TestAReadTakenOnTwice(t *testing.T) {
	w := ledgertest.New(t)
	c := read
	c.Tool = c.Tool.With(func(t *ledger.Terms) { t.Lookups = []registry.Lookup{{By: registry.ByClientReference}} })
	first := w.Execute(c)
	wantOK(t, first.Says(ledger.OutcomeAmbiguous))
	w.Advance(time.Minute)
	second := w.Execute(c)
	wantOK(t, second.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("order_1")))
	underWay(w, second.Now(), "order_2")
	wantOK(t, second.Says(ledger.OutcomeSucceeded, ledgertest.Effect("order_3")))
	wantIncidents(t, second.Now())
}
