package dispatch

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/opledger/opledger/internal/pgtest"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/litestore"
	"github.com/opledger/opledger/ledger/sqlstore"
	"github.com/opledger/opledger/ledger/transact"
	"github.com/opledger/opledger/outbox"
	"github.com/opledger/opledger/registry"
)

const tenant ledger.Namespace = "shop"

// permitLasts is the permit of the operations below.
const permitLasts = time.Minute

// world is one database with time that tests move.
type world struct {
	engine ledger.Engine
	ledger *transact.Ledger
	offset *atomic.Int64
}

func (w *world) advance(by time.Duration) { w.offset.Add(int64(by)) }

func onSQLite(t *testing.T) *world {
	t.Helper()
	w := &world{offset: &atomic.Int64{}}
	store, err := litestore.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"), litestore.WithTimeOffset(w.offset))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	w.serve(t, store)
	return w
}

func onPostgreSQL(t *testing.T) *world {
	t.Helper()
	w := &world{offset: &atomic.Int64{}}
	store, err := sqlstore.Open(t.Context(), pgtest.NewDatabase(t), sqlstore.WithTimeOffset(w.offset))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	w.serve(t, store)
	return w
}

// onEach runs a test on each engine.
func onEach(t *testing.T, test func(t *testing.T, w *world)) {
	t.Run("sqlite", func(t *testing.T) { test(t, onSQLite(t)) })
	t.Run("postgresql", func(t *testing.T) { test(t, onPostgreSQL(t)) })
}

// serve puts a ledger before the engine until the test ends.
func (w *world) serve(t *testing.T, engine ledger.Engine) {
	t.Helper()
	w.engine, w.ledger = engine, transact.New(engine, transact.Options{})
	t.Cleanup(w.ledger.Close)
}

// propose makes an operation whose permit is out, and answers with it.
func (w *world) propose(t *testing.T, name string) *ledger.Answer {
	t.Helper()
	out, err := w.ledger.Do(t.Context(), &ledger.Propose{
		Namespace: tenant, Principal: "agent", RequestID: ledger.RequestID(name), RequestHash: name, Tool: "mail.send",
		Terms: ledger.Terms{
			Class: registry.ExternalNonIdempotentWrite, Executor: registry.Inline, BeginRequired: true, PermitDuration: permitLasts,
			PermitGreatest: time.Hour, MaxAttempts: 3, PendingMaxAge: 24 * time.Hour, RetryMaxAge: 24 * time.Hour, HumanAfter: time.Hour,
		},
		Forms:        []ledger.Form{{ToolVersion: 1, Key: ledger.IdempotencyKey("mail:" + name), Canonical: []byte(`{}`), Fingerprint: "sha256:0"}},
		Arguments:    []byte(`{}`),
		NewOperation: ledger.OperationID("op_" + name), NewAttempt: ledger.AttemptID("att_" + name), NewDecision: ledger.DecisionID("dec_" + name),
	})
	if err != nil {
		t.Fatal(err)
	}
	answer := out.(*ledger.Answer)
	if answer.Permit == nil {
		t.Fatalf("%s got no permit: %+v", name, answer)
	}
	return answer
}

func (w *world) proposeMany(t *testing.T, n int) {
	t.Helper()
	for i := range n {
		w.propose(t, fmt.Sprintf("%03d", i))
	}
}

func (w *world) get(t *testing.T, id ledger.OperationID) *ledger.Operation {
	t.Helper()
	o, err := w.engine.GetOperation(t.Context(), tenant, id)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// events counts the events of a type in an operation's history.
func (w *world) events(t *testing.T, id ledger.OperationID, of ledger.EventType) (n int) {
	t.Helper()
	events, err := w.engine.ListEvents(t.Context(), tenant, id, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if e.Type == of {
			n++
		}
	}
	return n
}

// tally counts what a dispatcher tells.
type tally struct {
	mu       sync.Mutex
	outcomes map[Outcome]int
	failures int
	told     chan struct{} // one for each item, where set
}

func newTally(size int) *tally {
	return &tally{outcomes: map[Outcome]int{}, told: make(chan struct{}, size)}
}

func (y *tally) DueWork(_, outcome string) {
	y.mu.Lock()
	y.outcomes[Outcome(outcome)]++
	y.mu.Unlock()
	y.told <- struct{}{}
}

func (y *tally) DueClaimFailed() {
	y.mu.Lock()
	y.failures++
	y.mu.Unlock()
}

func (y *tally) of(outcome Outcome) int {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.outcomes[outcome]
}

func (w *world) dispatcher(t *testing.T, claimer string, change func(*Config)) (*Dispatcher, *tally) {
	t.Helper()
	told := newTally(4096)
	config := Config{Ledger: w.ledger, Claimer: claimer, Observer: told, Jitter: func() float64 { return 0 }}
	if change != nil {
		change(&config)
	}
	d, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	return d, told
}

// pass claims once and runs what it got, and answers how many items that were.
func (d *Dispatcher) pass(t *testing.T) int {
	t.Helper()
	due, err := d.claim(t.Context(), outbox.DefaultBatch)
	if err != nil {
		t.Fatal(err)
	}
	d.wake(context.Background(), due)
	return len(due)
}
