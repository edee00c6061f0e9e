package server_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/server/servertest"
)

// briefly acquires a lease that ends by itself after two seconds.
func (u *tenant) briefly(orders ...string) *pb.LeaseGrant {
	u.TB.Helper()
	wish := u.wish(orders...)
	wish.Ttl = duration(2 * time.Second)
	m := u.ask(wish)
	if m.Grant == nil {
		u.TB.Fatalf("%s got no lease on %q: %v", u.workflow, orders, m.Holders)
	}
	return m.Grant
}

// fence is the number under which a grant covers its only entity.
func fence(g *pb.LeaseGrant) int64 { return g.Lease.FencingNumbers[0].Number }

// TestFC501EverybodyMayReleaseTheLock: a former holder's token releases, renews and proves nothing, and its successor keeps
// the lease. Numbers only grow, over restarts too.
func TestFC501EverybodyMayReleaseTheLock(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := serve(w)
		one, two := newTenant(c, "wf_1", "run_1"), newTenant(c, "wf_2", "run_1")
		lost := one.briefly("order_123")
		w.Pass(3 * time.Second)
		taken := two.acquires("order_123")
		if taken.LeaseToken == lost.LeaseToken || fence(taken) <= fence(lost) {
			t.Fatalf("the second owner's grant is %v after %v", taken, lost)
		}
		for range 2 { // again is as harmless
			r, err := one.release(lost.LeaseToken)
			if err != nil || !r.WasLost {
				t.Fatalf("giving back one's own lost lease says that it was lost: %v, %v", r, err)
			}
		}
		_, err := one.renew(lost.LeaseToken)
		refused(t, err, codes.FailedPrecondition, "LEASE_LOST")
		if m := servertest.InfoOf(err).Metadata; m["lease_id"] != lost.Lease.LeaseId || m["workflow_id"] != "wf_1" {
			t.Fatalf("the refusal tells %v", m)
		}
		_, err = c.ProposeOperation(t.Context(), servertest.Proposal("refund.create", refund, proving(lost.LeaseToken)))
		refused(t, err, codes.FailedPrecondition, "LEASE_LOST")
		decided(t, c.Propose("refund.create", refund), pb.Decision_DECISION_BLOCKED) // nor without a token
		_, err = c.ProposeOperation(t.Context(), servertest.Proposal("refund.create", refund, proving(taken.LeaseToken)))
		refused(t, err, codes.PermissionDenied, "LEASE_TOKEN_MISMATCH") // another workflow's
		if seen := one.looks("order_123").Lease; seen.GetLeaseId() != taken.Lease.LeaseId || seen.Etag != taken.Lease.Etag {
			t.Fatalf("its successor's lease was touched: %v", seen)
		}
		if all := c.Operations(); len(all) != 0 {
			t.Fatalf("operations were made: %v", all)
		}

		w.Restart()
		c = w.Serve()
		one, two = newTenant(c, "wf_1", "run_1"), newTenant(c, "wf_2", "run_1")
		if _, err := two.renew(taken.LeaseToken); err != nil {
			t.Fatalf("the lease did not outlive the server: %v", err)
		}
		if r, err := two.release(taken.LeaseToken); err != nil || r.WasLost {
			t.Fatalf("%v, %v", r, err)
		}
		if next := one.acquires("order_123"); fence(next) <= fence(taken) {
			t.Fatalf("the number fell from %d to %d", fence(taken), fence(next))
		}
	})
}

// stoppedInTheMiddle is the story of FC-502 up to the moment at which another workflow asks: one's process stands still, its
// lease has expired, and what it had under way may still come.
func stoppedInTheMiddle(t *testing.T, w *servertest.World, c *servertest.Client, one, two *tenant) (*pb.LeaseGrant, *pb.Permit) {
	t.Helper()
	grant := one.acquires("order_123")
	permit := c.Execute("refund.create", refund, proving(grant.LeaseToken))
	w.Pass(3 * time.Minute)
	no := two.ask(two.wish("order_123"))
	if no.Grant != nil || len(no.Holders) != 1 {
		t.Fatalf("the entity was granted away from under an open operation: %v", no)
	}
	if h := no.Holders[0]; h.OperationId != permit.OperationId || h.WorkflowId != "wf_1" || h.RunId != "run_1" || h.Since == nil || h.Entity.GetId() != "order_123" {
		t.Fatalf("the holder is told as %v", h)
	}
	other := two.Propose("refund.create", `{"order_id":"order_123","amount":"9.99","currency":"USD"}`, from("wf_2", "run_1"))
	decided(t, other, pb.Decision_DECISION_BLOCKED)
	if h := other.Holder; h.GetOperationId() != permit.OperationId || h.Since == nil || other.Result.OperationId != "" {
		t.Fatalf("the proposal is told of %v", h)
	}
	return grant, permit
}

// wakes is a stopped process that goes on: neither its lease nor its permit is good for anything.
func (u *tenant) wakes(t *testing.T, grant *pb.LeaseGrant, permit *pb.Permit) {
	t.Helper()
	_, err := u.renew(grant.LeaseToken)
	refused(t, err, codes.FailedPrecondition, "LEASE_LOST")
	_, err = u.ExtendAttempt(t.Context(), servertest.ExtendRequest(permit, time.Minute))
	refused(t, err, codes.FailedPrecondition, "PERMIT_EXPIRED")
	_, err = u.ProposeOperation(t.Context(), servertest.Proposal("refund.create", `{"order_id":"order_123","amount":"1.00","currency":"USD"}`, proving(grant.LeaseToken)))
	refused(t, err, codes.FailedPrecondition, "LEASE_LOST")
}

// TestFC502TheWorkerIsSlowNotDead: an expired lease is not granted away while an operation may still have its effect. It is
// when that is found out, or when a person breaks it; a process that wakes then is held back by the provider's fence.
func TestFC502TheWorkerIsSlowNotDead(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	start := func(t *testing.T, w *servertest.World) (c *servertest.Client, one, two *tenant) {
		c = serve(w)
		return c, newTenant(c, "wf_1", "run_1"), newTenant(c, "wf_2", "run_1")
	}
	second := `{"order_id":"order_123","amount":"9.99","currency":"USD"}`
	t.Run("found out", func(t *testing.T) {
		servertest.On(t, func(t *testing.T, w *servertest.World) {
			c, one, two := start(t, w)
			p := newProvider(t)
			grant, permit := stoppedInTheMiddle(t, w, c, one, two)
			effect := p.did(permit, 1_000) // it had been sent before the process stopped
			lookup := c.Propose("refund.create", refund).Lookup
			inState(t, c.Settle(permit.OperationId, servertest.Looked(lookup, pb.Verdict_VERDICT_HAPPENED, effect)).Operation, pb.Operation_STATE_COMPLETED_SUCCESS)
			taken := two.acquires("order_123")
			one.wakes(t, grant, permit)
			next := c.Execute("refund.create", second, from("wf_2", "run_1"), proving(taken.LeaseToken))
			p.did(next, 999)
			p.counts(2)
			attempts(t, c.Operation(permit.OperationId), 1)
		})
	})
	t.Run("broken by a person", func(t *testing.T) {
		servertest.On(t, func(t *testing.T, w *servertest.World) {
			c, one, two := start(t, w)
			p := newProvider(t)
			grant, permit := stoppedInTheMiddle(t, w, c, one, two)
			seen := two.looks("order_123")
			if !seen.Lease.GetExpired() || len(seen.KeptBy) != 1 {
				t.Fatalf("whoever is to break it sees %v", seen)
			}
			if _, err := two.leases.BreakEntityLease(t.Context(), breakRequest("order_123", seen.Lease.Etag, permit.OperationId)); err != nil {
				t.Fatal(err)
			}
			taken := two.acquires("order_123")
			// A lease is one thing and the exclusive group another: a person's word on the one does not settle the other.
			no := two.Propose("refund.create", second, from("wf_2", "run_1"), proving(taken.LeaseToken))
			decided(t, no, pb.Decision_DECISION_BLOCKED)
			if no.Holder.GetOperationId() != permit.OperationId || no.DecidedBy.GetRuleId() != "exclusive_group" {
				t.Fatalf("the proposal is told of %v by %v", no.Holder, no.DecidedBy)
			}
			if _, err := policyOf(c).LiftExclusion(t.Context(), &pb.LiftExclusionRequest{
				RequestId: uuid.NewString(), Entity: order("order_123"), Group: "refund.create", OperationId: permit.OperationId,
				SeenOperationVersion: c.Operation(permit.OperationId).Version, Reason: "the run is gone",
			}); err != nil {
				t.Fatal(err)
			}
			next := c.Execute("refund.create", second, from("wf_2", "run_1"), proving(taken.LeaseToken))
			p.did(next, 999)
			one.wakes(t, grant, permit)
			if _, err := p.acts(permit, 1_000); err == nil {
				t.Fatal("the provider took a request of the former owner's")
			}
			p.counts(1)
		})
	})
}

// TestFC504SomebodyKeepsRenewing: renewals without an end come to one, and the list shows a lease that is renewed and never
// used for what it is. That a client's helper stops renewing when its block ends, and that the end of a workflow gives its
// leases back, is tested where those are.
func TestFC504SomebodyKeepsRenewing(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := serve(w)
		one, two := newTenant(c, "wf_1", "run_1"), newTenant(c, "wf_2", "run_1")
		grant := one.acquires("order_123")
		const step = 50 * time.Second
		renewals := 0
		var err error
		for age := time.Duration(0); err == nil && age <= locks.GreatestAge; age += step {
			var r *pb.RenewEntityLeaseResponse
			if r, err = one.renew(grant.LeaseToken); err == nil {
				renewals++
				if r.Grant.GreatestRemaining.AsDuration() > locks.GreatestAge-age {
					t.Fatalf("after %v it can last for another %v", age, r.Grant.GreatestRemaining.AsDuration())
				}
			}
			if renewals == 20 {
				listed, err := one.leases.ListEntityLeases(t.Context(), &pb.ListEntityLeasesRequest{MinAge: duration(15 * time.Minute)})
				if err != nil || len(listed.Leases) != 1 || listed.Leases[0].RenewCount != 20 || listed.Leases[0].LastProposalTime != nil || listed.Leases[0].AcquireTime == nil {
					t.Fatalf("%v, %v", listed, err)
				}
				// The figure that the alert rule OpledgerLeaseUnused reads.
				if s, err := w.Engine.Stats(t.Context()); err != nil || s.Leases.Held != 1 || s.Leases.Unused != 1 {
					t.Fatalf("%+v, %v", s.Leases, err)
				}
			}
			w.Pass(step)
		}
		refused(t, err, codes.FailedPrecondition, "LEASE_LOST")
		if most := int(locks.GreatestAge / step); renewals < most-2 || renewals > most {
			t.Fatalf("it was renewed %d times of %d", renewals, most)
		}
		two.acquires("order_123")
		_, err = one.leases.AcquireEntityLease(t.Context(), &pb.AcquireEntityLeaseRequest{
			RequestId: uuid.NewString(), Entities: []*pb.Entity{order("order_123")}, WorkflowId: "wf_1", RunId: "run_1", Ttl: duration(2 * locks.GreatestAge),
		})
		refused(t, err, codes.InvalidArgument, "INVALID_REQUEST", "ttl")
	})
}
