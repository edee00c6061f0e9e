package campaign

import (
	"time"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/check"
	"github.com/opledger/opledger/registry"
)

// tally counts the runs of one arm. It keeps no record.
type tally struct {
	eval.Figures
	unknown []time.Duration // how long outcomes were not known
	added   []time.Duration // what calls of the ledger took, for each run
	classes map[registry.Class]*eval.ClassFigures
}

func newTally(arm eval.Arm) *tally {
	t := &tally{Figures: eval.Figures{Arm: arm}, classes: map[registry.Class]*eval.ClassFigures{}}
	for _, class := range registry.Classes {
		t.classes[class] = &eval.ClassFigures{Class: class}
	}
	return t
}

// add counts one run.
func (t *tally) add(o outcome) {
	r, c := o.record, check.Count(o.record)
	person := min(c.NeedsHuman, 1)
	t.Runs++
	t.Wanted += r.Wanted
	t.Effects += len(r.Effects)
	t.Duplicates += c.Duplicates
	t.Lost += c.Lost
	t.NeedsHuman += person
	t.Incidents += c.Incidents
	t.Unflagged += c.Unflagged
	t.Unheard += c.Unheard
	t.Proposals += o.proposals
	t.Contended += o.contended
	if r.Agent == Repeats && r.Class != registry.PureRead {
		t.Repetitions++
		t.FalseDedupes += c.Swallowed
	}
	times, ambiguous := check.UnknownFor(r)
	t.unknown = append(t.unknown, times...)
	if ambiguous {
		t.Ambiguous++
		t.ResolvedAlone += 1 - person
	}
	if r.Arm == eval.Opledger {
		t.added = append(t.added, o.added)
	}
	class := t.classes[r.Class]
	class.Runs++
	class.Wanted += r.Wanted
	class.Effects += len(r.Effects)
	class.Duplicates += c.Duplicates
	class.Lost += c.Lost
	class.NeedsHuman += person
}

// figures are the counts with what is worked out from all runs.
func (t *tally) figures() eval.Figures {
	f := t.Figures
	f.ReconcileMean, f.ReconcileP99, f.Reconciled = eval.Mean(t.unknown), eval.Percentile(t.unknown, 0.99), len(t.unknown)
	f.AddedMean, f.AddedP99 = eval.Mean(t.added), eval.Percentile(t.added, 0.99)
	for _, class := range registry.Classes {
		f.ByClass = append(f.ByClass, *t.classes[class])
	}
	return f
}

// humanShares are how many of a class's runs may be left to a person, in percent. Where every promise is kept it is what
// cannot be undone, which absence never clears; for the others it is what an outage of lookups outlasts.
var humanShares = map[Suite]map[registry.Class]int{
	Keeps:  {registry.Irreversible: 30, registry.ExternalNonIdempotentWrite: 3, registry.ExternalIdempotentWrite: 3},
	Breaks: {registry.Irreversible: 60, registry.ExternalNonIdempotentWrite: 40, registry.ExternalIdempotentWrite: 30, registry.InternalDeterministicWrite: 20},
}

// budget is how many runs of a campaign may be left to a person.
func (s Suite) budget(classes []eval.ClassFigures) int {
	all := 0
	for _, c := range classes {
		all += c.Runs * humanShares[s][c.Class]
	}
	return (all + 99) / 100
}
