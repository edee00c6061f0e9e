package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/opledger/opledger/internal/childproc"
)

// The defaults of Options. With them a run on two engines takes about two minutes.
const (
	DefaultDuration = 1500 * time.Millisecond
	DefaultRounds   = 3
)

// DefaultConcurrency is one caller, a few, and more than a small machine has any use for.
var DefaultConcurrency = []int{1, 16, 64}

// Options say what is measured.
type Options struct {
	Executable  string        // Opledger's own binary
	PostgresURL string        // a server on which databases may be made; empty: SQLite alone
	Directory   string        // where the SQLite files are put; empty: the system's folder for temporary files
	Duration    time.Duration // of one measurement
	Rounds      int
	Concurrency []int
	Writers     int    // transactions at a time in the server; zero: its default
	ProfileTo   string // a folder for profiles of the server's use of the CPU; empty: none
	// Progress is told before each measurement how many of all are done, and what comes.
	Progress func(done, all int, next string)
}

// The kinds of units, in the order in which they take turns.
const (
	unitTable  = "hand-written table"
	unitCycle  = "propose, report"
	unitBegin  = "propose, begin, report"
	unitRead   = "read: propose, report"
	unitReplay = "duplicate of an ended one"
)

var units = []string{unitTable, unitCycle, unitBegin, unitRead, unitReplay}

// endedOperations is how many ended operations the duplicates are proposed of.
const endedOperations = 500

// warmUp is how long each kind of unit runs before anything is measured: plans are made, pools filled.
const warmUp = 300 * time.Millisecond

// warmConcurrency is how many callers do what is not measured.
const warmConcurrency = 16

// Run measures.
func Run(ctx context.Context, o Options) (*Report, error) {
	began := time.Now()
	dir, err := os.MkdirTemp(o.Directory, "opledger-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	report := &Report{Machine: thisMachine(), Duration: o.Duration.String(), Rounds: o.Rounds}
	var arenas []func(context.Context) (*arena, error)
	if o.PostgresURL != "" {
		arenas = append(arenas, func(ctx context.Context) (*arena, error) { return openPostgres(ctx, o) })
	}
	arenas = append(arenas, func(ctx context.Context) (*arena, error) { return openSQLite(ctx, o, dir) })
	p := &progress{tell: o.Progress, all: len(arenas) * len(o.Concurrency) * o.Rounds * len(units)}
	for _, open := range arenas {
		a, err := open(ctx)
		if err != nil {
			return nil, err
		}
		engine, err := a.run(ctx, o, p)
		if err := errors.Join(err, a.close()); err != nil {
			return nil, err
		}
		report.Engines = append(report.Engines, *engine)
	}
	report.Seconds = time.Since(began).Seconds()
	return report, nil
}

// progress counts measurements.
type progress struct {
	tell      func(done, all int, next string)
	done, all int
}

func (p *progress) next(what string) {
	if p.tell != nil {
		p.tell(p.done, p.all, what)
	}
	p.done++
}

// arena is one engine with a table and a server on it.
type arena struct {
	name    string
	table   table
	server  *childproc.Server
	callers *callers
	stop    context.CancelFunc
	drop    func() error
	serial  atomic.Int64
	prefix  string // part of every key, so that no measurement meets another's
	ended   []string
}

// start starts the server of an arena.
func (a *arena) start(ctx context.Context, o Options, databaseURL string) (err error) {
	ctx, a.stop = context.WithCancel(ctx)
	arguments := []string{"--log-level", "info"}
	if o.Writers > 0 {
		arguments = append(arguments, "--writers", strconv.Itoa(o.Writers))
	}
	if o.ProfileTo != "" {
		arguments = append(arguments, "--profiles")
	}
	if a.server, err = childproc.StartServer(ctx, o.Executable, databaseURL, arguments...); err != nil {
		return err
	}
	a.callers, err = dial(ctx, a.server.Address)
	return err
}

func (a *arena) close() error {
	if a.callers != nil {
		a.callers.close()
	}
	if a.stop != nil {
		a.stop()
	}
	if a.server != nil {
		<-a.server.Done()
	}
	if a.table != nil {
		a.table.close()
	}
	if a.drop != nil {
		return a.drop()
	}
	return nil
}

func openSQLite(ctx context.Context, o Options, dir string) (*arena, error) {
	a := &arena{name: "SQLite", prefix: uuid.NewString()[:8]}
	t, err := openSQLiteTable(ctx, filepath.Join(dir, "table.db"))
	if err == nil {
		a.table = t
		err = a.start(ctx, o, filepath.Join(dir, "ledger.db"))
	}
	if err != nil {
		return nil, errors.Join(err, a.close())
	}
	return a, nil
}

// run measures everything on one engine. Within a round the kinds of units take turns at one concurrency, so that all of
// them see the same minute of the machine.
func (a *arena) run(ctx context.Context, o Options, p *progress) (*EngineReport, error) {
	engine, settings, err := a.table.describe(ctx)
	if err != nil {
		return nil, err
	}
	if err := a.prepare(ctx); err != nil {
		return nil, err
	}
	report := &EngineReport{Engine: engine, Settings: settings}
	for _, concurrency := range o.Concurrency {
		all := map[string]*series{}
		for _, u := range units {
			all[u] = &series{}
		}
		for round := range o.Rounds {
			var yardstick float64
			for _, u := range units {
				p.next(fmt.Sprintf("%s, %d at once: %s", a.name, concurrency, u))
				m, served, err := a.one(ctx, o, concurrency, u, o.profile(a.name, concurrency, u, round))
				if err != nil {
					return nil, fmt.Errorf("%s, %d at once, %s: %w", a.name, concurrency, u, err)
				}
				if u == unitTable {
					yardstick = m.rate()
				}
				all[u].add(m, yardstick)
				if served != nil {
					all[u].addServed(*served)
				}
			}
		}
		for _, u := range units {
			report.Rows = append(report.Rows, all[u].row(concurrency, u))
		}
	}
	return report, nil
}

// profile is the file for the profile of a measurement: of the last round of the full cycle at the greatest concurrency.
func (o *Options) profile(engine string, concurrency int, unit string, round int) string {
	if o.ProfileTo == "" || unit != unitCycle || round != o.Rounds-1 || concurrency != o.Concurrency[len(o.Concurrency)-1] {
		return ""
	}
	return filepath.Join(o.ProfileTo, "opledger-"+engine+".pb.gz")
}

// one is one measurement.
func (a *arena) one(ctx context.Context, o Options, concurrency int, unit, profile string) (sample, *counters, error) {
	if unit == unitTable {
		m, err := measure(ctx, concurrency, o.Duration, a.unit(unit))
		return m, nil, err
	}
	before, err := readCounters(ctx, a.server.AdminAddress)
	if err != nil {
		return sample{}, nil, err
	}
	profiled := make(chan error, 1)
	if profile == "" {
		profiled <- nil
	} else {
		go func() { profiled <- saveProfile(ctx, a.server.AdminAddress, o.Duration, profile) }()
	}
	m, err := measure(ctx, concurrency, o.Duration, a.unit(unit))
	if err := errors.Join(err, <-profiled); err != nil {
		return sample{}, nil, err
	}
	after, err := readCounters(ctx, a.server.AdminAddress)
	if err != nil {
		return sample{}, nil, err
	}
	served := after.minus(before)
	return m, &served, nil
}

// unit is the work of one kind.
func (a *arena) unit(kind string) unit {
	switch kind {
	case unitTable:
		return func(ctx context.Context, _ int) error {
			order := a.order()
			return a.table.call(ctx, "payment:"+order+":capture:4900:USD:v1", paymentArguments(order), resultOf(order))
		}
	case unitCycle:
		return func(ctx context.Context, worker int) error {
			order := a.order()
			return a.callers.cycle(ctx, worker, paymentTool, paymentArguments(order), resultOf(order))
		}
	case unitBegin:
		return func(ctx context.Context, worker int) error {
			order := a.order()
			return a.callers.cycle(ctx, worker, emailTool, emailArguments(order), resultOf(order))
		}
	case unitRead:
		return func(ctx context.Context, worker int) error {
			order := a.order()
			return a.callers.cycle(ctx, worker, readTool, readArguments(order), resultOf(order))
		}
	}
	return func(ctx context.Context, worker int) error {
		order := a.ended[int(a.serial.Add(1))%len(a.ended)]
		return a.callers.replay(ctx, worker, paymentTool, paymentArguments(order))
	}
}

// order is a business object that nothing was done about yet.
func (a *arena) order() string {
	return "order_" + a.prefix + "_" + strconv.FormatInt(a.serial.Add(1), 10)
}

// prepare makes the operations that duplicates are proposed of, and warms everything up.
func (a *arena) prepare(ctx context.Context) error {
	making, makingContext := errgroup.WithContext(ctx)
	making.SetLimit(warmConcurrency)
	for n := range endedOperations {
		order := a.order()
		a.ended = append(a.ended, order)
		making.Go(func() error {
			return a.callers.cycle(makingContext, n, paymentTool, paymentArguments(order), resultOf(order))
		})
	}
	if err := making.Wait(); err != nil {
		return fmt.Errorf("make operations that have ended: %w", err)
	}
	for _, u := range units {
		if _, err := measure(ctx, warmConcurrency, warmUp, a.unit(u)); err != nil {
			return fmt.Errorf("warm up %s: %w", u, err)
		}
	}
	return nil
}
