package rows

import (
	"fmt"
	"time"

	"github.com/opledger/opledger/ledger"
)

// RecordFilter is a query of records as a statement takes it: an absent text is empty, an absent list is nil.
type RecordFilter struct {
	Table    Table
	Lead     Lead
	Statuses []string
	After    time.Time
	AfterID  string
	Limit    int
}

// FromRecordQuery makes a query's filter. The second result is false where a text of the query could not have been kept,
// so that nothing has it.
func FromRecordQuery(q ledger.RecordQuery) (f RecordFilter, possible bool, err error) {
	table, known := TableOf(q.Kind)
	if !known {
		return f, false, fmt.Errorf("there are no records of the kind %q", q.Kind)
	}
	if !Possible(string(q.Namespace), q.Subject, q.Tool, q.Entity, q.AfterID) || !Possible(q.Statuses...) {
		return f, false, nil
	}
	f = RecordFilter{Table: table, Lead: table.lead(q), Statuses: q.Statuses, After: q.After, AfterID: q.AfterID, Limit: PageSize(q.Limit)}
	// The first record of a descending list is the last of all; of an ascending one it is at the beginning of time.
	if f.After.IsZero() && f.AfterID == "" && q.Descending || f.After.After(EndOfTime) {
		f.After = EndOfTime
	}
	return f, true, nil
}
