package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/locks"
)

// waiting makes an acquisition one that goes on asking.
func waiting(c *ledger.AcquireLease) *ledger.AcquireLease {
	c.Wait = locks.MaxWait
	return c
}

func TestLeaseIsGrantedInOrderOfArrival(t *testing.T) {
	w := ledgertest.New(t)
	held := granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
	var line []*ledger.AcquireLease
	for i := range 3 {
		line = append(line, waiting(acquire(w, fmt.Sprintf("wf_%d", i+2), "run_1", orders("a")...)))
		if no := withheld(t, w, line[i]); no.WaitingBefore != i {
			t.Fatalf("%d wait before the one that came as number %d", no.WaitingBefore, i)
		}
	}
	did[ledger.ReleasedLease](t, w, release(held))
	for i, first := range line {
		for _, later := range line[i+1:] {
			withheld(t, w, later)
		}
		withheld(t, w, acquire(w, "wf_9", "run_1", orders("a")...)) // it does not wait, and does not pass those who do
		did[ledger.ReleasedLease](t, w, release(granted(t, w, first)))
	}
}

func TestLeaseLineIsLeftByWhoIsGone(t *testing.T) {
	w := ledgertest.New(t)
	held := granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
	dead := waiting(acquire(w, "wf_2", "run_1", orders("a")...))
	withheld(t, w, dead)
	did[ledger.ReleasedLease](t, w, release(held))
	alive := waiting(acquire(w, "wf_3", "run_1", orders("a")...))
	withheld(t, w, alive)
	w.Advance(locks.Presence - time.Millisecond)
	withheld(t, w, alive)
	w.Advance(time.Millisecond)
	granted(t, w, alive)
	if no := withheld(t, w, dead); no.WaitingBefore != 0 {
		t.Fatalf("the line is %d long", no.WaitingBefore)
	}
}

func TestLeaseLineIsLeftByWhoStopsWaiting(t *testing.T) {
	w := ledgertest.New(t)
	held := granted(t, w, acquire(w, "wf_1", "run_1", orders("a", "b")...))
	first := waiting(acquire(w, "wf_2", "run_1", orders("a", "b")...))
	withheld(t, w, first)
	first.Wait = 0
	withheld(t, w, first)
	for _, e := range orders("a", "b") {
		if s := w.Scope(locks.LeaseRefOf(string(ledgertest.North), e)); len(s.Waiting) != 0 {
			t.Fatalf("it still waits for %s: %+v", e, s.Waiting)
		}
	}
	did[ledger.ReleasedLease](t, w, release(held))
	granted(t, w, acquire(w, "wf_3", "run_1", orders("a")...))
}

func TestLeaseWaitIsWrittenOnlyWhenItIsOld(t *testing.T) {
	w := ledgertest.New(t)
	granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
	c := waiting(acquire(w, "wf_2", "run_1", orders("a")...))
	until := func() time.Time {
		withheld(t, w, c)
		return w.Scope(locks.LeaseRefOf(string(ledgertest.North), orders("a")[0])).Waiting[0].Until
	}
	first := until()
	w.Advance(time.Second)
	if until() != first {
		t.Error("asking again wrote the place anew although it was fresh")
	}
	w.Advance(locks.Presence / 2)
	if until() != w.Now.Add(locks.Presence) {
		t.Error("asking again did not keep the place")
	}
}

// TestLeaseLinesAreOfOneOrder: two that want the same two entities, named in another order, do not each stand first before
// one of them.
func TestLeaseLinesAreOfOneOrder(t *testing.T) {
	w := ledgertest.New(t)
	one := granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
	two := granted(t, w, acquire(w, "wf_2", "run_1", orders("b")...))
	first, second := waiting(acquire(w, "wf_3", "run_1", orders("a", "b")...)), waiting(acquire(w, "wf_4", "run_1", orders("b", "a")...))
	withheld(t, w, first)
	withheld(t, w, second)
	did[ledger.ReleasedLease](t, w, release(two))
	withheld(t, w, second)
	did[ledger.ReleasedLease](t, w, release(one))
	withheld(t, w, second)
	did[ledger.ReleasedLease](t, w, release(granted(t, w, first)))
	granted(t, w, second)
}

// TestLeaseOfOnesOwnWaitsForNobody: who holds an entity takes it over and asks anew past those who wait for it.
func TestLeaseOfOnesOwnWaitsForNobody(t *testing.T) {
	w := ledgertest.New(t)
	granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
	other := waiting(acquire(w, "wf_2", "run_1", orders("a")...))
	withheld(t, w, other)
	l := granted(t, w, acquire(w, "wf_1", "run_2", orders("a")...))
	did[ledger.ReleasedLease](t, w, release(l))
	withheld(t, w, acquire(w, "wf_1", "run_2", orders("a")...)) // it is nobody's now, and another came first
	granted(t, w, other)
}

func TestLeaseLineIsBounded(t *testing.T) {
	w := ledgertest.New(t)
	w.Unaudited = true
	granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
	for range locks.MaxWaiting + 5 {
		withheld(t, w, waiting(acquire(w, w.ID("workflow"), "run_1", orders("a")...)))
	}
	if n := len(w.Scope(locks.LeaseRefOf(string(ledgertest.North), orders("a")[0])).Waiting); n != locks.MaxWaiting {
		t.Fatalf("%d wait", n)
	}
}
