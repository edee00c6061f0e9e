package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/opledger/opledger/eval"
)

// unite makes one result of the rounds of each part, in the order of their first. Counts are added and means weighted by
// what they are of. A percentile cannot be made from others: the largest of the rounds is told, and that it is one.
func unite(results []*eval.Result) []*eval.Result {
	var order []string
	rounds := map[string][]*eval.Result{}
	for _, r := range results {
		if rounds[r.Part] == nil {
			order = append(order, r.Part)
		}
		rounds[r.Part] = append(rounds[r.Part], r)
	}
	united := make([]*eval.Result, 0, len(order))
	for _, part := range order {
		united = append(united, uniteRounds(rounds[part]))
	}
	return united
}

func uniteRounds(rounds []*eval.Result) *eval.Result {
	whole := *rounds[0]
	whole.Findings, whole.Notes, whole.Figures = slices.Clone(whole.Findings), slices.Clone(whole.Notes), slices.Clone(whole.Figures)
	whole.Drawn = map[string]map[eval.Fault]int{}
	addDrawn(whole.Drawn, rounds[0].Drawn)
	for i, figures := range whole.Figures {
		whole.Figures[i].ByClass = slices.Clone(figures.ByClass)
	}
	for _, r := range rounds[1:] {
		whole.TookMS += r.TookMS
		whole.Findings = append(whole.Findings, r.Findings...)
		if whole.Skipped != "" {
			whole.Skipped = r.Skipped // a part of which any round ran has run
		}
		for _, c := range r.Checked {
			if !slices.Contains(whole.Checked, c) {
				whole.Checked = append(slices.Clip(whole.Checked), c)
			}
		}
		addDrawn(whole.Drawn, r.Drawn)
		for _, figures := range r.Figures {
			i := slices.IndexFunc(whole.Figures, func(f eval.Figures) bool { return f.Arm == figures.Arm })
			if i < 0 {
				whole.Figures = append(whole.Figures, figures)
				continue
			}
			whole.Figures[i] = addFigures(whole.Figures[i], figures)
		}
	}
	if len(whole.Drawn) == 0 {
		whole.Drawn = nil
	}
	if n := len(rounds); n > 1 {
		whole.Notes = append(whole.Notes, fmt.Sprintf("%d rounds, with the seeds %d to %d; each p99 is the largest of a round", n, rounds[0].Seed, rounds[n-1].Seed))
	}
	return &whole
}

func addDrawn(to, from map[string]map[eval.Fault]int) {
	for class, faults := range from {
		if to[class] == nil {
			to[class] = map[eval.Fault]int{}
		}
		for _, fault := range slices.Sorted(maps.Keys(faults)) {
			to[class][fault] += faults[fault]
		}
	}
}

func addFigures(a, b eval.Figures) eval.Figures {
	sum := a
	sum.ReconcileMean = weighted(a.ReconcileMean, a.Reconciled, b.ReconcileMean, b.Reconciled)
	sum.AddedMean = weighted(a.AddedMean, a.Runs, b.AddedMean, b.Runs)
	sum.AddedRows = weighted(a.AddedRows, a.Runs, b.AddedRows, b.Runs)
	sum.AddedBytes = weighted(a.AddedBytes, a.Runs, b.AddedBytes, b.Runs)
	sum.ReconcileP99, sum.AddedP99 = max(a.ReconcileP99, b.ReconcileP99), max(a.AddedP99, b.AddedP99)
	for _, c := range []struct {
		to *int
		n  int
	}{
		{&sum.Runs, b.Runs},
		{&sum.Wanted, b.Wanted},
		{&sum.Effects, b.Effects},
		{&sum.Duplicates, b.Duplicates},
		{&sum.Lost, b.Lost},
		{&sum.NeedsHuman, b.NeedsHuman},
		{&sum.NeedsHumanBudget, b.NeedsHumanBudget},
		{&sum.Ambiguous, b.Ambiguous},
		{&sum.ResolvedAlone, b.ResolvedAlone},
		{&sum.Reconciled, b.Reconciled},
		{&sum.Repetitions, b.Repetitions},
		{&sum.FalseDedupes, b.FalseDedupes},
		{&sum.Proposals, b.Proposals},
		{&sum.Contended, b.Contended},
		{&sum.Incidents, b.Incidents},
		{&sum.Unflagged, b.Unflagged},
		{&sum.Unheard, b.Unheard},
	} {
		*c.to += c.n
	}
	for _, class := range b.ByClass {
		i := slices.IndexFunc(sum.ByClass, func(c eval.ClassFigures) bool { return c.Class == class.Class })
		if i < 0 {
			sum.ByClass = append(sum.ByClass, class)
			continue
		}
		c := &sum.ByClass[i]
		c.Runs, c.Wanted, c.Effects = c.Runs+class.Runs, c.Wanted+class.Wanted, c.Effects+class.Effects
		c.Duplicates, c.Lost, c.NeedsHuman = c.Duplicates+class.Duplicates, c.Lost+class.Lost, c.NeedsHuman+class.NeedsHuman
	}
	return sum
}

// weighted is the mean of two means.
func weighted[T time.Duration | float64](a T, ofA int, b T, ofB int) T {
	if ofA+ofB == 0 {
		return cmp.Or(a, b)
	}
	return T((float64(a)*float64(ofA) + float64(b)*float64(ofB)) / float64(ofA+ofB))
}
