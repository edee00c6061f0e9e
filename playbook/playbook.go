// Package playbook works out how one effect of an operation is undone: which steps, with which arguments. It is pure: it
// is given an outcome, and gives steps or says why there are none. What carries a step out is an ordinary operation.
package playbook

import (
	"fmt"
	"strings"

	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry/template"
)

// Definition is the approved way to undo one effect of a tool.
type Definition struct {
	Steps          []Step               // in the order in which they are carried out
	Precondition   string               // CEL over the outcome; empty: always
	Approval       *policy.ApprovalNeed // who must approve the compensation; nil: nobody beyond what each step's tool asks
	ApprovalWaived string               // why nobody is asked; empty: nothing is said of it
	EscalateTo     string               // who is asked when it gets stuck; empty: the tool's human owner
}

// Step is one ordinary operation of a playbook.
type Step struct {
	Name              string // part of its identity, unique within the playbook, never reused for another meaning
	Tool              string
	ArgumentsTemplate string // a JSON object, see registry/template; what it may name is in reference.go
	Precondition      string // CEL over the outcome; a step that need not run counts as undone. Empty: always
}

// Original is the outcome that is to be undone.
type Original struct {
	// Arguments are those of the operation as it dispatched them: what templates read, since another tool takes them.
	Arguments []byte
	// Canonical are the canonical arguments: what conditions read, as every rule does.
	Canonical []byte
	Result    []byte // JSON; empty: none is recorded
	Effect    Effect
}

// Effect is the effect that is to be undone.
type Effect struct {
	ID       string // empty: it has none
	Provider string
	Account  string
}

func (o *Original) happened() policy.Happened {
	return policy.Happened{
		Canonical: o.Canonical, Result: o.Result, EffectID: o.Effect.ID, Provider: o.Effect.Provider, Account: o.Effect.Account,
	}
}

// Playbook is a definition that is ready to be asked. It never changes and serves any number of goroutines.
type Playbook struct {
	Definition Definition

	condition *policy.OutcomeCondition // nil: always
	asks      *policy.OutcomeCondition // when people must approve; nil: always
	steps     []step
}

type step struct {
	template  *template.JSON
	condition *policy.OutcomeCondition // nil: always
}

// Planned is one step as it is to be carried out.
type Planned struct {
	Name      string
	Tool      string
	Arguments []byte // canonical JSON; empty for a step that is skipped
	Skipped   bool   // its precondition says that it need not run: what it would undo is not there
}

// Plan is what undoing one effect comes to.
type Plan struct {
	Steps    []Planned
	Approval *policy.ApprovalNeed // who must approve before the first step; nil: nobody beyond what each step's tool asks
}

// NotPossibleError says why an effect cannot be undone by the playbook, in a sentence. It holds no argument's value.
type NotPossibleError struct{ Because string }

func (e *NotPossibleError) Error() string { return e.Because }

func notPossible(format string, args ...any) error {
	return &NotPossibleError{fmt.Sprintf(format, args...)}
}

// Plan works out the steps that undo an effect. Its error is a *NotPossibleError.
func (p *Playbook) Plan(o Original) (*Plan, error) {
	happened := o.happened()
	if p.condition != nil {
		holds, err := p.condition.Holds(happened)
		switch {
		case err != nil:
			return nil, notPossible("the playbook's precondition cannot be asked: %s", err)
		case !holds:
			return nil, notPossible("the playbook's precondition does not hold: %s", p.Definition.Precondition)
		}
	}
	v, err := values(&o)
	if err != nil {
		return nil, err
	}
	plan := &Plan{Approval: p.approval(happened)}
	for i := range p.steps {
		planned, err := p.planStep(i, happened, v)
		if err != nil {
			return nil, err
		}
		plan.Steps = append(plan.Steps, planned)
	}
	return plan, nil
}

func (p *Playbook) planStep(i int, happened policy.Happened, v template.Values) (Planned, error) {
	definition := &p.Definition.Steps[i]
	planned := Planned{Name: definition.Name, Tool: definition.Tool}
	if c := p.steps[i].condition; c != nil {
		holds, err := c.Holds(happened)
		if err != nil {
			return planned, notPossible("the precondition of the step %s cannot be asked: %s", definition.Name, err)
		}
		if planned.Skipped = !holds; planned.Skipped {
			return planned, nil
		}
	}
	arguments, err := p.steps[i].template.Fill(v)
	if err != nil {
		return planned, notPossible("the arguments of the step %s cannot be worked out: %s", definition.Name, err)
	}
	planned.Arguments = arguments.Canonical()
	return planned, nil
}

// approval says who must approve. A condition that cannot be asked is no reason to ask nobody.
func (p *Playbook) approval(happened policy.Happened) *policy.ApprovalNeed {
	need := p.Definition.Approval
	if need == nil || p.asks == nil {
		return need
	}
	if holds, err := p.asks.Holds(happened); err == nil && !holds {
		return nil
	}
	asked := *need
	asked.When = "" // it was asked here, over the outcome
	return &asked
}

// blank reports whether a text says nothing.
func blank(text string) bool { return strings.TrimSpace(text) == "" }
