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
