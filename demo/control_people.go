package demo

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/status"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// decide lets everybody say yes who has a credential: those whose word must not count, and the two whose word does.
func (f *floor) decide(ctx context.Context, approvalID string) error {
	a, err := f.approvalOf(ctx, personAnn, approvalID)
	if err != nil {
		return err
	}
	f.screen.said("what an approver sees", a.Tool+" "+a.CanonicalArgumentsJson)
	f.screen.said("asked for by", a.RuleId+". "+a.Warning)
	for _, who := range []string{agentChat, personKim, personAnn, secondOfAnn, personBen} {
		if err := f.approves(ctx, who, approvalID); err != nil {
			return err
		}
	}
	return nil
}

// approves lets somebody say yes to what they see, and shows what became of it.
func (f *floor) approves(ctx context.Context, who, approvalID string) error {
	// Everybody decides on the newest state: what is refused is refused for who they are, not for what they saw.
	seen, err := f.approvalOf(ctx, personAnn, approvalID)
	if err != nil {
		return err
	}
	conn, err := f.as(who)
	if err != nil {
		return err
	}
	f.tell(note{Who: who, Kind: notePerson, Text: "approves (" + f.describe(who) + ")"})
	decided, err := pb.NewApprovalServiceClient(conn).DecideApproval(ctx, &pb.DecideApprovalRequest{
		RequestId: uuid.NewString(), ApprovalId: approvalID, Etag: seen.Etag, Word: &pb.DecideApprovalRequest_Approve{Approve: &pb.Approve{}},
	})
	word := Word{By: who}
	if err != nil {
		if word.Refused = reasonOf(err); word.Refused == "" {
			return fmt.Errorf("the word of %s: %w", who, err)
		}
		f.tell(note{Kind: noteLedger, Text: "refused, " + word.Refused + ": " + status.Convert(err).Message()})
	} else {
		word.Approved = approvedBy(decided.Approval)
		f.tell(note{Kind: noteLedger, Text: fmt.Sprintf("%d of %d persons have approved: %s", word.Approved, decided.Approval.RequiredCount, approvalStateShown(decided.Approval.State))})
	}
	f.result.Words = append(f.result.Words, word)
	return nil
}

// describe says who somebody is, as the file of tokens has it.
func (f *floor) describe(who string) string {
	c := controlCast[who]
	if len(c.Teams) == 0 {
		return "the agent's own credential"
	}
	return c.Person + ", " + strings.Join(c.Teams, " and ")
}

func (f *floor) approvalOf(ctx context.Context, who, id string) (*pb.Approval, error) {
	conn, err := f.as(who)
	if err != nil {
		return nil, err
	}
	m, err := pb.NewApprovalServiceClient(conn).GetApproval(ctx, &pb.GetApprovalRequest{ApprovalId: id})
	if err != nil {
		return nil, fmt.Errorf("read the approval: %w", err)
	}
	return m.Approval, nil
}

// approval is what the ledger has recorded of the approval in the end.
func (f *floor) approval(ctx context.Context, id string) (*Approval, error) {
	a, err := f.approvalOf(ctx, personAnn, id)
	if err != nil {
		return nil, err
	}
	kept := &Approval{ApprovalID: id, OperationID: a.OperationId, State: approvalStateShown(a.State), Required: int(a.RequiredCount), Persons: []string{}}
	for _, d := range a.Decisions {
		if d.Approved {
			kept.Persons = append(kept.Persons, d.Person)
		}
	}
	return kept, nil
}

func approvedBy(a *pb.Approval) int {
	n := 0
	for _, d := range a.Decisions {
		if d.Approved {
			n++
		}
	}
	return n
}

func approvalStateShown(s pb.Approval_State) string {
	return strings.ToLower(strings.TrimPrefix(s.String(), "STATE_"))
}

// reasonOf is the stable reason of a refusal. Empty: the ledger gave none.
func reasonOf(err error) string {
	for _, detail := range status.Convert(err).Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok {
			return info.Reason
		}
	}
	return ""
}
