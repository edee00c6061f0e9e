package policy

import (
	"strings"
	"testing"
	"time"
)

func TestGuardReadsTheEntity(t *testing.T) {
	b := newBench(t, Config{Tools: []Tool{refundTool(ToolRules{Guards: []Guard{{Name: "once", Condition: `entity.state != "refunded"`, Explanation: "The order is refunded already."}}})}})
	b.expect(refund("op_1", 100), Pass)
	v := b.expect(refund("op_1", 100), Denied, entityState("refunded"))
	if v.Rule != "payment.refund/once" || v.RuleVersion != 3 || v.Because != "The order is refunded already." || !v.Overridable || v.Inputs["entity.state"] != "refunded" {
		t.Errorf("the verdict says %+v", v)
	}
	if !b.bind(refund("op_1", 100)).ReadsEntity() {
		t.Error("the case should say that it reads the entity")
	}
}

func TestGuardReadsTheEntitysAttributes(t *testing.T) {
	b := newBench(t, Config{Tools: []Tool{refundTool(ToolRules{Guards: []Guard{{Name: "vip", Condition: `has(entity.attributes.vip) && entity.attributes.vip == true && entity.attributes.orders > 3`}}})}})
	for attributes, want := range map[string]Outcome{
		`{"orders":4,"vip":true}`: Pass, `{"orders":3,"vip":true}`: Denied, `{"orders":4,"vip":false}`: Denied, `{"orders":4}`: Denied, ``: Denied,
	} {
		b.expect(refund("op_1", 100), want, func(w *World) { w.Entity.Attributes, w.EntityVersion = []byte(attributes), 1 })
	}
}

func TestDenyDeniesWhatItsConditionDescribes(t *testing.T) {
	b := newBench(t, Config{
		Tools: []Tool{refundTool(ToolRules{})},
		Rules: []Rule{{ID: "no-big-refunds", Version: 7, Deny: &Deny{When: `args.amount.minor > 5000 && args.amount.currency == "EUR"`, Explanation: "Too much."}}},
	})
	b.expect(refund("op_1", 5000), Pass)
	if v := b.expect(refund("op_1", 5001), Denied); v.RuleVersion != 7 || v.Because != "Too much." {
		t.Errorf("the verdict says %+v", v)
	}
	if b.bind(refund("op_1", 1)).ReadsEntity() {
		t.Error("the case reads no entity")
	}
}

func TestWhatCannotBeEvaluatedIsANo(t *testing.T) {
	for name, rules := range map[string]ToolRules{
		"guard, field that may be absent": {Guards: []Guard{{Name: "g", Condition: `args.note == "x" || true`}, {Name: "h", Condition: `args.note != "x"`}}},
		"guard, division by zero":         {Guards: []Guard{{Name: "h", Condition: `1 / (args.amount.minor - 100) == 0`}}},
		"guard, neither true nor false":   {Guards: []Guard{{Name: "h", Condition: `args.meta["x"]`}}},
		"guard, per is absent":            {Guards: []Guard{{Name: "h", Condition: `count(args.note, "1h") < 100`}}},
		"guard, amount below zero":        {Guards: []Guard{{Name: "h", Condition: `sum(0 - args.amount.minor, args.customer_id, "1h") < 100`}}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, Config{Tools: []Tool{refundTool(rules)}})
			f := refund("op_1", 100)
			f.Canonical = []byte(strings.Replace(string(f.Canonical), `"order_id"`, `"meta":{"x":7},"order_id"`, 1))
			v := b.expect(f, Denied)
			if v.Rule != "payment.refund/h" || !strings.Contains(v.Because, "could not be evaluated") || v.Inputs["error"] == "" {
				t.Errorf("the verdict says %+v", v)
			}
		})
	}
}

func TestAnApprovalThatCannotBeEvaluatedAsks(t *testing.T) {
	b := newBench(t, Config{Tools: []Tool{refundTool(ToolRules{Approval: &ApprovalNeed{Count: 2, Roles: []string{"lead"}, When: `args.note == "x"`}})}})
	v := b.expect(refund("op_1", 100), Ask)
	if v.Rule != "payment.refund/approval" || v.Need == nil || v.Need.Count != 2 || v.Need.ExpiresAfter != DefaultApprovalExpiry || v.Overridable {
		t.Errorf("the verdict says %+v", v)
	}
}

func TestALoopThatCostsTooMuchIsANo(t *testing.T) {
	b := newBench(t, Config{Tools: []Tool{refundTool(ToolRules{Guards: []Guard{{Name: "g", Condition: `has(args.lines) && args.lines.all(a, args.lines.all(b, a.count == b.count))`}}})}})
	f := refund("op_1", 100)
	lines := strings.TrimSuffix(strings.Repeat(`{"count":1,"sku":"a"},`, 2000), ",")
	f.Canonical = []byte(strings.Replace(string(f.Canonical), `"order_id"`, `"lines":[`+lines+`],"order_id"`, 1))
	if v := b.expect(f, Denied); !strings.Contains(v.Inputs["error"], "cost") {
		t.Errorf("the error is %q", v.Inputs["error"])
	}
}

func TestProposerRoles(t *testing.T) {
	tool := refundTool(ToolRules{ProposerRoles: []string{"support", "billing"}, Shadow: true})
	b := newBench(t, Config{Tools: []Tool{tool}})
	if v := b.expect(refund("op_1", 1), Denied); v.Rule != "payment.refund/proposer_roles" || v.Overridable {
		t.Errorf("a permission is neither observed only nor overridden: %+v", v)
	}
	f := refund("op_1", 1)
	f.Roles = []string{"x", "billing"}
	b.expect(f, Pass)
	local := refund("op_1", 1)
	local.AnyRole = true
	b.expect(local, Pass)
}

func TestTheDecidingVerdictIsFirstAndAllAreThere(t *testing.T) {
	b := newBench(t, Config{
		Tools: []Tool{refundTool(ToolRules{
			Approval: &ApprovalNeed{Roles: []string{"lead"}},
			Limits:   []Limit{{Name: "short", Max: 1, Period: time.Minute}, {Name: "long", Max: 1, Period: time.Hour}},
			Guards:   []Guard{{Name: "guard", Condition: `entity.state == ""`}},
			Windows:  []DedupeWindow{{Name: "window", KeyTemplate: "{entity}", Period: time.Second}},
		})},
		Rules: []Rule{{ID: "deny", Deny: &Deny{When: `entity.state == "locked"`, Explanation: "x"}}},
	})
	order := func(want ...string) {
		t.Helper()
		for i, v := range b.judge(refund("op_2", 1), entityState(b.set.tools["payment.refund"].Rules.SetsEntityState)) {
			if v.Rule != want[i] {
				t.Errorf("verdict %d is of %s, want %s", i, v.Rule, want[i])
			}
		}
	}
	order("payment.refund/approval", "payment.refund/guard", "deny", "payment.refund/window", "payment.refund/short", "payment.refund/long")
	first := refund("op_1", 1)
	b.release(first)
	b.succeed(first)
	b.now = b.now.Add(2 * time.Second)
	// Both limits stand; the one that makes wait longer decides.
	order("payment.refund/long", "payment.refund/guard", "deny", "payment.refund/window", "payment.refund/short", "payment.refund/approval")
	if v := b.expect(refund("op_2", 1), Denied, entityState("locked")); v.Rule != "payment.refund/guard" {
		t.Errorf("guards come before deny rules, but %s decides", v.Rule)
	}
}

func TestShadowObservesOnly(t *testing.T) {
	guard := Guard{Name: "g", Condition: "false"}
	approval := &ApprovalNeed{Roles: []string{"lead"}}
	cases := map[string]struct {
		config   Config
		standing Outcome // what stands in the way nevertheless
	}{
		"rule":       {Config{Tools: []Tool{refundTool(ToolRules{})}, Rules: []Rule{{ID: "r", Shadow: true, Guard: &guard}}}, Pass},
		"tool":       {Config{Tools: []Tool{refundTool(ToolRules{Shadow: true, Guards: []Guard{guard}, Approval: approval})}}, Pass},
		"tool's own": {Config{Tools: []Tool{refundTool(ToolRules{Guards: []Guard{{Name: "g", Condition: "false", Shadow: true}}})}}, Pass},
		"namespace":  {Config{Tools: []Tool{refundTool(ToolRules{Guards: []Guard{guard}})}, Switches: []Switch{{Shadow: true}}}, Pass},
		"class":      {Config{Tools: []Tool{refundTool(ToolRules{Guards: []Guard{guard}})}, Switches: []Switch{{Shadow: true, Class: "EXTERNAL_NON_IDEMPOTENT_WRITE"}}}, Pass},
		"other tool": {Config{Tools: []Tool{refundTool(ToolRules{Guards: []Guard{guard}})}, Switches: []Switch{{Shadow: true, Tool: "voucher.grant"}}}, Denied},
		"irreversible": {Config{Tools: []Tool{func() Tool {
			t := refundTool(ToolRules{Shadow: true, Guards: []Guard{guard}, Approval: approval})
			t.Irreversible = true
			return t
		}()}}, Ask},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, c.config)
			b.expect(refund("op_1", 1), c.standing)
			shadows := 0
			for _, v := range b.judge(refund("op_1", 1)) {
				if v.Shadow {
					shadows++
				}
			}
			if c.standing == Pass && shadows == 0 {
				t.Error("what would have happened is not told")
			}
		})
	}
}

func TestAGrantOverridesOneRule(t *testing.T) {
	b := newBench(t, Config{Tools: []Tool{refundTool(ToolRules{
		Guards: []Guard{{Name: "g", Condition: "false"}}, Limits: []Limit{{Name: "l", Max: 0, Period: time.Hour}}, Approval: &ApprovalNeed{Roles: []string{"lead"}}})}})
	grant := func(ids ...string) func(*World) {
		return func(w *World) {
			w.Overridden = map[string]string{}
			for _, id := range ids {
				w.Overridden["payment.refund/"+id] = "gr_1"
			}
		}
	}
	if v := b.expect(refund("op_1", 1), Denied, grant("l")); v.Rule != "payment.refund/g" {
		t.Errorf("%s decides", v.Rule)
	}
	// An approval is given by persons, never overridden.
	b.expect(refund("op_1", 1), Ask, grant("g", "l", "approval"))
}

func TestPaused(t *testing.T) {
	s, _ := Compile(Config{Tools: []Tool{refundTool(ToolRules{}), goodwillTool(ToolRules{})}, Switches: []Switch{
		{Tool: "payment.refund", Paused: true, Reason: "audit"}, {Class: "EXTERNAL_IDEMPOTENT_WRITE", Shadow: true}}})
	if because, paused := s.Paused("payment.refund"); !paused || because != "the tool payment.refund is paused: audit" {
		t.Errorf("%v %q", paused, because)
	}
	if because, paused := s.Paused("voucher.grant"); paused {
		t.Error(because)
	}
	all, _ := Compile(Config{Switches: []Switch{{Paused: true}}})
	if _, paused := all.Paused("unknown.tool"); !paused {
		t.Error("a pause of the namespace covers what is not known, too")
	}
	class, _ := Compile(Config{Tools: []Tool{goodwillTool(ToolRules{})}, Switches: []Switch{{Class: "EXTERNAL_IDEMPOTENT_WRITE", Paused: true}}})
	if because, paused := class.Paused("voucher.grant"); !paused || because != "the class EXTERNAL_IDEMPOTENT_WRITE is paused" {
		t.Errorf("%v %q", paused, because)
	}
}

func TestTheNilSetIsTheEmptyPolicy(t *testing.T) {
	var s *Set
	c, err := s.For(refund("op_1", 1))
	if err != nil || !c.Empty() || len(c.Histories())+len(c.Charges())+len(c.Judge(World{}))+len(c.Waiting())+len(c.Standing("x")) > 0 || c.ReadsEntity() {
		t.Error("the empty policy has something to say")
	}
	if _, paused := s.Paused("x"); paused || s.ToolVersion("x") != 0 || s.Rules("x").Approval != nil {
		t.Error("the empty policy knows something")
	}
	if _, sets := s.EntityStateAfter("x", Facts{}, nil); sets {
		t.Error("the empty policy sets a state")
	}
}

func TestArgumentsThatAreNoObject(t *testing.T) {
	b := newBench(t, Config{Tools: []Tool{refundTool(ToolRules{Guards: []Guard{{Name: "g", Condition: "true"}}})}})
	for _, canonical := range []string{`[`, `[]`, `7`, `{}{}`, `{"a":1`} {
		f := refund("op_1", 1)
		f.Canonical = []byte(canonical)
		if _, err := b.set.For(f); err == nil {
			t.Errorf("%s is taken for an object", canonical)
		}
	}
}
