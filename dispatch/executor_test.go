package dispatch

import (
	"context"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
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
