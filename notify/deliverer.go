package notify

import (
	"context"
	"crypto/x509"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/outbox"
)

// Observer is told what became of deliveries, for metrics. Its methods must not block.
type Observer interface {
	// DueWork: one delivery came to an outcome (ledger.DeliveryOutcome). The kind is always "notification".
	DueWork(kind, outcome string)
	// DueClaimFailed: the database could not be asked for due notices.
	DueClaimFailed()
}

// Config is what a deliverer is made of. Ledger and Claimer are required; zero fields take the defaults.
type Config struct {
	Ledger *transact.Ledger
	// Claimer names this process among those that deliver on the same database.
	Claimer string
	Rules   Rules
	// Batch is the greatest number of notices that one look claims.
	Batch int
	// InFlight is the greatest number of notices that are being sent, PerReceiver that of deliveries to one subscription.
	InFlight, PerReceiver int
	// Hold is how long a claim lasts. It is longer than a try can take, so that nobody takes over what is still under way.
	Hold time.Duration
	// Timeout bounds one try.
	Timeout time.Duration
	// Patience is how long a delivery waits for its receiver's turn before it is postponed.
	Patience time.Duration
	// FirstPoll is the pause after a look that found something, LongestPoll what it grows to while nothing is due.
	FirstPoll, LongestPoll time.Duration
	// Roots are the certificate authorities that receivers are verified against. Nil: the system's.
	Roots    *x509.CertPool
	Observer Observer
	Logger   *slog.Logger
	// After is the process's clock, as time.After; Jitter gives numbers in [0, 1). Both are replaced in tests alone.
	After  func(time.Duration) <-chan time.Time
	Jitter func() float64
}

// The defaults of Config.
const (
	DefaultInFlight    = 256 // more than receivers that are down can fill
	DefaultPerReceiver = 8
	DefaultHold        = time.Minute
	DefaultPatience    = time.Second
)

// recordTimeout bounds the recording of what came of notices. It is longer than a transaction with all its tries.
const recordTimeout = 20 * time.Second

// claimTimeout bounds one look: the claim, what the notices say and who wants them, and the closing of those that nobody
// wants.
const claimTimeout = 10*time.Second + recordTimeout

// Deliverer is the loop of due notices of one process.
type Deliverer struct {
	config    Config
	engine    ledger.Engine
	poster    *poster
	receivers *receivers
	loop      *outbox.Loop
}

// New makes a deliverer. It does nothing until Run.
func New(config Config) (*Deliverer, error) {
	if config.Ledger == nil || config.Claimer == "" {
		return nil, errors.New("a deliverer needs a ledger and a name to claim under")
	}
	setDefault(&config.InFlight, DefaultInFlight)
	setDefault(&config.PerReceiver, DefaultPerReceiver)
	setDefault(&config.Hold, DefaultHold)
	setDefault(&config.Timeout, DefaultTimeout)
	setDefault(&config.Patience, DefaultPatience)
	if config.Observer == nil {
		config.Observer = noObserver{}
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	if config.After == nil {
		config.After = time.After // patience is measured by it too
	}
	if config.Jitter == nil {
		config.Jitter = rand.Float64
	}
	d := &Deliverer{config: config, engine: config.Ledger.Engine(), receivers: newReceivers(config.PerReceiver)}
	d.poster = newPoster(&d.config.Rules, config.Timeout, config.Roots)
	d.loop = outbox.New(outbox.Source[*errand]{Name: "due notices", Claim: d.claim, Handle: d.run}, outbox.Config{
		Batch: config.Batch, Concurrency: config.InFlight, FirstPoll: config.FirstPoll, LongestPoll: config.LongestPoll,
		ClaimTimeout: claimTimeout, Observer: config.Observer, Logger: config.Logger, After: config.After, Jitter: config.Jitter,
	})
	return d, nil
}

func setDefault[N int | time.Duration](n *N, value N) {
	if *n <= 0 {
		*n = value
	}
}

// Poke says that a notice may be due sooner than the loop expects. It never blocks.
func (d *Deliverer) Poke() { d.loop.Poke() }

// Run delivers until the context ends, and then returns as soon as the tries under way have ended and are recorded.
func (d *Deliverer) Run(ctx context.Context) { d.loop.Run(ctx) }

type noObserver struct{}

func (noObserver) DueWork(string, string) {}
func (noObserver) DueClaimFailed()        {}
