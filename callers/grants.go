package callers

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	teamPattern = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,62}$`)
	// toolPattern is a tool's name as the registry has it, or the beginning of one and ".*".
	toolPattern = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_-]*(\.[a-zA-Z0-9_-]+)*(\.\*)?$`)
)

// isTeam reports whether a word can name a team. A right's name cannot: who reads "approve" among somebody's teams would
// take it for the right.
func isTeam(word string) bool {
	return teamPattern.MatchString(word) && !slices.Contains(Roles, Role(word))
}

// isTools reports whether a word names a tool or all that begin alike.
func isTools(word string) bool { return len(word) <= 256 && toolPattern.MatchString(word) }

// toolMatches reports whether a name is the pattern, or lies below "payment.*".
func toolMatches(pattern, name string) bool {
	if above, all := strings.CutSuffix(pattern, "*"); all {
		return len(name) > len(above) && strings.HasPrefix(name, above)
	}
	return pattern == name
}

// parseTeams reads a comma-separated list.
func parseTeams(list string) ([]string, error) {
	return parseWords("team", list, isTeam, fmt.Sprintf("a name that matches %s and is no role", teamPattern))
}

// parseTools reads a comma-separated list.
func parseTools(list string) ([]string, error) {
	return parseWords("tool", list, isTools, "a tool's name, or the beginning of one and \".*\"")
}

func parseWords(what, list string, valid func(string) bool, want string) ([]string, error) {
	words := strings.Split(list, ",")
	for _, word := range words {
		if !valid(word) {
			return nil, fmt.Errorf("the %s %q has to be %s", what, word, want)
		}
	}
	slices.Sort(words)
	if unique := slices.Compact(slices.Clone(words)); len(unique) < len(words) {
		return nil, fmt.Errorf("a %s is named twice", what)
	}
	return words, nil
}
