package notify

import (
	"context"
	"crypto/x509"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
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
	DefaultBatch       = transact.DefaultMaxBatch // one transaction's worth
	DefaultInFlight    = 256                      // more than receivers that are down can fill
	DefaultPerReceiver = 8
	DefaultHold        = time.Minute
	DefaultPatience    = time.Second
	DefaultFirstPoll   = 50 * time.Millisecond
	DefaultLongestPoll = time.Second
)

// callTimeout bounds one question to the database outside a transaction.
const callTimeout = 10 * time.Second

// recordTimeout bounds the recording of what came of a notice. It is longer than a transaction with all its tries.
const recordTimeout = 20 * time.Second

// Deliverer is the loop of due notices of one process.
type Deliverer struct {
	config    Config
	engine    ledger.Engine
	poster    *poster
	receivers *receivers
	free      chan struct{} // holds one for each notice that is being sent
	sending   sync.WaitGroup
	poke      chan struct{}
}

// New makes a deliverer. It does nothing until Run.
func New(config Config) (*Deliverer, error) {
	if config.Ledger == nil || config.Claimer == "" {
		return nil, errors.New("a deliverer needs a ledger and a name to claim under")
	}
	setDefault(&config.Batch, DefaultBatch)
	setDefault(&config.InFlight, DefaultInFlight)
	setDefault(&config.PerReceiver, DefaultPerReceiver)
	setDefault(&config.Hold, DefaultHold)
	setDefault(&config.Timeout, DefaultTimeout)
	setDefault(&config.Patience, DefaultPatience)
	setDefault(&config.FirstPoll, DefaultFirstPoll)
	setDefault(&config.LongestPoll, DefaultLongestPoll)
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
	d := &Deliverer{
		config: config, engine: config.Ledger.Engine(), receivers: newReceivers(config.PerReceiver),
		free: make(chan struct{}, config.InFlight), poke: make(chan struct{}, 1),
	}
	d.poster = newPoster(&d.config.Rules, config.Timeout, config.Roots)
	return d, nil
}

func setDefault[N int | time.Duration](n *N, value N) {
	if *n <= 0 {
		*n = value
	}
}

// Poke says that a notice may be due sooner than the loop expects. It never blocks.
func (d *Deliverer) Poke() {
	select {
	case d.poke <- struct{}{}:
	default: // it was poked already
	}
}

// Run delivers until the context ends, and then returns as soon as the tries under way have ended and are recorded.
func (d *Deliverer) Run(ctx context.Context) {
	defer d.sending.Wait()
	idle := 0
	for ctx.Err() == nil {
		found, err := d.look(ctx)
		if found == d.config.Batch {
			idle = 0
			continue // there may be more
		}
		long := d.config.FirstPoll
		if idle++; found > 0 {
			idle = 0
		} else if long = d.config.LongestPoll; idle < 20 {
			long = min(long, d.config.FirstPoll<<idle)
		}
		d.pause(ctx, long-time.Duration(d.config.Jitter()*float64(long)/2), err == nil)
	}
}

// look claims what is due, as much as there is room for, and sees to it. It answers how much that was.
func (d *Deliverer) look(ctx context.Context) (int, error) {
	room := d.room(ctx)
	defer func() {
		for range room {
			<-d.free
		}
	}()
	if room == 0 {
		return 0, ctx.Err()
	}
	// It is not cut off when the context ends: what was claimed and is not known here would have to wait for the end of
	// its claim.
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), callTimeout)
	due, err := d.engine.ClaimDueRecords(bounded, ledger.RecordNotice, d.config.Claimer, room, d.config.Hold)
	cancel()
	if err != nil {
		d.config.Observer.DueClaimFailed()
		d.config.Logger.Warn("due notices could not be claimed; it is tried again", "error", err)
		return 0, err
	}
	if len(due) == 0 {
		return 0, nil
	}
	started := d.round(context.WithoutCancel(ctx), due)
	room -= started // those give their place back themselves
	return len(due), nil
}

// room takes places for notices that may have to be sent: one at least, which it waits for, and a batch at most.
func (d *Deliverer) room(ctx context.Context) int {
	select {
	case d.free <- struct{}{}:
	case <-ctx.Done():
		return 0
	}
	for n := 1; n < d.config.Batch; n++ {
		select {
		case d.free <- struct{}{}:
		default:
			return n
		}
	}
	return d.config.Batch
}

// pause waits before the next look. A poke shortens it to the first pause, so that many pokes do not make many looks;
// after a failed look it does not, since the database is to recover.
func (d *Deliverer) pause(ctx context.Context, long time.Duration, pokable bool) {
	first := min(long, d.config.FirstPoll)
	d.wait(ctx, first, nil)
	if rest := long - first; rest > 0 && pokable {
		d.wait(ctx, rest, d.poke)
	} else if rest > 0 {
		d.wait(ctx, rest, nil)
	}
}

func (d *Deliverer) wait(ctx context.Context, long time.Duration, poke <-chan struct{}) {
	select {
	case <-ctx.Done():
	case <-poke:
	case <-d.config.After(long):
	}
}

type noObserver struct{}

func (noObserver) DueWork(string, string) {}
func (noObserver) DueClaimFailed()        {}
