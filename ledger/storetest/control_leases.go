package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
)

// acquire asks for a lease of a minute.
func (p *plane) acquire(workflow, run, id string, orders ...string) *ledger.AcquireLease {
	return &ledger.AcquireLease{
		Namespace: tenant, Actor: agent(), RequestID: ledger.RequestID("acquire-" + id), NewLease: "lea_" + id,
		Entities: ordersOf(orders...), WorkflowID: workflow, RunID: run, TTL: time.Minute,
	}
}

func (p *plane) granted(c *ledger.AcquireLease) *ledger.Lease {
	p.t.Helper()
	a := does[ledger.AcquiredLease](p, c)
	if !a.Granted {
		p.t.Fatalf("%s is not granted %v: %+v", c.WorkflowID, c.Entities, a.Holders)
	}
	return a.Lease
}

func (p *plane) withheld(c *ledger.AcquireLease) []ledger.Holder {
	p.t.Helper()
	a := does[ledger.AcquiredLease](p, c)
	if a.Granted {
		p.t.Fatalf("%s is granted %v", c.WorkflowID, c.Entities)
	}
	return a.Holders
}

func provenBy(l *ledger.Lease) ledger.LeaseProof {
	return ledger.LeaseProof{LeaseID: l.ID, Proven: true}
}

func renewal(l *ledger.Lease, id string) *ledger.RenewLease {
	return &ledger.RenewLease{Namespace: tenant, Actor: agent(), Proof: provenBy(l), RenewalID: id}
}

func giveBack(l *ledger.Lease) *ledger.ReleaseLease {
	return &ledger.ReleaseLease{Namespace: tenant, Actor: agent(), Proof: provenBy(l)}
}

// leases are acquired, renewed, lost, taken over, broken and kept by commands that go from server to server.
func leases(t *testing.T, fresh Make) {
	t.Run("a lease from its grant to its end", func(t *testing.T) {
		p := controlled(t, fresh)
		a, b := ordersOf("a")[0], ordersOf("b")[0]
		first := p.granted(p.acquire("wf_1", "run_1", "1", "a", "b"))
		if h := p.withheld(p.acquire("wf_2", "run_1", "2", "c", "b")); len(h) != 1 || h[0].WorkflowID != "wf_1" || h[0].Entity != b {
			t.Fatalf("held by %+v", h)
		}
		p.advance(50 * time.Second)
		renewed := does[ledger.HeldLease](p, renewal(first, "r1")).Lease
		if again := does[ledger.HeldLease](p, renewal(first, "r1")).Lease; again.Renewals != 1 || !again.ExpiresAt.Equal(renewed.ExpiresAt) {
			t.Fatalf("a renewal's repeat renews anew: %+v", again)
		}
		p.advance(50 * time.Second)
		p.withheld(p.acquire("wf_2", "run_1", "3", "b"))
		p.advance(20 * time.Second) // past its end, and past the engine's clock error
		p.refusedAs(renewal(first, "r2"), ledger.ReasonLeaseLost)
		second := p.granted(p.acquire("wf_2", "run_1", "4", "b"))
		if second.Fence(b) != 2 || !does[ledger.ReleasedLease](p, giveBack(first)).WasLost {
			t.Fatalf("the second grant is %+v", second)
		}
		third := p.granted(p.acquire("wf_2", "run_2", "5", "b", "a"))
		if third.Fence(b) != 3 || third.Fence(a) != 2 {
			t.Fatalf("taken over with %+v", third.Entities)
		}
		p.refusedAs(renewal(second, "r3"), ledger.ReasonRunSuperseded)
		p.refusedAs(p.acquire("wf_2", "run_1", "6", "b"), ledger.ReasonRunSuperseded)
		broken := does[ledger.BrokenLease](p, &ledger.BreakLease{Namespace: tenant, Actor: ledger.Actor{Principal: "kim"}, Entity: b, Reason: "it hangs", Etag: third.Etag()})
		if broken.Lease == nil || broken.Lease.BrokenBy != "kim" {
			t.Fatalf("broken: %+v", broken)
		}
		p.refusedAs(renewal(third, "r4"), ledger.ReasonLeaseLost)
		last := p.granted(p.acquire("wf_3", "run_1", "7", "a", "b"))
		if does[ledger.ReleasedLease](p, giveBack(last)).WasLost || last.Fence(a) != 3 || last.Fence(b) != 4 {
			t.Fatalf("the last grant is %+v", last.Entities)
		}
	})
	t.Run("an operation under a lease, and beside it", func(t *testing.T) {
		p := controlled(t, fresh)
		order := ordersOf("kim-1")[0]
		lease := p.granted(p.acquire("wf", "run-1", "1", order.ID))
		propose := p.refunding("kim", 1, 100)
		p.refusedAs(propose, ledger.ReasonLeaseRequired) // a workflow's id proves nothing
		proof := provenBy(lease)
		propose.Lease = &proof
		permit := p.decides(does[ledger.Answer](p, propose), ledger.DecisionExecute)
		if f := permit.Permit.Attempt.Fences; len(f) != 1 || f[0].Entity != order || f[0].Scope != locks.LeaseName || f[0].Number != lease.Fence(order) {
			t.Fatalf("the permit carries %+v", f)
		}
		stranger := p.refunding("kim", 1, 100)
		stranger.RequestID, stranger.WorkflowID, stranger.Forms[0].Key, stranger.NewOperation = "stranger", "wf_2", "stranger", "op_stranger"
		if h := p.decides(does[ledger.Answer](p, stranger), ledger.DecisionBlocked).Holder; h == nil || h.WorkflowID != "wf" {
			t.Fatalf("held by %+v", h)
		}
		p.advance(5 * time.Minute) // the lease is over, and the operation's outcome is not known
		if h := p.withheld(p.acquire("wf_2", "run_1", "2", order.ID)); len(h) != 1 || h[0].OperationID != permit.Operation.ID {
			t.Fatalf("kept by %+v", h)
		}
		p.refusedAs(p.report(permit, ledger.OutcomeSucceeded), ledger.ReasonStaleAttempt) // too late for its bearer, and yet evidence
		p.granted(p.acquire("wf_2", "run_1", "3", order.ID))
	})
	t.Run("many at once, one at a time", func(t *testing.T) {
		p := controlled(t, fresh)
		const rounds, workflows = 4, 24
		for round := range rounds {
			replies, errs := p.atOnce(workflows, func(i int) ledger.Command {
				orders := [][]string{{"a"}, {"a", "b"}, {"b", "a"}}[i%3]
				return p.acquire(fmt.Sprint("wf_", i), "run_1", fmt.Sprint(round, "_", i), orders...)
			})
			var holder *ledger.Lease
			for i, reply := range replies {
				if errs[i] != nil {
					t.Fatalf("workflow %d: %v", i, errs[i])
				}
				got := reply.(*ledger.AcquiredLease)
				switch {
				case got.Granted && holder != nil:
					t.Fatalf("both %s and %s hold a", holder.WorkflowID, got.Lease.WorkflowID)
				case got.Granted:
					holder = got.Lease
				case len(got.Holders) == 0:
					t.Fatalf("workflow %d got nothing, and nobody holds it", i)
				}
			}
			if holder == nil || holder.Fence(ordersOf("a")[0]) != int64(round)+1 {
				t.Fatalf("in round %d the holder is %+v", round, holder)
			}
			does[ledger.ReleasedLease](p, giveBack(holder))
		}
	})
}
