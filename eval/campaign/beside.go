package campaign

import (
	"fmt"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/check"
	"github.com/opledger/opledger/registry"
)

// Two runs can have one account. They are begun in the same tick of the same world, and the exclusive group of their tool
// lets the operation of only one of them be open at a time. Each is the run of its own seed all the same: the two places of
// a pair have the same luck, so that the seed of one names the other, which is played beside it wherever it is played.

// neighbour is the seed of the other place of a pair.
func neighbour(seed uint64) uint64 { return seed ^ 1 }

// luckPlace is the place whose luck a place has: that of its pair's first one, where the two can have one account.
func luckPlace(place int) int {
	if class, _ := classAt(place); class == accountClass {
		return place &^ 1
	}
	return place
}

// accountClass is the class whose tools can have accounts.
const accountClass = registry.ExternalIdempotentWrite

// account is the account that the run's operations are on.
func (r Run) account() string {
	if r.Beside == 0 {
		return fmt.Sprintf("acc_%x", r.Seed)
	}
	return fmt.Sprintf("acc_%x", min(r.Seed, r.Beside))
}

// neighbourhood says in the run's history that another run has its account.
func (r Run) neighbourhood() string {
	if r.Beside == 0 {
		return ""
	}
	return fmt.Sprintf(", on the account of run %d", r.Beside)
}

// party is what has to be begun in one tick: the run, and the one beside it.
func (r Run) party() []Run {
	switch {
	case r.Beside == 0:
		return []Run{r}
	case r.Beside < r.Seed:
		return []Run{One(r.Beside), r}
	}
	return []Run{r, One(r.Beside)}
}

// parties are those of several runs. A run that is there only because one of them is on its account is no part of the
// campaign: it is judged with the others of its world, and by itself it counts for nothing.
func parties(runs []Run) (all [][]Run, counted map[uint64]bool) {
	counted = map[uint64]bool{}
	for _, r := range runs {
		if r.Beside == 0 || !counted[r.Beside] {
			all = append(all, r.party())
		}
		counted[r.Seed] = true
	}
	return all, counted
}

// playParties plays parties in the stage's world as they come, hands on what came of the runs that are counted, and answers
// what is wrong with all of them together.
func (s *stage) playParties(next func() ([]Run, bool), counted map[uint64]bool, over func(outcome)) ([]eval.Finding, error) {
	company := check.NewCompany() // of the runs that share this world's ledger
	err := s.playAll(next, func(o outcome) {
		company.Add(o.record)
		if counted[o.run.Seed] {
			over(o)
		}
	})
	return company.Findings(), err
}
