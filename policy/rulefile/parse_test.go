package rulefile_test

import (
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"

	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/policy/rulefile"
)

const rules = `# What support may do.
rule_id: refunds-per-customer
description: Two a day.
scope: {tools: ["payment.*"], tool_classes: [EXTERNAL_NON_IDEMPOTENT_WRITE]}
limit:
  name: daily
  per: "{args.customer_id}"
  max: 2
  period: 86400s
  period_kind: FIXED
  zone: Europe/Berlin
---
rule_id: big
approval:
  count: 2
  roles: [team-lead]
  when: args.amount.minor > 100000
  on_expiry: ESCALATE
  escalate_roles: [director]
---
rule_id: locked
shadow: true
guard: {name: locked, condition: 'entity.state != "locked"'}
---
rule_id: apart
conflict: {name: apart, intents: [goodwill], period: 3600s}
---
rule_id: same
dedupe_window: {name: same, key_template: "{entity}", period: 60s}
---
rule_id: night
deny:
  when: |
    now.getHours() < 6 &&
      args.amount.minor > 1
  explanation: Not at night.
`

func TestParse(t *testing.T) {
	sources, problems := rulefile.Parse("rules.yaml", []byte(rules))
	if len(problems) > 0 || len(sources) != 6 {
		t.Fatalf("%d rules, %v", len(sources), problems)
	}
	limit := sources[0].Rule
	if l := limit.Limit; l == nil || l.Max != 2 || l.Period != 24*time.Hour || !l.Fixed || l.Zone != "Europe/Berlin" || l.Per != "{args.customer_id}" {
		t.Errorf("the limit is %+v", limit.Limit)
	}
	if limit.Scope.Tools[0] != "payment.*" || limit.Scope.Classes[0] != "EXTERNAL_NON_IDEMPOTENT_WRITE" {
		t.Errorf("the scope is %+v", limit.Scope)
	}
	if a := sources[1].Rule.Approval; a == nil || a.Count != 2 || a.OnExpiry != policy.ExpiryEscalate || a.ExpiresAfter != policy.DefaultApprovalExpiry || a.NoHoldsFor != policy.DefaultNoHolds {
		t.Errorf("the approval is %+v", sources[1].Rule.Approval)
	}
	if sources[5].Line != 31 || !sources[2].Rule.Shadow {
		t.Errorf("line %d", sources[5].Line)
	}
	for _, s := range sources {
		if found := s.Check(policy.Config{}); len(found) > 0 {
			t.Errorf("%s: %v", s.Rule.ID, found)
		}
		// What is written out again says the same.
		written := rulefile.ToProto(s.Rule)
		again, problems := rulefile.FromProto(written)
		if len(problems) > 0 || !proto.Equal(rulefile.ToProto(again), written) {
			t.Errorf("%s: %v becomes %v", s.Rule.ID, written, rulefile.ToProto(again))
		}
	}
}

func TestProblemsHaveTheirPlace(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"yaml":              {"rule_id: [", "r.yaml:1:1: "},
		"empty":             {"# nothing\n", "r.yaml: The file holds no rule. [bad_yaml]"},
		"no mapping":        {"- a\n", "r.yaml:1:1: A rule is a mapping"},
		"unknown field":     {"rule_id: a\ndeny:\n  wen: 'true'\n", `r.yaml:3:3: Unknown field "wen"`},
		"field twice":       {"rule_id: a\nrule_id: b\n", "r.yaml:2:1: The field rule_id stands in line 1 already"},
		"alias":             {"rule_id: &a x\ndescription: *a\n", "r.yaml:2:14: Aliases are not read"},
		"wrong value":       {"rule_id: A\nguard: {name: g, condition: 'true'}\n", "r.yaml:1:1: rule_id: "},
		"no kind":           {"rule_id: a\n", "r.yaml:1:1: kind: "},
		"missing":           {"rule_id: a\nlimit: {name: l, period: 60s}\n", "r.yaml:2:1: limit.max: "},
		"item of a list":    {"rule_id: a\nscope:\n  tools:\n    - a\n    - 'b c'\nguard: {name: g, condition: 'true'}\n", "r.yaml:5:7: scope.tools[1]: "},
		"rule twice":        {"rule_id: a\nguard: {name: g, condition: 'true'}\n---\nrule_id: a\nguard: {name: g, condition: 'true'}\n", "r.yaml:4:1: rule_id: The file defines a in line 1"},
		"plain expression":  {"rule_id: a\nguard:\n  name: g\n  condition: now > 7\n", "r.yaml:4:18: guard.condition: Found no matching overload"},
		"quoted expression": {"ruleId: a\ndedupeWindow: {name: w, keyTemplate: \"{entity}{x}\", period: 60s}\n", "r.yaml:2:47: dedupe_window.key_template: {x} is not known"},
		"block":             {"rule_id: a\nguard:\n  name: g\n  condition: |\n    true &&\n      now > 7\n", "r.yaml:6:"},
	} {
		t.Run(name, func(t *testing.T) {
			sources, problems := rulefile.Parse("r.yaml", []byte(c.text))
			for _, s := range sources {
				problems = append(problems, s.Check(policy.Config{})...)
			}
			if len(problems) != 1 || !strings.HasPrefix(problems[0].Error(), c.want) {
				t.Errorf("%v, want %s", problems, c.want)
			}
		})
	}
}

func TestARuleWithinAnotherFile(t *testing.T) {
	var file yaml.Node
	text := "rules:\n  - rule_id: a\n    guard: {name: g, condition: now > 7}\n  - rule_id: b\n    gard: {}\n"
	if err := yaml.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	list := file.Content[0].Content[1].Content
	s, problems := rulefile.FromNode("cases.yaml", list[0])
	if s == nil || len(problems) > 0 {
		t.Fatal(problems)
	}
	if found := s.Check(policy.Config{}); len(found) != 1 || found[0].Line != 3 || found[0].Column != 37 {
		t.Errorf("%v", found)
	}
	if _, problems = rulefile.FromNode("cases.yaml", list[1]); len(problems) != 1 || problems[0].Line != 4 {
		t.Errorf("%v", problems)
	}
}
