package registry

import "github.com/opledger/opledger/policy"

// PolicyTool gives what the policy must know of a version. Of a definition that Check refuses it tells what can be told.
func PolicyTool(d Definition) policy.Tool {
	c, _ := compile(WithDefaults(d))
	return c.PolicyTool()
}

// PolicyTool gives what the policy must know of the version: its rules, and the shape of its canonical arguments. Of its
// results nothing is declared.
func (c *Compiled) PolicyTool() policy.Tool {
	d := &c.Definition
	t := policy.Tool{
		Name: d.Name, Version: d.Version, Class: string(d.Class),
		Mutates: d.Class != PureRead, Irreversible: d.Class == Irreversible,
		Intent: d.Identity.Intent, Arguments: anything(), Rules: d.Policy,
	}
	if d.Identity.Entity != nil {
		t.EntityType = d.Identity.Entity.Type
	}
	if c.schema != nil {
		t.Arguments = shapeOf(c)
	}
	return t
}
