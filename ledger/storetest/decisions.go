package storetest

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
)

func decisions(t *testing.T, fresh Make) {
	t.Run("every field comes back as it was saved", func(t *testing.T) {
		b := open(t, fresh)
		now, err := b.engine.Time(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		full := ledger.Decision{}
		(&filler{from: now}).fill(t, reflect.ValueOf(&full).Elem())
		// These are columns, and what an edge has checked before.
		full.Namespace, full.ID, full.Kind = tenant, "dec_1", ledger.DecisionDenied
		full.Tool, full.Rule, full.OperationID, full.WorkflowID, full.Entity = "tool", "rule", "op_1", "wf", locks.Entity{Type: "order", ID: "1"}
		for i := range full.Verdicts {
			full.Verdicts[i].Need = nil // what the one decision needed is not kept
		}
		saveDecisions(t, b.engine, full)
		saveDecisions(t, b.engine, full) // a retry finds its own
		same(t, "decisions", listDecisions(t, b.engine, ledger.DecisionQuery{Namespace: tenant}), []ledger.Decision{full})
		same(t, "of another tenant", listDecisions(t, b.engine, ledger.DecisionQuery{Namespace: other}), []ledger.Decision(nil))
	})
	t.Run("they page, newest first, also within one instant", func(t *testing.T) {
		b := open(t, fresh)
		now, err := b.engine.Time(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var all []ledger.Decision
		for i := range 7 {
			all = append(all, ledger.Decision{Namespace: tenant, ID: ledger.DecisionID(fmt.Sprintf("dec_%d", i)), At: now, Kind: ledger.DecisionDenied})
		}
		saveDecisions(t, b.engine, all...)
		var seen []string
		q := ledger.DecisionQuery{Namespace: tenant, Limit: 3}
		for {
			page := listDecisions(t, b.engine, q)
			if len(page) == 0 {
				break
			}
			for _, d := range page {
				seen = append(seen, string(d.ID))
			}
			last := page[len(page)-1]
			q.Before, q.BeforeID = last.At, last.ID
		}
		same(t, "order", seen, []string{"dec_6", "dec_5", "dec_4", "dec_3", "dec_2", "dec_1", "dec_0"})
	})
}

func saveDecisions(t *testing.T, e ledger.Engine, list ...ledger.Decision) {
	t.Helper()
	step(t, e, nil, func(*ledger.View) *ledger.Changes { return &ledger.Changes{Decisions: list} })
}

func listDecisions(t *testing.T, e ledger.Engine, q ledger.DecisionQuery) []ledger.Decision {
	t.Helper()
	list, err := e.ListDecisions(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return list
}
