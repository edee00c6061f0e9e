package dispatch

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/outbox"
)

// Observer is told what became of due work, for metrics. Its methods must not block.
type Observer interface {
	// DueWork: one item of a kind (ledger.DueKind, or the kind of a record) came to an outcome (Outcome).
	DueWork(kind, outcome string)
	// DueClaimFailed: the database could not be asked for due work.
	DueClaimFailed()
}

// Config is what a dispatcher is made of. Ledger and Claimer are required; zero fields take the defaults.
type Config struct {
	Ledger *transact.Ledger
	// Claimer names this process among those that dispatch on the same database.
	Claimer string
	// Records are the kinds of records that are due work beside operations.
	Records []Records
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

// DefaultHold is how long a claim lasts: twice the time-out of a transaction.
const DefaultHold = 30 * time.Second

// callTimeout bounds one question to the database outside a transaction.
const callTimeout = 10 * time.Second

// Dispatcher runs the due work of one process.
type Dispatcher struct {
	config Config
	engine ledger.Engine
	loops  outbox.Group
}

// New makes a dispatcher. It does nothing until Run.
func New(config Config) (*Dispatcher, error) {
	if config.Ledger == nil || config.Claimer == "" {
		return nil, errors.New("a dispatcher needs a ledger and a name to claim under")
	}
	if config.Hold <= 0 {
		config.Hold = DefaultHold
	}
	if config.Changed == nil {
		config.Changed = func(*ledger.Operation) {}
	}
	if config.Observer == nil {
		config.Observer = noObserver{}
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	if config.Jitter == nil {
		config.Jitter = rand.Float64
	}
	d := &Dispatcher{config: config, engine: config.Ledger.Engine()}
	pace := outbox.Config{
		Batch: config.Batch, Concurrency: config.Concurrency, FirstPoll: config.FirstPoll, LongestPoll: config.LongestPoll,
		ClaimTimeout: callTimeout, Observer: config.Observer, Logger: config.Logger, After: config.After, Jitter: config.Jitter,
	}
	d.loops = outbox.Group{outbox.New(outbox.Source[ledger.Due]{Name: "due operations", Claim: d.claim, HandleAll: d.wake}, pace)}
	for _, r := range config.Records {
		d.loops = append(d.loops, outbox.New(d.records(r), pace))
	}
	return d, nil
}

// Poke says that work may be due sooner than the loops expect. It never blocks.
func (d *Dispatcher) Poke() { d.loops.Poke() }

// Run dispatches until the context ends, and then returns as soon as the batches under way have ended.
func (d *Dispatcher) Run(ctx context.Context) { d.loops.Run(ctx) }

// Once does what is due now, in the calling goroutine, and answers how many items that was.
func (d *Dispatcher) Once(ctx context.Context) int { return d.loops.Once(ctx) }

// claim takes operations that are due.
func (d *Dispatcher) claim(ctx context.Context, limit int) ([]ledger.Due, error) {
	return d.engine.ClaimDue(ctx, d.config.Claimer, limit, d.config.Hold)
}

type noObserver struct{}

func (noObserver) DueWork(string, string) {}
func (noObserver) DueClaimFailed()        {}
