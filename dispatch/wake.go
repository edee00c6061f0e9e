package dispatch

import (
	"context"
	"errors"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/outbox"
)

// Outcome is what became of one item of due work.
type Outcome string

// The outcomes.
const (
	Done   Outcome = "done"   // the passing of time changed the operation
	Stale  Outcome = "stale"  // somebody had changed the operation in between
	Early  Outcome = "early"  // by the database's clock the moment had not come quite yet
	Failed Outcome = "failed" // the command failed, and is tried again
)

// earlyRetry is the pause after an item that came too early, on top of the engine's clock error.
const earlyRetry = 10 * time.Millisecond

// wake sends one Wake for each item, all at once, so that they share transactions.
func (d *Dispatcher) wake(ctx context.Context, due []ledger.Due) {
	commands := make([]ledger.Command, len(due))
	for i := range due {
		commands[i] = &ledger.Wake{Due: due[i], Jitter: d.config.Jitter()}
	}
	bounded, cancel := context.WithTimeout(ctx, d.config.Hold)
	outcomes := d.config.Ledger.DoAll(bounded, commands)
	cancel()
	now, err := d.now(ctx, outcomes)
	if err != nil {
		now = time.Time{} // everything is then as little late as can be
	}
	for i, out := range outcomes {
		d.config.Observer.DueWork(string(due[i].Kind), string(d.settle(ctx, due[i], out, now)))
	}
}

// settle looks at one outcome and gives the claim back where the item is still due.
func (d *Dispatcher) settle(ctx context.Context, due ledger.Due, out ledger.Decided, now time.Time) Outcome {
	woken, _ := out.Reply.(*ledger.Woken)
	switch {
	case out.Err != nil || woken == nil:
		d.config.Logger.Warn("due work failed; it is tried again",
			"error", out.Err, "namespace", due.Namespace, "operation_id", due.OperationID, "kind", due.Kind)
		pause := outbox.RetryAfter(now.Sub(due.At), d.config.Jitter())
		if errors.Is(out.Err, transact.ErrClosed) {
			pause = 0 // this process stops; another one need not wait
		}
		d.release(ctx, due, pause)
		return Failed
	case woken.Changed:
		d.config.Changed(woken.Operation)
		return Done
	case woken.Operation != nil && woken.Operation.Version == due.Stamp:
		d.release(ctx, due, d.engine.ClockError()+earlyRetry)
		return Early
	}
	return Stale
}

// release gives a claim back. Where that fails the claim runs out by itself.
func (d *Dispatcher) release(ctx context.Context, due ledger.Due, pause time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if err := d.engine.ReleaseDue(ctx, due, pause); err != nil {
		d.config.Logger.Warn("a claim of due work could not be given back; it runs out by itself",
			"error", err, "namespace", due.Namespace, "operation_id", due.OperationID)
	}
}

// now is the database's time, asked only where something failed.
func (d *Dispatcher) now(ctx context.Context, outcomes []ledger.Decided) (time.Time, error) {
	for _, out := range outcomes {
		if out.Err != nil {
			ctx, cancel := context.WithTimeout(ctx, callTimeout)
			defer cancel()
			return d.engine.Time(ctx)
		}
	}
	return time.Time{}, nil
}
