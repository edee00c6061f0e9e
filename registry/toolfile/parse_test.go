package toolfile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
)

const least = `name: order.get
class: PURE_READ
arguments_schema: {type: object, required: [id], properties: {id: {type: string}, at: {type: string}}}
`

// TestProblemsHaveTheirLine: whatever is wrong is told with the place in the file.
func TestProblemsHaveTheirLine(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want string // line:column code path
	}{
		"no YAML":               {"name: [", "1:1 bad_yaml "},
		"no mapping":            {"- order.get\n", "1:1 bad_field "},
		"nothing":               {"# a comment\n", "0:0 bad_yaml "},
		"unknown field":         {least + "retries: 3\n", "4:1 bad_field "},
		"unknown nested field":  {least + "permit:\n  durations: 3s\n", "5:3 bad_field "},
		"wrong kind":            {least + "permit: 3s\n", "4:9 bad_field "},
		"unknown enum value":    {least + "executor: ROBOT\n", "4:11 bad_field "},
		"no duration":           {least + "permit: {duration: soon}\n", "4:20 bad_field "},
		"twice":                 {least + "title: a\ntitle: b\n", "5:1 field_twice title"},
		"twice, in the schema":  {strings.Replace(least, "at: {", "id: {", 1), "3:83 field_twice id"},
		"alias":                 {least + "labels: {a: &x b, c: *x}\n", "4:22 alias "},
		"FC-303 zero permit":    {least + "permit:\n  duration: 0s\n", "5:3 bad_value permit.duration"},
		"FC-303 zero by digit":  {least + "permit:\n  duration: 0\n", "5:3 bad_value permit.duration"},
		"no schema":             {"name: a\nclass: PURE_READ\n", "1:1 bad_value schema"},
		"no class":              {strings.Replace(least, "class: PURE_READ\n", "", 1), "1:1 bad_value class"},
		"rule without a kind":   {least + "identity:\n  fields:\n    /id: {}\n", "6:5 bad_value identity.fields[\"/id\"].kind"},
		"number too large":      {least + "identity:\n  defaults:\n    /at: 9007199254740993\n", "6:10 unclear_number "},
		"number in octal":       {least + "labels: {build: 010}\n", "4:17 unclear_number "},
		"number at 2^53":        {least + "identity:\n  defaults:\n    /at: 9007199254740992\n", "6:5 out_of_bounds identity.defaults[\"/at\"]"},
		"bucket that none uses": {least + "identity:\n  bucket: {argument: /at, interval: {unit: DAY, zone: UTC}}\n", "5:3 setting_unusable identity.bucket"},
	} {
		t.Run(name, func(t *testing.T) {
			sources, problems := toolfile.Parse("tools.yaml", []byte(c.text))
			if len(sources) != 0 || len(problems) != 1 {
				t.Fatalf("%d tools, problems %v", len(sources), problems)
			}
			p := problems[0]
			if got := fmt.Sprintf("%d:%d %s %s", p.Line, p.Column, p.Code, p.Path); got != c.want {
				t.Errorf("got %q, want %q (%v)", got, c.want, p)
			}
			if p.Line > 0 && !strings.HasPrefix(p.Error(), fmt.Sprintf("tools.yaml:%d:%d: ", p.Line, p.Column)) {
				t.Errorf("an editor cannot jump to %q", p.Error())
			}
		})
	}
}

// TestChecksHaveTheirLine: what the registry finds is told with the place in the file, too.
func TestChecksHaveTheirLine(t *testing.T) {
	text := `# refunds
name: refund.create
class: EXTERNAL_IDEMPOTENT_WRITE
argumentsSchema:
  type: object
  required: [order_id]
  properties:
    order_id: {type: string}
    created_at: {type: string}
identity:
  keyTemplate: "refund:{order_id}:{run_id}"
  occurrence: NOBODY
  fields:
    /order: {identifier: {}}
provider:
  name: pay
  idempotency_key: {supported: true, retention: 24h}
  lookups:
    - by: VENDOR_KEY
    - by: CLIENT_REFERENCE
policy:
  guards: [{name: open, condition: entity.state == "open"}]
`
	sources, problems := toolfile.Parse("refund.yaml", []byte(text))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	found, warnings := sources[0].Check(registry.Capabilities{})
	var got []string
	for _, p := range append(found, warnings...) {
		got = append(got, fmt.Sprintf("%d:%d %s %s", p.Line, p.Column, p.Code, p.Path))
	}
	slices.Sort(got)
	want := []string{
		"11:3 forbidden_component identity.key_template",
		"14:5 pointer_not_in_schema identity.fields[\"/order\"]",
		"20:7 setting_unusable provider.lookups[1].by",
		"22:3 capability_missing policy.guards",
		"4:1 volatile_field arguments_schema",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestSeveralToolsInAFile(t *testing.T) {
	text := "# two tools\n---\n" + least + "--- # the second\n" + strings.Replace(least, "order.get", "order.find", 1) + "---\n# nothing more\n"
	sources, problems := toolfile.Parse("tools.yaml", []byte(text))
	if len(problems) > 0 || len(sources) != 2 {
		t.Fatalf("%d tools, problems %v", len(sources), problems)
	}
	if sources[0].Line != 3 || sources[1].Line != 7 || sources[1].Definition.Name != "order.find" {
		t.Errorf("tools in lines %d and %d, the second is %s", sources[0].Line, sources[1].Line, sources[1].Definition.Name)
	}
	_, problems = toolfile.Parse("tools.yaml", []byte(least+"---\n"+least))
	if len(problems) != 1 || problems[0].Line != 5 || problems[0].Code != toolfile.CodeTwice {
		t.Errorf("one tool twice: %v", problems)
	}
	sources, problems = toolfile.Parse("tools.yaml", []byte("name: 1x\n---\n"+least))
	if len(sources) != 1 || len(problems) == 0 {
		t.Errorf("a good tool beside a bad one: %d tools, problems %v", len(sources), problems)
	}
}

func TestFileIsBounded(t *testing.T) {
	if _, problems := toolfile.Parse("x", make([]byte, toolfile.MaxFileBytes+1)); len(problems) != 1 || problems[0].Code != registry.CodeBounds {
		t.Error(problems)
	}
	deep := least + "labels: " + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "\n"
	if _, problems := toolfile.Parse("x", []byte(deep)); len(problems) != 1 || problems[0].Code != registry.CodeBounds {
		t.Error(problems)
	}
}

// TestWords: names of enums stand with and without their prefix, and durations as people write them.
func TestWords(t *testing.T) {
	text := strings.Replace(least, "PURE_READ", "TOOL_CLASS_PURE_READ", 1) + `executor: INLINE
permit: {duration: 1m30s}
waiting: {human_after: 0s}
reconcile: []
identity:
  null: ABSENT
  key_template: "order:{id}:{bucket}"
  occurrence: NOBODY
  bucket: {argument: /at, interval: {unit: DAY, zone: Europe/Berlin}}
  fields: {/at: {timestamp: {}}}
`
	sources, problems := toolfile.Parse("tools.yaml", []byte(text))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	d := sources[0].Definition
	if d.Class != registry.PureRead || d.Executor != registry.Inline || d.Permit.Duration != 90*time.Second {
		t.Errorf("class %s, executor %s, permit %s", d.Class, d.Executor, d.Permit.Duration)
	}
	if !d.StatedZero["waiting.human_after"] {
		t.Error("a stated zero reads as absent")
	}
	if want := "order:{id}:{bucket:/at:day:Europe/Berlin}"; d.Identity.KeyTemplate != want {
		t.Errorf("template %s, want %s", d.Identity.KeyTemplate, want)
	}
	if d.Identity.Rules.Null != canon.NullAbsent || d.Identity.Rules.Fields["/at"].Precision != canon.PrecisionMilli {
		t.Errorf("rules %+v", d.Identity.Rules)
	}
}
