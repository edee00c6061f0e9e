package registry_test

import (
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
)

// undoable is a capture with a playbook.
func undoable(change ...func(*registry.Definition)) registry.Definition {
	d := capture()
	d.Playbook = &registry.Playbook{
		Precondition: "args.amount.minor > 0",
		Steps: []registry.PlaybookStep{{
			Name: "refund", Tool: "refund.create",
			ArgumentsTemplate: `{"order_id": "{args.order_id}", "amount": "{args.amount}", "note": "{args.note?}"}`,
		}},
	}
	for _, c := range change {
		c(&d)
	}
	return d
}

// TestCheckPlaybook: conditions are over canonical arguments and templates over those that are dispatched, each by what
// the schema promises of them.
func TestCheckPlaybook(t *testing.T) {
	type change = func(*registry.Definition)
	template := func(text string) change {
		return func(d *registry.Definition) { d.Playbook.Steps[0].ArgumentsTemplate = text }
	}
	const at = "playbook.steps[0].arguments_template "
	for name, c := range map[string]struct {
		change change
		want   []string
	}{
		"good":                    {func(*registry.Definition) {}, nil},
		"of a read":               {func(d *registry.Definition) { *d = withBook(read(), d.Playbook) }, []string{"playbook setting_unusable", "playbook.precondition does_not_type", at + "pointer_not_in_schema", at + "pointer_not_in_schema"}},
		"no step":                 {func(d *registry.Definition) { d.Playbook.Steps = nil }, []string{"playbook.steps setting_required"}},
		"a field that is missing": {template(`{"a": "{args.amonut}"}`), []string{at + "pointer_not_in_schema"}},
		"a canonical part":        {template(`{"a": "{args.amount.minor}"}`), []string{at + "pointer_not_in_schema"}},
		"an optional one":         {template(`{"a": "{args.tags}"}`), []string{at + "component_not_required"}},
		"an uncanonical part":     {func(d *registry.Definition) { d.Playbook.Precondition = `args.amount == "1"` }, []string{"playbook.precondition does_not_type"}},
		"nobody asked":            {func(d *registry.Definition) { d.Playbook.ApprovalWaived = "  " }, []string{"playbook.approval.waived.reason reason_required"}},
		"an approval by nobody": {func(d *registry.Definition) {
			d.Playbook.Approval = &policy.ApprovalNeed{Count: 0, ExpiresAfter: time.Hour}
		}, []string{"playbook.approval.required.count out_of_bounds", "playbook.approval.required.roles setting_required"}},
	} {
		t.Run(name, func(t *testing.T) { wantCodes(t, registry.Check(undoable(c.change)), c.want...) })
	}
}

func withBook(d registry.Definition, p *registry.Playbook) registry.Definition {
	d.Playbook = p
	return d
}

// TestPlaybookTools: a step's tool is there, writes, and admits the occurrence by which the ledger tells steps apart.
func TestPlaybookTools(t *testing.T) {
	refund := func(change func(*registry.Definition)) *registry.Definition {
		d := contact()
		d.Name = "refund.create"
		change(&d)
		return &d
	}
	for name, c := range map[string]struct {
		other         *registry.Definition
		refused, said string
	}{
		"any caller":  {refund(func(*registry.Definition) {}), "", ""},
		"by grant":    {refund(func(d *registry.Definition) { d.Identity.Occurrence = registry.OccurrenceRepeatGrant }), "", ""},
		"nobody":      {refund(func(d *registry.Definition) { d.Identity.Occurrence = registry.OccurrenceNobody }), "named occurrence", ""},
		"a read":      {refund(func(d *registry.Definition) { *d = read() }), "is a read", ""},
		"not applied": {nil, "", "no tool refund.create"},
	} {
		t.Run(name, func(t *testing.T) {
			find := func(string) *registry.Definition { return c.other }
			problems, warnings := registry.PlaybookTools(undoable(), find)
			one := func(found []registry.Problem, words string) {
				t.Helper()
				if (words != "") != (len(found) == 1) || words != "" && (found[0].Path != "playbook.steps[0].tool" || !strings.Contains(found[0].Message, words)) {
					t.Errorf("%v, want %q", found, words)
				}
			}
			one(problems, c.refused)
			one(warnings, c.said)
			if c.other == nil || c.other.Name != "refund.create" {
				return
			}
			if by := registry.UndoneBy(undoable(), *c.other); (len(by) == 1) != (c.refused != "") {
				t.Errorf("the tool itself: %v", by)
			}
		})
	}
}
