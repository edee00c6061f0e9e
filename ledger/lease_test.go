package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/locks"
)

func TestLeaseOfAnotherWorkflowKeepsItOut(t *testing.T) {
	w := ledgertest.New(t)
	held := granted(t, w, acquire(w, "wf_1", "run_1", orders("a", "b")...))
	if held.Fence(orders("a")[0]) != 1 || held.Fence(orders("b")[0]) != 1 || held.ExpiresAt != w.Now.Add(time.Minute) {
		t.Fatalf("%+v", held)
	}
	no := withheld(t, w, acquire(w, "wf_2", "run_1", orders("c", "b")...))
	h := no.Holders[0]
	if len(no.Holders) != 1 || h.Entity != orders("b")[0] || h.WorkflowID != "wf_1" || h.RunID != "run_1" || h.Until != held.ExpiresAt || h.Scope != "lease" {
		t.Fatalf("%+v", no)
	}
	granted(t, w, acquire(w, "wf_3", "run_1", orders("c")...)) // all or nothing: wf_2 took nothing
}

func TestLeaseEndsForItsHolderBeforeAnotherGetsTheEntity(t *testing.T) {
	w := ledgertest.New(t)
	w.Env.ClockError = 500 * time.Millisecond
	held := granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
	w.Advance(time.Minute)
	refusedBy(t, w, renew(w, held), ledger.ReasonLeaseLost)
	withheld(t, w, acquire(w, "wf_2", "run_1", orders("a")...))
	w.Advance(w.Env.ClockError)
	next := granted(t, w, acquire(w, "wf_2", "run_1", orders("a")...))
	if next.Fence(orders("a")[0]) != 2 {
		t.Fatalf("the fencing number is %d", next.Fence(orders("a")[0]))
	}
	w.Advance(-time.Hour) // a clock that jumps back revives nothing
	refusedBy(t, w, renew(w, held), ledger.ReasonLeaseLost)
}

func TestLeaseIsTakenOverByAnotherRun(t *testing.T) {
	w := ledgertest.New(t)
	first := granted(t, w, acquire(w, "wf_1", "run_1", orders("a", "b")...))
	second := granted(t, w, acquire(w, "wf_1", "run_2", orders("b", "c")...))
	for id, fence := range map[string]int64{"a": 2, "b": 2, "c": 1} {
		if got := second.Fence(orders(id)[0]); got != fence {
			t.Errorf("the fencing number of %s is %d, want %d: all that was covered is covered anew", id, got, fence)
		}
	}
	if second.ID == first.ID {
		t.Error("a new owner has a new lease, so that the old token proves nothing")
	}
	refusedBy(t, w, renew(w, first), ledger.ReasonRunSuperseded)
	if !did[ledger.ReleasedLease](t, w, release(first)).WasLost {
		t.Error("it gave back what it had lost, and is not told so")
	}
	for name, c := range map[string]*ledger.AcquireLease{
		"while the lease is held": acquire(w, "wf_1", "run_1", orders("a")...),
		"of what it never held":   acquire(w, "wf_1", "run_1", orders("c")...),
	} {
		t.Run(name, func(t *testing.T) { refusedBy(t, w, c, ledger.ReasonRunSuperseded) })
	}
	did[ledger.ReleasedLease](t, w, release(second, orders("a")...))
	refusedBy(t, w, acquire(w, "wf_1", "run_1", orders("a")...), ledger.ReasonRunSuperseded)
	did[ledger.ReleasedLease](t, w, release(second))
	refusedBy(t, w, acquire(w, "wf_1", "run_1", orders("b")...), ledger.ReasonRunSuperseded)
	third := granted(t, w, acquire(w, "wf_1", "run_3", orders("a")...))
	refusedBy(t, w, acquire(w, "wf_1", "run_1", orders("a")...), ledger.ReasonRunSuperseded)
	if third.Fence(orders("a")[0]) != 3 {
		t.Errorf("the fencing number is %d", third.Fence(orders("a")[0]))
	}
}

func TestLeaseThatExpiredIsTakenOverWithoutWhatIsOthersByNow(t *testing.T) {
	w := ledgertest.New(t)
	granted(t, w, acquire(w, "wf_1", "run_1", orders("a", "b")...))
	w.Advance(time.Hour)
	granted(t, w, acquire(w, "wf_2", "run_1", orders("b")...))
	l := granted(t, w, acquire(w, "wf_1", "run_2", orders("a")...))
	if l.Fence(orders("b")[0]) != 0 {
		t.Fatal("b is another workflow's by now")
	}
}

func TestLeaseAskedForAnewByTheSameRun(t *testing.T) {
	w := ledgertest.New(t)
	first := granted(t, w, acquire(w, "wf_1", "run_1", orders("a", "b")...))
	w.Advance(10 * time.Second)
	second := granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
	if second.ID == first.ID || second.Fence(orders("a")[0]) != 2 || second.Fence(orders("b")[0]) != 2 {
		t.Fatalf("who lost the token gets a new one for all that it had: %+v", second)
	}
	if second.GreatestEnd != first.GreatestEnd {
		t.Errorf("asking anew moved the greatest end from %s to %s", first.GreatestEnd, second.GreatestEnd)
	}
	refusedBy(t, w, renew(w, first), ledger.ReasonLeaseLost)
	did[ledger.HeldLease](t, w, renew(w, second))
}

func TestLeaseOfARepeatedRequest(t *testing.T) {
	w := ledgertest.New(t)
	c := acquire(w, "wf_1", "run_1", orders("a", "b")...)
	first := granted(t, w, c)
	again := *c
	again.NewLease, again.Entities = w.ID("lea"), orders("b", "a")
	if l := granted(t, w, &again); l.ID != first.ID {
		t.Fatalf("the repeat got %s, not %s", l.ID, first.ID)
	}
	other := again
	other.Entities = orders("a", "c")
	refusedBy(t, w, &other, ledger.ReasonRequestReused)
	other = again
	other.RunID = "run_2"
	refusedBy(t, w, &other, ledger.ReasonRequestReused)
	did[ledger.ReleasedLease](t, w, release(first))
	if l := granted(t, w, &again); l.ID == first.ID {
		t.Fatal("a lease that was given back came back")
	}
}

func TestLeaseThatEntitiesJoin(t *testing.T) {
	w := ledgertest.New(t)
	l := granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
	w.Advance(30 * time.Second)
	join := acquire(w, "wf_1", "run_1", orders("a", "b")...)
	p := proof(l)
	join.Join = &p
	wide := granted(t, w, join)
	if wide.ID != l.ID || wide.Fence(orders("a")[0]) != 1 || wide.Fence(orders("b")[0]) != 1 || wide.ExpiresAt != w.Now.Add(time.Minute) {
		t.Fatalf("one token proves all, for as long as asked: %+v", wide)
	}
	if again := granted(t, w, join); again.ID != l.ID || again.Version != wide.Version {
		t.Fatalf("joining again is no change: %+v", again)
	}
	stranger := acquire(w, "wf_2", "run_1", orders("d")...)
	stranger.Join = &p
	refusedBy(t, w, stranger, ledger.ReasonLeaseTokenMismatch)
	w.Advance(time.Hour)
	late := acquire(w, "wf_1", "run_1", orders("d")...)
	late.Join = &p
	refusedBy(t, w, late, ledger.ReasonLeaseLost)
}

func TestLeaseIsRenewedToItsGreatestAge(t *testing.T) {
	w := ledgertest.New(t)
	c := acquire(w, "wf_1", "run_1", orders("a")...)
	c.TTL = locks.MaxTTL
	l := granted(t, w, c)
	renewal := renew(w, l)
	w.Advance(time.Minute)
	once := did[ledger.HeldLease](t, w, renewal).Lease
	if twice := did[ledger.HeldLease](t, w, renewal).Lease; twice.Version != once.Version || twice.Renewals != 1 {
		t.Fatalf("a retry of one renewal counts once: %+v", twice)
	}
	short := renew(w, l)
	short.TTL = time.Second
	if kept := did[ledger.HeldLease](t, w, short).Lease; kept.ExpiresAt != once.ExpiresAt {
		t.Fatal("a renewal shortened the lease")
	}
	for w.Now.Add(locks.MaxTTL).Before(l.GreatestEnd) {
		w.Advance(30 * time.Minute)
		did[ledger.HeldLease](t, w, renew(w, l))
	}
	refusedBy(t, w, renew(w, l), ledger.ReasonLeaseTooOld)
	w.Advance(locks.MaxTTL)
	refusedBy(t, w, renew(w, l), ledger.ReasonLeaseLost)
}

func TestLeaseIsGivenBackWholeOrInPart(t *testing.T) {
	w := ledgertest.New(t)
	l := granted(t, w, acquire(w, "wf_1", "run_1", orders("a", "b")...))
	for range 2 {
		if r := did[ledger.ReleasedLease](t, w, release(l, orders("a")...)); r.WasLost || len(r.KeptBy) != 0 {
			t.Fatalf("%+v", r)
		}
	}
	apart := granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
	did[ledger.HeldLease](t, w, renew(w, l)) // what was given back is no part of it any more
	did[ledger.ReleasedLease](t, w, release(apart))
	granted(t, w, acquire(w, "wf_2", "run_1", orders("a")...))
	withheld(t, w, acquire(w, "wf_2", "run_1", orders("b")...))
	for range 2 {
		if r := did[ledger.ReleasedLease](t, w, release(l)); r.WasLost {
			t.Fatalf("%+v", r)
		}
	}
	refusedBy(t, w, renew(w, l), ledger.ReasonLeaseLost)
	granted(t, w, acquire(w, "wf_2", "run_1", orders("b")...))
}

func TestLeaseThatNobodyProved(t *testing.T) {
	w := ledgertest.New(t)
	l := granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
	guessed, strange := renew(w, l), renew(w, l)
	guessed.Proof.Proven = false
	refusedBy(t, w, guessed, ledger.ReasonLeaseTokenMismatch)
	strange.Namespace = "south"
	refusedBy(t, w, strange, ledger.ReasonLeaseLost)
	thief := release(l)
	thief.Proof.Proven = false
	refusedBy(t, w, thief, ledger.ReasonLeaseTokenMismatch)
	did[ledger.HeldLease](t, w, renew(w, l))
}

func TestLeaseBounds(t *testing.T) {
	w := ledgertest.New(t)
	many := make([]string, locks.MaxEntities+1)
	for i := range many {
		many[i] = w.ID("order")
	}
	for name, change := range map[string]func(*ledger.AcquireLease){
		"a ttl of zero":       func(c *ledger.AcquireLease) { c.TTL = 0 },
		"a ttl of years":      func(c *ledger.AcquireLease) { c.TTL = 3 * 365 * 24 * time.Hour },
		"a negative ttl":      func(c *ledger.AcquireLease) { c.TTL = -time.Minute },
		"an endless wait":     func(c *ledger.AcquireLease) { c.Wait = time.Hour },
		"no entity":           func(c *ledger.AcquireLease) { c.Entities = nil },
		"too many entities":   func(c *ledger.AcquireLease) { c.Entities = orders(many...) },
		"an entity twice":     func(c *ledger.AcquireLease) { c.Entities = orders("a", "a") },
		"nobody's lease":      func(c *ledger.AcquireLease) { c.WorkflowID = "" },
		"in nobody's hands":   func(c *ledger.AcquireLease) { c.RunID = "" },
		"a wait before birth": func(c *ledger.AcquireLease) { c.Wait = -time.Second },
	} {
		t.Run(name, func(t *testing.T) {
			c := acquire(w, "wf_1", "run_1", orders("a")...)
			change(c)
			refusedBy(t, w, c, ledger.ReasonInvalidRequest)
		})
	}
	l := granted(t, w, acquire(w, "wf_1", "run_1", orders(many[:locks.MaxEntities]...)...))
	refusedBy(t, w, acquire(w, "wf_1", "run_1", orders(many[1:]...)...), ledger.ReasonInvalidRequest)
	years := renew(w, l)
	years.TTL = 365 * 24 * time.Hour
	refusedBy(t, w, years, ledger.ReasonInvalidRequest)
}
