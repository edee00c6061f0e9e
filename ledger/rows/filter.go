package rows

import (
	"time"

	"github.com/opledger/opledger/ledger"
)

// The bounds of a filter by time that has none.
var (
	BeginningOfTime = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	EndOfTime       = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
)

// List is the statement that fits a query's narrowest filter: the index that leads it.
type List int

// The lists of operations.
const (
	ListAll List = iota
	ListOfKey
	ListOfToolCall
	ListOfRun
	ListOfWorkflow
	ListOfEntity
	ListWithIncident
	ListForPeople
)

// Filter is a query as a statement takes it: an absent text is empty, an absent list or flag is nil, an absent bound in
// time lets everything through.
type Filter struct {
	List          List
	States        []string
	Classes       []string
	CreatedFrom   time.Time
	CreatedUntil  time.Time
	CreatedBefore time.Time
	Limit         int
}

// FromQuery makes a query's filter. The second result is false where a text of the query could not have been kept, so
// that nothing has it; an engine would refuse to look for it.
func FromQuery(q ledger.OperationQuery) (Filter, bool) {
	if !Possible(string(q.Namespace), q.Tool, q.WorkflowID, q.RunID, q.ToolCallID, q.Entity, string(q.BeforeID)) {
		return Filter{}, false
	}
	var c check
	if c.text("key", string(q.Key), MaxClaimValue); c.err != nil {
		return Filter{}, false
	}
	f := Filter{
		List: listOf(q), CreatedFrom: q.CreatedFrom, CreatedUntil: q.CreatedUntil, CreatedBefore: q.CreatedBefore, Limit: PageSize(q.Limit),
	}
	for _, s := range q.States {
		f.States = append(f.States, string(s))
	}
	for _, s := range q.Classes {
		f.Classes = append(f.Classes, string(s))
	}
	f.CreatedUntil, f.CreatedBefore = bounded(f.CreatedUntil), bounded(f.CreatedBefore)
	// Rows hold microseconds: an instant between two of them is the later one for both bounds.
	f.CreatedFrom, f.CreatedUntil = roundUp(f.CreatedFrom), roundUp(f.CreatedUntil)
	return f, true
}

// bounded is an upper bound in time, where there may be none.
func bounded(t time.Time) time.Time {
	if t.IsZero() || t.After(EndOfTime) {
		return EndOfTime
	}
	return t
}

func roundUp(t time.Time) time.Time {
	if whole := t.Truncate(time.Microsecond); whole.Before(t) {
		return whole.Add(time.Microsecond)
	}
	return t
}

func listOf(q ledger.OperationQuery) List {
	switch {
	case q.Key != "":
		return ListOfKey
	case q.ToolCallID != "":
		return ListOfToolCall
	case q.RunID != "":
		return ListOfRun
	case q.WorkflowID != "":
		return ListOfWorkflow
	case q.Entity != "":
		return ListOfEntity
	case q.HasIncident != nil && *q.HasIncident:
		return ListWithIncident
	case q.NeedsHuman != nil && *q.NeedsHuman:
		return ListForPeople
	}
	return ListAll
}
