package server

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/opledger/opledger/ledger"
)

const (
	// depthInterval is how old the depths that proposals are held against may be. What is proposed in between passes: the
	// limit keeps a queue from growing without end, it is no exact bound.
	depthInterval = 5 * time.Second
	depthTimeout  = 5 * time.Second
)

// The bounds of the hint when a proposal that was put off may come again, and what it is while nothing drains.
const (
	shortestHint = time.Second
	longestHint  = 5 * time.Minute
	unknownHint  = 30 * time.Second
)

// queuedTool is one tool of one namespace.
type queuedTool struct {
	ns   ledger.Namespace
	tool string
}

// queueDepth is how much of a tool waits, and how fast it becomes less.
type queueDepth struct {
	waiting int64
	at      time.Time
	drains  float64 // items a second, net of what came in; zero: not known
}

// backpressure remembers how much waits for executors, so that a proposal need not count.
type backpressure struct {
	limit  int64 // of a tool in a namespace; zero or less: none
	engine ledger.WorkEngine
	clock  func() time.Time
	log    *slog.Logger
	mu     sync.RWMutex
	tools  map[queuedTool]queueDepth
}

func newBackpressure(limit int64, engine ledger.WorkEngine, clock func() time.Time, log *slog.Logger) *backpressure {
	return &backpressure{limit: limit, engine: engine, clock: clock, log: log}
}

// run counts now and whenever it is told to, until the context ends.
func (b *backpressure) run(ctx context.Context, tick <-chan time.Time) {
	if b.limit <= 0 {
		return
	}
	for {
		b.count(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
	}
}

// count asks the database. Where it does not answer, what was known last goes on to hold.
func (b *backpressure) count(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, depthTimeout)
	defer cancel()
	depths, err := b.engine.WorkQueues(ctx, ledger.WorkQuery{})
	if err != nil {
		if ctx.Err() == nil {
			b.log.Warn("it cannot be counted how much waits for executors; what was known last holds", "error", err)
		}
		return
	}
	b.learn(depths, b.clock())
}

// learn takes what was counted. How fast a queue drains follows from what was counted before, half of it each time, so
// that one slow moment does not send everybody away for minutes.
func (b *backpressure) learn(depths []ledger.QueueDepth, now time.Time) {
	next := map[queuedTool]queueDepth{}
	for _, d := range depths {
		key := queuedTool{d.Namespace, d.Tool}
		next[key] = queueDepth{waiting: next[key].waiting + d.Waiting, at: now}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for key, n := range next {
		old, known := b.tools[key]
		if passed := now.Sub(old.at).Seconds(); known && passed > 0 {
			rate := max(0, float64(old.waiting-n.waiting)/passed)
			if old.drains > 0 {
				rate = (old.drains + rate) / 2
			}
			n.drains = rate
			next[key] = n
		}
	}
	b.tools = next
}

// full says that too much of a tool waits; nil: there is room. The hint lets a tenth of the limit drain first, so that not
// everybody comes back for the one place that is free.
func (b *backpressure) full(ns ledger.Namespace, tool string) *ledger.QueueFull {
	b.mu.RLock()
	defer b.mu.RUnlock()
	d := b.tools[queuedTool{ns, tool}]
	if b.limit <= 0 || d.waiting < b.limit {
		return nil
	}
	hint := unknownHint
	if d.drains > 0 {
		seconds := (float64(d.waiting) - 0.9*float64(b.limit)) / d.drains
		hint = time.Duration(min(seconds, longestHint.Seconds()) * float64(time.Second))
	}
	return &ledger.QueueFull{Waiting: d.waiting, RetryAfter: min(max(hint, shortestHint), longestHint)}
}
