package policytest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/opledger/opledger/policy/policytest"
)

const tool = `
name: refund.create
class: EXTERNAL_IDEMPOTENT_WRITE
title: Refund
description: Refunds.
arguments_schema:
  type: object
  additionalProperties: false
  required: [order_id, amount, currency]
  properties:
    order_id: {type: string, minLength: 1, maxLength: 64}
    amount: {type: string}
    currency: {type: string}
identity:
  key_template: "refund:{order_id}:{amount}:{currency}:{occurrence}"
  intent: refund
  entity: {type: order, id: "{order_id}"}
  occurrence: ANY_CALLER
  fields:
    /amount: {money: {form: MAJOR, currency_field: /currency}}
    /currency: {enum: {values: [EUR, USD]}}
exclusive: {group: refund.create}
provider: {name: p, idempotency_key: {supported: true, header: K, retention: 24h}, longest_flight: 20s, propagation_delay: 10s}
policy:
  limits:
    - {name: per-order, per: "{entity}", max: 2, period: 24h, explanation: two refunds an order}
`

const rules = `
rule_id: large
deny: {when: args.amount.minor > 1000, explanation: it is too much}
---
rule_id: watched
shadow: true
deny: {when: 'workflow.id == "wf_loop"', explanation: a loop}
`

// folder is a folder of files that are not on disk.
type folder map[string]string

func (f folder) read(path string) ([]byte, error) {
	if text, ok := f[path]; ok {
		return []byte(text), nil
	}
	return nil, fmt.Errorf("%s: %w", path, os.ErrNotExist)
}

var files = folder{"here/tool.yaml": tool, "here/rules.yaml": rules}

// run runs cases against the tool and the rules.
func run(t *testing.T, cases string) policytest.Report {
	t.Helper()
	return runFile(t, "tools: [tool.yaml]\nrules: [rules.yaml]\ncases:\n"+cases)
}

func runFile(t *testing.T, text string) policytest.Report {
	t.Helper()
	r, err := policytest.RunText("here/test.yaml", []byte(text), files.read)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const arguments = `arguments: {order_id: o_1, amount: "10.00", currency: EUR}`

// one runs one case of the tool.
func one(t *testing.T, fields ...string) policytest.Case {
	t.Helper()
	text := "  - name: x\n    tool: refund.create\n"
	for _, f := range fields {
		text += "    " + f + "\n"
	}
	r := run(t, text)
	if len(r.Problems) > 0 || len(r.Cases) != 1 {
		t.Fatalf("%s\n%+v", text, r)
	}
	return r.Cases[0]
}

func TestCasesAreJudgedInTheirWorld(t *testing.T) {
	for name, c := range map[string]struct {
		fields []string
		got    string
		rule   string
	}{
		"nothing stands":        {[]string{arguments}, "PASS", ""},
		"a rule of the file":    {[]string{`arguments: {order_id: o_1, amount: "10.01", currency: EUR}`}, "DENIED", "large"},
		"arguments as a text":   {[]string{`arguments: '{"order_id":"o_1","amount":"10.01","currency":"EUR"}'`}, "DENIED", "large"},
		"a counter below":       {[]string{arguments, "counters: {refund.create/per-order: 1}"}, "PASS", ""},
		"a counter reached":     {[]string{arguments, "counters: {refund.create/per-order: 2}"}, "RETRY_LATER", "refund.create/per-order"},
		"an override":           {[]string{arguments, "counters: {refund.create/per-order: 2}", "overridden: [refund.create/per-order]"}, "PASS", ""},
		"what was done before":  {[]string{arguments, "earlier: [{tool: refund.create, occurrence: a, " + arguments + ", ago: 1h}, {tool: refund.create, occurrence: b, " + arguments + ", ago: 2h}]"}, "RETRY_LATER", "refund.create/per-order"},
		"what is under way":     {[]string{arguments, "earlier: [{tool: refund.create, occurrence: a, " + arguments + ", open: true}, {tool: refund.create, occurrence: b, " + arguments + ", open: true}]"}, "RETRY_LATER", "refund.create/per-order"},
		"what is long past":     {[]string{arguments, "earlier: [{tool: refund.create, occurrence: a, " + arguments + ", ago: 3d}, {tool: refund.create, occurrence: b, " + arguments + ", ago: 3d}]"}, "PASS", ""},
		"past and counters add": {[]string{arguments, "earlier: [{tool: refund.create, occurrence: a, " + arguments + ", ago: 1h}]", "counters: {refund.create/per-order: 1}"}, "RETRY_LATER", "refund.create/per-order"},
	} {
		fields := append(c.fields, "expect: {decision: "+strings.ToLower(c.got)+"}")
		if got := one(t, fields...); !got.Passed || got.Got.Decision != c.got || got.Got.Rule != c.rule {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestADifferenceIsSaidInASentence(t *testing.T) {
	large := `arguments: {order_id: o_1, amount: "10.01", currency: EUR}`
	for name, c := range map[string]struct {
		fields []string
		says   string
	}{
		"another decision": {[]string{arguments, "expect: {decision: DENIED}"}, "the decision is PASS, not DENIED"},
		"another rule":     {[]string{large, "expect: {decision: DENIED, rule: small}"}, "it is decided by large, not by small"},
		"no rule":          {[]string{arguments, "expect: {decision: DENIED, rule: large}"}, "it is decided by no rule, not by large"},
		"another reason":   {[]string{large, "expect: {decision: DENIED, because_contains: [too much, too little]}"}, `the reason lacks "too little"`},
		"no shadow":        {[]string{arguments, "expect: {decision: PASS, shadow: [watched]}"}, "watched would not have said no in shadow"},
		"not in shadow":    {[]string{large, "expect: {decision: DENIED, shadow: [large]}"}, "large would not have said no in shadow"},
	} {
		got := one(t, c.fields...)
		if got.Passed || !strings.Contains(strings.Join(got.Differences, "\n"), c.says) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := one(t, arguments, "workflow: wf_loop", "expect: {decision: PASS, shadow: watched}"); !got.Passed {
		t.Errorf("a shadow: %+v", got)
	}
	if got := one(t, large, "expect: {decision: DENIED, because_contains: TOO MUCH}"); !got.Passed {
		t.Errorf("capitals: %+v", got)
	}
}

// TestWhatIsWrongIsToldByItsPlace: a case that cannot mean what it says is never a case that passes.
func TestWhatIsWrongIsToldByItsPlace(t *testing.T) {
	head := "tools: [tool.yaml]\nrules: [rules.yaml]\ncases:\n  - name: x\n    tool: refund.create\n    " + arguments + "\n"
	pass := "    expect: {decision: PASS}\n"
	for name, c := range map[string]struct{ text, says string }{
		"no case":              {"tools: [tool.yaml]\ncases: []\n", "here/test.yaml:1:1: The file has no case"},
		"empty":                {"", "The file is empty"},
		"no YAML":              {"a: [", "yaml"},
		"a field misspelt":     {head + "    exepct: {decision: PASS}\n", `here/test.yaml:7:5: "exepct" is no field of a case`},
		"an expectation less":  {head, "here/test.yaml:4:5: The field expect is required"},
		"a decision misspelt":  {head + "    expect: {decision: DENY}\n", `here/test.yaml:7:24: "DENY" is none of`},
		"a rule of a pass":     {head + "    expect: {decision: PASS, rule: large}\n", "no rule decides"},
		"an unknown counter":   {head + "    counters: {lrage: 1}\n" + pass, "here/test.yaml:7:16: No counter of the rule lrage"},
		"a rule without one":   {head + "    counters: {large: 1}\n" + pass, "No counter of the rule large"},
		"a counter's value":    {head + "    counters: {refund.create/per-order: many}\n" + pass, "A whole number is expected"},
		"a time without zone":  {head + "    now: 2026-03-02 09:00\n" + pass, "here/test.yaml:7:10:"},
		"an unknown tool":      {strings.Replace(head, "tool: refund.create", "tool: refnd.create", 1) + pass, `here/test.yaml:5:11: No tool named "refnd.create"`},
		"arguments less":       {strings.Replace(head, "order_id: o_1, ", "", 1) + pass, "here/test.yaml:6:16: The arguments at"},
		"a field twice":        {strings.Replace(head, "order_id: o_1", "order_id: o_1, order_id: o_2", 1) + pass, "here/test.yaml:6:16: The arguments at"},
		"a number unclear":     {strings.Replace(head, "o_1", "010", 1) + pass, "here/test.yaml:6:27: The number 010"},
		"no such file":         {strings.Replace(head, "rules.yaml", "rulse.yaml", 1) + pass, "here/test.yaml:2:9: here/rulse.yaml"},
		"two of one name":      {head + pass + "  - name: x\n    tool: refund.create\n    " + arguments + "\n" + pass, `here/test.yaml:8:5: Another case has the name "x"`},
		"a rule that is wrong": {strings.Replace(head, "rules: [rules.yaml]", `rules: [{rule_id: a, deny: {when: args.nonsense == 1, explanation: x}}]`, 1) + pass, "here/test.yaml:2:39: a: deny.when"},
		"earlier less":         {head + "    earlier: [{ago: 1h}]\n" + pass, "The field tool is required"},
		"a duration":           {head + "    earlier: [{tool: refund.create, ago: yesterday}]\n" + pass, `"yesterday" is no duration`},
	} {
		r := runFile(t, c.text)
		var told []string
		for _, p := range r.Problems {
			told = append(told, p.Error())
		}
		if r.OK() || !strings.Contains(strings.Join(told, "\n"), c.says) {
			t.Errorf("%s: %q, %+v", name, told, r.Cases)
		}
	}
}

func TestAFaultOfARuleHasItsPlaceInTheRulesOwnFile(t *testing.T) {
	broken := folder{"here/tool.yaml": tool, "here/rules.yaml": "rule_id: a\ndeny:\n  when: args.nonsense == 1\n  explanation: x\n"}
	text := "tools: [tool.yaml]\nrules: [rules.yaml]\ncases:\n  - {name: x, tool: refund.create, expect: {decision: PASS}}\n"
	r, err := policytest.RunText("here/test.yaml", []byte(text), broken.read)
	if err != nil || len(r.Problems) != 1 || r.Problems[0].File != "here/rules.yaml" || r.Problems[0].Line != 3 || r.Problems[0].Column != 13 || len(r.Cases) > 0 {
		t.Errorf("%v, %+v", err, r)
	}
}

func TestRulesWithoutACaseThatTheyStopAreNamed(t *testing.T) {
	r := run(t, "  - {name: x, tool: refund.create, "+arguments+", workflow: wf_loop, expect: {decision: PASS}}\n")
	if !r.OK() || strings.Join(r.Untested, " ") != "large" {
		t.Errorf("got %+v", r)
	}
}

func TestAReportSaysTheSameEachTime(t *testing.T) {
	text := "  - {name: a, tool: refund.create, " + arguments + ", counters: {refund.create/per-order: 2}, expect: {decision: PASS}}\n" +
		"  - {name: \"b\\e[2J\", tool: refund.create, " + arguments + ", expect: {decision: PASS}}\n"
	var first string
	for i := range 5 {
		r := run(t, text)
		var out bytes.Buffer
		if err := r.Write(&out); err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if both := out.String() + string(data); i == 0 {
			first = both
		} else if both != first {
			t.Fatalf("got\n%s\nthen\n%s", first, both)
		}
	}
	for _, part := range []string{"FAIL  a (here/test.yaml:4)", "want PASS", "got  RETRY_LATER by refund.create/per-order", "value=2", "2 cases, 1 passed, 1 failed", `"decision":"RETRY_LATER"`} {
		if !strings.Contains(first, part) {
			t.Errorf("the report lacks %q:\n%s", part, first)
		}
	}
	if strings.Contains(first, "\x1b") {
		t.Error("a name moves the cursor")
	}
}

func TestTheExamples(t *testing.T) {
	r, err := policytest.Run("../../examples/policy/test.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !r.OK() || len(r.Untested) > 0 || r.Passed < 10 {
		var out bytes.Buffer
		_ = r.Write(&out)
		t.Error(out.String())
	}
	if _, err := policytest.Run("none.yaml"); err == nil {
		t.Error("no file, no error")
	}
}
