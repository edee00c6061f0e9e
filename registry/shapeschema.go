package registry

import (
	"maps"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// certainAll gives the schemas that hold of a value for sure, where all of these do.
func certainAll(sure []*jsonschema.Schema) []*jsonschema.Schema {
	var list []*jsonschema.Schema
	for _, s := range sure {
		list = append(list, certain(s, 0)...)
	}
	return list
}

// sureMember gives the schemas that hold of a member, wherever it is.
func sureMember(sure []*jsonschema.Schema, name string) []*jsonschema.Schema {
	var found []*jsonschema.Schema
	for _, s := range certainAll(sure) {
		matched := false
		if p := s.Properties[name]; p != nil {
			found, matched = append(found, p), true
		}
		for re, p := range s.PatternProperties {
			if re.MatchString(name) {
				found, matched = append(found, p), true
			}
		}
		if rest, ok := s.AdditionalProperties.(*jsonschema.Schema); ok && !matched {
			found = append(found, rest)
		}
	}
	return found
}

// closed reports whether an object has no members but those that are named.
func closed(sure []*jsonschema.Schema) bool {
	for _, s := range certainAll(sure) {
		no, plain := s.AdditionalProperties.(bool)
		rest, written := s.AdditionalProperties.(*jsonschema.Schema)
		if len(s.PatternProperties) == 0 && (plain && !no || written && rest.Bool != nil && !*rest.Bool) {
			return true
		}
	}
	return false
}

// sureTypes gives the JSON types that a value may have where all the schemas hold of it; nil means any. A number may be
// an integer.
func sureTypes(sure []*jsonschema.Schema) map[string]bool {
	var all map[string]bool
	for _, s := range certainAll(sure) {
		said := saidTypes(s)
		if said == nil {
			continue
		}
		if said["number"] {
			said["integer"] = true
		}
		if all == nil {
			all = said
			continue
		}
		maps.DeleteFunc(all, func(t string, _ bool) bool { return !said[t] })
	}
	return all
}

// saidTypes gives the types that one schema admits by its type, or by a list of words; nil means any.
func saidTypes(s *jsonschema.Schema) map[string]bool {
	types := map[string]bool{}
	var values []any
	switch {
	case s.Types != nil:
		for _, t := range s.Types.ToStrings() {
			types[t] = true
		}
		return types
	case s.Const != nil:
		values = []any{*s.Const}
	case s.Enum != nil:
		values = s.Enum.Values
	}
	for _, v := range values {
		if _, word := v.(string); !word {
			return nil
		}
		types["string"] = true
	}
	if len(types) == 0 {
		return nil
	}
	return types
}

// only gives the one type that a value has, null aside; empty: there are several, or any.
func only(types map[string]bool) string {
	one := ""
	for t := range types {
		switch {
		case t == "null", t == "integer" && types["number"]:
		case one != "":
			return ""
		default:
			one = t
		}
	}
	return one
}
