package registry

import (
	"maps"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/opledger/opledger/canon"
)

// each is the token of a pattern that stands for each item of an array.
const each = "*"

// maxWalk bounds how far references and combinations are followed from one place. It ends walks round a cycle.
const maxWalk = 32

// spread gives the schema and every schema that speaks of the same value: through references, allOf, anyOf, oneOf, the
// branches of if, and dependent schemas.
func spread(s *jsonschema.Schema) []*jsonschema.Schema {
	var list []*jsonschema.Schema
	seen := map[*jsonschema.Schema]bool{}
	var visit func(*jsonschema.Schema)
	visit = func(s *jsonschema.Schema) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		list = append(list, s)
		visit(s.Ref)
		if s.DynamicRef != nil {
			visit(s.DynamicRef.Ref)
		}
		for _, alternatives := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf, {s.If, s.Then, s.Else}} {
			for _, a := range alternatives {
				visit(a)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(s.DependentSchemas)) {
			visit(s.DependentSchemas[name])
		}
	}
	visit(s)
	return list
}

// below gives the schemas of a member or item. A member that no properties, patternProperties or schema of
// additionalProperties speaks of is one that the schema lacks, though it may admit it: a rule on a name that nobody
// declared is most often a misspelling.
func below(s *jsonschema.Schema, token string) []*jsonschema.Schema {
	var found []*jsonschema.Schema
	for _, s := range spread(s) {
		if token == each {
			found = append(found, items(s)...)
			continue
		}
		if p := s.Properties[token]; p != nil {
			found = append(found, p)
			continue
		}
		matched := false
		for re, p := range s.PatternProperties {
			if re.MatchString(token) {
				found, matched = append(found, p), true
			}
		}
		if rest, ok := s.AdditionalProperties.(*jsonschema.Schema); ok && !matched && rest.Bool == nil {
			found = append(found, rest)
		}
		if i, ok := index(token); ok {
			switch {
			case i < len(s.PrefixItems):
				found = append(found, s.PrefixItems[i])
			case s.Items2020 != nil:
				found = append(found, s.Items2020)
			}
		}
	}
	return found
}

func items(s *jsonschema.Schema) []*jsonschema.Schema {
	found := slices.Clone(s.PrefixItems)
	if s.Items2020 != nil && s.Items2020.Bool == nil {
		found = append(found, s.Items2020)
	}
	return found
}

// index reads a token as an array index, as canon does: plain digits without a leading zero.
func index(token string) (int, bool) {
	n, err := strconv.Atoi(token)
	return n, err == nil && n >= 0 && strconv.Itoa(n) == token
}

// reach gives the schemas at a pointer; none means that the schema lacks it.
func reach(root *jsonschema.Schema, p canon.Pointer) []*jsonschema.Schema {
	at := []*jsonschema.Schema{root}
	for _, token := range p {
		at = belowAll(at, token)
	}
	return at
}

func belowAll(at []*jsonschema.Schema, token string) []*jsonschema.Schema {
	var next []*jsonschema.Schema
	for _, s := range at {
		for _, found := range below(s, token) {
			if !slices.Contains(next, found) {
				next = append(next, found)
			}
		}
	}
	return next
}

// certain gives the schema and those that hold of the same value for sure: references and allOf, not alternatives.
func certain(s *jsonschema.Schema, depth int) []*jsonschema.Schema {
	if s == nil || depth > maxWalk {
		return nil
	}
	list := append([]*jsonschema.Schema{s}, certain(s.Ref, depth+1)...)
	for _, a := range s.AllOf {
		list = append(list, certain(a, depth+1)...)
	}
	return list
}

// objectOnly reports whether only objects are valid.
func objectOnly(s *jsonschema.Schema, depth int) bool {
	return slices.ContainsFunc(certain(s, depth), func(s *jsonschema.Schema) bool {
		return s.Types != nil && slices.Equal(s.Types.ToStrings(), []string{"object"})
	})
}

// kinds gives the JSON types that a place may have, as far as the schemas there say for sure; nil means any.
func kinds(at []*jsonschema.Schema) map[string]bool {
	all := map[string]bool{}
	for _, s := range at {
		var said map[string]bool
		for _, c := range certain(s, 0) {
			if c.Types == nil {
				continue
			}
			here := map[string]bool{}
			for _, t := range c.Types.ToStrings() {
				if said == nil || said[t] {
					here[t] = true
				}
			}
			said = here
		}
		if said == nil {
			return nil // one alternative says nothing, so anything may come
		}
		maps.Copy(all, said)
	}
	return all
}

// alwaysThere reports whether a pointer without * is always there in normalized arguments: required at each step, or
// filled in by a default.
func alwaysThere(root *jsonschema.Schema, p canon.Pointer, defaults map[string]*canon.Value) bool {
	return walker{p, defaults}.from([]*jsonschema.Schema{root}, nil, 0)
}

type walker struct {
	pointer  canon.Pointer
	defaults map[string]*canon.Value
}

// from goes on at a step whose parent the caller sent (at holds its schemas), or a default made (filled is its value; the
// schema promises nothing of it, since arguments are validated before defaults are filled in).
func (w walker) from(at []*jsonschema.Schema, filled *canon.Value, step int) bool {
	if step == len(w.pointer) {
		return true
	}
	token, fallback := w.pointer[step], w.defaults[w.pointer[:step+1].String()]
	if filled != nil {
		next, ok := filled.At(canon.Pointer{token})
		if !ok {
			next = fallback
		}
		return next != nil && w.from(nil, next, step+1)
	}
	sent := w.from(belowAll(at, token), nil, step+1)
	if requires(at, token) {
		return sent
	}
	return fallback != nil && sent && w.from(nil, fallback, step+1)
}

// requires reports whether a value at this place always has the member or item.
func requires(at []*jsonschema.Schema, token string) bool {
	for _, s := range at {
		for _, c := range certain(s, 0) {
			if slices.Contains(c.Required, token) {
				return true
			}
			if i, ok := index(token); ok && c.MinItems != nil && *c.MinItems > i {
				return true
			}
		}
	}
	return false
}
