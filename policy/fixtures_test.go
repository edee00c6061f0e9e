package policy

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/opledger/opledger/locks"
)

// start is a Tuesday at noon; tests count from it.
var start = time.Date(2026, time.March, 3, 12, 0, 0, 0, time.UTC)

var text, integer, money = &Shape{Kind: ShapeString}, &Shape{Kind: ShapeInteger}, &Shape{Kind: ShapeMoney}

// refundTool pays an order's money back.
func refundTool(rules ToolRules) Tool {
	return Tool{
		Name: "payment.refund", Version: 3, Class: "EXTERNAL_NON_IDEMPOTENT_WRITE", Mutates: true, Intent: "refund", EntityType: "order",
		Arguments: &Shape{Kind: ShapeObject,
			Fields: map[string]*Shape{
				"order_id": text, "customer_id": text, "amount": money, "note": text, "points": integer,
				"lines":   {Kind: ShapeArray, Items: &Shape{Kind: ShapeObject, Fields: map[string]*Shape{"sku": text, "count": integer}}},
				"address": {Kind: ShapeObject, Fields: map[string]*Shape{"city": text}},
				"meta":    {Kind: ShapeObject, Open: true}, "anything": {Kind: ShapeAny}},
			Required: map[string]bool{"order_id": true, "customer_id": true, "amount": true}},
		Result: &Shape{Kind: ShapeObject, Fields: map[string]*Shape{"status": text}},
		Rules:  rules,
	}
}

// goodwillTool gives a customer a voucher for an order.
func goodwillTool(rules ToolRules) Tool {
	return Tool{
		Name: "voucher.grant", Version: 1, Class: "EXTERNAL_IDEMPOTENT_WRITE", Mutates: true, Intent: "goodwill", EntityType: "order",
		Arguments: &Shape{Kind: ShapeObject, Fields: map[string]*Shape{"order_id": text, "value": integer}, Required: map[string]bool{"order_id": true}},
		Rules:     rules,
	}
}

// lookupTool changes nothing.
func lookupTool() Tool {
	return Tool{Name: "payment.lookup", Version: 1, Class: "PURE_READ", Intent: "lookup",
		Arguments: &Shape{Kind: ShapeObject, Fields: map[string]*Shape{"order_id": text}}}
}

// refund is a proposal of the refund tool.
func refund(op string, minor int64) Facts {
	return Facts{
		Tool: "payment.refund", OperationID: op, Root: op, Revision: 1, Key: "refund:o1", Intent: "refund", Entity: locks.Entity{Type: "order", ID: "o1"},
		Canonical: fmt.Appendf(nil, `{"amount":{"currency":"EUR","minor":"%d"},"customer_id":"cus_1","order_id":"o1"}`, minor),
		Principal: "agent", Person: "ann", Roles: []string{"agent"}, WorkflowID: "wf_1", RunID: "run_1",
	}
}

func goodwill(op string) Facts {
	return Facts{Tool: "voucher.grant", OperationID: op, Root: op, Revision: 1, Intent: "goodwill", Entity: locks.Entity{Type: "order", ID: "o1"},
		Canonical: []byte(`{"order_id":"o1","value":5}`), Principal: "agent", Roles: []string{"agent"}}
}

// bench is a ledger small enough to see through: it keeps the histories of what it was told.
type bench struct {
	t    *testing.T
	set  *Set
	rows map[string]History
	now  time.Time
	held map[string][]Charge
}

func newBench(t *testing.T, c Config) *bench {
	t.Helper()
	set, problems := Compile(c)
	for _, p := range problems {
		t.Errorf("a configuration that should compile: %v", p)
	}
	return &bench{t: t, set: set, rows: map[string]History{}, now: start, held: map[string][]Charge{}}
}

func (b *bench) bind(f Facts) *Case {
	b.t.Helper()
	c, err := b.set.For(f)
	if err != nil {
		b.t.Fatal(err)
	}
	return c
}

func (b *bench) judge(f Facts, change ...func(*World)) []Verdict {
	b.t.Helper()
	w := World{Now: b.now, Histories: b.rows}
	for _, set := range change {
		set(&w)
	}
	return b.bind(f).Judge(w)
}

// decision is the deciding verdict; a pass where nothing stands in the way.
func (b *bench) decision(f Facts, change ...func(*World)) Verdict {
	b.t.Helper()
	verdicts := b.judge(f, change...)
	if len(verdicts) == 0 || !verdicts[0].Stands() {
		return Verdict{Outcome: Pass}
	}
	return verdicts[0]
}

func (b *bench) expect(f Facts, want Outcome, change ...func(*World)) Verdict {
	b.t.Helper()
	got := b.decision(f, change...)
	if got.Outcome != want {
		b.t.Errorf("%s %s: %s %q by %s, want %s", f.Tool, f.OperationID, got.Outcome, got.Because, got.Rule, want)
	}
	return got
}

// release holds an operation, whatever the rules say.
func (b *bench) release(f Facts) {
	c := b.bind(f)
	b.held[f.OperationID] = c.Charges()
	for _, ch := range c.Charges() {
		b.rows[ch.History] = b.rows[ch.History].Hold(ch, f.Root, f.OperationID, b.now, false)
	}
}

// wait notes an operation that awaits approval.
func (b *bench) wait(f Facts) {
	c := b.bind(f)
	for _, ch := range c.Charges() {
		if slices.Contains(c.Waiting(), ch.History) {
			b.rows[ch.History] = b.rows[ch.History].Hold(ch, f.Root, f.OperationID, b.now, true)
		}
	}
}

func (b *bench) succeed(f Facts) {
	for _, ch := range b.held[f.OperationID] {
		b.rows[ch.History] = b.rows[ch.History].Settle(ch, f.Root, f.OperationID, b.now, b.now)
	}
}

func (b *bench) fail(f Facts) {
	for _, ch := range b.held[f.OperationID] {
		b.rows[ch.History] = b.rows[ch.History].Drop(f.OperationID)
	}
}

func recheck(w *World) { w.Recheck = true }

func entityState(state string) func(*World) {
	return func(w *World) { w.Entity.State, w.EntityVersion = state, 1 }
}
