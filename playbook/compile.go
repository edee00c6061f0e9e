package playbook

import (
	"fmt"
	"regexp"
	"unicode/utf8"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry/template"
)

// The bounds of a playbook. They are those of the API.
const (
	MaxSteps         = 16 // each is an operation that somebody may have to look after
	MaxTemplateBytes = 64 << 10
	maxEscalateChars = 128
)

// Codes of problems. They are codes of definitions, and never renamed.
const (
	CodeName        = "bad_name"
	CodeTwice       = "named_twice"
	CodeTemplate    = "bad_template"
	CodeNotInSchema = "pointer_not_in_schema"
	CodeNotRequired = "component_not_required"
	CodeRequired    = "setting_required"
	CodeBounds      = "out_of_bounds"
)

// Problem is one thing that is wrong with a playbook, where it is, and what to do about it.
type Problem struct {
	Path    string // below the playbook: steps[0].arguments_template
	Code    string
	Message string
}

// The forms of names, those of the API.
var (
	stepName = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,62}$`)
	toolName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_-]*(\.[a-zA-Z0-9_-]+)*$`)
)

// Shapes are what is known of the outcomes of the playbook's tool.
type Shapes struct {
	Arguments *policy.Shape // as they are dispatched
	Canonical *policy.Shape // as rules read them
}

// Compile checks a playbook and makes it ready. It finds everything that is wrong with it at once.
func Compile(d Definition, shapes Shapes) (*Playbook, []Problem) {
	c := &compiler{shapes: shapes}
	p := &Playbook{Definition: d}
	p.condition = c.condition("precondition", d.Precondition)
	if d.Approval != nil {
		p.asks = c.condition("approval.required.when", d.Approval.When)
	}
	if n := utf8.RuneCountInString(d.EscalateTo); n > maxEscalateChars {
		c.add("escalate_to", CodeBounds, "The name has %d characters; at most %d are kept.", n, maxEscalateChars)
	}
	switch n := len(d.Steps); {
	case n == 0:
		c.add("steps", CodeRequired, "A playbook has at least one step; take the playbook out where the effect cannot be undone.")
	case n > MaxSteps:
		c.add("steps", CodeBounds, "There are %d steps; at most %d are allowed.", n, MaxSteps)
	}
	seen := map[string]bool{}
	for i := range d.Steps {
		path := fmt.Sprintf("steps[%d]", i)
		p.steps = append(p.steps, c.step(path, &d.Steps[i]))
		if seen[d.Steps[i].Name] {
			c.add(path+".name", CodeTwice, "The playbook has a step %q already; the name is part of what the step undoes, so each has its own.", d.Steps[i].Name)
		}
		seen[d.Steps[i].Name] = true
	}
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	return p, nil
}

type compiler struct {
	shapes   Shapes
	problems []Problem
}

func (c *compiler) add(path, code, format string, args ...any) {
	c.problems = append(c.problems, Problem{path, code, fmt.Sprintf(format, args...)})
}

func (c *compiler) step(path string, s *Step) step {
	if !stepName.MatchString(s.Name) {
		c.add(path+".name", CodeName, "A step's name begins with a small letter and has small letters, digits, _ and -, at most 63 in all, such as refund.")
	}
	if !toolName.MatchString(s.Tool) {
		c.add(path+".tool", CodeName, "The step needs the name of the tool that it proposes, such as refund.create.")
	}
	return step{template: c.template(path+".arguments_template", s.ArgumentsTemplate), condition: c.condition(path+".precondition", s.Precondition)}
}

func (c *compiler) condition(path, text string) *policy.OutcomeCondition {
	if blank(text) {
		return nil
	}
	condition, problems := policy.CompileOutcome(c.shapes.Canonical, text)
	for _, p := range problems {
		c.add(path, string(p.Code), "Line %d, column %d: %s", max(p.Line, 1), max(p.Column, 1), p.Message)
	}
	return condition
}

func (c *compiler) template(path, text string) *template.JSON {
	if len(text) > MaxTemplateBytes {
		c.add(path, CodeBounds, "The template has %d bytes; at most %d are kept.", len(text), MaxTemplateBytes)
		return nil
	}
	t, fault := template.ParseJSON(text)
	if fault != nil {
		c.add(path, CodeTemplate, "%s", fault)
		return nil
	}
	if t.Kind() != canon.KindObject {
		c.add(path, CodeTemplate, "The template is a JSON object: the arguments of the step's tool.")
	}
	for _, r := range t.References() {
		if code, message := c.checkReference(r); message != "" {
			c.add(path, code, "%s", message)
		}
	}
	return t
}
