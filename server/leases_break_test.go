package server_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// proving sends a lease token with a proposal.
func proving(token string) func(*pb.ProposeOperationRequest) {
	return func(r *pb.ProposeOperationRequest) { r.LeaseToken = token }
}

func breakRequest(id, etag string, seen ...string) *pb.BreakEntityLeaseRequest {
	return &pb.BreakEntityLeaseRequest{RequestId: uuid.NewString(), Entity: order(id), Reason: "the run is gone", Etag: etag, SeenOperationIds: seen}
}

// TestLeaseIsKeptByWhatMayStillHappen: the lease is given back, and the entity is kept all the same by an operation whose
// outcome is not known.
func TestLeaseIsKeptByWhatMayStillHappen(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := serve(w)
		one, two := newTenant(c, "wf_1", "run_1"), newTenant(c, "wf_2", "run_1")
		grant := one.acquires("order_123")
		permit := c.Execute("refund.create", refund, proving(grant.LeaseToken))
		if n := permit.FencingNumbers; len(n) != 2 || n[1].Scope != "lease" || n[1].Number != 1 {
			t.Fatalf("the permit carries %v", n)
		}
		c.Reported(permit, servertest.Ambiguous())
		r, err := one.release(grant.LeaseToken)
		if err != nil || r.WasLost || len(r.KeptBy) != 1 || r.KeptBy[0].OperationId != permit.OperationId ||
			r.KeptBy[0].State != pb.Operation_STATE_UNKNOWN_OUTCOME || r.KeptBy[0].Until != nil {
			t.Fatalf("%v, %v", r, err)
		}
		no := two.ask(two.wish("order_123"))
		if no.Grant != nil || len(no.Holders) != 1 || no.Holders[0].OperationId != permit.OperationId || no.Holders[0].State != pb.Operation_STATE_UNKNOWN_OUTCOME {
			t.Fatalf("%v", no)
		}
		if seen := two.looks("order_123"); seen.Lease != nil || len(seen.KeptBy) != 1 {
			t.Fatalf("%v", seen)
		}
		c.Settle(permit.OperationId, &pb.Evidence{
			Verdict: pb.Verdict_VERDICT_HAPPENED,
			Source: &pb.Evidence_Person{Person: &pb.PersonSource{
				Reason: "seen in the provider's console", SeenOperationVersion: c.Operation(permit.OperationId).Version,
			}},
		})
		two.acquires("order_123")
	})
}

// TestLeaseIsLostBeforeTheSending: a permit under a lease is neither extended nor given when the lease is lost.
func TestLeaseIsLostBeforeTheSending(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := serve(w)
		one, again := newTenant(c, "wf_1", "run_1"), newTenant(c, "wf_1", "run_2")
		grant := one.acquires("order_123")
		permit := c.Execute("refund.create", refund, proving(grant.LeaseToken))
		taken := again.acquires("order_123")
		_, err := c.ExtendAttempt(t.Context(), servertest.ExtendRequest(permit, 30*time.Second))
		refused(t, err, codes.FailedPrecondition, "RUN_SUPERSEDED")
		_, err = c.ProposeOperation(t.Context(), servertest.Proposal("payment.capture", capture, proving(grant.LeaseToken)))
		refused(t, err, codes.FailedPrecondition, "RUN_SUPERSEDED")
		c.Execute("payment.capture", capture, from("wf_1", "run_2"), proving(taken.LeaseToken))
		decided(t, c.Propose("payment.capture", `{"order_id":"order_123","amount":"1.00","currency":"USD"}`, from("wf_2", "run_1")), pb.Decision_DECISION_BLOCKED)
	})
}

func TestLeaseIsBrokenByAPerson(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		people := newPeople(t, "north agent propose,execute,read", "north kim break_leases,read kim", "north root administer,read")
		server := w.Serve(servertest.WithCallers(people))
		server.As(people.token("root")).Apply(fieldTools)
		c := server.As(people.token("agent"))
		one, kim := newTenant(c, "wf_1", "run_1"), newTenant(server.As(people.token("kim")), "", "")
		two := newTenant(c, "wf_2", "run_1")
		grant := one.acquires("order_123", "order_9")
		permit := c.Execute("refund.create", refund, proving(grant.LeaseToken))

		_, err := one.leases.BreakEntityLease(t.Context(), breakRequest("order_123", grant.Lease.Etag))
		refused(t, err, codes.PermissionDenied, "PERMISSION_DENIED")
		seen := kim.looks("order_123")
		for name, wrong := range map[string]*pb.BreakEntityLeaseRequest{
			"a keeper that was not seen": breakRequest("order_123", seen.Lease.Etag),
			"a lease that was not seen":  breakRequest("order_123", "", permit.OperationId),
			"a lease as it was before":   breakRequest("order_123", grant.Lease.Etag, permit.OperationId),
		} {
			_, err := kim.leases.BreakEntityLease(t.Context(), wrong)
			if refused(t, err, codes.Aborted, "ETAG_MISMATCH"); t.Failed() {
				t.Fatal(name)
			}
		}
		broken, err := kim.leases.BreakEntityLease(t.Context(), breakRequest("order_123", seen.Lease.Etag, permit.OperationId))
		if err != nil {
			t.Fatal(err)
		}
		if broken.Lease.GetLeaseId() != grant.Lease.LeaseId || len(broken.Lifted) != 1 || broken.Lifted[0].OperationId != permit.OperationId {
			t.Fatalf("%v", broken)
		}
		_, err = one.renew(grant.LeaseToken)
		refused(t, err, codes.FailedPrecondition, "LEASE_LOST")
		_, err = c.ExtendAttempt(t.Context(), servertest.ExtendRequest(permit, 30*time.Second))
		refused(t, err, codes.FailedPrecondition, "PERMIT_WITHDRAWN")
		two.acquires("order_123", "order_9")
		history := c.Events(permit.OperationId)
		if e := history[len(history)-1]; e.Type != pb.OperationEventType_OPERATION_EVENT_TYPE_HOLD_LIFTED || e.Principal != "kim" || e.Detail["reason"] != "the run is gone" {
			t.Fatalf("the record says %v", e)
		}
		_, err = kim.leases.BreakEntityLease(t.Context(), breakRequest("order_7", ""))
		refused(t, err, codes.NotFound, "LEASE_NOT_FOUND")
	})
}

// TestLeaseWaitEndsWhenAPersonBreaks: who waits on another server is served.
func TestLeaseWaitEndsWhenAPersonBreaks(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		one, two := newTenant(w.Serve(), "wf_1", "run_1"), newTenant(w.Serve(), "wf_2", "run_1")
		one.acquires("a")
		wish := two.wish("a")
		wish.Wait = duration(20 * time.Second)
		answered := make(chan *pb.AcquireEntityLeaseResponse, 1)
		go func() {
			r, err := two.leases.AcquireEntityLease(t.Context(), wish)
			if err != nil {
				t.Errorf("acquire: %v", err)
			}
			answered <- r
		}()
		eventually(t, "it waits", func() bool { return one.looks("a").WaitingCount == 1 })
		if _, err := one.leases.BreakEntityLease(t.Context(), breakRequest("a", one.looks("a").Lease.Etag)); err != nil {
			t.Fatal(err)
		}
		if r := <-answered; r.GetGrant() == nil {
			t.Fatalf("%v", r)
		}
	})
}

func TestLeaseList(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := w.Serve()
		u := newTenant(c, "wf_1", "run_1")
		first := u.acquires("a")
		w.Pass(10 * time.Second)
		second := newTenant(c, "wf_2", "run_1").acquires("b", "c")
		gone := newTenant(c, "wf_3", "run_1").acquires("d")
		if _, err := u.release(gone.LeaseToken); err != nil {
			t.Fatal(err)
		}
		wish := newTenant(c, "wf_4", "run_1").wish("e")
		wish.Entities[0].Type = "customer"
		third := u.ask(wish).Grant
		yes, no := true, false
		w.Pass(55 * time.Second)
		for name, want := range map[string]struct {
			m   *pb.ListEntityLeasesRequest
			ids []string
		}{
			"all":           {&pb.ListEntityLeasesRequest{}, []string{first.Lease.LeaseId, second.Lease.LeaseId, third.Lease.LeaseId}},
			"of a workflow": {&pb.ListEntityLeasesRequest{WorkflowId: "wf_2"}, []string{second.Lease.LeaseId}},
			"of a type":     {&pb.ListEntityLeasesRequest{EntityType: "customer"}, []string{third.Lease.LeaseId}},
			"expired":       {&pb.ListEntityLeasesRequest{Expired: &yes}, []string{first.Lease.LeaseId}},
			"held":          {&pb.ListEntityLeasesRequest{Expired: &no}, []string{second.Lease.LeaseId, third.Lease.LeaseId}},
			"old":           {&pb.ListEntityLeasesRequest{MinAge: duration(time.Minute)}, []string{first.Lease.LeaseId}},
			"none":          {&pb.ListEntityLeasesRequest{WorkflowId: "wf_9"}, nil},
		} {
			for _, size := range []int32{0, 1, 2} {
				var got []string
				want.m.PageToken, want.m.PageSize = "", size
				for pages := 0; pages < 10; pages++ {
					page, err := u.leases.ListEntityLeases(t.Context(), want.m)
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					for _, l := range page.Leases {
						got = append(got, l.LeaseId)
					}
					if want.m.PageToken = page.NextPageToken; want.m.PageToken == "" {
						break
					}
				}
				// Leases of one moment are in the order of their ids.
				if !sameInAnyOrder(got, want.ids) || len(got) > 1 && len(want.ids) == 3 && got[0] != first.Lease.LeaseId {
					t.Errorf("%s, %d a page: got %q, want %q", name, size, got, want.ids)
				}
			}
		}
		_, err := u.leases.ListEntityLeases(t.Context(), &pb.ListEntityLeasesRequest{PageToken: "made up"})
		refused(t, err, codes.InvalidArgument, "INVALID_PAGE_TOKEN", "page_token")
	})
}

func sameInAnyOrder(a, b []string) bool {
	count := map[string]int{}
	for _, s := range a {
		count[s]++
	}
	for _, s := range b {
		count[s]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}
