package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// newApprovalsDecide makes "approvals approve" or "approvals deny".
func newApprovalsDecide(yes bool) *cobra.Command {
	var seen string
	req := &pb.DecideApprovalRequest{}
	cmd := &cobra.Command{
		Use: "approve APPROVAL", Short: "Let an operation run, after having seen it", Args: cobra.ExactArgs(1),
		Long: "Shows what an approver must see and asks. The yes is bound to exactly what was shown: where it has changed meanwhile,\n" +
			"nothing is decided. With --yes nobody is asked; name --etag then, so that what you saw before is what you approve.",
		Example: "  opledger approvals approve apr_01... --comment \"checked with the customer\"\n" +
			"  opledger approvals approve apr_01... --yes --etag 3",
	}
	question := "Approve it?"
	req.Word = &pb.DecideApprovalRequest_Approve{Approve: &pb.Approve{}}
	if !yes {
		cmd.Use, cmd.Short = "deny APPROVAL", "End an operation with a no, which holds for a while"
		cmd.Long = "Shows what an approver must see and asks. A no ends the operation, and holds for its group and entity for as long as its\n" +
			"tool states: other proposals there are denied and name it."
		cmd.Example = "  opledger approvals deny apr_01... --comment \"the order was never delivered\""
		question = "Deny it? The operation ends, and others of its group on the entity are denied for a while."
		req.Word = &pb.DecideApprovalRequest_Deny{Deny: &pb.Deny{}}
	}
	c := addConnectionFlags(cmd)
	confirm := addConfirmation(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		req.ApprovalId = args[0]
		if err := confirm.possible(cmd); err != nil {
			return err
		}
		if req.RequestId, err = newRequestID(); err != nil {
			return err
		}
		a, err := c.seeApproval(cmd, req.ApprovalId)
		if err != nil {
			return err
		}
		if seen != "" && seen != a.Etag {
			return fmt.Errorf("%s is at etag %s by now, not at %s; look at it again: opledger approvals show %s", a.ApprovalId, a.Etag, seen, a.ApprovalId)
		}
		req.Etag = a.Etag
		if err := confirm.ask(cmd, question, func(p *printer) { p.approval(a) }); err != nil {
			return err
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.approvals.DecideApproval(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res, func(p *printer) { p.decided(res) })
		})
	}
	cmd.ValidArgsFunction = completeApprovals(c)
	flags := cmd.Flags()
	flags.StringVar(&req.Comment, "comment", "", "what you say to it; recorded")
	flags.StringVar(&seen, "etag", "", "refuse where the approval is no longer at the etag that you saw")
	return cmd
}

// decided writes how an approval stands after a word, and what comes next.
func (p *printer) decided(res *pb.DecideApprovalResponse) {
	a := res.Approval
	switch a.GetState() {
	case pb.Approval_STATE_OPEN:
		fmt.Fprintf(p, "Recorded: %s approved; more people must.\n", approvalCount(a))
	case pb.Approval_STATE_GRANTED, pb.Approval_STATE_RESERVED, pb.Approval_STATE_SPENT:
		fmt.Fprintf(p, "Granted: %s may run.\n", printable(a.GetOperationId()))
	case pb.Approval_STATE_DENIED:
		fmt.Fprintf(p, "Denied: %s has ended.\n", printable(a.GetOperationId()))
	default:
		fmt.Fprintf(p, "%s is %s.\n", printable(a.GetApprovalId()), short(a.GetState()))
	}
	p.result(res.Result)
}
