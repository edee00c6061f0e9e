package registry

import (
	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/playbook"
	"github.com/opledger/opledger/policy"
)

// Playbook is the approved way to undo one effect of a tool.
type Playbook = playbook.Definition

// PlaybookStep is one ordinary operation of a playbook.
type PlaybookStep = playbook.Step

// CompilePlaybook makes the version's playbook ready; nil where it has none. Its problems are placed in the definition.
func (c *Compiled) CompilePlaybook() (*playbook.Playbook, []Problem) {
	d := &c.Definition
	if d.Playbook == nil {
		return nil, nil
	}
	shapes := playbook.Shapes{Arguments: anything(), Canonical: anything()}
	if c.schema != nil {
		shapes = playbook.Shapes{Arguments: dispatchedShape(c), Canonical: shapeOf(c)}
	}
	p, found := playbook.Compile(*d.Playbook, shapes)
	var problems Problems
	for _, f := range found {
		problems.add("playbook."+f.Path, Code(f.Code), f.Message)
	}
	return p, problems
}

// dispatchedShape gives the type of the tool's arguments as they are dispatched: what the schema promises, before any
// field rule.
func dispatchedShape(c *Compiled) *policy.Shape { return shapeBy(c, &canon.Rules{}) }

// AdmitsUndoing reports whether a tool can carry out steps of playbooks: each step is an operation of its own, told apart
// by an occurrence that the ledger makes from what it undoes. A repeat grant is not asked for: the playbook is the
// approval.
func (d *Definition) AdmitsUndoing() bool {
	full := WithDefaults(*d)
	return full.Identity.Occurrence == OccurrenceAnyCaller || full.Identity.Occurrence == OccurrenceRepeatGrant
}
