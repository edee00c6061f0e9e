package ledger_test

import (
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

// identifies is a call to a tool whose effect id is of that kind.
func identifies(e registry.EffectIdentity, key string) ledgertest.Call {
	c := capture
	c.Key, c.Args = key, `{"key":"`+key+`"}`
	c.Tool = c.Tool.With(func(t *ledger.Terms) { t.Effect = e })
	return c
}

func named(effect, object string) func(*ledger.Report) {
	return func(r *ledger.Report) { r.EffectID, r.ObjectID = effect, object }
}

// TestEffectsThatAreChanges: many operations change one object, and each change is its operation's alone.
func TestEffectsThatAreChanges(t *testing.T) {
	w := ledgertest.New(t)
	a, b, c := w.Execute(identifies(registry.EffectChange, "a")), w.Execute(identifies(registry.EffectChange, "b")), w.Execute(identifies(registry.EffectChange, "c"))
	wantOK(t, a.Says(ledger.OutcomeSucceeded, named("chg_1", "obj_1")))
	wantOK(t, b.Says(ledger.OutcomeSucceeded, named("chg_2", "obj_1")))
	for _, h := range []*ledgertest.Holder{a, b} {
		wantState(t, h.Now(), ledger.CompletedSuccess)
		wantIncidents(t, h.Now())
		if r := h.Now().Result; r.ProviderObjectID != "obj_1" || len(h.Now().Effects) != 1 {
			t.Errorf("the result is %+v", r)
		}
	}
	wantOK(t, c.Says(ledger.OutcomeSucceeded, named("chg_1", "obj_1")))
	wantState(t, c.Now(), ledger.UnknownOutcome)
	wantIncidents(t, c.Now(), ledger.IncidentEffectElsewhere, ledger.IncidentPresenceUnmatched)
}

func TestTheObjectOfAChangeIsNoEffect(t *testing.T) {
	w := ledgertest.New(t)
	for _, key := range []string{"a", "b"} {
		h := w.Execute(identifies(registry.EffectChange, key))
		wantOK(t, h.Says(ledger.OutcomeSucceeded, named("obj_1", "obj_1")))
		wantState(t, h.Now(), ledger.CompletedSuccess)
		if n := len(h.Now().Effects); n != 0 {
			t.Errorf("%d effects are claimed", n)
		}
	}
}

// TestFindingTheObjectOfAChange proves nothing: it stands with the change and without it.
func TestFindingTheObjectOfAChange(t *testing.T) {
	for effect, want := range map[registry.EffectIdentity]ledger.State{
		registry.EffectChange: ledger.UnknownOutcome, registry.EffectCreatedObject: ledger.CompletedSuccess,
	} {
		w := ledgertest.New(t)
		h := w.Execute(identifies(effect, "a"))
		wantOK(t, h.Says(ledger.OutcomeAmbiguous, func(r *ledger.Report) { r.ObjectID = "obj_1" }))
		w.Tell(w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysHappened, func(s *ledger.Statement) { s.EffectID = "obj_1" }))
		wantState(t, h.Now(), want)
	}
}

// TestEffectsWithoutIDs: two claimed successes are two effects, unless the provider says that it replayed.
func TestEffectsWithoutIDs(t *testing.T) {
	for name, c := range map[string]struct {
		replayed  bool
		incidents []string
	}{
		"twice":    {false, []string{ledger.IncidentDuplicate}},
		"replayed": {true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			first := lost(t, w, queued(identifies(registry.EffectNone, "a")))
			for w.NextWork(first.Now()).Kind == ledger.WorkLookup {
				w.TakeUp(first.Now())
			}
			second := w.Dispatch(first.Now())
			wantOK(t, second.Says(ledger.OutcomeSucceeded, named("x", "")))
			wantRefusal(t, first.Says(ledger.OutcomeSucceeded, named("x", ""), func(r *ledger.Report) { r.Replayed = c.replayed }), ledger.ReasonStaleAttempt)
			wantIncidents(t, first.Now(), c.incidents...)
			if n := len(first.Now().Effects); n != 0 {
				t.Errorf("%d effects are claimed", n)
			}
		})
	}
}
