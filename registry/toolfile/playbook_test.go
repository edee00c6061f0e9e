package toolfile_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
)

const withPlaybook = `
name: seat.book
class: EXTERNAL_NON_IDEMPOTENT_WRITE
arguments_schema: {type: object, required: [show, seat], properties: {show: {type: string}, seat: {type: string}}}
identity: {entity: {type: show, id: "{show}"}}
provider: {name: example-theatre}
playbook:
  precondition: result.status != "used"
  steps:
    - name: release
      tool: seat.release
      arguments_template: '{"show": "{args.show}", "booking": "{effect.id}"}'
      precondition: has(result.held)
  approval: {required: {count: 2, roles: [box-office], expires_after: 1h, when: result.price > 100}}
  escalate_to: house-manager
`

// TestAPlaybookIsReadAndWritten: from a file to plain types, to a message of the API and back, nothing is lost.
func TestAPlaybookIsReadAndWritten(t *testing.T) {
	sources, problems := toolfile.Parse("seat.book.yaml", []byte(withPlaybook))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	d := sources[0].Definition
	p := d.Playbook
	if p == nil || p.Steps[0].Tool != "seat.release" || p.Approval.Count != 2 || p.Approval.ExpiresAfter != time.Hour || p.EscalateTo != "house-manager" {
		t.Fatalf("%+v", p)
	}
	if found, _ := sources[0].Check(registry.ThisRelease()); len(found) > 0 {
		t.Error(found)
	}
	back, found := toolfile.FromProto(toolfile.ToProto(d))
	if len(found) > 0 || !reflect.DeepEqual(back.Playbook, p) {
		t.Errorf("%+v, %v", back.Playbook, found)
	}
}

// TestAPlaybooksProblemsHaveTheirPlace: a problem is told with the line of the setting that it is about.
func TestAPlaybooksProblemsHaveTheirPlace(t *testing.T) {
	for from, want := range map[string]struct {
		to   string
		line int
	}{
		`"{args.show}"`:            {`"{args.shwo}"`, 12},
		`result.status != "used"`:  {`args.status != "used"`, 8},
		`when: result.price > 100`: {`when: args.price > 100`, 14},
		`required: {count: 2, roles: [box-office], expires_after: 1h, when: result.price > 100}`: {`waived: {reason: " "}`, 14},
	} {
		text := strings.Replace(withPlaybook, from, want.to, 1)
		if text == withPlaybook {
			t.Fatalf("the file does not hold %s", from)
		}
		sources, problems := toolfile.Parse("seat.book.yaml", []byte(text))
		for i := range sources {
			found, _ := sources[i].Check(registry.ThisRelease())
			problems = append(problems, found...)
		}
		if len(problems) != 1 || problems[0].Line != want.line {
			t.Errorf("%s: %v", want.to, problems)
		}
	}
}
