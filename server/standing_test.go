package server_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// refundTool is the refunding tool, which asks for a lead.
func (o *office) refundTool() {
	o.t.Helper()
	d := fieldTool(o.t, "refund.create")
	d.Policy = revokeTool(o.t).Policy
	o.as("admin").ApplyDefinition(d)
}

// refunds are the arguments by which so much is paid back on an order.
func refunds(order, amount string) string {
	return fmt.Sprintf(`{"order_id":"%s","amount":"%s","currency":"EUR"}`, order, amount)
}

// standing asks for a standing approval of two refunds of at most 30 EUR, 50 EUR in all, for a day.
func standing(change ...func(*pb.CreateStandingApprovalRequest)) *pb.CreateStandingApprovalRequest {
	r := &pb.CreateStandingApprovalRequest{
		RequestId: uuid.NewString(), ExpiresAfter: duration(24 * time.Hour), Reason: "goodwill week",
		Terms: &pb.StandingApprovalTerms{Tool: "refund.create", MaxCount: 2, AmountPointer: "/amount", MaxAmount: new(int64(3000)), MaxSum: new(int64(5000)), Currency: "EUR"},
	}
	for _, f := range change {
		f(r)
	}
	return r
}

func (c *caller) gives(r *pb.CreateStandingApprovalRequest) *pb.StandingApproval {
	c.TB.Helper()
	m, err := c.CreateStandingApproval(c.TB.Context(), r)
	if err != nil {
		c.TB.Fatalf("a standing approval: %v", err)
	}
	return m.StandingApproval
}

// TestStandingApprovals are given, used one operation at a time, seen and revoked.
func TestStandingApprovals(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		o := newOffice(t, w)
		o.refundTool()
		agent, ben := o.as("agent"), o.as("ben")
		request := standing()
		given := ben.gives(request)
		if given.GivenBy != "ben" || given.UsedCount != 0 || given.RevokeTime != nil || given.ExpireTime.AsTime().Sub(given.CreateTime.AsTime()) != 24*time.Hour {
			t.Fatalf("given as %v", given)
		}
		if again := ben.gives(request); again.StandingApprovalId != given.StandingApprovalId {
			t.Fatal("a repeat of the request has given another one")
		}
		changed := standing(func(r *pb.CreateStandingApprovalRequest) { r.RequestId, r.Terms.MaxCount = request.RequestId, 3 })
		_, err := ben.CreateStandingApproval(t.Context(), changed)
		refused(t, err, codes.FailedPrecondition, "REQUEST_ID_REUSED")

		first := agent.Propose("refund.create", refunds("o1", "30.00"))
		decided(t, first, pb.Decision_DECISION_EXECUTE)
		decided(t, agent.Propose("refund.create", refunds("o2", "20.01")), pb.Decision_DECISION_AWAITING_APPROVAL)
		read := func() *pb.StandingApproval {
			t.Helper()
			m, err := o.as("reader").GetStandingApproval(t.Context(), &pb.GetStandingApprovalRequest{StandingApprovalId: given.StandingApprovalId})
			if err != nil {
				t.Fatal(err)
			}
			return m.StandingApproval
		}
		if s := read(); s.UsedCount != 1 || s.UsedSum != 3000 || !slices.Equal(s.OperationIds, []string{first.Result.OperationId}) || s.Etag == given.Etag {
			t.Fatalf("used as %v", s)
		}
		approvals := o.as("reader").lists(func(r *pb.ListApprovalsRequest) {
			r.OperationId, r.States = first.Result.OperationId, []pb.Approval_State{pb.Approval_STATE_SPENT}
		})
		if len(approvals) != 1 || ben.shows(approvals[0]).StandingApprovalId != given.StandingApprovalId {
			t.Fatalf("the operation's approval does not name it: %q", approvals)
		}

		other := ben.gives(standing(func(r *pb.CreateStandingApprovalRequest) { r.Terms.Entity = order("o9") }))
		revoke := &pb.RevokeStandingApprovalRequest{RequestId: uuid.NewString(), StandingApprovalId: given.StandingApprovalId, Reason: "enough", Etag: given.Etag}
		_, err = o.as("cleo").RevokeStandingApproval(t.Context(), revoke)
		refused(t, err, codes.Aborted, "ETAG_MISMATCH")
		revoke.Etag = ""
		for range 2 { // the second is a repeat
			m, err := o.as("cleo").RevokeStandingApproval(t.Context(), revoke)
			if err != nil || m.StandingApproval.RevokeTime == nil {
				t.Fatalf("revoked: %v, %v", m, err)
			}
		}
		decided(t, agent.Propose("refund.create", refunds("o3", "1.00")), pb.Decision_DECISION_AWAITING_APPROVAL)
		list := func(usable *bool) (ids []string) {
			t.Helper()
			m, err := ben.ListStandingApprovals(t.Context(), &pb.ListStandingApprovalsRequest{Tool: "refund.create", Usable: usable})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range m.StandingApprovals {
				ids = append(ids, s.StandingApprovalId)
			}
			return ids
		}
		if !slices.Equal(list(new(true)), []string{other.StandingApprovalId}) || !slices.Equal(list(new(false)), []string{given.StandingApprovalId}) || len(list(nil)) != 2 {
			t.Fatalf("usable %q, not %q, all %q", list(new(true)), list(new(false)), list(nil))
		}
		w.Pass(24 * time.Hour)
		if got := list(new(true)); got != nil {
			t.Fatalf("usable after their end: %q", got)
		}
	})
}

// TestStandingApprovalsThatAreRefused: each bound that does not fit the tool is named, and who acts gives none.
func TestStandingApprovalsThatAreRefused(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		o := newOffice(t, w)
		o.refundTool()
		terms := func(change func(*pb.StandingApprovalTerms)) *pb.CreateStandingApprovalRequest {
			return standing(func(r *pb.CreateStandingApprovalRequest) { change(r.Terms) })
		}
		for field, r := range map[string]*pb.CreateStandingApprovalRequest{
			"terms.tool":           terms(func(m *pb.StandingApprovalTerms) { m.Tool = "refund.none" }),
			"terms.amount_pointer": terms(func(m *pb.StandingApprovalTerms) { m.AmountPointer = "/price" }),
			"terms.currency":       terms(func(m *pb.StandingApprovalTerms) { m.Currency = "" }),
			"terms.when":           terms(func(m *pb.StandingApprovalTerms) { m.When = "args.price < 3" }),
		} {
			_, err := o.as("ben").CreateStandingApproval(t.Context(), r)
			refused(t, err, codes.InvalidArgument, "INVALID_REQUEST", field)
		}
		_, err := o.as("ben").CreateStandingApproval(t.Context(), terms(func(m *pb.StandingApprovalTerms) { m.AmountPointer = "" }))
		refused(t, err, codes.InvalidArgument, "INVALID_REQUEST", "terms.amount_pointer")
		for _, bad := range []func(*pb.CreateStandingApprovalRequest){
			func(r *pb.CreateStandingApprovalRequest) { r.Terms = nil },
			func(r *pb.CreateStandingApprovalRequest) { r.Terms.MaxCount = 0 },
			func(r *pb.CreateStandingApprovalRequest) { r.Terms.Currency = "euro" },
			func(r *pb.CreateStandingApprovalRequest) { r.ExpiresAfter = duration(31 * 24 * time.Hour) },
			func(r *pb.CreateStandingApprovalRequest) { r.Reason = "" },
		} {
			_, err := o.as("ben").CreateStandingApproval(t.Context(), standing(bad))
			refused(t, err, codes.InvalidArgument, "INVALID_REQUEST")
		}
		_, err = o.as("agent").CreateStandingApproval(t.Context(), standing())
		refused(t, err, codes.PermissionDenied, "PERMISSION_DENIED")
		_, err = o.as("ben").CreateStandingApproval(t.Context(), terms(func(m *pb.StandingApprovalTerms) { m.Proposer = "ben" }))
		refused(t, err, codes.PermissionDenied, "ROLES_NOT_APART")
		given := o.as("ben").gives(standing())
		_, err = o.as("stranger").GetStandingApproval(t.Context(), &pb.GetStandingApprovalRequest{StandingApprovalId: given.StandingApprovalId})
		refused(t, err, codes.NotFound, "POLICY_OBJECT_NOT_FOUND")
		_, err = o.as("stranger").RevokeStandingApproval(t.Context(), &pb.RevokeStandingApprovalRequest{RequestId: uuid.NewString(), StandingApprovalId: given.StandingApprovalId, Reason: "a guess"})
		refused(t, err, codes.NotFound, "POLICY_OBJECT_NOT_FOUND")
		// Ann is behind the agent: what she gives lets nothing of the agent's pass.
		if _, err := o.as("ben").RevokeStandingApproval(t.Context(), &pb.RevokeStandingApprovalRequest{
			RequestId: uuid.NewString(), StandingApprovalId: given.StandingApprovalId, Reason: "done",
		}); err != nil {
			t.Fatal(err)
		}
		o.as("ann").gives(standing())
		decided(t, o.as("agent").Propose("refund.create", refunds("o1", "1.00")), pb.Decision_DECISION_AWAITING_APPROVAL)
	})
}
