package transact

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
)

type scope = locks.Scope

// Options bound the gathering. Zero fields take the defaults.
type Options struct {
	// Writers is the number of transactions at a time. Few writers with large batches are several times faster than many
	// with small ones, and conflict less.
	Writers int
	// MaxBatch is the greatest number of commands in one transaction, kept under the 32 rows of a table from which
	// PostgreSQL by default locks the whole table against other serializable transactions.
	MaxBatch int
	// Queue is the number of commands that may wait; one more is refused with ErrOverloaded.
	Queue int
	// Timeout bounds one transaction with all its tries.
	Timeout time.Duration
	// OnBatch, where set, is told of each transaction: how many commands it carried, and whether it failed.
	OnBatch func(commands int, err error)
	// OnDefect, where set, is told of a command that panicked, with its stack.
	OnDefect func(err error)
}

// The defaults of Options.
const (
	// DefaultWriters is one: it gathers the largest batches and never conflicts with itself. Two writers of one server
	// were slower than one in every measurement on PostgreSQL, since their transactions met in the same index pages.
	DefaultWriters  = 1
	DefaultMaxBatch = 32
	DefaultQueue    = 4096
	DefaultTimeout  = 15 * time.Second
)

// ErrOverloaded is answered when too many commands wait; the caller should try again a little later.
var ErrOverloaded = errors.New("too many commands wait for the database")

// ErrClosed is answered after Close.
var ErrClosed = errors.New("the ledger is closed")

// Ledger gathers commands into transactions.
type Ledger struct {
	engine  ledger.Engine
	options Options
	queue   chan *job
	stop    chan struct{}
	writers sync.WaitGroup
	handing sync.RWMutex // read: commands are being handed in; written: they are taken, or the queue is closed
	closed  bool
}

// job is one command on its way.
type job struct {
	command ledger.Command
	done    chan ledger.Decided
}

// New starts the writers.
func New(engine ledger.Engine, options Options) *Ledger {
	setDefault(&options.Writers, DefaultWriters)
	setDefault(&options.MaxBatch, DefaultMaxBatch)
	setDefault(&options.Queue, DefaultQueue)
	if options.Timeout == 0 {
		options.Timeout = DefaultTimeout
	}
	l := &Ledger{engine: engine, options: options, queue: make(chan *job, options.Queue), stop: make(chan struct{})}
	for range options.Writers {
		l.writers.Go(l.write)
	}
	return l
}

func setDefault(n *int, value int) {
	if *n <= 0 {
		*n = value
	}
}

// Engine is the engine behind the ledger, for queries.
func (l *Ledger) Engine() ledger.Engine { return l.engine }

// Do runs one command and waits for its outcome. If the context ends first the command may still be carried out; its
// caller asks again, as after any lost answer.
func (l *Ledger) Do(ctx context.Context, command ledger.Command) (any, error) {
	out := l.DoAll(ctx, []ledger.Command{command})[0]
	return out.Reply, out.Err
}

// DoAll hands in several commands at once, so that they share transactions, and waits for all. Where there is one writer,
// a transaction that has room for them has all or none.
func (l *Ledger) DoAll(ctx context.Context, commands []ledger.Command) []ledger.Decided {
	outcomes := make([]ledger.Decided, len(commands))
	jobs := make([]*job, len(commands))
	l.handing.RLock()
	for i, c := range commands {
		switch {
		case l.closed:
			outcomes[i].Err = ErrClosed
		default:
			j := &job{command: c, done: make(chan ledger.Decided, 1)}
			select {
			case l.queue <- j:
				jobs[i] = j
			default:
				outcomes[i].Err = ErrOverloaded
			}
		}
	}
	l.handing.RUnlock()
	for i, j := range jobs {
		if j == nil {
			continue
		}
		select {
		case outcomes[i] = <-j.done:
		case <-ctx.Done():
			outcomes[i].Err = ctx.Err()
		}
	}
	return outcomes
}

// Close lets the waiting commands end and stops the writers. It does not close the engine.
func (l *Ledger) Close() {
	l.handing.Lock()
	if !l.closed {
		l.closed = true
		close(l.queue)
	}
	l.handing.Unlock()
	l.writers.Wait()
}

// write takes what waits, up to a batch, without waiting for more: an idle ledger answers at once, a busy one gathers by
// itself.
func (l *Ledger) write() {
	for first := range l.queue {
		l.run(l.gather(first))
	}
}

// gather takes what waits beside the first job. Nobody hands in meanwhile, which never lasts: the first of several commands
// that come at once wakes the writer, and the others are to be in the same transaction.
func (l *Ledger) gather(first *job) []*job {
	l.handing.Lock()
	defer l.handing.Unlock()
	jobs := []*job{first}
	for len(jobs) < l.options.MaxBatch {
		select {
		case j, open := <-l.queue:
			if !open {
				return jobs
			}
			jobs = append(jobs, j)
		default:
			return jobs
		}
	}
	return jobs
}

// run carries out jobs in one transaction. Where the transaction fails each is tried alone, so that one command's fault
// is nobody else's.
func (l *Ledger) run(jobs []*job) {
	outcomes, err := l.transact(jobs)
	if err != nil && len(jobs) > 1 && !errors.Is(err, context.DeadlineExceeded) {
		for _, j := range jobs {
			l.run([]*job{j})
		}
		return
	}
	for i, j := range jobs {
		switch {
		case err != nil:
			j.done <- ledger.Decided{Err: err}
		case errors.Is(outcomes[i].Err, errAgain):
			if len(jobs) == 1 {
				j.done <- ledger.Decided{Err: errors.New("a command alone in its transaction could not be decided")}
				continue
			}
			l.run([]*job{j})
		default:
			j.done <- outcomes[i]
		}
	}
}

func (l *Ledger) transact(jobs []*job) (outcomes []ledger.Decided, err error) {
	commands := make([]ledger.Command, len(jobs))
	for i, j := range jobs {
		commands[i] = j.command
	}
	ctx, cancel := context.WithTimeout(context.Background(), l.options.Timeout)
	defer cancel()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a decision panicked: %v", r)
			if l.options.OnDefect != nil {
				l.options.OnDefect(fmt.Errorf("%w\n%s", err, debug.Stack()))
			}
		}
		if l.options.OnBatch != nil {
			l.options.OnBatch(len(jobs), err)
		}
	}()
	env := ledger.Env{ClockError: l.engine.ClockError()}
	var known []ledger.Read
	err = l.engine.Transact(ctx, func(ctx context.Context, tx ledger.Tx) error {
		var err error
		outcomes, err = Run(ctx, tx, env, commands, known)
		var conflict *ledger.ClaimConflictError
		if errors.As(err, &conflict) {
			for _, id := range conflict.IDs {
				known = append(known, id.Read())
			}
		}
		return err
	})
	return outcomes, err
}
