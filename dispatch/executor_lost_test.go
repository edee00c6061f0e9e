package dispatch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
)

// TestAReportIsSentUntilItIsDurable: what a provider has answered is known nowhere else.
func TestAReportIsSentUntilItIsDurable(t *testing.T) {
	w, v := onSQLite(t), newVendor()
	id := w.enqueue(t, payment, "a")
	breakable := &fragile{Engine: w.engine}
	other := &world{offset: w.offset}
	other.serve(t, breakable)
	answer := v.answer
	v.answer = func(ctx context.Context, e Effect) ledger.Report {
		breakable.failures.Store(4)
		return answer(ctx, e)
	}
	pauses := make(chan time.Duration, 10)
	ended := make(chan time.Time)
	close(ended)
	e, _ := other.executor(t, v, func(c *ExecutorConfig) {
		c.After = func(d time.Duration) <-chan time.Time { pauses <- d; return ended }
	})
	e.pass(t)
	if o := w.get(t, id); o.State != ledger.CompletedSuccess || w.events(t, id, ledger.EventReported) != 1 {
		t.Errorf("%s after %d reports", o.State, w.events(t, id, ledger.EventReported))
	}
	close(pauses)
	var waited []time.Duration
	for p := range pauses {
		waited = append(waited, p/time.Second)
	}
	if !slices.Equal(waited, []time.Duration{1, 2, 4, 8}) {
		t.Errorf("it paused for %v seconds", waited)
	}
}

// fragile fails so many transactions, as a database that is away for a while does.
type fragile struct {
	ledger.Engine
	failures atomic.Int64
}

func (f *fragile) Transact(ctx context.Context, fn func(context.Context, ledger.Tx) error) error {
	if f.failures.Add(-1) >= 0 {
		return errors.New("away")
	}
	return f.Engine.Transact(ctx, fn)
}

// TestATakeWhoseAnswerGotLostFindsItsOwnPermit: the second one earns no second attempt.
func TestATakeWhoseAnswerGotLostFindsItsOwnPermit(t *testing.T) {
	w, v := onSQLite(t), newVendor()
	id := w.enqueue(t, payment, "a")
	lossy := &forgetful{Engine: w.engine}
	other := &world{offset: w.offset}
	other.serve(t, lossy)
	e, _ := other.executor(t, v, nil)
	lossy.lose.Store(true)
	e.pass(t)
	if o := w.get(t, id); o.State != ledger.CompletedSuccess || v.count(id) != 1 || len(o.Attempts) != 1 {
		t.Errorf("%s after %d effects in %d attempts", o.State, v.count(id), len(o.Attempts))
	}
}

// forgetful commits one transaction and loses its answer.
type forgetful struct {
	ledger.Engine
	lose atomic.Bool
}

func (f *forgetful) Transact(ctx context.Context, fn func(context.Context, ledger.Tx) error) error {
	err := f.Engine.Transact(ctx, fn)
	if err == nil && f.lose.CompareAndSwap(true, false) {
		return fmt.Errorf("%w: the connection broke", ledger.ErrUnknownCommit)
	}
	return err
}
