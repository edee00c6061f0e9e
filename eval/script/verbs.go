package script

import (
	"maps"
	"slices"
	"strings"
)

// verbs are everything that a step can do.
var verbs map[string]verb

func init() { // a step of a repeat is a step, so that the table cannot be a plain value
	verbs = map[string]verb{}
	for _, some := range []map[string]verb{proposing, attempting, settling, deciding, leasing, running, plain, sending} {
		maps.Copy(verbs, some)
	}
}

// joined lists words in their order.
func joined(words []string) string {
	return strings.Join(slices.Sorted(slices.Values(words)), ", ")
}
