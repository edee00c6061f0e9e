package script_test

import (
	"fmt"
	"testing"

	"github.com/opledger/opledger/eval/script"
)

// fieldCases are the cases of what went wrong for others, by their kinds: how many there are of each.
var fieldCases = map[int]int{
	1: 12, // agents and frameworks
	2: 16, // charges, refunds, mails, tickets, webhooks
	3: 15, // identity and idempotency stores
	4: 8,  // durable engines and workers
	5: 11, // locks, databases, limits
}

// TestEveryFieldCaseIsAScenario: each has a file of its own, which says where it was told and looks at its end.
func TestEveryFieldCaseIsAScenario(t *testing.T) {
	all, err := script.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	shipped := map[string]*script.Scenario{}
	for _, s := range all {
		shipped[s.Name] = s
	}
	for kind, count := range fieldCases {
		for n := 1; n <= count; n++ {
			name := fmt.Sprintf("fc-%d%02d", kind, n)
			s := shipped[name]
			if s == nil {
				t.Errorf("%s has no scenario", name)
				continue
			}
			if s.Source == "" || s.File != name+".yaml" || len(s.Engines) != 2 {
				t.Errorf("%s comes from %q, stands in %s and runs on %v", name, s.Source, s.File, s.Engines)
			}
		}
	}
}
