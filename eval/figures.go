package eval

import (
	"time"

	"github.com/opledger/opledger/registry"
)

// Figures are the numbers of one arm over all runs of a part.
type Figures struct {
	Arm  Arm `json:"arm"`
	Runs int `json:"runs"`
	// Wanted and Effects count effects; Duplicates are those beyond what was wanted, Lost those that were wanted, are not
	// there, and about which the arm does not say so (an end known as failed, or a person who was asked, is not lost).
	Wanted     int `json:"wanted"`
	Effects    int `json:"effects"`
	Duplicates int `json:"duplicates"`
	Lost       int `json:"lost"`
	// NeedsHuman counts runs that end with a person; NeedsHumanBudget is how many the suite allows.
	NeedsHuman       int `json:"needs_human"`
	NeedsHumanBudget int `json:"needs_human_budget"`
	// Ambiguous counts runs whose outcome was unknown for a while, ResolvedAlone those of them that ended known without a person.
	Ambiguous     int `json:"ambiguous"`
	ResolvedAlone int `json:"resolved_alone"`
	// ReconcileMean and ReconcileP99 are the world's time from unknown to known.
	ReconcileMean time.Duration `json:"reconcile_mean_ns"`
	ReconcileP99  time.Duration `json:"reconcile_p99_ns"`
	// Reconciled is over how many times the two are.
	Reconciled int `json:"reconciled"`
	// Repetitions are labelled second intents, which must act; FalseDedupes those of them that were swallowed.
	Repetitions  int `json:"repetitions"`
	FalseDedupes int `json:"false_dedupes"`
	// Contended counts proposals on entities that were answered BLOCKED, of Proposals in all.
	Proposals int `json:"proposals"`
	Contended int `json:"contended"`
	// Incidents counts incidents; Unflagged duplicates that the ledger has heard of without one; Unheard those that it never heard of.
	Incidents int `json:"incidents"`
	Unflagged int `json:"unflagged"`
	Unheard   int `json:"unheard"`
	// AddedMean and AddedP99 are the real time that ledger calls add to one effect; AddedRows and AddedBytes what they store for it.
	AddedMean  time.Duration `json:"added_mean_ns"`
	AddedP99   time.Duration `json:"added_p99_ns"`
	AddedRows  float64       `json:"added_rows"`
	AddedBytes float64       `json:"added_bytes"`
	// ByClass are the counts of each side-effect class, in the order of the class table.
	ByClass []ClassFigures `json:"by_class,omitempty"`
}

// ClassFigures are the counts of one arm in one side-effect class; they mean what those of Figures mean.
type ClassFigures struct {
	Class      registry.Class `json:"class"`
	Runs       int            `json:"runs"`
	Wanted     int            `json:"wanted"`
	Effects    int            `json:"effects"`
	Duplicates int            `json:"duplicates"`
	Lost       int            `json:"lost"`
	NeedsHuman int            `json:"needs_human"`
}
