package rulefile_test

import (
	"reflect"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	opledgerv1 "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/policy/rulefile"
)

func TestAToolsRulesComeBackAsTheyWere(t *testing.T) {
	rules := policy.ToolRules{
		Approval: &policy.ApprovalNeed{Count: 2, Roles: []string{"lead"}, When: "true", ExpiresAfter: time.Hour, OnExpiry: policy.ExpiryEscalate,
			EscalateRoles: []string{"director"}, NoHoldsFor: time.Minute, Warning: "It is gone."},
		Guards:          []policy.Guard{{Name: "g", Condition: "true", Explanation: "x", Shadow: true}},
		Limits:          []policy.Limit{{Name: "l", Per: "{entity}", SumOf: "/amount", Max: 0, Period: 24 * time.Hour, Fixed: true, Zone: "Europe/Berlin", When: "true", Shadow: true, Explanation: "x"}},
		Windows:         []policy.DedupeWindow{{Name: "w", KeyTemplate: "{entity}", Period: time.Hour, Shadow: true, Explanation: "x"}},
		Conflicts:       []policy.Conflict{{Name: "c", Tools: []string{"a"}, Intents: []string{"b"}, Period: time.Hour, Shadow: true, Explanation: "x"}},
		LeaseHeld:       true,
		SetsEntityState: "refunded",
		Shadow:          true,
		ProposerRoles:   []string{"agent"},
		MaxRevisions:    0,
	}
	back, problems := rulefile.ToolFromProto("payment.refund", rulefile.ToolToProto(rules))
	if len(problems) > 0 || !reflect.DeepEqual(back, rules) {
		t.Errorf("%v\ngot  %+v\nwant %+v", problems, back, rules)
	}
	waived := policy.ToolRules{ApprovalWaived: "Small sums.", MaxRevisions: 1}
	if back, _ := rulefile.ToolFromProto("t", rulefile.ToolToProto(waived)); !reflect.DeepEqual(back, waived) {
		t.Errorf("got %+v", back)
	}
}

func TestWhatIsAbsentHasTheDefaultsOfTheAPI(t *testing.T) {
	rules, problems := rulefile.ToolFromProto("t", &opledgerv1.ToolPolicy{})
	if len(problems) > 0 || rules.MaxRevisions != policy.DefaultMaxRevisions || rules.Approval != nil {
		t.Errorf("%v %+v", problems, rules)
	}
	rule, _ := rulefile.FromProto(&opledgerv1.PolicyRule{RuleId: "r", Kind: &opledgerv1.PolicyRule_Approval{Approval: &opledgerv1.ApprovalNeed{
		Roles: []string{"a"}, NoHoldsFor: durationpb.New(0)}}})
	if a := rule.Approval; a.Count != 1 || a.ExpiresAfter != 24*time.Hour || a.NoHoldsFor != 0 || a.OnExpiry != policy.ExpiryDeny {
		t.Errorf("%+v", a)
	}
}

func TestWhatThisReleaseDoesNotKnowIsRefused(t *testing.T) {
	limit := &opledgerv1.Limit{Name: "l", Max: new(int64(1)), Period: durationpb.New(time.Hour), PeriodKind: 77}
	for path, m := range map[string]*opledgerv1.PolicyRule{
		"":                  {RuleId: "r"},
		"limit.period_kind": {RuleId: "r", Kind: &opledgerv1.PolicyRule_Limit{Limit: limit}},
		"limit.max":         {RuleId: "r", Kind: &opledgerv1.PolicyRule_Limit{Limit: &opledgerv1.Limit{Name: "l"}}},
	} {
		if _, problems := rulefile.FromProto(m); len(problems) != 1 || problems[0].Path != path || problems[0].Rule != "r" {
			t.Errorf("%s: %v", path, problems)
		}
	}
	if _, problems := rulefile.ToolFromProto("t", &opledgerv1.ToolPolicy{Limits: []*opledgerv1.Limit{limit}}); len(problems) != 1 || problems[0].Path != "policy.limits[0].period_kind" {
		t.Errorf("%v", problems)
	}
	// A class and an expiry that are not known keep their number, and the check of the rule refuses them.
	rule, _ := rulefile.FromProto(&opledgerv1.PolicyRule{RuleId: "r", Scope: &opledgerv1.RuleScope{ToolClasses: []opledgerv1.ToolClass{99}},
		Kind: &opledgerv1.PolicyRule_Approval{Approval: &opledgerv1.ApprovalNeed{Roles: []string{"a"}, OnExpiry: 99}}})
	if problems := policy.CheckRule(policy.Config{}, rule); len(problems) != 2 {
		t.Errorf("%v", problems)
	}
}

// FuzzParse: whatever a file holds, it is read or refused.
func FuzzParse(f *testing.F) {
	f.Add([]byte(rules))
	f.Add([]byte("rule_id: a\nguard: {name: g, condition: !!binary x}\n"))
	f.Add([]byte("? [a]\n: {b: &c [*c]}\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		sources, problems := rulefile.Parse("fuzz.yaml", text)
		if len(sources)+len(problems) == 0 {
			t.Error("a file without rules and without problems")
		}
		for _, s := range sources {
			s.Check(policy.Config{})
		}
	})
}
