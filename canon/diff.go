package canon

import (
	"slices"
	"strconv"
)

// MaxDifferences bounds the pointers that Diff names: enough to see what changed, few enough for an error detail.
const MaxDifferences = 64

// Diff names the places at which two values differ, sorted, at most MaxDifferences. A member or item that only one of
// them has is named itself; two values of different kinds are named as a whole. Equal values give nil.
func Diff(a, b *Value) []string {
	var found []string
	diff(nil, a, b, &found)
	slices.Sort(found)
	return found[:min(len(found), MaxDifferences)]
}

// Diff names the fields at which two identities that these rules made differ, as a caller sends them: of an amount of
// money the amount itself, whose canonical form is minor units and a currency. A set's item is named by its place in the
// canonical order. The values may have been read from their canonical text.
func (n *Normalizer) Diff(a, b *Value) []string {
	var sent []string
	for _, text := range Diff(a, b) {
		if p, err := ParsePointer(text); err == nil && len(p) > 0 {
			if rule := n.ruleAt(p[:len(p)-1]); rule != nil && rule.Kind == RuleMoney {
				text = p[:len(p)-1].String()
			}
		}
		sent = append(sent, text)
	}
	slices.Sort(sent)
	return slices.Compact(sent)
}

// ruleAt finds the rule of an exact place: its own, or the one that a set or list above gives its items.
func (n *Normalizer) ruleAt(p Pointer) *compiled {
	nodes, rule := []*node{n.root}, (*compiled)(nil)
	for _, token := range p {
		if token == each {
			return nil // a member of that name is reached by no rule
		}
		if _, index := arrayIndex(token); index && rule != nil {
			rule = rule.of
		} else {
			rule = nil
		}
		nodes = stepPattern(nodes, token)
		for _, n := range nodes {
			if n.rule != nil {
				rule = n.rule
			}
		}
	}
	return rule
}

func diff(at Pointer, a, b *Value, found *[]string) {
	switch {
	case a.kind == KindObject && b.kind == KindObject:
		for _, m := range a.members {
			if other, ok := b.Member(m.Name); ok {
				diff(at.child(m.Name), m.Value, other, found)
			} else {
				*found = append(*found, at.child(m.Name).String())
			}
		}
		for _, m := range b.members {
			if _, ok := a.Member(m.Name); !ok {
				*found = append(*found, at.child(m.Name).String())
			}
		}
	case a.kind == KindArray && b.kind == KindArray:
		for i := range max(len(a.items), len(b.items)) {
			here := at.child(strconv.Itoa(i))
			if i < len(a.items) && i < len(b.items) {
				diff(here, a.items[i], b.items[i], found)
			} else {
				*found = append(*found, here.String())
			}
		}
	case !a.Equal(b):
		*found = append(*found, at.String())
	}
}
