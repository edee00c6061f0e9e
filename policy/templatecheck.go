package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// check finds what a template names that the tool does not have. A template over a result names what the result declares.
func (t *template) check(tool *Tool, overResult bool) *fault {
	for _, p := range t.parts {
		var message string
		switch {
		case p.ref == "":
		case p.ref == "args" && len(p.path) > 0:
			message = reaches(tool.Arguments, "args", p.path)
		case p.ref == "result" && len(p.path) > 0 && overResult:
			message = reaches(tool.Result, "result", p.path)
		case !slices.Contains(plainRefs, p.ref):
			message = fmt.Sprintf("{%s} is not known; a template may name args.FIELD, %s.", p.ref, strings.Join(plainRefs, ", "))
			if overResult {
				message = fmt.Sprintf("{%s} is not known; this template may name args.FIELD, result.FIELD, %s.", p.ref, strings.Join(plainRefs, ", "))
			}
		case strings.HasPrefix(p.ref, "entity") && tool.EntityType == "":
			message = fmt.Sprintf("{%s} needs an entity, and the tool %s names none; leave the tool out of the scope by entity_types, or give it an entity.", p.ref, tool.Name)
		}
		if message != "" {
			return &fault{p.column, message}
		}
	}
	return nil
}

// reaches tells why a path leads to nothing that can be written as text; empty where it does.
func reaches(s *Shape, at string, path []string) string {
	for _, name := range path {
		if s == nil || s.Kind == ShapeAny {
			return ""
		}
		next := s.Fields[name]
		if s.Kind == ShapeMoney && (name == "currency" || name == "minor") {
			next = &Shape{Kind: ShapeString}
		}
		switch {
		case next != nil:
		case s.Kind == ShapeObject && len(s.Fields) == 0 && s.Open:
			return ""
		case s.Kind == ShapeObject:
			return fmt.Sprintf("%s has no field %s; it has %s.", at, name, list(slices.Sorted(maps.Keys(s.Fields))))
		default:
			return fmt.Sprintf("%s is %s and has no field %s.", at, s.Kind.word(), name)
		}
		s, at = next, at+"."+name
	}
	switch {
	case s == nil:
		return ""
	case s.Kind == ShapeMoney:
		return fmt.Sprintf("%s is an amount of money; name %s.minor or %s.currency.", at, at, at)
	case s.Kind == ShapeObject, s.Kind == ShapeArray:
		return fmt.Sprintf("%s is %s; name one value in it.", at, s.Kind.word())
	}
	return ""
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// word is the kind with its article.
func (k ShapeKind) word() string {
	switch k {
	case ShapeObject, ShapeArray, ShapeInteger:
		return "an " + string(k)
	case ShapeMoney:
		return "an amount of money"
	}
	return "a " + string(k)
}
