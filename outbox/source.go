package outbox

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"
)

// Source is one kind of work. Claim and one of Handle and HandleAll are set.
type Source[T any] struct {
	// Name tells people of the log what is claimed, in the plural: "due operations".
	Name string
	// Claim takes at most limit items that are ready, under a claim that lasts longer than handling them can. A whole
	// batch says that there may be more at once. It is never cut off by the loop's end, since items that were claimed and
	// are not known here would have to wait until their claim runs out; the context bounds it by Config.ClaimTimeout.
	Claim func(ctx context.Context, limit int) ([]T, error)
	// Handle carries out one item. Items run side by side, Config.Concurrency at most. What cannot be done now it gives
	// back itself, with a pause (RetryAfter). The context never ends: what is claimed is carried out, also while the
	// process stops, and every request in it has a bound of its own.
	Handle func(ctx context.Context, item T)
	// HandleAll carries out the items of one claim together; Config.Concurrency then counts claims.
	HandleAll func(ctx context.Context, items []T)
}

// Observer is told of what fails, for metrics. Its methods must not block.
type Observer interface {
	// DueClaimFailed: the database could not be asked for work.
	DueClaimFailed()
}

// Config is how a loop runs. Zero fields take the defaults.
type Config struct {
	// Batch is the greatest number of items that one look claims.
	Batch int
	// Concurrency is the greatest number of items (of claims, for HandleAll) under way.
	Concurrency int
	// FirstPoll is the pause after a look that found something, LongestPoll what it grows to while nothing is ready.
	FirstPoll, LongestPoll time.Duration
	// ClaimTimeout bounds one look.
	ClaimTimeout time.Duration
	Observer     Observer
	Logger       *slog.Logger
	// After is the process's clock, as time.After; Jitter gives numbers in [0, 1). Both are replaced in tests alone.
	After  func(time.Duration) <-chan time.Time
	Jitter func() float64
}

// The defaults of Config.
const (
	DefaultBatch        = 32 // one transaction's worth of commands
	DefaultConcurrency  = 2
	DefaultFirstPoll    = 50 * time.Millisecond
	DefaultLongestPoll  = time.Second
	DefaultClaimTimeout = 10 * time.Second
)

func (c *Config) setDefaults() {
	setDefault(&c.Batch, DefaultBatch)
	setDefault(&c.Concurrency, DefaultConcurrency)
	setDefault(&c.FirstPoll, DefaultFirstPoll)
	setDefault(&c.LongestPoll, DefaultLongestPoll)
	setDefault(&c.ClaimTimeout, DefaultClaimTimeout)
	if c.Observer == nil {
		c.Observer = noObserver{}
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.After == nil {
		c.After = time.After
	}
	if c.Jitter == nil {
		c.Jitter = rand.Float64
	}
}

func setDefault[N int | time.Duration](n *N, value N) {
	if *n <= 0 {
		*n = value
	}
}

type noObserver struct{}

func (noObserver) DueClaimFailed() {}
