package canon

import (
	"maps"
	"slices"
)

// checkPairs refuses two rules that could have a say in one value: on one array item, as /lines/*/note and /lines/0/note, or
// one beneath a field whose own rule leaves nothing beneath it, as /lines/0/note/amount beneath an ignored /lines/*/note.
func (c *compiler) checkPairs() {
	texts := slices.Sorted(maps.Keys(c.n.patterns))
	patterns := make([]Pointer, len(texts))
	for i, text := range texts {
		patterns[i], _ = ParsePointer(text)
	}
	for j, lower := range patterns {
		for i, upper := range patterns {
			if len(upper) > len(lower) || len(upper) == len(lower) && i >= j || !meet(upper, lower) {
				continue
			}
			if message := conflict(texts[i], c.n.patterns[texts[i]], lower[len(upper):]); message != "" {
				c.fault(texts[j], ReasonConflict, message)
				break
			}
		}
	}
}

// meet reports whether some document has a value that the one pattern reaches, and the other one or something beneath it.
func meet(upper, lower Pointer) bool {
	for k, token := range upper {
		_, index := arrayIndex(token)
		_, indexLower := arrayIndex(lower[k])
		if token != lower[k] && !(token == each && indexLower) && !(index && lower[k] == each) {
			return false
		}
	}
	return true
}

// conflict says what is wrong with a rule that stands so far beneath another; nothing where the other leaves room for it.
func conflict(text string, upper *compiled, beneath Pointer) string {
	switch {
	case len(beneath) == 0:
		return "The rule can meet the rule of " + text + " on one item; keep one of them."
	case (upper.Kind != RuleSet && upper.Kind != RuleList) || upper.of != nil:
		return "The rule " + string(upper.Kind) + " of " + text + " speaks of all that is beneath it; keep one of the two."
	case beneath[0] != each:
		return "Above it stands the set or list " + text + ", whose items are reached by * only."
	}
	return ""
}

// ignored reports whether every value that a pattern reaches is ignored, or beneath one that is.
func (c *compiler) ignored(pattern Pointer) bool {
	nodes := []*node{c.n.root}
	for _, token := range pattern {
		nodes = stepPattern(nodes, token)
		if slices.ContainsFunc(nodes, (*node).ignored) {
			return true
		}
	}
	return false
}

func (n *node) ignored() bool { return n.rule != nil && n.rule.Kind == RuleIgnore }
