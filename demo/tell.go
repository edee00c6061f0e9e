package demo

import (
	"fmt"
	"strings"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// serverPrincipal is who holds the permit of a tool that the server carries out.
const serverPrincipal = "opledger-server"

// tell shows an answer as it was received.
func (h *governedHands) tell(call toolCall, a *pb.ProposeOperationResponse) {
	n := note{
		Kind: noteLedger, Tool: call.Tool, OperationID: a.Result.OperationId, Decision: decisionShown(a.Decision),
		SafeUserMessage: a.Result.SafeUserMessage, ModelMessage: a.Result.ModelMessage,
	}
	n.Text = n.Decision + ": " + answerShown(a)
	h.say(n)
}

// answerShown says in words what an answer means to whoever proposed.
func answerShown(a *pb.ProposeOperationResponse) string {
	switch {
	case a.Permit != nil:
		return fmt.Sprintf("the one permit, attempt %d, %s left", a.Permit.AttemptNumber, seconds(a.Permit.Remaining))
	case a.Approval != nil:
		return fmt.Sprintf("%d of %d persons have approved, of %s. Do not act.",
			a.Approval.ApprovedCount, a.Approval.RequiredCount, strings.Join(a.Approval.Roles, " or "))
	case a.Lookup != nil:
		return "the outcome is not known. Do not act; look it up."
	case a.Result.Replayed && a.Result.State == pb.Operation_STATE_FAILED_PERMANENT:
		return "it has failed for good; nothing is sent again, whatever the words"
	case a.Result.Replayed:
		return "already done; here is the recorded result"
	case a.Decision == pb.Decision_DECISION_ENQUEUED:
		return "recorded; the server carries it out. No permit."
	case a.Decision == pb.Decision_DECISION_RECONCILING:
		return "the outcome is not known; the server finds it out. Do not act."
	case a.DecidedBy != nil:
		return a.DecidedBy.RuleId + ": " + a.DecidedBy.Explanation
	case a.Holder != nil:
		holder := a.Holder.RunId
		if a.Holder.Principal == serverPrincipal {
			holder = "the server"
		}
		return fmt.Sprintf("%s holds the permit, for %s at most. Do not act.", holder, seconds(a.RetryAfter))
	}
	return "no permit. Do not act."
}

// named is the other operation that an answer names as standing in the way. Empty: none.
func named(a *pb.ProposeOperationResponse) string {
	if id := a.Earlier.GetOperationId(); id != "" {
		return id
	}
	return a.Holder.GetOperationId()
}

func decisionShown(d pb.Decision) string { return strings.TrimPrefix(d.String(), "DECISION_") }
