package server_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// TestLeaseIsOneWorkflowsAtATime: many workflows on two servers take the same entities in turn, each as soon as it can. No
// two ever hold one at once, and every fencing number is given once.
func TestLeaseIsOneWorkflowsAtATime(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		servers := []*servertest.Client{w.Serve(), w.Serve()}
		entities := []string{"a", "b"}
		var inside [2]atomic.Int32
		var fences sync.Map
		var all sync.WaitGroup
		for i := range 12 {
			u := newTenant(servers[i%2], fmt.Sprint("wf_", i), "run_1")
			wants := [][]int{{0}, {1}, {0, 1}, {1, 0}}[i%4]
			all.Go(func() {
				wish := u.wish()
				for _, e := range wants {
					wish.Entities = append(wish.Entities, order(entities[e]))
				}
				wish.Wait = duration(25 * time.Second)
				r, err := u.leases.AcquireEntityLease(t.Context(), wish)
				if err != nil || r.Grant == nil {
					t.Errorf("%s waited in vain: %v, %v", u.workflow, r, err)
					return
				}
				for _, e := range wants {
					if n := inside[e].Add(1); n != 1 {
						t.Errorf("%d hold %s at once", n, entities[e])
					}
				}
				for _, f := range r.Grant.Lease.FencingNumbers {
					if other, given := fences.LoadOrStore(f.String(), u.workflow); given {
						t.Errorf("%s and %s were given the same number: %v", other, u.workflow, f)
					}
				}
				for _, e := range wants {
					inside[e].Add(-1)
				}
				if _, err := u.release(r.Grant.LeaseToken); err != nil {
					t.Errorf("release: %v", err)
				}
			})
		}
		all.Wait()
	})
}

// TestLeaseWhenTheCommitIsNotTold: a commit whose answer is lost is tried again, and finds its own write.
func TestLeaseWhenTheCommitIsNotTold(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		engine := servertest.Forgetful(w, func() {})
		c := serve(w)
		u, entities := newTenant(c, "wf_1", "run_1"), pb.NewEntityServiceClient(c.Conn)
		forget := func(what string, call func()) {
			t.Helper()
			engine.ForgetOnce()
			call()
			if !engine.Forgot() {
				t.Fatalf("%s: nothing was forgotten", what)
			}
		}
		var grant *pb.LeaseGrant
		forget("acquire", func() { grant = u.acquires("order_123", "b") })
		if grant.Lease.FencingNumbers[0].Number != 1 || grant.Lease.Etag != u.looks("b").Lease.Etag {
			t.Fatalf("it was granted twice: %v", grant.Lease)
		}
		forget("renew", func() {
			if r, err := u.renew(grant.LeaseToken); err != nil || r.Grant.Lease.RenewCount != 1 {
				t.Fatalf("%v, %v", r, err)
			}
		})
		forget("release in part", func() {
			if r, err := u.release(grant.LeaseToken, order("b")); err != nil || r.WasLost {
				t.Fatalf("%v, %v", r, err)
			}
		})
		permit := c.Execute("refund.create", refund, proving(grant.LeaseToken))
		etag := u.looks("order_123").Lease.Etag
		forget("break", func() {
			r, err := u.leases.BreakEntityLease(t.Context(), breakRequest("order_123", etag, permit.OperationId))
			if err != nil || r.Lease.GetLeaseId() != grant.Lease.LeaseId || len(r.Lifted) != 1 {
				t.Fatalf("%v, %v", r, err)
			}
		})
		forget("lift", func() {
			r, err := pb.NewPolicyServiceClient(c.Conn).LiftExclusion(t.Context(), &pb.LiftExclusionRequest{
				RequestId: uuid.NewString(), Entity: order("order_123"), Group: "refund.create", OperationId: permit.OperationId,
				SeenOperationVersion: c.Operation(permit.OperationId).Version, Reason: "it is gone",
			})
			if err != nil || r.Lifted.GetOperationId() != permit.OperationId {
				t.Fatalf("%v, %v", r, err)
			}
		})
		last := u.acquires("b")
		forget("release", func() {
			if r, err := u.release(last.LeaseToken); err != nil || r.WasLost {
				t.Fatalf("%v, %v", r, err)
			}
		})
		forget("set an entity's state", func() {
			r, err := entities.SetEntityState(t.Context(), stateRequest("a", toState("paid")))
			if err != nil || r.EntityState.Version != 1 {
				t.Fatalf("%v, %v", r, err)
			}
		})
	})
}
