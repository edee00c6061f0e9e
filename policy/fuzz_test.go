package policy

import (
	"encoding/json"
	"testing"
	"time"
)

// FuzzCompile: whatever is written as a rule and sent as arguments, policy answers; it never panics. What it compiles it
// can judge, and the verdict of a guard that passes has no error.
func FuzzCompile(f *testing.F) {
	f.Add(`entity.state != "refunded"`, "{args.customer_id}", "/amount", []byte(`{"amount":{"currency":"EUR","minor":"1"}}`))
	f.Add(`count(args.order_id, "24h") < 3 && args.lines.all(l, l.count > 1)`, "{entity}-{args.amount.minor}", "/lines/0/count", []byte(`{"lines":[{"count":1}]}`))
	f.Add(`sum(args.amount.minor, args.points, "7d") > args.points / 0`, "{", "/~1", []byte(`{"points":1e400}`))
	f.Add("args.`x-y` == [1, {'a': Money{}}][0]", "{args.meta.a.b}", "/meta/a", []byte(`{"meta":{"a":[null]}}`))
	f.Add(`has(args.note) ? now.getFullYear() > 1 : proposal.touches[3] == ""`, "}{", "", []byte(`[]`))
	f.Fuzz(func(t *testing.T, condition, template, pointer string, arguments []byte) {
		c := Config{
			Tools: []Tool{refundTool(ToolRules{
				Guards:          []Guard{{Name: "g", Condition: condition}},
				Limits:          []Limit{{Name: "l", Per: template, SumOf: pointer, When: condition, Max: 5, Period: time.Hour}},
				Windows:         []DedupeWindow{{Name: "w", KeyTemplate: template, Period: time.Hour}},
				SetsEntityState: template,
			})},
			Rules:    []Rule{{ID: "a", Approval: &ApprovalNeed{Roles: []string{"lead"}, When: condition}}},
			Standing: []StandingTerms{{ID: "s", Tool: "payment.refund", AmountPointer: pointer, When: condition}},
		}
		set, problems := Compile(c)
		for _, p := range problems {
			if p.Message == "" || p.Code == "" {
				t.Errorf("a problem without words: %+v", p)
			}
		}
		facts := refund("op_1", 1)
		facts.Canonical = arguments
		kase, err := set.For(facts)
		if err != nil {
			if json.Valid(arguments) && len(arguments) > 0 && arguments[0] == '{' {
				t.Errorf("an object is refused: %v", err)
			}
			return
		}
		for _, id := range kase.Histories() {
			if len(id) > MaxHistoryID {
				t.Errorf("%d bytes: %s", len(id), id)
			}
		}
		for _, v := range kase.Judge(World{Now: start, Entity: EntityState{Attributes: arguments}}) {
			if v.Outcome == Pass && v.Inputs["error"] != "" {
				t.Errorf("%s passes, and could not be evaluated: %s", v.Rule, v.Inputs["error"])
			}
		}
		kase.Standing("a")
		set.EntityStateAfter("payment.refund", facts, arguments)
	})
}
