//go:build unix

package crashtest

import (
	"context"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// heard is told that a worker stands at the failpoint.
func (c *crew) heard(h *stormHand, s stand) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if h.killed {
		return
	}
	h.frozen = time.Now()
	if c.closing {
		c.wake(h)
		return
	}
	c.struck.stood++
	lingers := c.random.IntN(2) == 0
	c.wakers.Go(func() {
		reconciled := c.reconciled(h, s, lingers)
		c.mu.Lock()
		defer c.mu.Unlock()
		switch {
		case !c.wake(h):
		case reconciled:
			c.struck.wokenLate++
		default:
			c.struck.wokenSoon++
		}
	})
	c.fill()
}

// reconciled waits until reconciliation has run for the operation at whose first byte a worker stands. One that lingers
// stays as long as it may after that, or until another attempt is there, which there must not be.
func (c *crew) reconciled(h *stormHand, s stand, lingers bool) bool {
	ctx := c.ctx
	if !h.long() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, stormLongest)
		defer cancel()
	}
	if watch(ctx, c.api, s.operation, func(o *pb.Operation) bool { return hasRun(o, s.attempt, h.long()) }) == nil {
		return false
	}
	if lingers && !h.long() {
		watch(ctx, c.api, s.operation, func(o *pb.Operation) bool { return known(o) || len(o.Attempts) > s.attempt })
	}
	return true
}

// hasRun reports whether reconciliation has come as far as it gets while a silent attempt may wake: a charge is sent once
// more and known; of a mail the provider was asked so late that "not found" would count but for the stall allowance; of a
// revocation the same, and for long freezes a person was asked.
func hasRun(o *pb.Operation, attempt int, long bool) bool {
	switch {
	case known(o):
		return true
	case long || o.Tool == stormCharge:
		return o.NeedsHuman != nil
	}
	for _, e := range o.Evidence {
		late := o.Attempts[attempt-1].DeadlineTime.AsTime().Add(stormFlight)
		if e.Evidence.GetVerdict() == pb.Verdict_VERDICT_DID_NOT_HAPPEN && !e.AskTime.AsTime().Before(late) {
			return true
		}
	}
	return false
}
