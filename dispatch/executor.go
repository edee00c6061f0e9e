package dispatch

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	mathrand "math/rand/v2"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/opledger/opledger/breaker"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/outbox"
	"github.com/opledger/opledger/registry"
)

// ServerPrincipal is who acts where the server itself carries a tool out.
const ServerPrincipal ledger.Principal = "opledger-server"

// ExchangeObserver is told of requests to providers, for metrics. Its methods must not block.
type ExchangeObserver interface {
	// Exchange: a request of a kind (ledger.WorkKind) came to an outcome: a report's, or a statement's verdict.
	Exchange(tool, kind, outcome string, took time.Duration)
	// DueWork: an item of work came to nothing of that kind: it was stale, early, postponed, or failed.
	DueWork(kind, outcome string)
	// DueClaimFailed: the database could not be asked for work.
	DueClaimFailed()
}

// ExecutorConfig is what an executor is made of. Ledger, Claimer, Configurations and Adapter are required; zero fields
// take the defaults.
type ExecutorConfig struct {
	Ledger         *transact.Ledger
	Claimer        string // names this process among those that carry out tools on the same database
	Configurations Configurations
	Adapter        Adapter
	Breakers       *breaker.Set // nil: none ever opens
	// Concurrency is the greatest number of requests under way in all, three quarters of them one namespace's; PerProvider
	// that to one provider.
	Concurrency, PerProvider int
	// Hold is how long a claim lasts beyond the tool's permit.
	Hold time.Duration
	// Drain is how long requests under way may take once the loop is to end. Then they are cut off, and what came of them is
	// reported as it is known.
	Drain                  time.Duration
	FirstPoll, LongestPoll time.Duration
	// Announce, where set, is told what each command did.
	Announce func(reply any, err error)
	Observer ExchangeObserver
	Logger   *slog.Logger
	// What is the process's own, replaced in tests alone: its clocks, a timer as time.After, numbers in [0, 1), fresh
	// identifiers of the ledger's, and UUIDs, by which reports and statements are named as those of any client are.
	Clocks  Clocks
	After   func(time.Duration) <-chan time.Time
	Jitter  func() float64
	NewID   func(prefix string) string
	NewUUID func() string
	// BeforeSend, where set, runs between the last look at the clocks and the first byte. It is for tests of a process that
	// stands still there.
	BeforeSend func(ledger.OperationID)
}

// The defaults of ExecutorConfig.
const (
	DefaultHTTPConcurrency = 64
	DefaultPerProvider     = 16
	DefaultExecutorHold    = time.Minute
	DefaultDrain           = 15 * time.Second
)

// Executor carries out the tools that name an HTTP request: it takes up what is ready, makes the request under the
// permit, and reports; and it asks providers what has become of operations. It holds no transaction during a request.
// Killed at any instruction it loses nothing: what it had claimed comes back, and what it had begun is looked up.
type Executor struct {
	config ExecutorConfig
	engine ledger.Engine
	loop   *outbox.Loop
	turns  *turns
	slots  *slots
	cut    context.Context // ends when requests under way are to be cut off
	cutOff context.CancelFunc
}

// errand is an item that was claimed.
type errand struct {
	work ledger.Work
	key  breaker.Key
}

// NewExecutor makes an executor. It does nothing until Run.
func NewExecutor(c ExecutorConfig) (*Executor, error) {
	if c.Ledger == nil || c.Claimer == "" || c.Configurations == nil || c.Adapter == nil {
		return nil, errors.New("an executor needs a ledger, a name to claim under, configurations and an adapter")
	}
	setDefault(&c.Concurrency, DefaultHTTPConcurrency)
	setDefault(&c.PerProvider, DefaultPerProvider)
	setDefault(&c.Hold, DefaultExecutorHold)
	setDefault(&c.Drain, DefaultDrain)
	if c.Announce == nil {
		c.Announce = func(any, error) {}
	}
	if c.Observer == nil {
		c.Observer = noObserver{}
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Clocks.Monotonic == nil || c.Clocks.Wall == nil {
		c.Clocks = SystemClocks()
	}
	if c.After == nil {
		c.After = time.After
	}
	if c.Jitter == nil {
		c.Jitter = mathrand.Float64
	}
	if c.NewID == nil {
		c.NewID = func(prefix string) string { return prefix + strings.ToLower(rand.Text()) }
	}
	if c.NewUUID == nil {
		c.NewUUID = uuid.NewString
	}
	if c.BeforeSend == nil {
		c.BeforeSend = func(ledger.OperationID) {}
	}
	e := &Executor{config: c, engine: c.Ledger.Engine(), turns: newTurns(), slots: newSlots(c.PerProvider, c.Concurrency, c.Breakers)}
	e.cut, e.cutOff = context.WithCancel(context.Background())
	e.loop = outbox.New(outbox.Source[errand]{Name: "requests to providers", Claim: e.claim, Handle: e.handle}, outbox.Config{
		Concurrency: c.Concurrency, FirstPoll: c.FirstPoll, LongestPoll: c.LongestPoll, ClaimTimeout: claimTimeout,
		Observer: c.Observer, Logger: c.Logger, After: c.After, Jitter: c.Jitter,
	})
	return e, nil
}

func setDefault[N int | time.Duration](n *N, value N) {
	if *n <= 0 {
		*n = value
	}
}

// Poke says that work may be ready sooner than the loop expects. It never blocks.
func (e *Executor) Poke() { e.loop.Poke() }

// Run carries out until the context ends, and then returns as soon as the requests under way have ended, or were cut off,
// and are reported.
func (e *Executor) Run(ctx context.Context) {
	ended := make(chan struct{})
	defer close(ended)
	defer e.cutOff()
	go func() {
		select {
		case <-ctx.Done():
		case <-ended:
			return
		}
		select {
		case <-e.config.After(e.config.Drain):
			e.cutOff()
		case <-ended:
		}
	}()
	e.loop.Run(ctx)
}

// Once carries out what is ready now, in the calling goroutine, and answers how many items that was.
func (e *Executor) Once(ctx context.Context) int { return e.loop.Once(ctx) }

// claimTimeout bounds one look: the queues, and a claim in each that has a share.
const claimTimeout = 20 * time.Second

// claim takes work by turns among the queues that are ready, as far as their providers take more. An open breaker leaves
// its work unclaimed.
func (e *Executor) claim(ctx context.Context, limit int) ([]errand, error) {
	ready, err := e.engine.WorkQueues(ctx, ledger.WorkQuery{Executor: registry.ServerHTTP, Ready: true})
	if err != nil {
		return nil, err
	}
	var errands []errand
	shares := e.turns.deal(ready, limit, e.slots.round())
	for i, s := range shares {
		claimed, err := e.engine.ClaimWork(ctx, s.queue, e.config.Claimer, s.items, e.hold(ctx, s.queue))
		e.slots.free(s.queue, s.items-len(claimed))
		for _, w := range claimed {
			errands = append(errands, errand{w, breaker.KeyOf(s.queue)})
		}
		if err != nil {
			for _, rest := range shares[i+1:] {
				e.slots.free(rest.queue, rest.items)
			}
			return errands, err
		}
	}
	return errands, nil
}

// hold is how long a claim lasts: longer than the permit that it leads to, so that nobody takes over what is under way.
func (e *Executor) hold(ctx context.Context, q ledger.Queue) time.Duration {
	config, err := e.config.Configurations.Configuration(ctx, q.Namespace, false)
	if err != nil {
		return e.config.Hold
	}
	if tool := config.Tool(q.Tool, 0); tool != nil {
		return e.config.Hold + tool.Permit.Duration
	}
	return e.config.Hold
}

func (noObserver) Exchange(string, string, string, time.Duration) {}
