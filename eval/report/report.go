package report

import (
	"time"

	"github.com/opledger/opledger/eval"
)

// About says what was evaluated, and how to do it again.
type About struct {
	Suite   string `json:"suite"`
	Version string `json:"version"` // of Opledger
	Engine  string `json:"engine"`  // "sqlite" or "postgresql"
	// Server is the address of a running server that was evaluated; empty: servers were started for it.
	Server string `json:"server,omitempty"`
	// Seed decided everything that was drawn. It is a whole number of 64 bits.
	Seed    uint64    `json:"seed"`
	Started time.Time `json:"started"`
	// Took is the real time of the whole, in milliseconds; the world's own time is another.
	TookMS int64 `json:"took_ms"`
	// Command does the whole again, on any machine.
	Command string `json:"command"`
	// LeftOut says, a sentence each, what the suite does not try.
	LeftOut []string `json:"left_out,omitempty"`
}

// Broken is a part that could not be done: not a finding, and not a pass either.
type Broken struct {
	Part  string `json:"part"`
	Error string `json:"error"`
}

// Verdict is what an evaluation came to.
type Verdict string

// The verdicts. An evaluation of which nothing ran, or not everything that should have, has not passed.
const (
	Passed   Verdict = "passed"
	Found    Verdict = "findings"
	NotDone  Verdict = "not_done"
	noneText         = "none" // a figure of nothing
)

// Report is one evaluation.
type Report struct {
	About
	Verdict Verdict `json:"verdict"`
	// Figures are those of each part and arm by their stable names, in the unit of the name; absent: there was nothing to count.
	Figures []PartFigures  `json:"figures,omitempty"`
	Results []*eval.Result `json:"results"`
	Broken  []Broken       `json:"broken,omitempty"`
}

// PartFigures are the figures of one arm in one part.
type PartFigures struct {
	Part   string             `json:"part"`
	Arm    eval.Arm           `json:"arm"`
	Runs   int                `json:"runs"`
	Values map[string]float64 `json:"values"`
}

// New makes the report of what parts found. Results of one part (its rounds) are told as one.
func New(about About, results []*eval.Result, broken []Broken) *Report {
	r := &Report{About: about, Results: unite(results), Broken: broken}
	ran := 0
	for _, result := range r.Results {
		if result.Skipped == "" {
			ran++
		}
		for i := range result.Findings {
			if f := &result.Findings[i]; f.Replay == "" {
				f.Replay = about.Command
			}
		}
		for _, figures := range result.Figures {
			r.Figures = append(r.Figures, PartFigures{result.Part, figures.Arm, figures.Runs, valuesOf(figures)})
		}
	}
	switch {
	case len(r.Findings()) > 0:
		r.Verdict = Found
	case len(broken) > 0 || ran == 0:
		r.Verdict = NotDone
	default:
		r.Verdict = Passed
	}
	return r
}

// Findings are those of all parts, in their order.
func (r *Report) Findings() []eval.Finding {
	var all []eval.Finding
	for _, result := range r.Results {
		all = append(all, result.Findings...)
	}
	return all
}

// tally counts parts by what became of them.
type tally struct{ Passed, Failed, Skipped, Broken int }

func (r *Report) tally() tally {
	t := tally{Broken: len(r.Broken)}
	broken := map[string]bool{}
	for _, b := range r.Broken {
		broken[b.Part] = true
	}
	for _, result := range r.Results {
		switch {
		case broken[result.Part]: // what it found is told, and it is no pass
		case !result.Passed():
			t.Failed++
		case result.Skipped != "":
			t.Skipped++
		default:
			t.Passed++
		}
	}
	return t
}
