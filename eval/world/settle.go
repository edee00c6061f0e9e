package world

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
)

// rounds bounds one Settle: work that is due again whenever it is done would never end.
const rounds = 10_000

// Settle lets the first server do everything that is due now, one item after another: operations, records, requests to
// providers. Work whose due time is later stays. A server that dies at it is started again, and goes on.
func (w *World) Settle(ctx context.Context) error { return w.SettleAt(ctx, 0) }

// SettleAt lets one server do what is due, by its index: the first is 0, its twins follow in their order.
func (w *World) SettleAt(ctx context.Context, index int) error {
	for range rounds {
		found := w.at(index).once(ctx)
		died, err := w.revive(ctx)
		if err != nil || ctx.Err() != nil || found == 0 && !died {
			return errors.Join(err, ctx.Err())
		}
	}
	return endless()
}

// SettleEach lets every server do what is due, all at once: each in a goroutine of its own, so that they contend for it.
func (w *World) SettleEach(ctx context.Context) error {
	for range rounds {
		servers := w.all()
		found := make([]int, len(servers))
		var wait sync.WaitGroup
		for i, r := range servers {
			wait.Go(func() { found[i] = r.once(ctx) })
		}
		wait.Wait()
		died, err := w.revive(ctx)
		some := died
		for _, n := range found {
			some = some || n > 0
		}
		if err != nil || ctx.Err() != nil || !some {
			return errors.Join(err, ctx.Err())
		}
	}
	return endless()
}

// SettleBeside lets the other servers do what is due while one stands still in the middle of a request: its adapter calls
// it. One that dies at it stays dead for as long.
func (w *World) SettleBeside(ctx context.Context) error {
	for _, r := range w.all() {
		if r.busy.Load() {
			continue
		}
		for n := 0; !r.dead.Load() && ctx.Err() == nil && r.once(ctx) > 0; n++ {
			if n == rounds {
				return endless()
			}
		}
	}
	return ctx.Err()
}

// Die ends the server whose adapter calls it, in the middle of a request. It does not return, and nothing that the server
// would have done afterwards is done: no report, no claim that is given back.
func Die() { runtime.Goexit() }

// once does what is due now, and answers how many items that was. It runs in a goroutine of its own, which is the process
// that dies (see Die).
func (r *running) once(ctx context.Context) (found int) {
	r.busy.Store(true)
	defer r.busy.Store(false)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		died := true
		defer func() { r.dead.Store(died) }()
		found = r.dispatcher.Once(ctx)
		if r.executor != nil {
			found += r.executor.Once(ctx)
		}
		died = false
	}()
	<-ended
	return found
}

// revive starts the servers again where one of them has died, and reports whether one had.
func (w *World) revive(ctx context.Context) (died bool, err error) {
	for _, r := range w.all() {
		died = died || r.dead.Load()
	}
	if died {
		err = w.Restart(ctx)
	}
	return died, err
}

func endless() error {
	return fmt.Errorf("after %d rounds there is still something to do at once", rounds)
}
