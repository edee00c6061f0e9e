package server_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// TestDecisionsThatAreRefused: each bad word is a stated error and changes nothing.
func TestDecisionsThatAreRefused(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		o := newOffice(t, w, func(n *pb.ApprovalNeed) { n.Count = new(int32(2)) })
		approval, operation := o.as("agent").waits("u_7", "g_2")
		seen := o.as("ben").shows(approval)
		o.as("ben").decides(yes(approval, seen.Etag))
		now := o.as("cleo").shows(approval)
		for _, c := range []struct {
			who, etag string
			code      codes.Code
			reason    string
		}{
			{"cleo", seen.Etag, codes.Aborted, "ETAG_MISMATCH"},
			{"agent", now.Etag, codes.PermissionDenied, "PERMISSION_DENIED"},
			{"reader", now.Etag, codes.PermissionDenied, "PERMISSION_DENIED"},
			{"ann", now.Etag, codes.PermissionDenied, "ROLES_NOT_APART"},
			{"ben", now.Etag, codes.PermissionDenied, "ROLES_NOT_APART"},
			{"ben.phone", now.Etag, codes.PermissionDenied, "ROLES_NOT_APART"},
			{"dan", now.Etag, codes.PermissionDenied, "PERMISSION_DENIED"},
			{"stranger", now.Etag, codes.NotFound, "APPROVAL_NOT_FOUND"},
		} {
			for _, word := range []*pb.DecideApprovalRequest{yes(approval, c.etag), no(approval, c.etag)} {
				_, err := o.as(c.who).DecideApproval(t.Context(), word)
				refused(t, err, c.code, c.reason)
			}
		}
		if after := o.as("ben").shows(approval); after.Etag != now.Etag || len(after.Decisions) != 1 {
			t.Fatalf("a refused word changed the approval: %v", after)
		}
		for _, bad := range []*pb.DecideApprovalRequest{
			{ApprovalId: approval, Etag: "v1", RequestId: "no uuid", Word: yes("", "").Word},
			{ApprovalId: approval, Etag: "v1", RequestId: yes("", "").RequestId},
			{ApprovalId: approval, RequestId: yes("", "").RequestId, Word: yes("", "").Word},
			{ApprovalId: "op_1", Etag: "v1", RequestId: yes("", "").RequestId, Word: yes("", "").Word},
		} {
			_, err := o.as("cleo").DecideApproval(t.Context(), bad)
			refused(t, err, codes.InvalidArgument, "INVALID_REQUEST")
		}

		last := yes(approval, now.Etag)
		last.Comment = "checked"
		granted := o.as("cleo").decides(last)
		if granted.Approval.State != pb.Approval_STATE_GRANTED || granted.Result.OperationId != operation {
			t.Fatalf("granted: %v", granted)
		}
		repeat := o.as("cleo").decides(last) // a transport retry
		if repeat.Approval.Etag != granted.Approval.Etag || len(repeat.Approval.Decisions) != 2 || repeat.Approval.Decisions[1].Comment != "checked" {
			t.Fatalf("the repeat is answered %v", repeat.Approval)
		}
		refusedCancel(t, o, operation, approval)
	})
}

// refusedCancel cancels an approved operation, of which nothing can be decided any more.
func refusedCancel(t *testing.T, o *office, operation, approval string) {
	t.Helper()
	m, err := o.as("agent").CancelOperation(t.Context(), &pb.CancelOperationRequest{OperationId: operation, RequestId: yes("", "").RequestId})
	if err != nil {
		t.Fatal(err)
	}
	inState(t, m.Operation, pb.Operation_STATE_FAILED_PERMANENT)
	_, err = o.as("ben").DecideApproval(t.Context(), no(approval, o.as("ben").shows(approval).Etag))
	refused(t, err, codes.FailedPrecondition, "APPROVAL_NOT_OPEN")
}

// TestWhatAnApproverSees: everything that the decision is about, and what has changed since; nothing that is sensitive.
func TestWhatAnApproverSees(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		o := newOffice(t, w)
		agent, ben := o.as("agent"), o.as("ben")
		d := fieldTool(t, "refund.create")
		d.Name, d.Identity.Sensitive = "refund.asked", []string{"/order_id"}
		d.Identity.Entity = &pb.EntityTemplate{Type: "payments", Id: "{currency}"}
		d.Exclusive = fieldTool(t, "payment.capture").Exclusive
		d.Policy = revokeTool(t).Policy
		o.as("admin").ApplyDefinition(d)
		earlier := agent.Propose("refund.asked", refund)
		asked := agent.Propose("refund.asked", strings.Replace(refund, "10.00", "11.00", 1))
		later := agent.Propose("refund.asked", strings.Replace(refund, "10.00", "12.00", 1))
		a := ben.shows(asked.Approval.ApprovalId)
		says(t, a.CanonicalArgumentsJson, "1100", "USD", "…")
		if strings.Contains(a.CanonicalArgumentsJson, "order_123") || strings.Contains(a.CanonicalArgumentsJson, "hmac") || !slices.Equal(a.RedactedPointers, []string{"/order_id"}) {
			t.Fatalf("a sensitive value is shown: %s, %q", a.CanonicalArgumentsJson, a.RedactedPointers)
		}
		if a.RuleId != "refund.asked/approval" || a.Warning == "" || a.Explanation == "" || a.Proposer != "agent" || a.RequiredCount != 1 || a.ExpireTime == nil {
			t.Fatalf("the approver sees %v", a)
		}
		var recent []string
		for _, r := range a.RecentOperations {
			recent = append(recent, r.OperationId)
			if r.SafeUserMessage == "" || r.Tool != "refund.asked" {
				t.Errorf("a recent operation: %v", r)
			}
		}
		if want := []string{later.Result.OperationId, earlier.Result.OperationId}; !slices.Equal(recent, want) {
			t.Fatalf("the recent operations are %q, want %q", recent, want)
		}
		if len(a.ChangesSince) != 1 || !strings.Contains(a.ChangesSince[0], later.Result.OperationId) {
			t.Fatalf("changed since: %q", a.ChangesSince)
		}
	})
}

// TestApprovalsAreFound by every filter, page by page, and by who may decide them.
func TestApprovalsAreFound(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		o := newOffice(t, w)
		agent, ben := o.as("agent"), o.as("ben")
		var all []string
		var operations []string
		for _, grant := range []string{"g_1", "g_2", "g_3"} {
			id, op := agent.waits("u_7", grant)
			all, operations = append(all, id), append(operations, op)
			w.Pass(1e9)
		}
		ben.denies(all[1])
		open := []string{all[0], all[2]}
		mine := func(r *pb.ListApprovalsRequest) { r.DecidableByMe = true }
		for name, c := range map[string]struct {
			got, want []string
		}{
			"open ones, by the page": {ben.lists(func(r *pb.ListApprovalsRequest) { r.PageSize = 1 }), open},
			"denied":                 {ben.lists(func(r *pb.ListApprovalsRequest) { r.States = []pb.Approval_State{pb.Approval_STATE_DENIED} }), all[1:2]},
			"of one operation":       {ben.lists(func(r *pb.ListApprovalsRequest) { r.OperationId = operations[2] }), all[2:]},
			"of a tool":              {ben.lists(func(r *pb.ListApprovalsRequest) { r.Tool = "access.revoke" }), open},
			"of another tool":        {ben.lists(func(r *pb.ListApprovalsRequest) { r.Tool = "refund.create" }), nil},
			"of an entity":           {ben.lists(func(r *pb.ListApprovalsRequest) { r.Entity = order("order_123") }), nil},
			"a lead's":               {ben.lists(mine), open},
			"the proposer's person":  {o.as("ann").lists(mine), nil},
			"another team's":         {o.as("dan").lists(mine), nil},
			"a reader's":             {o.as("reader").lists(mine), nil},
			"another namespace's":    {o.as("stranger").lists(), nil},
		} {
			if !slices.Equal(c.got, c.want) {
				t.Errorf("%s: %q, want %q", name, c.got, c.want)
			}
		}
		_, err := o.as("stranger").GetApproval(t.Context(), &pb.GetApprovalRequest{ApprovalId: all[0]})
		refused(t, err, codes.NotFound, "APPROVAL_NOT_FOUND")
	})
}
