package dispatch

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
)

func TestAPermitEndsAtItsDeadline(t *testing.T) { onEach(t, aPermitEndsAtItsDeadline) }

func aPermitEndsAtItsDeadline(t *testing.T, w *world) {
	id := w.propose(t, "a").Operation.ID
	var changed []ledger.OperationID
	d, told := w.dispatcher(t, "one", func(c *Config) {
		c.Changed = func(o *ledger.Operation) { changed = append(changed, o.ID) }
	})
	if n := d.pass(t); n != 0 {
		t.Fatalf("%d items before anything was due", n)
	}
	w.advance(permitLasts + time.Second)
	if n := d.pass(t); n != 1 || told.of(Done) != 1 {
		t.Fatalf("%d items, outcomes %v", n, told.outcomes)
	}
	if o := w.get(t, id); o.State != ledger.FailedRetryable || o.Failure.Category != ledger.CategoryNotSent {
		t.Errorf("got %s, %+v", o.State, o.Failure)
	}
	if len(changed) != 1 || changed[0] != id {
		t.Errorf("told of changes to %v", changed)
	}
	if n := d.pass(t); n != 0 {
		t.Errorf("%d items once more", n)
	}
	w.advance(25 * time.Hour) // the next occasion of the same operation: its waiting ends
	d.pass(t)
	if o := w.get(t, id); o.State != ledger.FailedPermanent || o.Failure.Category != ledger.CategoryExpired {
		t.Errorf("got %s, %+v", o.State, o.Failure)
	}
}

func TestWorkThatSomebodyOvertookDoesNothing(t *testing.T) {
	onEach(t, workThatSomebodyOvertookDoesNothing)
}

func workThatSomebodyOvertookDoesNothing(t *testing.T, w *world) {
	answer := w.propose(t, "a")
	d, told := w.dispatcher(t, "one", nil)
	w.advance(permitLasts + time.Second)
	due, err := d.claim(t.Context(), 10)
	if err != nil || len(due) != 1 {
		t.Fatalf("claimed %v, %v", due, err)
	}
	if _, err := w.ledger.Do(t.Context(), &ledger.CancelOperation{Namespace: tenant, Principal: "ann", OperationID: answer.Operation.ID}); err != nil {
		t.Fatal(err)
	}
	before := w.get(t, answer.Operation.ID)
	d.wake(context.Background(), due)
	if after := w.get(t, answer.Operation.ID); after.Version != before.Version {
		t.Errorf("version %d became %d", before.Version, after.Version)
	}
	if told.of(Stale) != 1 {
		t.Errorf("outcomes %v", told.outcomes)
	}
}

func TestWhatADeadClaimerHeldIsTakenOver(t *testing.T) { onEach(t, whatADeadClaimerHeldIsTakenOver) }

func whatADeadClaimerHeldIsTakenOver(t *testing.T, w *world) {
	id := w.propose(t, "a").Operation.ID
	w.advance(permitLasts + time.Second)
	dead, _ := w.dispatcher(t, "dead", nil)
	if due, err := dead.claim(t.Context(), 10); err != nil || len(due) != 1 { // and then it dies
		t.Fatalf("claimed %v, %v", due, err)
	}
	alive, told := w.dispatcher(t, "alive", nil)
	if n := alive.pass(t); n != 0 {
		t.Fatalf("%d items while the claim holds", n)
	}
	w.advance(DefaultHold + time.Second)
	if n := alive.pass(t); n != 1 || told.of(Done) != 1 {
		t.Fatalf("%d items, outcomes %v", n, told.outcomes)
	}
	if o := w.get(t, id); o.State != ledger.FailedRetryable {
		t.Errorf("got %s", o.State)
	}
}

func TestTwoDispatchersHandleEachItemOnce(t *testing.T) { onEach(t, twoDispatchersHandleEachItemOnce) }

func twoDispatchersHandleEachItemOnce(t *testing.T, w *world) {
	const items = 100
	w.proposeMany(t, items)
	w.advance(permitLasts + time.Second)
	ctx, cancel := context.WithCancel(t.Context())
	told := newTally(4 * items)
	var running sync.WaitGroup
	for _, claimer := range []string{"one", "two"} {
		d, _ := w.dispatcher(t, claimer, func(c *Config) { c.Observer, c.Batch, c.FirstPoll = told, 7, time.Millisecond })
		running.Go(func() { d.Run(ctx) })
	}
	for range items {
		<-told.told
	}
	cancel()
	running.Wait()
	if told.of(Done) != items || len(told.outcomes) != 1 {
		t.Errorf("outcomes %v", told.outcomes)
	}
	operations, err := w.engine.ListOperations(t.Context(), ledger.OperationQuery{Namespace: tenant, Limit: 2 * items})
	if err != nil || len(operations) != items {
		t.Fatalf("%d operations, %v", len(operations), err)
	}
	for _, o := range operations {
		if n := w.events(t, o.ID, ledger.EventPermitEnded); n != 1 || o.State != ledger.FailedRetryable {
			t.Errorf("%s is %s after %d ends of its permit", o.ID, o.State, n)
		}
	}
}

// broken fails transactions, as a database that is away does.
type broken struct {
	ledger.Engine
	err error
}

func (b *broken) Transact(ctx context.Context, fn func(context.Context, ledger.Tx) error) error {
	if b.err != nil {
		return b.err
	}
	return b.Engine.Transact(ctx, fn)
}

func TestFailedWorkIsGivenBackAndTriedAgain(t *testing.T) {
	w := onSQLite(t)
	id := w.propose(t, "a").Operation.ID
	breakable := &broken{Engine: w.engine}
	other := &world{offset: w.offset}
	other.serve(t, breakable)
	d, told := other.dispatcher(t, "one", nil)
	w.advance(permitLasts + 10*time.Second)
	breakable.err = errors.New("away")
	if n := d.pass(t); n != 1 || told.of(Failed) != 1 {
		t.Fatalf("%d items, outcomes %v", n, told.outcomes)
	}
	breakable.err = nil
	w.advance(9 * time.Second) // it was 10 s late, so that it pauses for 10 s: less than a claim holds
	if n := d.pass(t); n != 0 {
		t.Fatalf("%d items during the pause", n)
	}
	w.advance(2 * time.Second)
	if n := d.pass(t); n != 1 || told.of(Done) != 1 {
		t.Fatalf("%d items, outcomes %v", n, told.outcomes)
	}
	if o := w.get(t, id); o.State != ledger.FailedRetryable {
		t.Errorf("got %s", o.State)
	}
}

// hasty hands out work before its time, as nodes of a cluster whose clocks disagree do.
type hasty struct{ ledger.Engine }

const clockError = 500 * time.Millisecond

func (hasty) ClockError() time.Duration { return clockError }

func TestWorkThatComesTooEarlyIsGivenBack(t *testing.T) {
	w := onSQLite(t)
	id := w.propose(t, "a").Operation.ID
	early := &world{offset: w.offset}
	early.serve(t, hasty{w.engine})
	d, told := early.dispatcher(t, "one", nil)
	deadline := w.get(t, id).LiveAttempt().Deadline
	now, err := w.engine.Time(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w.advance(deadline.Sub(now)) // at the deadline, but not past the clock error
	if n := d.pass(t); n != 1 || told.of(Early) != 1 {
		t.Fatalf("%d items, outcomes %v", n, told.outcomes)
	}
	if o := w.get(t, id); o.State != ledger.Dispatched {
		t.Errorf("got %s", o.State)
	}
	w.advance(clockError + time.Second)
	if n := d.pass(t); n != 1 || told.of(Done) != 1 {
		t.Fatalf("%d items, outcomes %v", n, told.outcomes)
	}
}
