package dispatch

import (
	"sync"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// TestASenderThatFreezesAfterItsLastLook: a process stands still between its last look at the clock and its first byte
// until long after its permit has ended and others have looked for the outcome. When it wakes, it sends. Of a message
// that must not go out twice there is one; of a payment there may be two requests, under one key.
func TestASenderThatFreezesAfterItsLastLook(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		searched := mail
		searched.lookups = []registry.Lookup{{By: registry.ByClientReference}}
		for _, c := range []call{searched, payment} {
			freezes(t, w, c)
		}
	})
}

func freezes(t *testing.T, w *world, c call) {
	t.Helper()
	v := newVendor()
	v.says = func(q Question) ledger.Statement { // the provider has nothing yet
		return ledger.Statement{Source: ledger.SourceLookup, Says: ledger.SaysNot, By: q.By, AskedValue: q.Value}
	}
	id := w.enqueue(t, c, "frozen_"+c.provider)
	frozen, wake := make(chan struct{}), make(chan struct{})
	sleeper, _ := w.executor(t, v, func(x *ExecutorConfig) {
		x.Claimer = "sleeper"
		x.BeforeSend = func(ledger.OperationID) {
			close(frozen)
			<-wake
		}
	})
	var acting sync.WaitGroup
	acting.Go(func() { sleeper.pass(t) })
	<-frozen

	other := w.beside(t)
	executor, told := other.executor(t, v, named("other"))
	due, _ := other.dispatcher(t, "due work", nil)
	w.advance(permitLasts + time.Second)
	for range 5 { // within the allowance for a silent attempt that may wake
		due.pass(t)
		executor.pass(t)
		w.advance(30 * time.Second)
	}
	o := w.get(t, id)
	if told.made("lookup did_not_happen") == 0 || c.class == registry.ExternalNonIdempotentWrite && (o.State != ledger.UnknownOutcome || len(o.Attempts) != 1) {
		t.Fatalf("%s is %s after %d attempts, told of %v", c.tool, o.State, len(o.Attempts), told.requests)
	}
	close(wake)
	acting.Wait()
	o = w.get(t, id)
	if o.State != ledger.CompletedSuccess || len(o.Effects) != 1 || len(o.Incidents) != 0 {
		t.Errorf("%s is %s with %d effects known and incidents %v", c.tool, o.State, len(o.Effects), o.Incidents)
	}
	if c.class == registry.ExternalNonIdempotentWrite && v.count(id) != 1 {
		t.Errorf("%s had %d effects", c.tool, v.count(id))
	}
	if len(v.keys[id]) != 1 {
		t.Errorf("%s was sent under %d keys", c.tool, len(v.keys[id]))
	}
}
