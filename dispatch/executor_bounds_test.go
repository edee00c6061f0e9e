package dispatch

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/opledger/opledger/breaker"
	"github.com/opledger/opledger/ledger"
)

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

// TestANamespaceOfSlowProvidersLeavesRoom: whoever names many providers that never answer holds up nobody but itself.
func TestANamespaceOfSlowProvidersLeavesRoom(t *testing.T) {
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
		tarpit := payment
		tarpit.tool, tarpit.provider = fmt.Sprint("tarpit.", i), fmt.Sprint("tarpit", i)
		w.enqueue(t, tarpit, fmt.Sprint("slow", i))
	}
	e, told := w.executor(t, v, func(c *ExecutorConfig) { c.Concurrency, c.PerProvider = 8, 2 })
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { e.Run(ctx); close(ended) }()
	for range 6 {
		<-entered
	}
	other := payment
	other.ns = "other"
	well := w.enqueue(t, other, "well")
	e.Poke()
	waitFor(t, func() bool { return w.of(t, "other", well).State == ledger.CompletedSuccess })
	if n := len(entered); n != 0 {
		t.Errorf("%d more requests of the namespace", n)
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

// TestALargeTenantHoldsNobodyUp: a look shares its places among namespaces and tools, whatever waits in each.
func TestALargeTenantHoldsNobodyUp(t *testing.T) { onEach(t, aLargeTenantHoldsNobodyUp) }

func aLargeTenantHoldsNobodyUp(t *testing.T, w *world) {
	for i := range 20 {
		w.enqueue(t, payment, fmt.Sprint("large", i))
	}
	small := payment
	small.ns = "small"
	w.enqueue(t, small, "one")
	w.enqueue(t, mail, "beside")
	e, _ := w.executor(t, newVendor(), nil)
	claimed, err := e.claim(t.Context(), 4)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, x := range claimed {
		got[fmt.Sprint(x.work.Namespace, " ", x.work.Tool)]++
	}
	if len(claimed) != 4 || got["small payment.capture"] != 1 || got["shop email.send"] != 1 || got["shop payment.capture"] != 2 {
		t.Errorf("claimed %v", got)
	}
	if n := e.slots.taken[slotOf(claimed[0].work.Queue)]; n < 1 || n > 2 {
		t.Errorf("%d slots are taken", n)
	}
}
