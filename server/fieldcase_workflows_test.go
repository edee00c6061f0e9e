package server_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// TestFC211OneMessageManyEventIDs: delivery ids tell deliveries apart and not intents. One message is one workflow, however
// many ids it comes under; and even where two workflows had started, one effect is one operation.
func TestFC211OneMessageManyEventIDs(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a := newAgent(serve(w))
		same := underKey("msg:C1:1700.1", "open a ticket")
		first := a.starts(byEvent("chat", "ev_1"), same)
		if first.RunId == "" || first.UnitedWith != nil {
			t.Fatalf("the first is united: %v", first)
		}
		for _, event := range [][2]string{{"chat", "ev_2"}, {"email", "m_9"}} {
			m := a.starts(byEvent(event[0], event[1]), same)
			if m.Workflow.WorkflowId != first.Workflow.WorkflowId || m.RunId != "" || m.UnitedWith.GetCorrelationKey() != "msg:C1:1700.1" {
				t.Fatalf("%v is answered %v", event, m)
			}
			w.Pass(9 * time.Minute)
		}
		again := a.starts(byEvent("chat", "ev_2"), same)
		if again.UnitedWith.GetSourceEvent().GetEventId() != "ev_2" || again.Workflow.WorkflowId != first.Workflow.WorkflowId {
			t.Fatalf("a redelivery is answered %v", again)
		}
		for _, bad := range []starting{byEvent("chat", ""), byEvent("", "ev_3")} {
			_, err := a.workflows.StartWorkflow(t.Context(), startRequest(bad, same))
			refused(t, err, codes.InvalidArgument, "INVALID_REQUEST")
		}
		if events := a.gets(first.Workflow.WorkflowId).Workflow.SourceEvents; len(events) != 3 {
			t.Fatalf("attached are %v", events)
		}
		if all := a.lists(&pb.ListWorkflowsRequest{}); len(all) != 1 {
			t.Fatalf("there are workflows %q", all)
		}

		const ticket = `{"project":"OPS","ref":"msg:C1:1700.1"}`
		p := newProvider(t)
		other := a.starts(byEvent("chat", "ev_7")) // no key united it
		otherOperation(t, other.Workflow.WorkflowId, first.Workflow.WorkflowId)
		permit := a.Execute("ticket.create", ticket, from(first.Workflow.WorkflowId, first.RunId))
		a.Reported(permit, servertest.Succeeded(p.did(permit, 1), `{"id":"t_1"}`))
		decided(t, a.Propose("ticket.create", ticket, from(other.Workflow.WorkflowId, other.RunId)), pb.Decision_DECISION_REPLAYED)
		p.counts(1)
	})
}

// TestFC406TheWorkflowIDIsFreeAgain: identity belongs to the business effect and not to the workflow that caused it. An end
// frees no key, and neither does a new workflow under another id.
func TestFC406TheWorkflowIDIsFreeAgain(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a := newAgent(serve(w))
		p := newProvider(t)
		first := a.starts(func(r *pb.StartWorkflowRequest) { r.WorkflowId = "wf_1" })
		permit := a.Execute("payment.capture", capture, from("wf_1", first.RunId))
		a.Reported(permit, servertest.Succeeded(p.did(permit, 4900), `{"id":"ch_1"}`))
		a.completes("wf_1", first.RunId, &pb.Claim{OperationId: permit.OperationId, Kind: pb.ClaimKind_CLAIM_KIND_DONE})
		for _, id := range []string{"wf_2", "wf_3"} {
			w.Pass(40 * 24 * time.Hour) // another day, and longer than anybody keeps histories
			next := a.starts(func(r *pb.StartWorkflowRequest) { r.WorkflowId = id })
			m := a.Propose("payment.capture", capture, from(id, next.RunId))
			decided(t, m, pb.Decision_DECISION_REPLAYED)
			sameOperation(t, m.Result.OperationId, permit.OperationId)
			cancel := completeRequest(id, next.RunId)
			cancel.Cancelled = true
			if r, err := a.workflows.CompleteWorkflow(t.Context(), cancel); err != nil || r.Workflow.State != pb.Workflow_STATE_CANCELLED {
				t.Fatalf("%v, %v", r, err)
			}
		}
		if again := a.starts(func(r *pb.StartWorkflowRequest) { r.WorkflowId = "wf_1" }); again.RunId != "" || again.Workflow.State != pb.Workflow_STATE_COMPLETED {
			t.Fatalf("the id is free again: %v", again)
		}
		p.counts(1)
	})
}

// TestFC504TheWorkflowEndsWhileSomebodyRenews: the end of a workflow gives its leases back, and a renewer that is still
// alive is refused.
func TestFC504TheWorkflowEndsWhileSomebodyRenews(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		a := newAgent(serve(w))
		s := a.starts()
		one, two := newTenant(a.Client, s.Workflow.WorkflowId, s.RunId), newTenant(a.Client, "wf_2", "run_1")
		held := one.acquires("order_123", "order_124")
		other := one.acquires("order_125")
		if _, err := one.renew(held.LeaseToken); err != nil {
			t.Fatal(err)
		}
		a.completes(s.Workflow.WorkflowId, s.RunId)
		for _, grant := range []*pb.LeaseGrant{held, other} {
			_, err := one.renew(grant.LeaseToken)
			refused(t, err, codes.FailedPrecondition, "LEASE_LOST")
		}
		_, err := one.leases.AcquireEntityLease(t.Context(), &pb.AcquireEntityLeaseRequest{
			RequestId: uuid.NewString(), Entities: []*pb.Entity{order("order_123")}, WorkflowId: s.Workflow.WorkflowId, RunId: s.RunId, Ttl: duration(time.Minute),
		})
		refused(t, err, codes.FailedPrecondition, "WORKFLOW_ENDED")
		two.acquires("order_123", "order_124", "order_125")
	})
}
