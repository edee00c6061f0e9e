package ledger_test

import (
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/locks"
)

// leaseNow is a lease as it is stored.
func leaseNow(w *ledgertest.World, l *ledger.Lease) *ledger.Lease {
	return w.Record(ledger.LeaseKey(ledgertest.North, l.ID)).(*ledger.Lease)
}

// joining acquires for a lease that is held.
func joining(w *ledgertest.World, l *ledger.Lease, entities ...locks.Entity) *ledger.AcquireLease {
	p := proof(l)
	c := acquire(w, l.WorkflowID, l.RunID, entities...)
	c.Join = &p
	return c
}

// TestLeaseThatIsJoinedTakesTheWorkflowsOthersIn, and they end.
func TestLeaseThatIsJoinedTakesTheWorkflowsOthersIn(t *testing.T) {
	w := ledgertest.New(t)
	l := granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
	other := granted(t, w, acquire(w, "wf_1", "run_1", orders("b")...))
	wide := granted(t, w, joining(w, l, orders("a", "b")...))
	if wide.ID != l.ID || wide.Fence(orders("a")[0]) != 1 || wide.Fence(orders("b")[0]) != 2 {
		t.Errorf("%+v", wide)
	}
	refusedBy(t, w, renew(w, other), ledger.ReasonLeaseLost)
}

// TestLeaseInWhosePlaceAnotherComes ends, also beside one that has given its entity back before and goes on without it.
func TestLeaseInWhosePlaceAnotherComes(t *testing.T) {
	w := ledgertest.New(t)
	apart := granted(t, w, acquire(w, "wf_1", "run_1", orders("a", "x")...))
	did[ledger.ReleasedLease](t, w, release(apart, orders("a")...))
	old := granted(t, w, acquire(w, "wf_1", "run_1", orders("b")...))
	granted(t, w, acquire(w, "wf_1", "run_1", orders("a", "b")...))
	refusedBy(t, w, renew(w, old), ledger.ReasonLeaseLost)
	did[ledger.HeldLease](t, w, renew(w, apart))
}

// TestLeaseOfAnotherWorkflowStaysAsItIs where it has given the entity back: whole, or for this entity alone.
func TestLeaseOfAnotherWorkflowStaysAsItIs(t *testing.T) {
	w := ledgertest.New(t)
	whole := granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
	did[ledger.ReleasedLease](t, w, release(whole))
	part := granted(t, w, acquire(w, "wf_2", "run_1", orders("b", "c")...))
	did[ledger.ReleasedLease](t, w, release(part, orders("b")...))
	before := []int64{leaseNow(w, whole).Version, leaseNow(w, part).Version}
	w.Advance(time.Second)
	granted(t, w, acquire(w, "wf_3", "run_1", orders("a", "b")...))
	if l := leaseNow(w, whole); l.EndedBy != locks.EndedReleased || l.Version != before[0] {
		t.Errorf("what was given back is %+v", l)
	}
	if l := leaseNow(w, part); !l.EndedAt.IsZero() || l.Version != before[1] {
		t.Errorf("what was given back in part is %+v", l)
	}
}

// TestLeaseThatIsTakenOverIsYoung: another run holds for as long as any, and the old lease says which run it was.
func TestLeaseThatIsTakenOverIsYoung(t *testing.T) {
	w := ledgertest.New(t)
	first := granted(t, w, acquire(w, "wf_1", "run_1", orders("a", "b")...))
	w.Advance(10 * time.Second)
	second := granted(t, w, acquire(w, "wf_1", "run_2", orders("a", "b")...))
	if want := w.Now.Add(locks.GreatestAge); !second.GreatestEnd.Equal(want) {
		t.Errorf("the greatest end is %s, want %s", second.GreatestEnd, want)
	}
	if l := leaseNow(w, first); l.EndedBy != locks.EndedTakenOver || l.TakenBy != "run_2" {
		t.Errorf("the old lease ended as %q, by %q", l.EndedBy, l.TakenBy)
	}
	refusedBy(t, w, renew(w, first), ledger.ReasonRunSuperseded)
}

// TestLeaseOfARequestThatMeansSomethingElseByNow is no answer to it.
func TestLeaseOfARequestThatMeansSomethingElseByNow(t *testing.T) {
	for name, then := range map[string]func(*ledgertest.World, *ledger.AcquireLease, *ledger.Lease){
		"it names what has joined the lease since": func(w *ledgertest.World, again *ledger.AcquireLease, l *ledger.Lease) {
			granted(t, w, joining(w, l, orders("c")...))
			again.Entities = orders("a", "b", "c")
		},
		"it names as many others of the lease": func(w *ledgertest.World, again *ledger.AcquireLease, l *ledger.Lease) {
			granted(t, w, joining(w, l, orders("c")...))
			again.Entities = orders("a", "c")
		},
		"one was given back, and has a lease of its own": func(w *ledgertest.World, again *ledger.AcquireLease, l *ledger.Lease) {
			did[ledger.ReleasedLease](t, w, release(l, orders("a")...))
			granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			c := acquire(w, "wf_1", "run_1", orders("a", "b")...)
			l := granted(t, w, c)
			again := *c
			again.NewLease = w.ID("lea")
			then(w, &again, l)
			refusedBy(t, w, &again, ledger.ReasonRequestReused)
		})
	}
}

// TestHowALeaseWasLost is said to whoever lost it.
func TestHowALeaseWasLost(t *testing.T) {
	for said, lose := range map[string]func(*ledgertest.World, *ledger.Lease){
		"expired":    func(w *ledgertest.World, _ *ledger.Lease) { w.Advance(time.Minute) },
		"given back": func(w *ledgertest.World, l *ledger.Lease) { did[ledger.ReleasedLease](t, w, release(l)) },
		"broken by kim (the run is gone)": func(w *ledgertest.World, l *ledger.Lease) {
			did[ledger.BrokenLease](t, w, breaks("a", l.Etag()))
		},
		"acquired the lease anew": func(w *ledgertest.World, l *ledger.Lease) {
			granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
		},
	} {
		t.Run(said, func(t *testing.T) {
			w := ledgertest.New(t)
			l := granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
			lose(w, l)
			_, err := w.Do(renew(w, l))
			wantRefusal(t, err, ledger.ReasonLeaseLost)
			if !strings.Contains(err.Error(), said) {
				t.Errorf("it is told %q", err)
			}
		})
	}
}

// TestBreakThatIsRepeated lists what it has lifted, and not what was seen beside, whether that was sent or not.
func TestBreakThatIsRepeated(t *testing.T) {
	w := ledgertest.New(t)
	o := unknownOn(t, w, "wf_1", "a")
	beside, unsent := unknownOn(t, w, "wf_1", "b"), queued(email)
	unsent.Order, unsent.Key = "c", "email:unsent"
	l := granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
	c := breaks("a", l.Etag(), o.ID, beside.ID, w.Propose(unsent).Operation.ID)
	for _, try := range []string{"first", "repeated"} {
		r := did[ledger.BrokenLease](t, w, c)
		if len(r.Lifted) != 1 || r.Lifted[0].OperationID != o.ID {
			t.Errorf("%s: lifted are %+v", try, r.Lifted)
		}
	}
}
