package playbook_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/opledger/opledger/playbook"
	"github.com/opledger/opledger/policy"
)

// shapes are of a tool that captures payments: the note may be absent, the buyer is an object.
func shapes() playbook.Shapes {
	text := &policy.Shape{Kind: policy.ShapeString}
	dispatched := &policy.Shape{Kind: policy.ShapeObject, Required: map[string]bool{"order_id": true, "amount": true}, Fields: map[string]*policy.Shape{
		"order_id": text, "amount": text, "note": text, "tags": {Kind: policy.ShapeArray, Items: text},
		"buyer": {Kind: policy.ShapeObject, Fields: map[string]*policy.Shape{"id": text}},
	}}
	canonical := &policy.Shape{Kind: policy.ShapeObject, Required: map[string]bool{"order_id": true, "amount": true}, Fields: map[string]*policy.Shape{
		"order_id": text, "amount": {Kind: policy.ShapeMoney},
	}}
	return playbook.Shapes{Arguments: dispatched, Canonical: canonical}
}

func refund() playbook.Definition {
	return playbook.Definition{
		Precondition: `args.amount.minor > 0 && result.status == "captured"`,
		Steps: []playbook.Step{
			{Name: "refund", Tool: "refund.create", ArgumentsTemplate: `{"charge": "{effect.id}", "amount": "{args.amount}", "reason": "undoes {args.order_id} at {effect.provider}", "note": "{args.note?}"}`},
			{Name: "receipt", Tool: "receipt.void", ArgumentsTemplate: `{"receipt": "{result.receipt}"}`, Precondition: "has(result.receipt)"},
		},
	}
}

func original() playbook.Original {
	return playbook.Original{
		Arguments: []byte(`{"order_id":"order_1","amount":"49.00"}`),
		Canonical: []byte(`{"amount":{"currency":"USD","minor":"4900"},"order_id":"order_1"}`),
		Result:    []byte(`{"status":"captured","receipt":700}`),
		Effect:    playbook.Effect{ID: "ch_1", Provider: "pay"},
	}
}

func compiled(t *testing.T, d playbook.Definition) *playbook.Playbook {
	t.Helper()
	p, problems := playbook.Compile(d, shapes())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return p
}

func TestAPlanTakesItsArgumentsFromTheRecord(t *testing.T) {
	plan, err := compiled(t, refund()).Plan(original())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`{"amount":"49.00","charge":"ch_1","reason":"undoes order_1 at pay"}`, `{"receipt":700}`}
	for i, s := range plan.Steps {
		if string(s.Arguments) != want[i] || s.Skipped {
			t.Errorf("%s: %s", s.Name, s.Arguments)
		}
	}
	if plan.Approval != nil {
		t.Error("nobody was to be asked")
	}
}

func TestAStepWhosePreconditionFailsIsSkipped(t *testing.T) {
	o := original()
	o.Result = []byte(`{"status":"captured"}`)
	plan, err := compiled(t, refund()).Plan(o)
	if err != nil || !plan.Steps[1].Skipped || plan.Steps[1].Arguments != nil || plan.Steps[0].Skipped {
		t.Errorf("%+v, %v", plan, err)
	}
}

func TestWhatCannotBeUndoneSaysWhy(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*playbook.Definition, *playbook.Original)
		want   string
	}{
		"the precondition fails":           {func(_ *playbook.Definition, o *playbook.Original) { o.Result = []byte(`{"status":"voided"}`) }, "does not hold"},
		"the precondition cannot be asked": {func(_ *playbook.Definition, o *playbook.Original) { o.Result = nil }, "cannot be asked"},
		"the effect has no id":             {func(_ *playbook.Definition, o *playbook.Original) { o.Effect.ID = "" }, "{effect.id} has no value"},
		"the arguments are of an older form": {func(_ *playbook.Definition, o *playbook.Original) {
			o.Arguments = []byte(`{"order_id":"order_1"}`)
		}, "{args.amount} has no value"},
		"a step's precondition cannot be asked": {func(d *playbook.Definition, _ *playbook.Original) { d.Steps[1].Precondition = "result.none > 1" }, "step receipt"},
	} {
		d, o := refund(), original()
		c.change(&d, &o)
		_, err := compiled(t, d).Plan(o)
		var no *playbook.NotPossibleError
		if !errors.As(err, &no) || !strings.Contains(no.Because, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPeopleAreAskedWhereTheConditionHoldsOrCannotBeAsked(t *testing.T) {
	for when, asked := range map[string]bool{"": true, "args.amount.minor > 10000": false, "args.amount.minor > 100": true, "result.none > 1": true} {
		d := refund()
		d.Approval = &policy.ApprovalNeed{Count: 1, Roles: []string{"finance"}, When: when}
		plan, err := compiled(t, d).Plan(original())
		if err != nil || (plan.Approval != nil) != asked {
			t.Errorf("%q: %+v, %v", when, plan, err)
		}
		if plan.Approval != nil && plan.Approval.When != "" {
			t.Errorf("%q would be asked once more over a step", when)
		}
	}
}

func TestAPlaybookThatIsRefused(t *testing.T) {
	type change = func(*playbook.Definition)
	template := func(text string) change {
		return func(d *playbook.Definition) { d.Steps[0].ArgumentsTemplate = text }
	}
	for name, c := range map[string]struct {
		change change
		path   string
		code   string
	}{
		"no steps":                     {func(d *playbook.Definition) { d.Steps = nil }, "steps", playbook.CodeRequired},
		"too many steps":               {func(d *playbook.Definition) { d.Steps = make([]playbook.Step, 17) }, "steps", playbook.CodeBounds},
		"a name twice":                 {func(d *playbook.Definition) { d.Steps[1].Name = "refund" }, "steps[1].name", playbook.CodeTwice},
		"a bad name":                   {func(d *playbook.Definition) { d.Steps[0].Name = "Refund" }, "steps[0].name", playbook.CodeName},
		"no tool":                      {func(d *playbook.Definition) { d.Steps[0].Tool = "" }, "steps[0].tool", playbook.CodeName},
		"no JSON":                      {template(`{"a":`), "steps[0].arguments_template", playbook.CodeTemplate},
		"a field twice":                {template(`{"a":1,"a":2}`), "steps[0].arguments_template", playbook.CodeTemplate},
		"no object":                    {template(`["{args.amount}"]`), "steps[0].arguments_template", playbook.CodeTemplate},
		"an open brace":                {template(`{"a":"{args.amount"}`), "steps[0].arguments_template", playbook.CodeTemplate},
		"an unknown source":            {template(`{"a":"{entity.id}"}`), "steps[0].arguments_template", playbook.CodeTemplate},
		"an unknown part of an effect": {template(`{"a":"{effect.amount}"}`), "steps[0].arguments_template", playbook.CodeTemplate},
		"a missing field":              {template(`{"a":"{args.amonut}"}`), "steps[0].arguments_template", playbook.CodeNotInSchema},
		"a field of a text":            {template(`{"a":"{args.amount.minor}"}`), "steps[0].arguments_template", playbook.CodeNotInSchema},
		"an optional field":            {template(`{"a":"{args.note}"}`), "steps[0].arguments_template", playbook.CodeNotRequired},
		"an object in a text":          {template(`{"a":"of {args.buyer?}"}`), "steps[0].arguments_template", playbook.CodeTemplate},
		"a condition that does not type": {func(d *playbook.Definition) { d.Precondition = `args.amount == "49.00"` },
			"precondition", "does_not_type"},
		"a condition over the clock":    {func(d *playbook.Definition) { d.Precondition = `now > timestamp("2026-01-01T00:00:00Z")` }, "precondition", "reads_more"},
		"a condition over the entity":   {func(d *playbook.Definition) { d.Precondition = `entity.state == "paid"` }, "precondition", "does_not_type"},
		"a step's condition":            {func(d *playbook.Definition) { d.Steps[0].Precondition = `args.` }, "steps[0].precondition", "bad_expression"},
		"an approval's condition":       {func(d *playbook.Definition) { d.Approval = &policy.ApprovalNeed{When: "args.x"} }, "approval.required.when", "does_not_type"},
		"a long name of who gets asked": {func(d *playbook.Definition) { d.EscalateTo = strings.Repeat("x", 129) }, "escalate_to", playbook.CodeBounds},
		"a template that is too long":   {template(`{"a":"` + strings.Repeat("x", playbook.MaxTemplateBytes) + `"}`), "steps[0].arguments_template", playbook.CodeBounds},
	} {
		d := refund()
		c.change(&d)
		p, problems := playbook.Compile(d, shapes())
		if p != nil || len(problems) == 0 || problems[0].Path != c.path || problems[0].Code != c.code || problems[0].Message == "" {
			t.Errorf("%s: %+v", name, problems)
		}
	}
}
