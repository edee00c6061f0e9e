package dispatch

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
)

// beside is another server of the same database: commands of its own transactions, in one world's time.
func (w *world) beside(t *testing.T) *world {
	t.Helper()
	other := &world{engine: w.engine, offset: w.offset, ledger: transact.New(w.engine, transact.Options{})}
	t.Cleanup(other.ledger.Close)
	return other
}

// named gives an executor a name to claim under.
func named(claimer string) func(*ExecutorConfig) {
	return func(c *ExecutorConfig) { c.Claimer = claimer }
}

// TestFC404RecoveryAdoptsNothingAlive: two servers sweep at once while a permit is live and another operation is ready.
// One of them reads its list, is held up until its claims have run out and the other one has finished, and goes on from
// what it saw. There is one permit, and one effect.
func TestFC404RecoveryAdoptsNothingAlive(t *testing.T) { onEach(t, recoveryAdoptsNothingAlive) }

func recoveryAdoptsNothingAlive(t *testing.T, w *world) {
	v := newVendor()
	entered, leave := make(chan struct{}), make(chan struct{})
	var once sync.Once
	answer := v.answer
	alive := w.enqueue(t, mail, "alive")
	v.answer = func(ctx context.Context, e Effect) ledger.Report {
		if e.OperationID == alive {
			once.Do(func() { close(entered) })
			<-leave
		}
		return answer(ctx, e)
	}
	first, _ := w.executor(t, v, named("first"))
	second, told := w.beside(t).executor(t, v, named("second"))
	var acting sync.WaitGroup
	acting.Go(func() { first.pass(t) })
	<-entered // its permit is out

	ready := w.enqueue(t, mail, "ready")
	listed, err := first.claim(t.Context(), 32)
	if err != nil || len(listed) != 1 || listed[0].work.OperationID != ready {
		t.Fatalf("listed %+v, %v", listed, err)
	}
	if n := second.pass(t); n != 0 {
		t.Fatalf("%d items while one is claimed and the other's permit is live", n)
	}
	w.extend(t, alive) // it goes on living
	w.advance(DefaultExecutorHold + permitLasts + time.Second)
	if n := second.pass(t); n != 1 || told.made("dispatch succeeded") != 1 {
		t.Fatalf("%d items, told of %v", n, told.requests)
	}
	before := w.get(t, ready)
	first.handle(context.WithoutCancel(t.Context()), listed[0]) // it wakes
	if o := w.get(t, ready); o.Version != before.Version || len(o.Attempts) != 1 || v.count(ready) != 1 {
		t.Errorf("after the late one: version %d was %d, %d attempts, %d effects", o.Version, before.Version, len(o.Attempts), v.count(ready))
	}
	if o := w.get(t, alive); o.State != ledger.Dispatched || len(o.Attempts) != 1 || v.count(alive) != 1 {
		t.Errorf("what was alive is %s after %d attempts", o.State, len(o.Attempts))
	}
	close(leave)
	acting.Wait()
	if o := w.get(t, alive); o.State != ledger.CompletedSuccess || v.count(alive) != 1 {
		t.Errorf("what was alive ended %s with %d effects", o.State, v.count(alive))
	}
}

// extend moves an operation's permit, as its holder's heartbeat does.
func (w *world) extend(t *testing.T, id ledger.OperationID) {
	t.Helper()
	o := w.get(t, id)
	_, err := w.ledger.Do(t.Context(), &ledger.Extend{
		Bearer: ledger.Bearer{
			Namespace: o.Namespace, Principal: ServerPrincipal, OperationID: id, AttemptID: o.LiveAttempt().ID, TokenProven: true,
		},
		NonceHash: o.LiveAttempt().NonceHash, By: 30 * time.Minute, ExtensionID: "ext_1",
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestFC407NothingIsHandedOutEarly: a retry in six hours, claims of a minute, and a hundred servers that look all the
// time. Then a handler that outlives its claim and its permit: what it says late moves nothing a second time.
func TestFC407NothingIsHandedOutEarly(t *testing.T) { onEach(t, nothingIsHandedOutEarly) }

func nothingIsHandedOutEarly(t *testing.T, w *world) {
	const servers, later = 100, 6 * time.Hour
	v := newVendor()
	answer := v.answer
	v.answer = func(context.Context, Effect) ledger.Report {
		return ledger.Report{Outcome: ledger.OutcomeDeclined, RawStatusCode: "503", RetryAfter: later, SenderReturned: true}
	}
	id := w.enqueue(t, mail, "later")
	var executors []*Executor
	for i := range servers {
		e, _ := w.executor(t, v, named(fmt.Sprint("server ", i)))
		executors = append(executors, e)
	}
	look := func() (found []errand) {
		t.Helper()
		var mu sync.Mutex
		var looking sync.WaitGroup
		for _, e := range executors {
			looking.Go(func() {
				claimed, err := e.claim(t.Context(), 32)
				mu.Lock()
				defer mu.Unlock()
				if found = append(found, claimed...); err != nil {
					t.Error(err)
				}
			})
		}
		looking.Wait()
		return found
	}
	executors[0].pass(t)
	due := w.get(t, id).RetryAt
	for _, by := range []time.Duration{time.Minute, 3 * time.Hour, 2*time.Hour + 58*time.Minute} {
		if found := look(); len(found) != 0 {
			t.Fatalf("%d of a hundred were given it before it is due", len(found))
		}
		w.advance(by)
	}
	if found := look(); len(found) != 0 {
		t.Fatal("it was given out a minute early")
	}
	now, err := w.engine.Time(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w.advance(due.Sub(now) + time.Second)
	dead := look() // and then its claimer dies
	if len(dead) != 1 {
		t.Fatalf("%d of a hundred were given it when it was due", len(dead))
	}
	if found := look(); len(found) != 0 {
		t.Fatalf("%d more while it is claimed", len(found))
	}
	w.advance(DefaultExecutorHold + permitLasts + time.Second)
	again := look()
	if len(again) != 1 {
		t.Fatalf("%d of a hundred took it over", len(again))
	}

	// Its handler sends, and is then held up for longer than its claim and its permit last.
	v.answer = func(ctx context.Context, e Effect) ledger.Report {
		w.advance(time.Hour)
		if found := look(); len(found) != 0 {
			t.Errorf("%d others were given it while its outcome is open", len(found))
		}
		d, _ := w.dispatcher(t, "due work", nil)
		d.pass(t)
		if o := w.get(t, e.OperationID); o.State != ledger.UnknownOutcome {
			t.Errorf("it is %s after a silent permit", o.State)
		}
		return answer(ctx, e)
	}
	executors[1].handle(context.WithoutCancel(t.Context()), again[0])
	o := w.get(t, id)
	if o.State != ledger.CompletedSuccess || len(o.Attempts) != 2 || v.count(id) != 2 || w.events(t, id, ledger.EventPermitEnded) != 1 {
		t.Errorf("%s after %d attempts and %d requests", o.State, len(o.Attempts), v.count(id))
	}
	executors[0].handle(context.WithoutCancel(t.Context()), dead[0]) // the dead one was only slow
	if late := w.get(t, id); late.Version != o.Version || v.count(id) != 2 {
		t.Errorf("the late one made version %d of %d, and %d requests", late.Version, o.Version, v.count(id))
	}
}
