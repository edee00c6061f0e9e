package ledger_test

import (
	"maps"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/locks"
)

// underLease proves a lease with a proposal.
func underLease(c ledgertest.Call, l *ledger.Lease) ledgertest.Call {
	p := proof(l)
	c.Lease = &p
	return c
}

// touching is a proposal about its order that names others, too.
func touching(w *ledgertest.World, c ledgertest.Call, others ...string) *ledger.Propose {
	p := w.Command(c)
	p.Forms[0].Touches = orders(others...)
	return p
}

// permitted is whoever holds the permit: the one that was answered with it, or a worker that takes the operation up.
func permitted(w *ledgertest.World, a *ledger.Answer) *ledgertest.Holder {
	if a.Permit == nil {
		return w.Dispatch(a.Operation)
	}
	return w.HolderOf(a)
}

// wantBegin begins and expects the refusal; an empty reason: none.
func wantBegin(t *testing.T, h *ledgertest.Holder, want ledger.Reason) {
	t.Helper()
	if err := h.Begin(); want != "" {
		wantRefusal(t, err, want)
	} else {
		wantOK(t, err)
	}
}

// leaseFences are the fencing numbers of leases that an operation's newest permit carries, by the id of the entity.
func leaseFences(o *ledger.Operation) map[string]int64 {
	numbers := map[string]int64{}
	for _, f := range o.Attempts[len(o.Attempts)-1].Fences {
		if f.Scope == locks.LeaseName {
			numbers[f.Entity.ID] = f.Number
		}
	}
	return numbers
}

// TestARunThatWasTakenOverGetsNothingNew, also without a token and when the lease of its successor is over. What it has
// left in a queue is the workflow's.
func TestARunThatWasTakenOverGetsNothingNew(t *testing.T) {
	w := ledgertest.New(t)
	granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
	queue := enqueue(t, w, queued(about(capture, "b")))
	did[ledger.ReleasedLease](t, w, release(granted(t, w, acquire(w, "wf_1", "run_2", orders("a", "b")...))))
	c := about(email, "a")
	refusedBy(t, w, w.Command(c), ledger.ReasonRunSuperseded)
	refusedBy(t, w, touching(w, about(email, "c"), "a"), ledger.ReasonRunSuperseded)
	w.Dispatch(queue)
	w.Execute(about(upsert, "c"))
	c.Workflow = "wf_2" // which has runs of its own
	w.Execute(c)
}

// TestALeaseBarsOperationsForTheClocksErrorLonger: those of other workflows, and not its own.
func TestALeaseBarsOperationsForTheClocksErrorLonger(t *testing.T) {
	w := ledgertest.New(t)
	w.Env.ClockError = 500 * time.Millisecond
	granted(t, w, acquire(w, "wf_1", "run_1", orders("a", "b")...))
	w.Advance(time.Minute)
	other := about(capture, "a")
	other.Workflow = "wf_2"
	wantDecision(t, w.Propose(other), ledger.DecisionBlocked)
	w.Execute(about(email, "b"))
	w.Advance(w.Env.ClockError)
	w.Execute(other)
}

// TestAPermitUnderALeaseBeginsUnderIt, and under no other.
func TestAPermitUnderALeaseBeginsUnderIt(t *testing.T) {
	for name, c := range map[string]struct {
		between func(*testing.T, *ledgertest.World, *ledger.Lease)
		want    ledger.Reason // empty: it begins
	}{
		"the lease is held":     {func(*testing.T, *ledgertest.World, *ledger.Lease) {}, ""},
		"the lease is renewed":  {func(t *testing.T, w *ledgertest.World, l *ledger.Lease) { did[ledger.HeldLease](t, w, renew(w, l)) }, ""},
		"the lease is given up": {func(t *testing.T, w *ledgertest.World, l *ledger.Lease) { did[ledger.ReleasedLease](t, w, release(l)) }, ledger.ReasonLeaseLost},
		"the lease is asked for anew": {func(t *testing.T, w *ledgertest.World, _ *ledger.Lease) {
			granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
		}, ledger.ReasonLeaseLost},
	} {
		for who, call := range map[string]ledgertest.Call{"the workflow": email, "a worker": queued(email)} {
			t.Run(name+", by "+who, func(t *testing.T) {
				w := ledgertest.New(t)
				l := granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
				h := permitted(w, w.Propose(underLease(about(call, "a"), l)))
				c.between(t, w, l)
				wantBegin(t, h, c.want)
			})
		}
	}
}

// TestAPermitOverSeveralEntities carries the number of every lease that it is under, and needs those alone to begin.
func TestAPermitOverSeveralEntities(t *testing.T) {
	for name, c := range map[string]struct {
		lease []locks.Entity
		want  map[string]int64
	}{
		"one lease of both":              {orders("a", "b"), map[string]int64{"a": 1, "b": 1}},
		"nobody's lease is on the other": {orders("a"), map[string]int64{"a": 1}},
		"nobody's lease is on its own":   {orders("b"), map[string]int64{"b": 1}},
	} {
		for who, call := range map[string]ledgertest.Call{"the workflow": email, "a worker": queued(email)} {
			t.Run(name+", by "+who, func(t *testing.T) {
				w := ledgertest.New(t)
				l := granted(t, w, acquire(w, "wf_1", "run_1", c.lease...))
				a := did[ledger.Answer](t, w, touching(w, underLease(about(call, "a"), l), "b"))
				h := permitted(w, a)
				if got := leaseFences(h.Now()); !maps.Equal(got, c.want) {
					t.Errorf("the permit carries %v, want %v", got, c.want)
				}
				wantOK(t, h.Begin())
			})
		}
	}
}

// TestAWorkerActsUnderEveryLeaseOfTheWorkflow: a run that names one token alone cannot.
func TestAWorkerActsUnderEveryLeaseOfTheWorkflow(t *testing.T) {
	w := ledgertest.New(t)
	o := did[ledger.Answer](t, w, touching(w, queued(about(email, "a")), "b")).Operation
	first := granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
	second := granted(t, w, acquire(w, "wf_1", "run_1", orders("b")...))
	refusedBy(t, w, touching(w, underLease(about(revoke, "a"), first), "b"), ledger.ReasonLeaseRequired)
	h := w.Dispatch(o)
	if got := leaseFences(h.Now()); len(got) != 2 {
		t.Errorf("the permit carries %v", got)
	}
	wantOK(t, h.Begin())
	did[ledger.ReleasedLease](t, w, release(second))
	_, err := h.Extend(time.Minute)
	wantRefusal(t, err, ledger.ReasonLeaseLost)
}

// TestALeaseThatCameAfterThePermit is no lease that it was given under: a run has to prove it, and a worker has not.
func TestALeaseThatCameAfterThePermit(t *testing.T) {
	for name, c := range map[string]struct {
		call ledgertest.Call
		want ledger.Reason // empty: it begins
	}{
		"the workflow": {email, ledger.ReasonLeaseRequired},
		"a worker":     {queued(email), ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			l := granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
			h := permitted(w, did[ledger.Answer](t, w, touching(w, underLease(about(c.call, "a"), l), "b")))
			granted(t, w, acquire(w, "wf_1", "run_1", orders("b")...))
			wantBegin(t, h, c.want)
		})
	}
}

// TestATokenThatProvesNothing is refused by name, whatever else would be said.
func TestATokenThatProvesNothing(t *testing.T) {
	for name, c := range map[string]struct {
		make func(t *testing.T, w *ledgertest.World) ledger.LeaseProof
		want ledger.Reason
	}{
		"not the lease's": {func(t *testing.T, w *ledgertest.World) ledger.LeaseProof {
			return ledger.LeaseProof{LeaseID: granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...)).ID}
		}, ledger.ReasonLeaseTokenMismatch},
		"of a lease that nobody knows": {func(*testing.T, *ledgertest.World) ledger.LeaseProof {
			return ledger.LeaseProof{LeaseID: "lea_unknown", Proven: true}
		}, ledger.ReasonLeaseTokenMismatch},
		"of another workflow": {func(t *testing.T, w *ledgertest.World) ledger.LeaseProof {
			return proof(granted(t, w, acquire(w, "wf_2", "run_1", orders("a")...)))
		}, ledger.ReasonLeaseTokenMismatch},
		"of another entity": {func(t *testing.T, w *ledgertest.World) ledger.LeaseProof {
			return proof(granted(t, w, acquire(w, "wf_1", "run_1", orders("b")...)))
		}, ledger.ReasonLeaseTokenMismatch},
		"of a lease that was given back": {func(t *testing.T, w *ledgertest.World) ledger.LeaseProof {
			l := granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
			did[ledger.ReleasedLease](t, w, release(l))
			return proof(l)
		}, ledger.ReasonLeaseLost},
		"of a lease that has expired": {func(t *testing.T, w *ledgertest.World) ledger.LeaseProof {
			l := granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
			w.Advance(time.Minute)
			return proof(l)
		}, ledger.ReasonLeaseLost},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			p := c.make(t, w)
			call := about(email, "a")
			call.Lease = &p
			refusedBy(t, w, w.Command(call), c.want)
		})
	}
}
