// Package retry runs a transaction again until it is done, is known to have failed, or has used up its bounds. What an
// error means is the engine's to say; how often, how long and what the end is called is said here, once for all engines.
package retry

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/opledger/opledger/ledger"
)

// Verdict says what a failed try means.
type Verdict int

// The verdicts.
const (
	// Final: nothing was committed, and another try would not help.
	Final Verdict = iota
	// Again: nothing was committed, and another try may succeed.
	Again
	// Unknown: it may have been committed. The next try's commands see their own write, or make it.
	Unknown
)

// Result is what one try came to. A nil error is a commit.
type Result struct {
	Err     error
	Verdict Verdict
	Reason  string // short, for metrics: an SQLSTATE, "connection", "lost_write"
	// AtMost, where above zero, is the greatest number of tries for this reason, where fewer than the policy's do.
	AtMost int
}

// Policy bounds the tries of one transaction.
type Policy struct {
	Tries   int           // greatest number of tries
	Elapsed time.Duration // no try begins later than this after the first
	// FirstDelay bounds the first wait; each later bound is twice the one before, up to MaxDelay. The wait itself is
	// anything between zero and its bound, so that transactions that met once do not meet again.
	FirstDelay, MaxDelay time.Duration
	// OnRetry, where set, is told why another try begins.
	OnRetry func(reason string)
	// Jitter gives a number in [0, 1); nil is a random one.
	Jitter func() float64
}

// Default suits few writers with large batches: conflicts are rare, short, and gone after a few tries.
var Default = Policy{Tries: 50, Elapsed: 12 * time.Second, FirstDelay: 2 * time.Millisecond, MaxDelay: 250 * time.Millisecond}

// Run tries until the end. Once a try's commit was unknown, every end but a commit is ErrUnknownCommit: a later try that
// failed for certain says nothing about the earlier one.
func (p Policy) Run(ctx context.Context, try func(ctx context.Context) Result) error {
	began := time.Now()
	var unknown error
	for n := 1; ; n++ {
		r := try(ctx)
		if r.Err == nil {
			return nil
		}
		if r.Verdict == Unknown {
			unknown = r.Err
		}
		switch {
		case r.Verdict == Final:
			return end(unknown, r.Err)
		case n >= p.Tries || r.AtMost > 0 && n >= r.AtMost || time.Since(began) >= p.Elapsed:
			return end(unknown, fmt.Errorf("%w after %d tries: %w", ledger.ErrGivenUp, n, r.Err))
		}
		if err := p.wait(ctx, n); err != nil {
			return end(unknown, fmt.Errorf("%w after %d tries: %w", err, n, r.Err))
		}
		if p.OnRetry != nil {
			p.OnRetry(r.Reason)
		}
	}
}

func end(unknown, last error) error {
	if unknown == nil {
		return last
	}
	return fmt.Errorf("%w: %w; the last try: %w", ledger.ErrUnknownCommit, unknown, last)
}

// wait waits between the n-th try and the next, or less where the context ends.
func (p Policy) wait(ctx context.Context, n int) error {
	bound := p.MaxDelay
	if shift := n - 1; shift < 30 && p.FirstDelay<<shift < bound {
		bound = p.FirstDelay << shift
	}
	jitter := p.Jitter
	if jitter == nil {
		jitter = rand.Float64
	}
	timer := time.NewTimer(time.Duration(jitter() * float64(bound)))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return ctx.Err()
	}
}
