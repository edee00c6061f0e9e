package policy

import (
	"slices"
	"strings"
)

// covers reports whether a tool's proposals are in the scope. A scope that names neither a class nor the tool itself
// covers what mutates only, so that a rule on "payment.*" does not hold up a look-up.
func (s *Scope) covers(t *Tool) bool {
	if len(s.Classes) > 0 && !slices.Contains(s.Classes, t.Class) {
		return false
	}
	if len(s.Classes) == 0 && !t.Mutates && !slices.Contains(s.Tools, t.Name) {
		return false
	}
	if len(s.Intents) > 0 && !slices.Contains(s.Intents, t.Intent) {
		return false
	}
	if len(s.EntityTypes) > 0 && !slices.Contains(s.EntityTypes, t.EntityType) {
		return false
	}
	return len(s.Tools) == 0 || slices.ContainsFunc(s.Tools, func(pattern string) bool { return names(pattern, t.Name) })
}

// Covers reports whether a tool's proposals are in the scope.
func (s *Scope) Covers(t Tool) bool { return s.covers(&t) }

// names reports whether a pattern is the tool's name, or "payment.*" and a prefix of it.
func names(pattern, tool string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(tool, prefix)
	}
	return pattern == tool
}

// covers reports whether a switch is of the tool, its class or the whole namespace.
func (s *Switch) covers(tool, class string) bool {
	switch {
	case s.Tool != "":
		return s.Tool == tool
	case s.Class != "":
		return s.Class == class
	}
	return true
}
