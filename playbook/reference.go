package playbook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry/template"
)

// What a step's template may refer to: args.FIELD is an argument of the original as it was dispatched, result.FIELD a
// part of its recorded result, effect.id, effect.provider and effect.account name the effect that is to be undone.
const (
	fromArguments = "args"
	fromResult    = "result"
	fromEffect    = "effect"
)

var effectFields = []string{"id", "provider", "account"}

// checkReference tells why a reference leads nowhere; empty where it leads to something, or nothing is known of where it
// leads. Of results nothing is declared: what one lacks is told when it is asked for.
func (c *compiler) checkReference(r template.Reference) (code, message string) {
	switch {
	case r.Word == fromEffect:
		if len(r.Path) != 1 || !slices.Contains(effectFields, r.Path[0]) {
			return CodeTemplate, fmt.Sprintf("{%s} is not known; of the effect there are {effect.id}, {effect.provider} and {effect.account}.", r.Text)
		}
		return "", ""
	case r.Word == fromResult && len(r.Path) > 0:
		return "", ""
	case r.Word == fromArguments && len(r.Path) > 0:
		return c.checkArgument(r)
	}
	return CodeTemplate, fmt.Sprintf("{%s} is not known; a step may name {args.FIELD}, {result.FIELD} and {effect.id}.", r.Text)
}

func (c *compiler) checkArgument(r template.Reference) (code, message string) {
	shape, always := c.shapes.Arguments, true
	for i, name := range r.Path {
		switch {
		case shape == nil || shape.Kind == policy.ShapeAny:
			return "", ""
		case shape.Kind == policy.ShapeArray:
			shape, always = shape.Items, false
			continue
		case shape.Kind != policy.ShapeObject:
			return CodeNotInSchema, fmt.Sprintf("{%s} leads into a value that has no fields; name the value itself.", r.Text)
		case shape.Fields[name] == nil && shape.Open && len(shape.Fields) == 0:
			return "", ""
		case shape.Fields[name] == nil:
			return CodeNotInSchema, fmt.Sprintf("{%s} names no argument: the schema has no %s. Correct the name, or declare it.", r.Text, strings.Join(r.Path[:i+1], "."))
		}
		shape, always = shape.Fields[name], always && shape.Required[name]
	}
	switch {
	case !always && !r.Optional:
		return CodeNotRequired, fmt.Sprintf("{%s} may be absent; require it in the schema, or write {%s?}, which leaves out what it stands in.", r.Text, r.Text)
	case !r.Whole && shape != nil && (shape.Kind == policy.ShapeObject || shape.Kind == policy.ShapeArray):
		return CodeTemplate, fmt.Sprintf("{%s} is no single value and cannot stand within a text; let it be a value of its own.", r.Text)
	}
	return "", ""
}

// values are what templates are filled from.
func values(o *Original) (template.Values, error) {
	arguments, faults := canon.Parse(o.Arguments, canon.Limits{})
	if len(faults) > 0 {
		return nil, notPossible("the original's arguments cannot be read: %s", faults[0].Message)
	}
	var result *canon.Value
	if len(o.Result) > 0 {
		result, _ = canon.Parse(o.Result, canon.Limits{}) // a result that cannot be read has no parts
	}
	effect := map[string]string{"id": o.Effect.ID, "provider": o.Effect.Provider, "account": o.Effect.Account}
	return func(r template.Reference) *canon.Value {
		from := arguments
		switch r.Word {
		case fromEffect:
			if text := effect[r.Path[0]]; text != "" {
				return canon.String(text)
			}
			return nil
		case fromResult:
			from = result
		}
		if from == nil {
			return nil
		}
		v, _ := from.At(r.Path)
		return v
	}, nil
}
