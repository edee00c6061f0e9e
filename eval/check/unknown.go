package check

import (
	"time"

	"github.com/opledger/opledger/eval"
)

// UnknownFor lists how long each of a record's operations was not known, once it was known again, and whether any was. What
// is sent again meanwhile is not known yet.
func UnknownFor(r eval.Record) (times []time.Duration, ambiguous bool) {
	for _, o := range r.Operations {
		var since time.Time
		for _, e := range r.Events[o.OperationId] {
			switch {
			case e.FromState == e.ToState:
			case e.ToState == unknown:
				since, ambiguous = e.Time.AsTime(), true
			case e.FromState == unknown && !since.IsZero() && e.ToState != dispatched:
				times, since = append(times, e.Time.AsTime().Sub(since)), time.Time{}
			}
		}
	}
	return times, ambiguous
}
