package dispatch

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// hands are clocks that a test moves by hand.
type hands struct{ monotonic, wall atomic.Int64 }

func (h *hands) clocks() Clocks {
	return Clocks{
		Monotonic: func() time.Duration { return time.Duration(h.monotonic.Load()) },
		Wall:      func() time.Time { return time.Unix(1_700_000_000, h.wall.Load()) },
	}
}

// TestEitherClockEndsAPermit: a process that stood still while its permit ended sends nothing, whichever of its clocks
// stood still with it.
func TestEitherClockEndsAPermit(t *testing.T) {
	for name, move := range map[string]func(*hands, time.Duration){
		"monotonic": func(h *hands, d time.Duration) { h.monotonic.Add(int64(d)) },
		"wall":      func(h *hands, d time.Duration) { h.wall.Add(int64(d)) },
	} {
		t.Run(name, func(t *testing.T) {
			w, v, h := onSQLite(t), newVendor(), &hands{}
			id := w.enqueue(t, payment, "a")
			still := &world{offset: w.offset}
			still.serve(t, &delaying{Engine: w.engine, do: func() { move(h, permitLasts) }})
			e, _ := still.executor(t, v, func(c *ExecutorConfig) { c.Clocks = h.clocks() })
			e.pass(t)
			if o := w.get(t, id); v.count(id) != 0 || o.State != ledger.FailedRetryable || o.Failure.Category != ledger.CategoryNotSent {
				t.Errorf("%d effects, %s: %+v", v.count(id), o.State, o.Failure)
			}
			if len(v.refused) != 1 || !errors.Is(v.refused[0], errTooLate) {
				t.Errorf("refused by %v", v.refused)
			}
		})
	}
}

// slow is a configuration whose tools take time to find: the permit is out by then.
type slow struct {
	Configurations
	meanwhile func()
}

func (s slow) Configuration(ctx context.Context, ns ledger.Namespace, fresh bool) (*Configuration, error) {
	found, err := s.Configurations.Configuration(ctx, ns, fresh)
	if err != nil {
		return nil, err
	}
	late := *found
	tool := found.Tool
	late.Tool = func(name string, version int64) (d *registry.Definition) {
		if version > 0 {
			s.meanwhile()
		}
		return tool(name, version)
	}
	return &late, nil
}

// TestThePermitCountsFromBeforeItWasAskedFor: the ledger's answer may have been on its way for long.
func TestThePermitCountsFromBeforeItWasAskedFor(t *testing.T) {
	w, v, h := onSQLite(t), newVendor(), &hands{}
	delayed := &world{offset: w.offset}
	delayed.serve(t, &delaying{Engine: w.engine, do: func() { h.monotonic.Add(int64(10 * time.Second)) }})
	w.enqueue(t, payment, "a")
	e, _ := delayed.executor(t, v, func(c *ExecutorConfig) { c.Clocks = h.clocks() })
	e.pass(t)
	if len(v.left) != 1 || v.left[0] > permitLasts-10*time.Second || v.left[0] < permitLasts-11*time.Second {
		t.Errorf("a request might take %v under a permit of %v whose answer took 10 s", v.left, permitLasts)
	}
}

// delaying is a database whose answers take time on the process's clock.
type delaying struct {
	ledger.Engine
	do func()
}

func (d *delaying) Transact(ctx context.Context, fn func(context.Context, ledger.Tx) error) error {
	err := d.Engine.Transact(ctx, fn)
	d.do()
	return err
}
