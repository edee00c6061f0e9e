package storetest

import (
	"fmt"
	"reflect"
	"testing"
	"time"

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
		got, err := b.engine.GetDecision(t.Context(), tenant, full.ID)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "decision", *got, full)
		for _, ns := range []ledger.Namespace{other, "\x00"} {
			_, err = b.engine.GetDecision(t.Context(), ns, full.ID)
			refused(t, "of another tenant", err, ledger.ErrNotFound)
		}
		same(t, "of another tenant", listDecisions(t, b.engine, ledger.DecisionQuery{Namespace: other}), []ledger.Decision(nil))
	})
	t.Run("they page, newest first, also within one instant", func(t *testing.T) {
		b := open(t, fresh)
		var all []ledger.Decision
		for i := range 7 {
			all = append(all, ledger.Decision{Namespace: tenant, ID: ledger.DecisionID(fmt.Sprint(i)), At: anyTime, Kind: ledger.DecisionDenied})
		}
		saveDecisions(t, b.engine, all...)
		same(t, "order", decisionPages(t, b.engine, ledger.DecisionQuery{Namespace: tenant, Limit: 3}), "6543210")
	})
	t.Run("every filter restricts, alone and with others, and pages", func(t *testing.T) {
		b := open(t, fresh)
		decision := func(id string, second int, kind ledger.DecisionKind, tool, rule string, op ledger.OperationID, wf, order string) ledger.Decision {
			d := ledger.Decision{
				Namespace: tenant, ID: ledger.DecisionID(id), At: anyTime.Add(time.Duration(second) * time.Second), Kind: kind, Tool: tool, Rule: rule,
				OperationID: op, WorkflowID: wf,
			}
			if order != "" {
				d.Entity = locks.Entity{Type: "order", ID: order}
			}
			return d
		}
		elsewhere := decision("e", 0, ledger.DecisionDenied, "refund", "r1", "op_1", "wf_1", "1")
		elsewhere.Namespace = other
		saveDecisions(t, b.engine, elsewhere,
			decision("a", 0, ledger.DecisionDenied, "refund", "r1", "op_1", "wf_1", "1"),
			decision("b", 1, ledger.DecisionBlocked, "refund", "r2", "", "wf_1", "2"),
			decision("c", 1, ledger.DecisionDenied, "email", "r1", "op_2", "wf_2", "1"),
			decision("d", 2, ledger.DecisionRetryLater, "email", "", "", "", ""),
		)
		for name, c := range map[string]struct {
			query ledger.DecisionQuery
			want  string // ids, newest first
		}{
			"none":               {ledger.DecisionQuery{}, "dcba"},
			"tool":               {ledger.DecisionQuery{Tool: "refund"}, "ba"},
			"one kind":           {ledger.DecisionQuery{Kinds: []ledger.DecisionKind{ledger.DecisionDenied}}, "ca"},
			"two kinds":          {ledger.DecisionQuery{Kinds: []ledger.DecisionKind{ledger.DecisionBlocked, ledger.DecisionRetryLater}}, "db"},
			"rule":               {ledger.DecisionQuery{Rule: "r1"}, "ca"},
			"operation":          {ledger.DecisionQuery{OperationID: "op_2"}, "c"},
			"workflow":           {ledger.DecisionQuery{WorkflowID: "wf_1"}, "ba"},
			"entity":             {ledger.DecisionQuery{Entity: "order/1"}, "ca"},
			"from":               {ledger.DecisionQuery{From: anyTime.Add(time.Second)}, "dcb"},
			"from just after":    {ledger.DecisionQuery{From: anyTime.Add(time.Second + 1)}, "d"},
			"until":              {ledger.DecisionQuery{Until: anyTime.Add(time.Second)}, "a"},
			"until just after":   {ledger.DecisionQuery{Until: anyTime.Add(time.Second + 1)}, "cba"},
			"entity and rule":    {ledger.DecisionQuery{Entity: "order/2", Rule: "r1"}, ""},
			"rule and tool":      {ledger.DecisionQuery{Rule: "r1", Tool: "email"}, "c"},
			"workflow and time":  {ledger.DecisionQuery{WorkflowID: "wf_1", From: anyTime.Add(time.Second)}, "b"},
			"operation and kind": {ledger.DecisionQuery{OperationID: "op_1", Kinds: []ledger.DecisionKind{ledger.DecisionBlocked}}, ""},
			"what none can have": {ledger.DecisionQuery{WorkflowID: "a\x00b"}, ""},
		} {
			c.query.Namespace, c.query.Limit = tenant, 1
			same(t, name, decisionPages(t, b.engine, c.query), c.want)
		}
	})
}

// decisionPages lists everything that a query finds, page by page, and joins the ids.
func decisionPages(t *testing.T, e ledger.Engine, q ledger.DecisionQuery) (ids string) {
	t.Helper()
	for {
		page := listDecisions(t, e, q)
		if len(page) == 0 {
			return ids
		}
		if len(page) > q.Limit {
			t.Fatalf("a page of %d", len(page))
		}
		for _, d := range page {
			ids += string(d.ID)
		}
		last := page[len(page)-1]
		q.Before, q.BeforeID = last.At, last.ID
	}
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
