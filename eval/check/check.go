package check

import (
	"fmt"

	"github.com/opledger/opledger/eval"
)

// The names of the checkers, as findings bear them.
const (
	checkerEffects      = "effects"
	checkerHistory      = "history"
	checkerEnds         = "ends"
	checkerAnswers      = "answers"
	checkerWording      = "wording"
	checkerProjection   = "projection"
	checkerLinearizable = "linearizability"
)

// All judges one record by every checker.
func All(r eval.Record) []eval.Finding {
	var all []eval.Finding
	for _, checker := range []func(eval.Record) []eval.Finding{Effects, History, Ends, Answers, Wording, Projection, Linearizable} {
		all = append(all, checker(r)...)
	}
	return all
}

// findings collects what one checker finds in one record.
type findings struct {
	checker string
	record  *eval.Record
	found   []eval.Finding
}

func (f *findings) add(d eval.Dimension, format string, args ...any) {
	f.found = append(f.found, eval.Finding{
		Checker: f.checker, Dimension: d, Run: f.record.Run, Key: f.record.Key, Message: fmt.Sprintf(format, args...), History: f.record.Steps,
	})
}

// judged reports whether the checkers judge the record: those of the arm with a ledger. A record that names no arm is one.
func judged(r *eval.Record) bool { return r.Arm == eval.Opledger || r.Arm == "" }

// pressed is the dimension that the record's agent puts to the test.
func pressed(r *eval.Record) eval.Dimension {
	switch r.Agent {
	case "replay":
		return eval.ReplaySafety
	case "two_channels", "two_runs":
		return eval.ConcurrencySafety
	case "rephraser", "repeats":
		return eval.IntentToOperation
	}
	return eval.RetrySafety
}

// brokenPromise reports whether something has happened to the record that a profile says cannot: then a duplicate need
// not be avoided, but has to be noticed as soon as it is heard of.
func brokenPromise(r *eval.Record) bool {
	for _, f := range r.Faults {
		for _, b := range eval.BrokenPromises {
			if f == b {
				return true
			}
		}
	}
	return false
}

// Together judges records of one ledger and one provider against each other. Company does so with more of them than are
// kept in memory.
func Together(rs []eval.Record) []eval.Finding {
	c := NewCompany()
	for _, r := range rs {
		c.Add(r)
	}
	return c.Findings()
}
