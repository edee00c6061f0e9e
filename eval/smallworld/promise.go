package smallworld

import (
	"fmt"

	"github.com/opledger/opledger/ledger"
)

// promise names the promise that does not hold in this state; empty: all hold. What time alone must do is judged by way.
func (w *world) promise(r rules) string {
	if w.wrong != "" {
		return w.wrong
	}
	permits := 0
	for i := range r.operations {
		o := w.operation(i)
		if o == nil {
			continue
		}
		if o.Live != 0 {
			permits++
		}
		for _, check := range []func(rules, int, *ledger.Operation) string{w.onePermit, w.inSight, w.once, w.truth} {
			if wrong := check(r, i, o); wrong != "" {
				return wrong
			}
		}
	}
	if r.group && permits > 1 {
		return fmt.Sprintf("group: %d operations of one exclusive group hold a permit on one entity", permits)
	}
	return ""
}

// onePermit: at most one attempt is live, the newest, exactly while the operation is dispatched.
func (w *world) onePermit(_ rules, i int, o *ledger.Operation) string {
	live := 0
	for n := range o.Attempts {
		if o.Attempts[n].EndedAt.IsZero() {
			live++
		}
	}
	switch {
	case live > 1:
		return fmt.Sprintf("one permit: %d permits of operation %d are out", live, i+1)
	case (live == 1) != (o.State == ledger.Dispatched) || live == 1 && o.Live != int64(len(o.Attempts)):
		return fmt.Sprintf("one permit: operation %d is %s and %d permits are out", i+1, o.State, live)
	}
	return ""
}

// inSight: what has not ended is looked at again by somebody.
func (w *world) inSight(_ rules, i int, o *ledger.Operation) string {
	if o.State.Ended() || o.Human != nil {
		return ""
	}
	_, due := ledger.DueOf(o)
	_, work := ledger.WorkOf(o)
	switch waits := o.State == ledger.PendingDispatch || o.State == ledger.FailedRetryable; {
	case o.Terms.Queued() && waits && !work && o.Cancel == nil:
		return fmt.Sprintf("sight: operation %d is %s and waits for workers, who have no work of it", i+1, o.State)
	case !due && !work:
		return fmt.Sprintf("sight: operation %d is %s, due for nothing, and nobody has been asked", i+1, o.State)
	}
	return ""
}

// once: the effect happens at most once. It rests on what the profile says.
func (w *world) once(r rules, i int, _ *ledger.Operation) string {
	if n := w.count(i); n > 1 && !r.lookupsLie {
		return fmt.Sprintf("once: the effect of operation %d happened %d times", i+1, n)
	}
	return ""
}

// truth: what the ledger calls known is so, and stays so.
func (w *world) truth(r rules, i int, o *ledger.Operation) string {
	if r.lookupsLie {
		return ""
	}
	switch o.State {
	case ledger.CompletedSuccess:
		if w.count(i) == 0 {
			return fmt.Sprintf("truth: operation %d is completed_success without an effect", i+1)
		}
	case ledger.FailedRetryable, ledger.FailedPermanent, ledger.CompletedNoop:
		if w.count(i) > 0 {
			return fmt.Sprintf("truth: operation %d is %s, and its effect is there", i+1, o.State)
		}
		if w.canStillHappen(r, i) {
			return fmt.Sprintf("truth: operation %d is %s, and its effect may still come", i+1, o.State)
		}
	}
	return ""
}

// canStillHappen reports whether an effect of the operation can still come of anything that is under way.
func (w *world) canStillHappen(r rules, i int) bool {
	for n := range w.processes {
		p := &w.processes[n]
		if p.operation != i {
			continue
		}
		if p.inFlight != never || p.pending != never || r.maySend(w, p) {
			return true
		}
		if r.begin && p.phase == ready {
			if _, out := w.transact(r, w.time(), w.begin(p, w.rows.epoch)); out.Err == nil {
				return true
			}
		}
	}
	return false
}

// maxWake bounds the occasions that lead an operation to its end: a permit that ends, an acknowledgement that lapses, a
// waiting age, a person who is called, and once more after each.
const maxWake = 20

// way follows an operation's due work alone, as if every process had died and no request arrived: it must come to an end
// or to a person, at whatever time. So there is a way from every state, however far beyond the last tick.
func (w *world) way(r rules) string {
	n := *w
	now := w.time()
	for range maxWake {
		var next *ledger.Due
		for _, o := range n.rows.operations {
			if o.State.Ended() || o.Human != nil {
				continue
			}
			due, ok := ledger.DueOf(o)
			if !ok {
				return fmt.Sprintf("a way: operation %s stays %s for ever", o.ID, o.State)
			}
			if next == nil || due.At.Before(next.At) {
				next = &due
			}
		}
		if next == nil {
			return ""
		}
		if next.At.After(now) {
			now = next.At
		}
		after, _ := n.transact(r, now, &ledger.Wake{Due: *next})
		if after.operation(next.OperationID) == n.rows.operation(next.OperationID) {
			return fmt.Sprintf("a way: operation %s is due (%s), and its due work changes nothing", next.OperationID, next.Kind)
		}
		n.rows = after
	}
	return fmt.Sprintf("a way: after %d occasions it has come to no end and to no person", maxWake)
}
