package registry

import (
	"regexp"
	"slices"
	"strings"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/policy"
)

// references holds what the tool's rules read of the arguments against their canonical form: amounts to sum, and fields
// in templates. What a template reads beside arguments is for package policy to check.
func (k *checker) references(c *Compiled) {
	args := c.PolicyTool().Arguments
	for i, l := range k.d.Policy.Limits {
		path := indexed("policy.limits", i)
		k.sum(c, args, path, l)
		// A condition may ask whether the field is there.
		k.template(c, args, path+".per", l.Per, policy.MaxTemplate, l.When != "")
	}
	for i, w := range k.d.Policy.Windows {
		path := indexed("policy.dedupe_windows", i) + ".key_template"
		if w.KeyTemplate == "" {
			k.add(path, CodeRequired, "A window needs the key that two equivalent operations share, such as {args.order_id}.")
		}
		k.template(c, args, path, w.KeyTemplate, policy.MaxTemplate, false)
	}
	k.template(c, args, "policy.sets_entity_state", k.d.Policy.SetsEntityState, MaxStateTemplate, false)
}

// sum checks that a limit's sum is one of whole numbers that are always there.
func (k *checker) sum(c *Compiled, args *policy.Shape, path string, l policy.Limit) {
	if l.SumOf == "" {
		return
	}
	path += ".sum_of"
	p, err := canon.ParsePointer(l.SumOf)
	switch {
	case err != nil:
		k.add(path, CodeTemplate, "The %s.", err)
	case slices.Contains(p, each):
		k.add(path, CodeTemplate, "An amount is at one place; * would reach several.")
	default:
		if shape, always := k.argument(c, args, path, p); shape != nil {
			k.summed(path, l, shape, always)
		}
	}
}

func (k *checker) summed(path string, l policy.Limit, shape *policy.Shape, always bool) {
	if shape.Kind != policy.ShapeInteger && shape.Kind != policy.ShapeMoney {
		k.add(path, CodeTypeMismatch, "Sums are exact, so they are of whole numbers, and the canonical %s is of the kind %s; give it the type integer in the schema, or the rule money.", l.SumOf, shape.Kind)
	}
	if !always && l.When == "" {
		k.add(path, CodeNotRequired, "%s may be absent, and would then count as nothing; require it in the schema, or give it a default.", l.SumOf)
	}
}

// templateField is a component that reads an argument by its names: {args.order.id}.
var templateField = regexp.MustCompile(`\{args((?:\.[A-Za-z_][A-Za-z0-9_]*)+)\}`)

// template checks the arguments that a template reads. An absent one would put everybody under one value.
func (k *checker) template(c *Compiled, args *policy.Shape, path, text string, most int, mayBeAbsent bool) {
	k.text(path, text, most)
	for _, m := range templateField.FindAllStringSubmatch(text, -1) {
		shape, always := k.argument(c, args, path, canon.Pointer(strings.Split(m[1][1:], ".")))
		if shape != nil && !always && !mayBeAbsent {
			k.add(path, CodeNotRequired, "The template reads %s, which may be absent; require it in the schema, or give it a default. An absent one would be the same for everybody.", m[0])
		}
	}
}

// argument finds the shape at a place of the canonical arguments, and whether it is always there. A place that they lack
// is reported, and has none.
func (k *checker) argument(c *Compiled, args *policy.Shape, path string, p canon.Pointer) (shape *policy.Shape, always bool) {
	shape, always = args, true
	for i, token := range p {
		here := p[:i+1]
		switch shape.Kind {
		case policy.ShapeMoney:
			if member := moneyShape[token]; member != nil && i == len(p)-1 {
				return member, always
			}
			k.add(path, CodeNotInSchema, "The canonical form of %s is an amount, which has currency and minor and no %s.", p[:i], token)
			return nil, false
		case policy.ShapeArray:
			if _, ok := index(token); ok {
				shape, always = shape.Items, false
				continue
			}
		case policy.ShapeObject:
			if member := shape.Fields[token]; member != nil {
				shape, always = member, always && shape.Required[token]
				continue
			}
		}
		if k.d.Identity.Rules.Fields[here.String()].Kind == canon.RuleIgnore {
			k.add(path, CodeUnusable, "Identity ignores %s, so it is no part of the canonical arguments, and a retry may change it; read another field, or give it another rule.", here)
			return nil, false
		}
		if len(k.mustReach(c.schema, path, here.String())) == 0 {
			return nil, false
		}
		shape, always = anything(), false
	}
	return shape, always
}

// moneyShape is what an amount is made of.
var moneyShape = map[string]*policy.Shape{
	"currency": {Kind: policy.ShapeString},
	"minor":    {Kind: policy.ShapeInteger},
}
