package dispatch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/opledger/opledger/breaker"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

func TestTheServerActsUnderAPermitAndReports(t *testing.T) { onEach(t, theServerActsAndReports) }

func theServerActsAndReports(t *testing.T, w *world) {
	v := newVendor()
	ids := []ledger.OperationID{w.enqueue(t, payment, "a"), w.enqueue(t, mail, "b")}
	e, told := w.executor(t, v, nil)
	if n := e.pass(t); n != 2 {
		t.Fatalf("%d items", n)
	}
	for i, id := range ids {
		o := w.get(t, id)
		if o.State != ledger.CompletedSuccess || v.count(id) != 1 || len(o.Attempts) != 1 || o.Attempts[0].Principal != ServerPrincipal {
			t.Errorf("%s is %s after %d effects: %+v", id, o.State, v.count(id), o.Attempts)
		}
		if begun := o.Attempts[0].Begun(); begun != (i == 1) {
			t.Errorf("%s was begun: %v", id, begun)
		}
		if o.Result == nil || o.Result.ProviderObjectID != "obj_"+string(id) {
			t.Errorf("the result is %+v", o.Result)
		}
	}
	if told.made("dispatch succeeded") != 2 || len(told.requests) != 1 {
		t.Errorf("told of %v", told.requests)
	}
	for _, left := range v.left {
		if left <= 30*time.Second || left > permitLasts {
			t.Errorf("a request might take %v under a permit of %v", left, permitLasts)
		}
	}
	if n := e.pass(t); n != 0 {
		t.Errorf("%d items once more", n)
	}
}

// hands are clocks that a test moves by hand.
type hands struct{ monotonic, wall atomic.Int64 }

func (h *hands) clocks() Clocks {
	return Clocks{
		Monotonic: func() time.Duration { return time.Duration(h.monotonic.Load()) },
		Wall:      func() time.Time { return time.Unix(1_700_000_000, h.wall.Load()) },
	}
}

// TestEitherClockEndsAPermit: a process that stood still while its permit ended sends nothing, whichever of its clocks
// stood still with it.
func TestEitherClockEndsAPermit(t *testing.T) {
	for name, move := range map[string]func(*hands, time.Duration){
		"monotonic": func(h *hands, d time.Duration) { h.monotonic.Add(int64(d)) },
		"wall":      func(h *hands, d time.Duration) { h.wall.Add(int64(d)) },
	} {
		t.Run(name, func(t *testing.T) {
			w, v, h := onSQLite(t), newVendor(), &hands{}
			id := w.enqueue(t, payment, "a")
			still := &world{offset: w.offset}
			still.serve(t, &delaying{Engine: w.engine, do: func() { move(h, permitLasts) }})
			e, _ := still.executor(t, v, func(c *ExecutorConfig) { c.Clocks = h.clocks() })
			e.pass(t)
			if o := w.get(t, id); v.count(id) != 0 || o.State != ledger.FailedRetryable || o.Failure.Category != ledger.CategoryNotSent {
				t.Errorf("%d effects, %s: %+v", v.count(id), o.State, o.Failure)
			}
			if len(v.refused) != 1 || !errors.Is(v.refused[0], errTooLate) {
				t.Errorf("refused by %v", v.refused)
			}
		})
	}
}

// slow is a configuration whose tools take time to find: the permit is out by then.
type slow struct {
	Configurations
	meanwhile func()
}

func (s slow) Configuration(ctx context.Context, ns ledger.Namespace, fresh bool) (*Configuration, error) {
	found, err := s.Configurations.Configuration(ctx, ns, fresh)
	if err != nil {
		return nil, err
	}
	late := *found
	tool := found.Tool
	late.Tool = func(name string, version int64) (d *registry.Definition) {
		if version > 0 {
			s.meanwhile()
		}
		return tool(name, version)
	}
	return &late, nil
}

// TestThePermitCountsFromBeforeItWasAskedFor: the ledger's answer may have been on its way for long.
func TestThePermitCountsFromBeforeItWasAskedFor(t *testing.T) {
	w, v, h := onSQLite(t), newVendor(), &hands{}
	delayed := &world{offset: w.offset}
	delayed.serve(t, &delaying{Engine: w.engine, do: func() { h.monotonic.Add(int64(10 * time.Second)) }})
	w.enqueue(t, payment, "a")
	e, _ := delayed.executor(t, v, func(c *ExecutorConfig) { c.Clocks = h.clocks() })
	e.pass(t)
	if len(v.left) != 1 || v.left[0] > permitLasts-10*time.Second || v.left[0] < permitLasts-11*time.Second {
		t.Errorf("a request might take %v under a permit of %v whose answer took 10 s", v.left, permitLasts)
	}
}

// delaying is a database whose answers take time on the process's clock.
type delaying struct {
	ledger.Engine
	do func()
}

func (d *delaying) Transact(ctx context.Context, fn func(context.Context, ledger.Tx) error) error {
	err := d.Engine.Transact(ctx, fn)
	d.do()
	return err
}

func TestAPermitIsExtendedForARequestThatMayTakeLonger(t *testing.T) {
	w, v := onSQLite(t), newVendor()
	for _, c := range []call{payment, mail} {
		id := w.enqueue(t, c, "a"+c.provider)
		e, _ := w.executor(t, v, func(x *ExecutorConfig) { x.Configurations = tools{5 * time.Minute} })
		e.pass(t)
		left := v.left[len(v.left)-1]
		if left < 5*time.Minute || left > 5*time.Minute+spare || w.events(t, id, ledger.EventExtended) != 1 {
			t.Errorf("%s: a request of 5 minutes might take %v, after %d extensions", c.tool, left, w.events(t, id, ledger.EventExtended))
		}
		if o := w.get(t, id); o.State != ledger.CompletedSuccess {
			t.Errorf("%s is %s", c.tool, o.State)
		}
	}
}

// TestNothingIsSentOnceThePermitIsWithdrawn: whatever was decided between the permit and the first byte is heard where a
// begin is required.
func TestNothingIsSentOnceThePermitIsWithdrawn(t *testing.T) {
	w, v := onSQLite(t), newVendor()
	id := w.enqueue(t, mail, "a")
	e, told := w.executor(t, v, func(c *ExecutorConfig) {
		c.Configurations = slow{c.Configurations, func() {
			if _, err := w.ledger.Do(context.Background(), &ledger.CancelOperation{Namespace: tenant, Principal: "ann", OperationID: id}); err != nil {
				t.Error(err)
			}
		}}
	})
	e.pass(t)
	if o := w.get(t, id); v.count(id) != 0 || o.State != ledger.FailedPermanent || o.Failure.Category != ledger.CategoryCancelled {
		t.Errorf("%d effects, %s: %+v", v.count(id), o.State, o.Failure)
	}
	if told.made("dispatch not_sent") != 1 {
		t.Errorf("told of %v", told.requests)
	}
}

func TestWhatIsNotKnownIsAskedUnderItsTicket(t *testing.T) { onEach(t, whatIsNotKnownIsAsked) }

func whatIsNotKnownIsAsked(t *testing.T, w *world) {
	v := newVendor()
	v.answer = func(context.Context, Effect) ledger.Report {
		return ledger.Report{Outcome: ledger.OutcomeAmbiguous, Category: ledger.CategoryTimeout, SenderReturned: true}
	}
	id := w.enqueue(t, payment, "a")
	e, told := w.executor(t, v, nil)
	e.pass(t)
	o := w.get(t, id)
	if o.State != ledger.UnknownOutcome {
		t.Fatalf("it is %s", o.State)
	}
	v.says = func(q Question) ledger.Statement {
		if q.By != "vendor_key" && q.Value != o.VendorKey || q.OperationID != id {
			t.Errorf("asked %+v", q)
		}
		return ledger.Statement{
			Source: ledger.SourceLookup, Says: ledger.SaysHappened, By: q.By, AskedValue: q.Value, VendorKey: q.VendorKey, EffectID: "ch_1",
		}
	}
	w.advance(5 * time.Second)
	if n := e.pass(t); n != 1 || told.made("lookup happened") != 1 {
		t.Fatalf("%d items, told of %v", n, told.requests)
	}
	o = w.get(t, id)
	if o.State != ledger.CompletedSuccess || v.count(id) != 1 || len(o.Evidence) != 1 || o.Evidence[0].AskedAt.IsZero() {
		t.Errorf("%s after %d effects, by %+v", o.State, v.count(id), o.Evidence)
	}
}

// TestAReportIsSentUntilItIsDurable: what a provider has answered is known nowhere else.
func TestAReportIsSentUntilItIsDurable(t *testing.T) {
	w, v := onSQLite(t), newVendor()
	id := w.enqueue(t, payment, "a")
	breakable := &fragile{Engine: w.engine}
	other := &world{offset: w.offset}
	other.serve(t, breakable)
	answer := v.answer
	v.answer = func(ctx context.Context, e Effect) ledger.Report {
		breakable.failures.Store(4)
		return answer(ctx, e)
	}
	pauses := make(chan time.Duration, 10)
	ended := make(chan time.Time)
	close(ended)
	e, _ := other.executor(t, v, func(c *ExecutorConfig) {
		c.After = func(d time.Duration) <-chan time.Time { pauses <- d; return ended }
	})
	e.pass(t)
	if o := w.get(t, id); o.State != ledger.CompletedSuccess || w.events(t, id, ledger.EventReported) != 1 {
		t.Errorf("%s after %d reports", o.State, w.events(t, id, ledger.EventReported))
	}
	close(pauses)
	var waited []time.Duration
	for p := range pauses {
		waited = append(waited, p/time.Second)
	}
	if !slices.Equal(waited, []time.Duration{1, 2, 4, 8}) {
		t.Errorf("it paused for %v seconds", waited)
	}
}

// fragile fails so many transactions, as a database that is away for a while does.
type fragile struct {
	ledger.Engine
	failures atomic.Int64
}

func (f *fragile) Transact(ctx context.Context, fn func(context.Context, ledger.Tx) error) error {
	if f.failures.Add(-1) >= 0 {
		return errors.New("away")
	}
	return f.Engine.Transact(ctx, fn)
}

// TestATakeWhoseAnswerGotLostFindsItsOwnPermit: the second one earns no second attempt.
func TestATakeWhoseAnswerGotLostFindsItsOwnPermit(t *testing.T) {
	w, v := onSQLite(t), newVendor()
	id := w.enqueue(t, payment, "a")
	lossy := &forgetful{Engine: w.engine}
	other := &world{offset: w.offset}
	other.serve(t, lossy)
	e, _ := other.executor(t, v, nil)
	lossy.lose.Store(true)
	e.pass(t)
	if o := w.get(t, id); o.State != ledger.CompletedSuccess || v.count(id) != 1 || len(o.Attempts) != 1 {
		t.Errorf("%s after %d effects in %d attempts", o.State, v.count(id), len(o.Attempts))
	}
}

// forgetful commits one transaction and loses its answer.
type forgetful struct {
	ledger.Engine
	lose atomic.Bool
}

func (f *forgetful) Transact(ctx context.Context, fn func(context.Context, ledger.Tx) error) error {
	err := f.Engine.Transact(ctx, fn)
	if err == nil && f.lose.CompareAndSwap(true, false) {
		return fmt.Errorf("%w: the connection broke", ledger.ErrUnknownCommit)
	}
	return err
}

// TestAnOpenBreakerLeavesWorkAlone: what its provider would not take is not claimed, and nothing of it changes.
func TestAnOpenBreakerLeavesWorkAlone(t *testing.T) {
	w, v := onSQLite(t), newVendor()
	now := time.Unix(1_700_000_000, 0)
	breakers := breaker.NewSet(breaker.Config{
		Clock: func() time.Time { return now },
		Dispatch: breaker.Settings{
			Window: time.Minute, Least: 2, Share: 0.5, FirstPause: 10 * time.Second, LongestPause: time.Minute, ProbeFor: time.Minute,
		},
	})
	e, told := w.executor(t, v, func(c *ExecutorConfig) { c.Breakers = breakers })
	answer := v.answer
	v.answer = func(context.Context, Effect) ledger.Report {
		return ledger.Report{Outcome: ledger.OutcomeDeclined, RawStatusCode: "503", RetryAfter: time.Hour, SenderReturned: true}
	}
	w.enqueue(t, payment, "a")
	w.enqueue(t, payment, "b")
	e.pass(t)
	waiting := []ledger.OperationID{w.enqueue(t, payment, "c"), w.enqueue(t, payment, "d")}
	others := w.enqueue(t, mail, "e")
	if n := e.pass(t); n != 1 || v.count(others) != 1 {
		t.Fatalf("%d items while the breaker was open", n)
	}
	for _, id := range waiting {
		if o := w.get(t, id); o.Version != 1 || o.State != ledger.PendingDispatch {
			t.Errorf("%s is %s at version %d", id, o.State, o.Version)
		}
	}
	v.answer = answer
	now = now.Add(10 * time.Second)
	if n := e.pass(t); n != 1 {
		t.Fatalf("%d probes", n)
	}
	if n := e.pass(t); n != 1 {
		t.Fatalf("%d items after the probe", n)
	}
	for _, id := range waiting {
		if o := w.get(t, id); o.State != ledger.CompletedSuccess {
			t.Errorf("%s is %s", id, o.State)
		}
	}
	if told.made("dispatch declined") != 3 || told.made("dispatch succeeded") != 2 {
		t.Errorf("told of %v", told.requests)
	}
}

func TestASlowProviderTakesItsShareAndNoMore(t *testing.T) {
	w, v := onSQLite(t), newVendor()
	entered, leave := make(chan ledger.OperationID, 100), make(chan struct{})
	answer := v.answer
	v.answer = func(ctx context.Context, x Effect) ledger.Report {
		if x.Namespace == tenant {
			entered <- x.OperationID
			<-leave
		}
		return answer(ctx, x)
	}
	for i := range 20 {
		w.enqueue(t, payment, fmt.Sprint("slow", i))
	}
	other := payment
	other.ns = "other"
	well := w.enqueue(t, other, "well")
	e, told := w.executor(t, v, func(c *ExecutorConfig) { c.Concurrency, c.PerProvider = 8, 3 })
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { e.Run(ctx); close(ended) }()
	for range 3 {
		<-entered
	}
	waitFor(t, func() bool { return w.of(t, "other", well).State == ledger.CompletedSuccess })
	if n := len(entered); n != 0 {
		t.Errorf("%d more requests to the slow provider", n)
	}
	close(leave)
	waitFor(t, func() bool { return told.made("dispatch succeeded") == 21 })
	cancel()
	<-ended
}

// waitFor waits until a condition holds.
func waitFor(t *testing.T, holds func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for !holds() {
		select {
		case <-deadline:
			t.Fatal("it did not come to hold")
		case <-time.After(time.Millisecond):
		}
	}
}

// TestADrainCutsOffWhatTakesTooLong: the request's outcome is then reported as it is known, before the process ends.
func TestADrainCutsOffWhatTakesTooLong(t *testing.T) {
	w, v := onSQLite(t), newVendor()
	id := w.enqueue(t, payment, "a")
	entered := make(chan struct{})
	v.answer = func(ctx context.Context, _ Effect) ledger.Report {
		close(entered)
		<-ctx.Done()
		return ledger.Report{Outcome: ledger.OutcomeAmbiguous, Category: ledger.CategoryTimeout, SenderReturned: true}
	}
	drain := make(chan time.Time)
	e, _ := w.executor(t, v, func(c *ExecutorConfig) {
		c.Drain = time.Hour
		c.After = func(d time.Duration) <-chan time.Time {
			if d == time.Hour {
				return drain
			}
			return time.After(d)
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { e.Run(ctx); close(ended) }()
	<-entered
	cancel()
	select {
	case <-ended:
		t.Fatal("it ended while a request was under way")
	case drain <- time.Time{}:
	}
	<-ended
	if o := w.get(t, id); o.State != ledger.UnknownOutcome || o.Live != 0 || o.Attempts[0].ReportedAt.IsZero() {
		t.Errorf("it is %s: %+v", o.State, o.Attempts)
	}
}
