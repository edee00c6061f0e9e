package policy

import (
	"testing"
	"time"
)

// TestProblemsAreToldFromTheTop: by line and column, in whatever order the checks met them.
func TestProblemsAreToldFromTheTop(t *testing.T) {
	for when, want := range map[string][2][2]int{
		`entity.state == "x" && now > timestamp("2026-01-01T00:00:00Z")`:          {{1, 1}, {1, 24}},
		"entity.state == 'x' &&\n  now > timestamp('2026-01-01T00:00:00Z')":       {{1, 1}, {2, 3}},
		"true && entity.state == 'x' &&\nnow > timestamp('2026-01-01T00:00:00Z')": {{1, 9}, {2, 1}},
	} {
		got := CheckRule(Config{Tools: []Tool{refundTool(ToolRules{})}}, Rule{ID: "r", Limit: &Limit{Period: time.Hour, When: when}})
		if len(got) != 2 || got[0].Line != want[0][0] || got[0].Column != want[0][1] || got[1].Line != want[1][0] || got[1].Column != want[1][1] {
			t.Errorf("%q: %v", when, got)
		}
	}
}

// TestAConditionOverArgumentsIsCheckedForEveryTool: what one tool's arguments have says nothing of another's.
func TestAConditionOverArgumentsIsCheckedForEveryTool(t *testing.T) {
	voucher := goodwillTool(ToolRules{})
	voucher.Arguments.Fields["type"] = text // a name that entities have as well
	for when, want := range map[string]wrong{
		`args.value > 3`:                 {"r", "deny.when", 1, 5, CodeType, "Undefined field 'value'"},
		`args.type == "x"`:               {"r", "deny.when", 1, 5, CodeType, "Undefined field 'type'"},
		`count(args.value, "1h") > 3`:    {"r", "deny.when", 1, 11, CodeType, "Undefined field 'value'"},
		`sum(args.value, "x", "1h") > 3`: {"r", "deny.when", 1, 9, CodeType, "Undefined field 'value'"},
	} {
		rule := Rule{ID: "r", Deny: &Deny{When: when, Explanation: "x"}}
		for _, tools := range [][]Tool{{voucher, refundTool(ToolRules{})}, {refundTool(ToolRules{}), voucher}} {
			expectProblems(t, CheckRule(Config{Tools: tools}, rule), want)
		}
	}
}

// TestEveryKindIsObservedOnly: wherever shadow is said, of the rule, of what it says or of the whole tool, the verdict is
// recorded and lets pass.
func TestEveryKindIsObservedOnly(t *testing.T) {
	guard, deny := Guard{Name: "r", Condition: "false"}, Deny{When: "true", Explanation: "x"}
	limit, window := Limit{Name: "r", Period: time.Hour}, DedupeWindow{Name: "r", KeyTemplate: "{entity}", Period: time.Hour}
	conflict := Conflict{Name: "r", Tools: []string{"payment.refund"}, Period: time.Hour}
	own := func(kind string, shadow bool) (rules ToolRules) {
		switch kind {
		case "guard":
			g := guard
			g.Shadow = shadow
			rules.Guards = []Guard{g}
		case "limit":
			l := limit
			l.Shadow = shadow
			rules.Limits = []Limit{l}
		case "window":
			w := window
			w.Shadow = shadow
			rules.Windows = []DedupeWindow{w}
		case "conflict":
			c := conflict
			c.Shadow = shadow
			rules.Conflicts = []Conflict{c}
		}
		return rules
	}
	spanning := func(kind string, shadow bool) Rule {
		rules, r := own(kind, shadow), Rule{ID: "r"}
		switch kind {
		case "guard":
			r.Guard = &rules.Guards[0]
		case "limit":
			r.Limit = &rules.Limits[0]
		case "window":
			r.Window = &rules.Windows[0]
		case "conflict":
			r.Conflict = &rules.Conflicts[0]
		case "deny":
			r.Deny = &deny
		case "approval":
			r.Approval = &ApprovalNeed{Roles: []string{"lead"}}
		}
		return r
	}
	observed := func(what string, c Config, want bool) {
		t.Helper()
		b := newBench(t, c)
		b.release(refund("op_0", 1))
		verdicts := b.judge(refund("op_1", 1))
		if len(verdicts) != 1 || verdicts[0].Outcome == Pass || verdicts[0].Shadow != want || verdicts[0].Stands() == want {
			t.Errorf("%s: %+v", what, verdicts)
		}
	}
	for _, kind := range []string{"guard", "limit", "window", "conflict"} {
		whole := own(kind, false)
		whole.Shadow = true
		observed(kind+" of a tool", Config{Tools: []Tool{refundTool(own(kind, false))}}, false)
		observed(kind+" of a tool, in shadow", Config{Tools: []Tool{refundTool(own(kind, true))}}, true)
		observed(kind+" of a tool in shadow", Config{Tools: []Tool{refundTool(whole)}}, true)
		observed(kind+" that is in shadow", Config{Tools: []Tool{refundTool(ToolRules{})}, Rules: []Rule{spanning(kind, true)}}, true)
	}
	for _, kind := range []string{"guard", "limit", "window", "conflict", "deny", "approval"} {
		r := spanning(kind, false)
		observed(kind, Config{Tools: []Tool{refundTool(ToolRules{})}, Rules: []Rule{r}}, false)
		r.Shadow = true
		observed(kind+" of a rule in shadow", Config{Tools: []Tool{refundTool(ToolRules{})}, Rules: []Rule{r}}, true)
	}
}
