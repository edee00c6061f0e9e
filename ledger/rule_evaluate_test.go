package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
)

// TestRulesAreTriedInAnExamplesWorld: each thing that an example makes up is read by the rules, what it leaves out is as it
// is, and the ledger's own rows stay as they are.
func TestRulesAreTriedInAnExamplesWorld(t *testing.T) {
	closed, open := "closed", "open"
	for name, c := range map[string]struct {
		world ledger.ExampleWorld
		rule  string // "plan_only": it would be executed
	}{
		"as it is":                {ledger.ExampleWorld{}, "plan_only"},
		"another state":           {ledger.ExampleWorld{EntityState: &closed}, "open"},
		"a state that is let be":  {ledger.ExampleWorld{EntityState: &open}, "plan_only"},
		"attributes":              {ledger.ExampleWorld{EntityAttributes: []byte(`{"frozen":true}`)}, "frozen"},
		"both":                    {ledger.ExampleWorld{EntityState: &open, EntityAttributes: []byte(`{"frozen":true}`)}, "frozen"},
		"a counter that is full":  {ledger.ExampleWorld{Counters: map[string]int64{"few": 2}}, "few"},
		"a counter that has room": {ledger.ExampleWorld{Counters: map[string]int64{"few": 1}}, "plan_only"},
		"at another time":         {ledger.ExampleWorld{Now: ledgertest.Start.Add(365 * 24 * time.Hour)}, "this-year"},
	} {
		t.Run(name, func(t *testing.T) {
			w := tried(t)
			a := did[ledger.Answer](t, w, example(w, c.world))
			if a.Decision != ledger.DecisionPlanned || a.Rule != c.rule {
				t.Errorf("answered %s by %q (%s), want it by %q", a.Decision, a.Rule, a.Because, c.rule)
			}
			if entities := w.Records(ledger.RecordEntity); len(entities) != 0 {
				t.Errorf("the example is written down: %+v", entities)
			}
		})
	}
}

// TestWhatAnExampleCannotMakeUp: the state of no entity, and counters of rules that count nothing here.
func TestWhatAnExampleCannotMakeUp(t *testing.T) {
	w := tried(t)
	refusedBy(t, w, example(w, ledger.ExampleWorld{Counters: map[string]int64{"open": 1}}), ledger.ReasonInvalidRequest)
	nowhere := example(w, ledger.ExampleWorld{EntityAttributes: []byte(`{}`)})
	nowhere.Forms[0].Entity.Type, nowhere.Forms[0].Entity.ID = "", ""
	refusedBy(t, w, nowhere, ledger.ReasonInvalidRequest)
}

// tried is a world whose rules read the entity, the time and a counter.
func tried(t *testing.T) *ledgertest.World {
	t.Helper()
	w := ledgertest.New(t)
	w.Policy([]policy.Rule{
		{ID: "few", Version: 1, Limit: &policy.Limit{Per: "{entity.id}", Max: 2, Period: 24 * time.Hour}},
		{ID: "open", Version: 1, Deny: &policy.Deny{When: `entity.state == "closed"`, Explanation: "It is closed."}},
		{ID: "frozen", Version: 1, Deny: &policy.Deny{When: `has(entity.attributes.frozen) && entity.attributes.frozen == true`, Explanation: "It is frozen."}},
		{ID: "this-year", Version: 1, Deny: &policy.Deny{When: `now > timestamp("2026-12-31T00:00:00Z")`, Explanation: "It is over."}},
	})
	return w
}

func example(w *ledgertest.World, world ledger.ExampleWorld) *ledger.Evaluate {
	call := capture
	call.Order, call.PlanOnly = "order_123", true
	return &ledger.Evaluate{Propose: w.Command(call), World: world}
}
