package ledgertest

import (
	"errors"

	"github.com/opledger/opledger/ledger"
)

// auditLost checks that an operation that has not ended is never lost sight of: due work or an executor's work looks at it
// again, a person has been asked, or steps of its compensation are under way, of which the same holds. What others carry
// out and what waits for a permit is work, unless a person or its workflow's end keeps it from one.
func (w *World) auditLost(o *ledger.Operation) error {
	if o.State.Ended() {
		return nil
	}
	_, due := ledger.DueOf(o)
	_, work := ledger.WorkOf(o)
	waits := o.State == ledger.PendingDispatch || o.State == ledger.FailedRetryable
	switch {
	case o.Terms.Queued() && waits && !work && o.Lifted == nil && o.ClosedAt.IsZero():
		return errors.New("it waits for its executor, which has no work of it")
	case due, work, o.Human != nil:
		return nil
	case o.State == ledger.Compensating && w.stepsGoOn(o):
		return nil
	}
	return errors.New("nothing looks at it again, and nobody has been asked")
}

// stepsGoOn reports whether a step of one of the operation's compensations is due, or carried out by an operation.
func (w *World) stepsGoOn(o *ledger.Operation) bool {
	for _, u := range o.Undoing {
		for _, id := range u.Steps {
			if s, ok := w.Record(ledger.StepKey(o.Namespace, id)).(*ledger.Step); ok && (!s.NextAt.IsZero() || s.Status == ledger.StepOpen) {
				return true
			}
		}
	}
	return false
}

// auditLearned holds that a result of a known effect bears the time at which it was learned: people are told it.
func auditLearned(o *ledger.Operation) error {
	if o.State == ledger.CompletedSuccess && o.Result != nil && o.Result.EffectAt.IsZero() {
		return errors.New("it is not said since when its effect is known")
	}
	return nil
}
