package registry

import (
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/policy"
)

// maxShapePlaces bounds how many places of the arguments a shape tells apart. What lies beyond is of any kind.
const maxShapePlaces = 2000

// shapeOf gives the type of the tool's canonical arguments: what every canonical form is like, as far as the schema and
// the field rules promise it. What they do not promise is of any kind, so that no expression relies on it.
//
// A whole number is of the kind integer whatever its size: a schema without bounds admits one beyond an int64, which who
// reads it has to refuse.
func shapeOf(c *Compiled) *policy.Shape { return shapeBy(c, &c.Definition.Identity.Rules) }

// shapeBy gives the type of the arguments after the rules.
func shapeBy(c *Compiled, rules *canon.Rules) *policy.Shape {
	b := &shaper{rules: rules, open: map[*jsonschema.Schema]bool{}, left: maxShapePlaces}
	return b.shape(spot{sure: []*jsonschema.Schema{c.schema}, said: []*jsonschema.Schema{c.schema}})
}

// spot is one place of the arguments.
type spot struct {
	at   canon.Pointer        // with * for array items
	sure []*jsonschema.Schema // all of them hold of the value; none: nothing is promised of it
	said []*jsonschema.Schema // these speak of the value, alternatives among them
	item *canon.Rule          // the rule that a set or list above gives its items
}

type shaper struct {
	rules *canon.Rules
	open  map[*jsonschema.Schema]bool // those on the way, so that a schema that holds itself ends
	left  int
}

func anything() *policy.Shape { return &policy.Shape{Kind: policy.ShapeAny} }

func (b *shaper) shape(s spot) *policy.Shape {
	if b.left--; b.left < 0 || len(s.at) > maxWalk {
		return anything()
	}
	var way []*jsonschema.Schema
	for _, schema := range s.said {
		for _, part := range spread(schema) {
			if b.open[part] {
				return anything()
			}
			way = append(way, part)
		}
	}
	for _, part := range way {
		b.open[part] = true
	}
	defer func() {
		for _, part := range way {
			delete(b.open, part)
		}
	}()
	if !b.keepsPromise(s) {
		s.sure = nil
	}
	if b.nullable(s) {
		return anything()
	}
	shape := b.filled(s)
	if slices.Contains(b.rules.Sensitive, s.at.String()) {
		switch shape.Kind {
		case policy.ShapeAny, policy.ShapeObject, policy.ShapeArray:
			return anything() // a hash, except of an empty one, which stays as it is
		}
		return &policy.Shape{Kind: policy.ShapeString}
	}
	return shape
}

// keepsPromise reports whether the defaults that may have been filled in here are what the schema promises. Arguments are
// held against it before.
func (b *shaper) keepsPromise(s spot) bool {
	for text, value := range b.rules.Defaults {
		pattern, err := canon.ParsePointer(text)
		if err != nil || len(pattern) > len(s.at) || !slices.Equal(pattern, s.at[:len(pattern)]) {
			continue
		}
		for _, found := range value.Select(s.at[len(pattern):]) {
			for _, schema := range s.sure {
				if schema.Validate(plain(found.Value)) != nil {
					return false
				}
			}
		}
	}
	return true
}

// nullable reports whether null may stand here. Null passes every rule; as a member it counts as absent where the
// definition says so.
func (b *shaper) nullable(s spot) bool {
	types := sureTypes(s.sure)
	item := len(s.at) > 0 && s.at[len(s.at)-1] == each
	return (types == nil || types["null"]) && (item || b.rules.Null != canon.NullAbsent)
}

// filled gives the shape of what is there and is not null.
func (b *shaper) filled(s spot) *policy.Shape {
	rule := b.rule(s)
	types := sureTypes(s.sure)
	switch {
	case rule == nil:
		switch only(types) {
		case "object":
			return b.object(s)
		case "array":
			return b.array(s, nil)
		case "":
			return anything()
		}
		return &policy.Shape{Kind: policy.ShapeKind(only(types))}
	case rule.Kind == canon.RuleMoney:
		return &policy.Shape{Kind: policy.ShapeMoney}
	case rule.Kind == canon.RuleNumber && types["number"], rule.Kind == canon.RuleNumber && types == nil:
		return &policy.Shape{Kind: policy.ShapeNumber}
	case rule.Kind == canon.RuleNumber:
		return &policy.Shape{Kind: policy.ShapeInteger}
	case rule.Kind == canon.RuleSet, rule.Kind == canon.RuleList:
		return b.array(s, rule.Of)
	}
	return &policy.Shape{Kind: policy.ShapeString}
}

// rule gives the field rule of a place.
func (b *shaper) rule(s spot) *canon.Rule {
	if rule, ok := b.rules.Fields[s.at.String()]; ok {
		return &rule
	}
	return s.item
}

func (b *shaper) array(s spot, of *canon.Rule) *policy.Shape {
	item := spot{at: append(slices.Clip(s.at), each), item: of, said: belowAll(s.said, each)}
	for _, schema := range certainAll(s.sure) {
		if schema.Items2020 != nil && schema.Items2020.Bool == nil {
			item.sure = append(item.sure, schema.Items2020)
		}
	}
	if b.tellsItemsApart(s) {
		return &policy.Shape{Kind: policy.ShapeArray, Items: anything()}
	}
	return &policy.Shape{Kind: policy.ShapeArray, Items: b.shape(item)}
}

// tellsItemsApart reports whether items of an array differ by their index: by the schema, or by a rule for one of them.
func (b *shaper) tellsItemsApart(s spot) bool {
	for _, schema := range s.said {
		for _, part := range spread(schema) {
			if len(part.PrefixItems) > 0 {
				return true
			}
		}
	}
	return slices.ContainsFunc(b.beneath(s.at), func(token string) bool { return token != each })
}

func (b *shaper) object(s spot) *policy.Shape {
	shape := &policy.Shape{Kind: policy.ShapeObject, Fields: map[string]*policy.Shape{}, Required: map[string]bool{}, Open: !closed(s.sure)}
	names := map[string]bool{}
	for _, schema := range s.said {
		for _, part := range spread(schema) {
			for name := range part.Properties {
				names[name] = true
			}
		}
	}
	for _, name := range b.beneath(s.at) {
		names[name] = true
	}
	if names[each] {
		delete(names, each) // in rules it means array items, so a member of that name is not told
		shape.Open = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		here := append(slices.Clip(s.at), name)
		if b.rules.Fields[here.String()].Kind == canon.RuleIgnore {
			continue
		}
		member := spot{at: here, sure: sureMember(s.sure, name), said: belowAll(s.said, name)}
		shape.Fields[name] = b.shape(member)
		_, filled := b.rules.Defaults[here.String()]
		types := sureTypes(member.sure)
		dropped := b.rules.Null == canon.NullAbsent && (types == nil || types["null"])
		if filled || requires(s.sure, name) && !dropped {
			shape.Required[name] = true
		}
	}
	return shape
}

// beneath lists the next tokens of rules, defaults and sensitive fields beneath a place.
func (b *shaper) beneath(at canon.Pointer) []string {
	tokens := map[string]bool{}
	note := func(text string) {
		if p, err := canon.ParsePointer(text); err == nil && len(p) > len(at) && slices.Equal(p[:len(at)], at) {
			tokens[p[len(at)]] = true
		}
	}
	for text := range b.rules.Fields {
		note(text)
	}
	for text := range b.rules.Defaults {
		note(text)
	}
	for _, text := range b.rules.Sensitive {
		note(text)
	}
	return slices.Sorted(maps.Keys(tokens))
}
