package rows

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/opledger/opledger/ledger"
)

// The bounds of what is counted in a queue: a figure at its bound means that many or more. Who chooses a queue takes a
// handful of items at a time and asks often; figures for people are asked for seldom.
const (
	MaxDepth     = 10_000
	MaxDepthSeen = 100 // where only queues of which something can be claimed are asked for
)

// Work is the row of what is to be done for an operation.
type Work struct {
	Namespace   string
	OperationID string
	Executor    string
	Tool        string
	Kind        string
	Provider    string // empty: the tool names none
	At          time.Time
	Stamp       int64
	Claimer     string
}

// FromWork makes the row of what is to be done for an operation; false where nothing is.
func FromWork(o *ledger.Operation) (row Work, some bool, err error) {
	w, some := ledger.WorkOf(o)
	if !some {
		return row, false, nil
	}
	row = Work{
		Namespace: string(w.Namespace), OperationID: string(w.OperationID), Executor: string(w.Executor), Tool: w.Tool, Kind: string(w.Kind),
		Provider: w.Provider, At: w.At, Stamp: w.Stamp,
	}
	var c check
	c.name("namespace", row.Namespace)
	c.name("operation id", row.OperationID)
	c.name("executor", row.Executor)
	c.name("tool", row.Tool)
	c.name("kind of work", row.Kind)
	c.text("provider", row.Provider, MaxName)
	c.that(!row.At.Before(BeginningOfTime) && row.At.Before(EndOfTime), "the work for operation %s has the time %s", o.ID, row.At)
	return row, true, c.err
}

// Ledger gives the work back, of a queue that is known.
func (r Work) Ledger(queue ledger.Queue) ledger.Work {
	return ledger.Work{Queue: queue, OperationID: ledger.OperationID(r.OperationID), At: r.At, Stamp: r.Stamp, Claimer: r.Claimer}
}

// SortWork puts claimed work in the order of its time: no engine promises an order of the rows that a statement changed.
func SortWork(list []ledger.Work) []ledger.Work {
	slices.SortFunc(list, func(a, b ledger.Work) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(string(a.OperationID), string(b.OperationID)))
	})
	return list
}

// PossibleQueue reports whether there could be work in a queue.
func PossibleQueue(q ledger.Queue) bool {
	return Possible(string(q.Namespace), string(q.Executor), q.Tool, string(q.Kind), q.Provider)
}

// WorkFilter is a query of queues as a statement takes it: an absent text is empty, an absent list is nil.
type WorkFilter struct {
	Executor  string
	Namespace string
	Tools     []string // each once
	Ready     bool
	Depth     int // up to which a queue is counted
	// Within are the tools that lead the walk, which can go straight to a tool where executor and namespace are known;
	// otherwise it begins at the first queue, and one empty text says so.
	Within []string
}

// FromWorkQuery makes a query's filter. The second result is false where a text of the query could not have been kept.
func FromWorkQuery(q ledger.WorkQuery) (WorkFilter, bool) {
	f := WorkFilter{Executor: string(q.Executor), Namespace: string(q.Namespace), Ready: q.Ready, Depth: MaxDepth}
	if q.Ready {
		f.Depth = MaxDepthSeen
	}
	for _, tool := range q.Tools {
		if tool != "" && Possible(tool) && !slices.Contains(f.Tools, tool) {
			f.Tools = append(f.Tools, tool)
		}
	}
	f.Within = []string{""}
	if f.Executor != "" && f.Namespace != "" && len(f.Tools) > 0 {
		f.Within = f.Tools
	}
	return f, Possible(f.Executor, f.Namespace) && (len(q.Tools) == 0 || len(f.Tools) > 0)
}
