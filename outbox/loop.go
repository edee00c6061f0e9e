package outbox

import (
	"context"
	"runtime/debug"
	"sync"
	"time"
)

// Loop claims the work of one source and hands it on.
type Loop struct {
	name   string
	config Config
	// each: a place is one item's; otherwise one claim's.
	each bool
	// look claims at most limit items and answers how many those are, and what is to be run for them, one place each.
	look func(ctx context.Context, limit int) (found int, jobs []func(context.Context), err error)
	free chan struct{} // holds one for each place that is taken
	poke chan struct{}
}

// New makes a loop over a source. It does nothing until Run.
func New[T any](source Source[T], config Config) *Loop {
	if source.Claim == nil || (source.Handle == nil) == (source.HandleAll == nil) {
		panic("outbox: a source has Claim, and either Handle or HandleAll") // a defect of the program, seen at its first start
	}
	config.setDefaults()
	l := &Loop{
		name: source.Name, config: config, each: source.Handle != nil,
		free: make(chan struct{}, config.Concurrency), poke: make(chan struct{}, 1),
	}
	l.look = func(ctx context.Context, limit int) (int, []func(context.Context), error) {
		items, err := source.Claim(ctx, limit)
		switch {
		case len(items) == 0:
			return 0, nil, err
		case !l.each:
			return len(items), []func(context.Context){func(ctx context.Context) { source.HandleAll(ctx, items) }}, err
		}
		jobs := make([]func(context.Context), len(items))
		for i, item := range items {
			jobs[i] = func(ctx context.Context) { source.Handle(ctx, item) }
		}
		return len(items), jobs, err
	}
	return l
}

// Poke says that work may be ready sooner than the loop expects. It never blocks.
func (l *Loop) Poke() {
	select {
	case l.poke <- struct{}{}:
	default: // it was poked already
	}
}

// Run claims and hands on until the context ends, and then returns as soon as what is under way has ended.
func (l *Loop) Run(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	pace := pace{first: l.config.FirstPoll, longest: l.config.LongestPoll}
	for {
		places := l.take(ctx)
		if places == 0 {
			return
		}
		limit := places
		if !l.each {
			limit = l.config.Batch
		}
		found, jobs, err := l.claim(ctx, limit)
		for _, job := range jobs {
			running.Go(func() {
				defer func() { <-l.free }()
				l.handle(context.WithoutCancel(ctx), job)
			})
		}
		for range places - len(jobs) {
			<-l.free
		}
		if found >= l.config.Batch && ctx.Err() == nil {
			continue // there may be more
		}
		// Where there was room for less than a batch, the places that come free during the first pause are filled together:
		// one look for each would ask the database as often as items end.
		if !l.pause(ctx, pace.next(found > 0, l.config.Jitter()), err == nil) {
			return
		}
	}
}

// Once looks once and runs what it finds, one item after another, in the calling goroutine. It answers how many items those
// were. Whoever has time in his own hands runs due work so, in an order that repeats.
func (l *Loop) Once(ctx context.Context) int {
	found, jobs, _ := l.claim(ctx, l.config.Batch)
	for _, job := range jobs {
		l.handle(ctx, job)
	}
	return found
}

// take takes places for what may be found: one at least, which it waits for, and a batch at most. None: the loop ends.
func (l *Loop) take(ctx context.Context) int {
	if ctx.Err() != nil {
		return 0
	}
	select {
	case l.free <- struct{}{}:
	case <-ctx.Done():
		return 0
	}
	if !l.each {
		return 1
	}
	for n := 1; n < l.config.Batch; n++ {
		select {
		case l.free <- struct{}{}:
		default:
			return n
		}
	}
	return l.config.Batch
}

// claim looks once. It is not cut off when the context ends.
func (l *Loop) claim(ctx context.Context, limit int) (int, []func(context.Context), error) {
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), l.config.ClaimTimeout)
	defer cancel()
	found, jobs, err := l.look(bounded, limit)
	if err != nil {
		l.config.Observer.DueClaimFailed()
		l.config.Logger.Warn("work could not be claimed; it is tried again", "error", err, "work", l.name)
	}
	return found, jobs, err
}

// handle runs what is to be done. An item that makes its handler panic comes back when its claim runs out; it does not
// take the others, and the process, with it.
func (l *Loop) handle(ctx context.Context, job func(context.Context)) {
	defer func() {
		if r := recover(); r != nil {
			l.config.Logger.Error("work failed by a defect of this server; it comes back when its claim runs out", "work", l.name,
				"error", r, "stack", string(debug.Stack()))
		}
	}()
	job(ctx)
}

// pause waits before the next look, and reports whether there is to be one. A poke shortens it to the first pause, so
// that many pokes do not make many looks; after a failed look it does not, since the database is to recover.
func (l *Loop) pause(ctx context.Context, long time.Duration, pokable bool) bool {
	shortest := min(long, l.config.FirstPoll)
	if !l.wait(ctx, shortest, nil) {
		return false
	}
	poke := l.poke
	if !pokable {
		poke = nil
	}
	return l.wait(ctx, long-shortest, poke)
}

func (l *Loop) wait(ctx context.Context, long time.Duration, poke <-chan struct{}) bool {
	if long <= 0 {
		return ctx.Err() == nil
	}
	select {
	case <-ctx.Done():
		return false
	case <-poke:
	case <-l.config.After(long):
	}
	return ctx.Err() == nil
}
