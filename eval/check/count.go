package check

import (
	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/registry"
)

// Counted is what figures are made of, for one record of any arm.
type Counted struct {
	Standing   int // effects that are there and not undone
	Duplicates int // of these, beyond what was wanted
	Lost       int // wanted and not there, and the arm does not say so
	Swallowed  int // of these, wanted repetitions
	NeedsHuman int // operations that wait for a person
	Incidents  int
	Unflagged  int // duplicates that the ledger has heard of without an incident
	Unheard    int // duplicates that it never heard of
}

// Count counts one record. A loop without a ledger says nothing of what became of an effect, so that each one missing is
// lost there, unless the provider refuses for good.
func Count(r eval.Record) Counted {
	c := Counted{Standing: count(r.Effects)}
	if r.Class != registry.PureRead {
		c.Duplicates = max(0, c.Standing-r.Wanted)
		c.Lost = max(0, missing(&r))
	}
	if r.Wanted > 1 {
		c.Swallowed = c.Lost
	}
	for _, o := range r.Operations {
		if o.NeedsHuman != nil {
			c.NeedsHuman++
		}
		c.Incidents += len(o.Incidents)
	}
	switch {
	case c.Duplicates == 0 || !judged(&r):
	case !r.Heard:
		c.Unheard = c.Duplicates
	case c.Incidents == 0:
		c.Unflagged = c.Duplicates
	}
	return c
}

// missing is how many effects were wanted, are not there, and are not accounted for: by an operation that is known as
// failed or undone, or before a person.
func missing(r *eval.Record) int {
	if r.Refusable {
		return 0
	}
	n := r.Wanted - len(r.Effects)
	for _, o := range r.Operations {
		if len(effectsOf(r, o)) > 0 || o.State == success && r.Agent != liar {
			continue // it is there, or it is said to be, which is another finding and no excuse
		}
		if o.NeedsHuman != nil || o.State == permanent || o.State == retryable || o.State == noop || r.Agent == liar {
			n--
		}
	}
	return n
}
