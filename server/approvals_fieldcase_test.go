package server_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// TestFC102OneToolWaitsForAPerson: after the pause the whole step runs again, and its finished neighbour is answered from
// the record.
func TestFC102OneToolWaitsForAPerson(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		o := newOffice(t, w)
		agent := o.as("agent")
		charged := agent.Execute("payment.capture", capture)
		agent.Reported(charged, servertest.Succeeded("ch_1", `{"id":"ch_1"}`))
		approval, _ := agent.waits("u_7", "g_2")
		if m := o.as("ben").approves(approval); m.Approval.State != pb.Approval_STATE_GRANTED || m.Result.State != pb.Operation_STATE_PENDING_DISPATCH {
			t.Fatalf("approved: %v", m)
		}
		again := agent.Propose("payment.capture", capture, from("wf_1", "run_2"))
		decided(t, again, pb.Decision_DECISION_REPLAYED)
		if again.Result.EffectId != "ch_1" {
			t.Fatalf("the recorded charge is the answer: %v", again.Result)
		}
		revoked := agent.Execute("access.revoke", revoke("u_7", "g_2"), from("wf_1", "run_2"))
		decided(t, agent.Propose("access.revoke", revoke("u_7", "g_2"), from("wf_1", "run_2")), pb.Decision_DECISION_IN_FLIGHT)
		agent.Reported(revoked, servertest.Succeeded("rev_1", `{}`))
		decided(t, agent.Propose("access.revoke", revoke("u_7", "g_2"), from("wf_1", "run_3")), pb.Decision_DECISION_REPLAYED)
		attempts(t, agent.Operation(charged.OperationId), 1)
		attempts(t, agent.Operation(revoked.OperationId), 1)
		if a := agent.shows(approval); a.State != pb.Approval_STATE_SPENT {
			t.Fatalf("the approval is %v", a.State)
		}
	})
}

// TestFC103TwoApprovalsWait: each answer reaches its own operation, in whatever order and however close they come.
func TestFC103TwoApprovalsWait(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		o := newOffice(t, w)
		for name, answer := range map[string]func(*caller, *pb.DecideApprovalRequest, *pb.DecideApprovalRequest){
			"reversed": func(ben *caller, first, second *pb.DecideApprovalRequest) {
				ben.decides(second)
				ben.decides(first)
			},
			"at the same moment": func(ben *caller, first, second *pb.DecideApprovalRequest) {
				var both sync.WaitGroup
				for _, word := range []*pb.DecideApprovalRequest{second, first} {
					both.Go(func() {
						if _, err := ben.DecideApproval(t.Context(), word); err != nil {
							t.Errorf("%s: %v", word.ApprovalId, err)
						}
					})
				}
				both.Wait()
			},
		} {
			agent, ben := o.as("agent"), o.as("ben")
			seven, eight := "u_7 "+name, "u_8 "+name
			asked := make([]*pb.ProposeOperationResponse, 2)
			var proposing sync.WaitGroup
			for i, arguments := range []string{revoke(seven, "g_2"), revoke(eight, "g_9")} {
				proposing.Go(func() {
					asked[i], _ = agent.ProposeOperation(t.Context(), servertest.Proposal("access.revoke", arguments))
				})
			}
			proposing.Wait()
			for _, m := range asked {
				decided(t, m, pb.Decision_DECISION_AWAITING_APPROVAL)
			}
			first, second := ben.shows(asked[0].Approval.ApprovalId), ben.shows(asked[1].Approval.ApprovalId)
			otherOperation(t, first.OperationId, second.OperationId)
			if first.ApprovalId == second.ApprovalId || first.OperationId != asked[0].Result.OperationId || first.Fingerprint == second.Fingerprint {
				t.Fatalf("%s: two approvals are wanted: %v, %v", name, first, second)
			}
			says(t, first.CanonicalArgumentsJson, seven, "g_2")
			says(t, second.CanonicalArgumentsJson, eight, "g_9")
			answer(ben, yes(first.ApprovalId, first.Etag), no(second.ApprovalId, second.Etag))

			decided(t, agent.Propose("access.revoke", revoke(seven, "g_2")), pb.Decision_DECISION_EXECUTE)
			denied := agent.Propose("access.revoke", revoke(eight, "g_9"))
			decided(t, denied, pb.Decision_DECISION_DENIED)
			if denied.DecidedBy.GetRuleId() != "approval_denied" || denied.Result.Failure.GetCategory() != pb.FailureCategory_FAILURE_CATEGORY_APPROVAL_DENIED {
				t.Fatalf("%s: denied by %v with %v", name, denied.DecidedBy, denied.Result.Failure)
			}
			// A decision for an unknown or decided approval changes nothing and says so.
			before := ben.shows(second.ApprovalId)
			_, err := o.as("cleo").DecideApproval(t.Context(), yes(second.ApprovalId, before.Etag))
			refused(t, err, codes.FailedPrecondition, "APPROVAL_NOT_OPEN")
			_, err = ben.DecideApproval(t.Context(), yes("apr_unknown", "v1"))
			refused(t, err, codes.NotFound, "APPROVAL_NOT_FOUND")
			if after := ben.shows(second.ApprovalId); after.Etag != before.Etag || after.State != pb.Approval_STATE_DENIED {
				t.Fatalf("%s: a refused decision changed the approval: %v", name, after)
			}
		}
	})
}

// TestFC111ApprovalIsForOneAct: consent is to one canonical act under one version of its tool.
func TestFC111ApprovalIsForOneAct(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		o := newOffice(t, w)
		agent, ben := o.as("agent"), o.as("ben")
		first, operation := agent.waits("u_7", "g_2")
		ben.approves(first)
		other, otherOp := agent.waits("u_7", "g_3")
		otherOperation(t, operation, otherOp)
		if other == first || ben.shows(first).State != pb.Approval_STATE_GRANTED {
			t.Fatal("the approval of g_2 was touched by g_3")
		}

		next := revokeTool(t)
		next.Schema = &pb.ToolDefinition_ArgumentsSchemaJson{ArgumentsSchemaJson: `{"type":"object","required":["user_id","grant_id"],
			"additionalProperties":false,"properties":{"user_id":{"type":"string"},"grant_id":{"type":"string"},"note":{"type":"string"}}}`}
		next.Identity.Fields = map[string]*pb.FieldRule{"/note": {Kind: &pb.FieldRule_Ignore{Ignore: &pb.IgnoreRule{}}}}
		next.Identity.Change = continues
		if tool := o.as("admin").ApplyDefinition(next); tool.Version != 2 {
			t.Fatalf("applied as version %d", tool.Version)
		}
		if seen := ben.shows(other); !slices.ContainsFunc(seen.ChangesSince, func(s string) bool { return strings.Contains(s, "version 2") }) {
			t.Fatalf("the approver is not told of the tool's new version: %q", seen.ChangesSince)
		}
		anew, same := agent.waits("u_7", "g_2")
		sameOperation(t, operation, same)
		if a := ben.shows(anew); anew == first || a.ToolVersion != 2 || ben.shows(first).State != pb.Approval_STATE_VOID {
			t.Fatalf("the approval under the old version covers the new one: %v", a)
		}
		_, err := ben.DecideApproval(t.Context(), yes(other, ben.shows(other).Etag)) // of a changed tool
		refused(t, err, codes.FailedPrecondition, "APPROVAL_NOT_OPEN")
		ben.approves(anew)
		permit := agent.Propose("access.revoke", revoke("u_7", "g_2"), called("call_B"))
		decided(t, permit, pb.Decision_DECISION_EXECUTE)
		sameOperation(t, operation, permit.Result.OperationId)
	})
}
