package report

import (
	"time"

	"github.com/opledger/opledger/eval"
)

// figure is one of the figures that every form of a report shows. Its name is stable: programs read it.
type figure struct {
	Name  string // in JSON; ends with its unit
	Title string // for people
	Unit  string // for people, beside the title
	value func(eval.Figures) (float64, bool)
	text  func(float64) string
}

// of is the figure of an arm, as people read it.
func (f figure) of(figures eval.Figures) string {
	v, known := f.value(figures)
	if !known {
		return noneText
	}
	return f.text(v)
}

// heading is the title with its unit; a share bears its own.
func (f figure) heading() string {
	if f.Unit == "" || f.Unit == unitShare {
		return f.Title
	}
	return f.Title + ", " + f.Unit
}

// unitShare is the unit of a part of a whole, from 0 to 1 for programs and in percent for people.
const unitShare = "share"

// figures lists the figures in the order in which they are shown.
var figures = []figure{
	{"runs", "Runs", "", func(f eval.Figures) (float64, bool) { return float64(f.Runs), true }, count},
	{"wanted_effects", "Effects that were wanted", "", func(f eval.Figures) (float64, bool) { return float64(f.Wanted), true }, count},
	{"effects", "Effects that the provider counted", "", func(f eval.Figures) (float64, bool) { return float64(f.Effects), true }, count},
	{"duplicates_per_10000", "Duplicate effects", "per 10,000 runs", perRuns(func(f eval.Figures) int { return f.Duplicates }), decimal},
	{"lost_per_10000", "Lost effects", "per 10,000 runs", perRuns(func(f eval.Figures) int { return f.Lost }), decimal},
	{"needs_human", "Runs left to a person", "", ledgerCount(func(f eval.Figures) int { return f.NeedsHuman }), count},
	{"needs_human_budget", "Runs that may be left to a person", "", ledgerCount(func(f eval.Figures) int { return f.NeedsHumanBudget }), count},
	{"resolved_alone_share", "Unknown outcomes resolved without a person", unitShare, share(func(f eval.Figures) (int, int) { return f.ResolvedAlone, f.Ambiguous }), percent},
	{"reconcile_mean_seconds", "Time to reconcile, mean", "world's time", reconcile(func(f eval.Figures) time.Duration { return f.ReconcileMean }), lasting},
	{"reconcile_p99_seconds", "Time to reconcile, p99", "world's time", reconcile(func(f eval.Figures) time.Duration { return f.ReconcileP99 }), lasting},
	{"false_dedupe_rate", "Wanted repetitions that were swallowed", unitShare, share(func(f eval.Figures) (int, int) { return f.FalseDedupes, f.Repetitions }), percent},
	{"lock_contention_rate", "Proposals that met a lock", unitShare, share(func(f eval.Figures) (int, int) { return f.Contended, f.Proposals }), percent},
	{"incidents", "Incidents raised", "", ledgerCount(func(f eval.Figures) int { return f.Incidents }), count},
	{"unflagged_duplicates", "Duplicates heard of, and not flagged", "", ledgerCount(func(f eval.Figures) int { return f.Unflagged }), count},
	{"unheard_duplicates", "Duplicates never heard of", "", ledgerCount(func(f eval.Figures) int { return f.Unheard }), count},
	{"added_latency_mean_seconds", "Added time for each effect, mean", "real time", positive(func(f eval.Figures) float64 { return f.AddedMean.Seconds() }), lasting},
	{"added_latency_p99_seconds", "Added time for each effect, p99", "real time", positive(func(f eval.Figures) float64 { return f.AddedP99.Seconds() }), lasting},
	{"added_rows_per_effect", "Added rows for each effect", "", positive(func(f eval.Figures) float64 { return f.AddedRows }), decimal},
	{"added_bytes_per_effect", "Added storage for each effect", "bytes", positive(func(f eval.Figures) float64 { return f.AddedBytes }), decimal},
}

// named finds a figure.
func named(name string) figure {
	for _, f := range figures {
		if f.Name == name {
			return f
		}
	}
	panic("no figure is called " + name)
}

// valuesOf are an arm's figures as programs read them.
func valuesOf(f eval.Figures) map[string]float64 {
	values := map[string]float64{}
	for _, row := range figures {
		if v, known := row.value(f); known {
			values[row.Name] = v
		}
	}
	return values
}

func perRuns(n func(eval.Figures) int) func(eval.Figures) (float64, bool) {
	return func(f eval.Figures) (float64, bool) { return eval.PerTenThousand(n(f), f.Runs) }
}

func share(of func(eval.Figures) (part, whole int)) func(eval.Figures) (float64, bool) {
	return func(f eval.Figures) (float64, bool) { return eval.Share(of(f)) }
}

// ledgerCount counts what there is only where a ledger is: a naive loop asks no person and raises no incident, which is no
// merit of it.
func ledgerCount(n func(eval.Figures) int) func(eval.Figures) (float64, bool) {
	return func(f eval.Figures) (float64, bool) { return float64(n(f)), f.Arm == eval.Opledger && f.Runs > 0 }
}

func reconcile(d func(eval.Figures) time.Duration) func(eval.Figures) (float64, bool) {
	return func(f eval.Figures) (float64, bool) { return d(f).Seconds(), f.Reconciled > 0 || d(f) > 0 }
}

// positive is a cost, which an arm that adds nothing does not have.
func positive(v func(eval.Figures) float64) func(eval.Figures) (float64, bool) {
	return func(f eval.Figures) (float64, bool) { return v(f), v(f) > 0 }
}
