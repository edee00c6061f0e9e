package dispatch

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
)

// Observer is told what became of due work, for metrics. Its methods must not block.
type Observer interface {
	// DueWork: one item of a kind (ledger.DueKind) came to an outcome (Outcome).
	DueWork(kind, outcome string)
	// DueClaimFailed: the database could not be asked for due work.
	DueClaimFailed()
}

// Config is what a dispatcher is made of. Ledger and Claimer are required; zero fields take the defaults.
type Config struct {
	Ledger *transact.Ledger
	// Claimer names this process among those that dispatch on the same database.
	Claimer string
	// Batch is the greatest number of items that are claimed and run at once.
	Batch int
	// Concurrency is the greatest number of batches under way.
	Concurrency int
	// Hold is how long a claim lasts. It is longer than a batch can take, so that nobody takes over what is still under way.
	Hold time.Duration
	// FirstPoll is the pause after a look that found something, LongestPoll what it grows to while nothing is due.
	FirstPoll, LongestPoll time.Duration
	// Changed, where set, is told of each operation that due work has changed.
	Changed  func(*ledger.Operation)
	Observer Observer
	Logger   *slog.Logger
	// After is the process's clock, as time.After; Jitter gives numbers in [0, 1). Both are replaced in tests alone.
	After  func(time.Duration) <-chan time.Time
	Jitter func() float64
}

// The defaults of Config.
const (
	DefaultBatch       = transact.DefaultMaxBatch // one transaction's worth
	DefaultConcurrency = 2
	DefaultHold        = 30 * time.Second // twice the time-out of a transaction
	DefaultFirstPoll   = 50 * time.Millisecond
	DefaultLongestPoll = time.Second
)

// callTimeout bounds one question to the database outside a transaction.
const callTimeout = 10 * time.Second

// Dispatcher is the loop of due work of one process.
type Dispatcher struct {
	config Config
	engine ledger.Engine
	poke   chan struct{}
}

// New makes a dispatcher. It does nothing until Run.
func New(config Config) (*Dispatcher, error) {
	if config.Ledger == nil || config.Claimer == "" {
		return nil, errors.New("a dispatcher needs a ledger and a name to claim under")
	}
	setDefault(&config.Batch, DefaultBatch)
	setDefault(&config.Concurrency, DefaultConcurrency)
	setDefault(&config.Hold, DefaultHold)
	setDefault(&config.FirstPoll, DefaultFirstPoll)
	setDefault(&config.LongestPoll, DefaultLongestPoll)
	if config.Changed == nil {
		config.Changed = func(*ledger.Operation) {}
	}
	if config.Observer == nil {
		config.Observer = noObserver{}
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	if config.After == nil {
		config.After = time.After
	}
	if config.Jitter == nil {
		config.Jitter = rand.Float64
	}
	return &Dispatcher{config: config, engine: config.Ledger.Engine(), poke: make(chan struct{}, 1)}, nil
}

func setDefault[N int | time.Duration](n *N, value N) {
	if *n <= 0 {
		*n = value
	}
}

// Poke says that work may be due sooner than the loop expects. It never blocks.
func (d *Dispatcher) Poke() {
	select {
	case d.poke <- struct{}{}:
	default: // it was poked already
	}
}

// Run dispatches until the context ends, and then returns as soon as the batches under way have ended.
func (d *Dispatcher) Run(ctx context.Context) {
	var batches sync.WaitGroup
	defer batches.Wait()
	free := make(chan struct{}, d.config.Concurrency)
	pace := pace{first: d.config.FirstPoll, longest: d.config.LongestPoll}
	for {
		select {
		case free <- struct{}{}:
		case <-ctx.Done():
			return
		}
		due, err := d.claim(ctx)
		if len(due) > 0 {
			batches.Go(func() {
				defer func() { <-free }()
				d.wake(ctx, due)
			})
		} else {
			<-free
		}
		if len(due) == d.config.Batch && ctx.Err() == nil {
			continue // there may be more
		}
		if !d.pause(ctx, pace.next(len(due) > 0, d.config.Jitter()), err == nil) {
			return
		}
	}
}

// claim takes what is due. It is not cut off when the context ends, because work that was claimed and is not known here
// would have to wait until its claim runs out.
func (d *Dispatcher) claim(ctx context.Context) ([]ledger.Due, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), callTimeout)
	defer cancel()
	due, err := d.engine.ClaimDue(ctx, d.config.Claimer, d.config.Batch, d.config.Hold)
	if err != nil {
		d.config.Observer.DueClaimFailed()
		d.config.Logger.Warn("due work could not be claimed; it is tried again", "error", err)
	}
	return due, err
}

// pause waits before the next look, and reports whether there is to be one. A poke shortens it to the first pause, so
// that many pokes do not make many looks; after a failed look it does not, since the database is to recover.
func (d *Dispatcher) pause(ctx context.Context, long time.Duration, pokable bool) bool {
	shortest := min(long, d.config.FirstPoll)
	if !d.wait(ctx, shortest, nil) {
		return false
	}
	poke := d.poke
	if !pokable {
		poke = nil
	}
	return d.wait(ctx, long-shortest, poke)
}

func (d *Dispatcher) wait(ctx context.Context, long time.Duration, poke <-chan struct{}) bool {
	if long <= 0 {
		return ctx.Err() == nil
	}
	select {
	case <-ctx.Done():
		return false
	case <-poke:
	case <-d.config.After(long):
	}
	return ctx.Err() == nil
}

type noObserver struct{}

func (noObserver) DueWork(string, string) {}
func (noObserver) DueClaimFailed()        {}
