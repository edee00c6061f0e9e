package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newApprovals() *cobra.Command {
	return family("approvals", "See what waits for a person's yes, and decide it",
		newApprovalsList(), newApprovalsShow(), newApprovalsDecide(true), newApprovalsDecide(false), newStanding())
}

func newApprovalsList() *cobra.Command {
	var states []string
	var entity string
	req := &pb.ListApprovalsRequest{}
	cmd := &cobra.Command{
		Use: "list", Short: "List open approvals, those that expire first first", Args: cobra.NoArgs,
		Example: "  opledger approvals list --mine\n  opledger approvals list --state denied,expired --tool refund.create",
	}
	c := addConnectionFlags(cmd)
	limit := addLimitFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if req.States, err = parseWords[pb.Approval_State]("state", approvalStateEnum, states); err != nil {
			return err
		}
		if req.Entity, err = parseEntity(entity); err != nil {
			return err
		}
		all := &pb.ListApprovalsResponse{}
		err = c.call(cmd, 0, func(ctx context.Context, r *remote) (err error) {
			all.NextPageToken, err = readPages(*limit, func(size int32, token string) (int, string, error) {
				req.PageSize, req.PageToken = size, token
				page, err := r.approvals.ListApprovals(ctx, req)
				all.Approvals = append(all.Approvals, page.GetApprovals()...)
				return len(page.GetApprovals()), page.GetNextPageToken(), err
			})
			return err
		})
		if err != nil {
			return err
		}
		return answer(cmd, all, func(p *printer) {
			var rows [][]string
			for _, a := range all.Approvals {
				rows = append(rows, []string{a.ApprovalId, short(a.State), a.Tool, entityName(a.Entity), approvalCount(a), strings.Join(a.Roles, ","), clock(a.ExpireTime), a.Explanation})
			}
			p.list("No approval.", []string{"APPROVAL", "STATE", "TOOL", "ENTITY", "APPROVED", "ROLES", "EXPIRES", "WHY"}, rows, all.NextPageToken, *limit)
		})
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&states, "state", nil, "only in these states (default: open)")
	flags.BoolVar(&req.DecidableByMe, "mine", false, "only those that you may decide")
	flags.StringVar(&req.Tool, "tool", "", "only for this tool")
	flags.StringVar(&entity, "entity", "", "only about this entity: type/id")
	flags.StringVar(&req.OperationId, "operation", "", "only of this operation")
	must(cmd.RegisterFlagCompletionFunc("state", completeWords(words(approvalStateEnum)...)))
	must(cmd.RegisterFlagCompletionFunc("tool", completeToolFlag(c)))
	return cmd
}

// approvalCount is how many have approved, of how many.
func approvalCount(a *pb.Approval) string {
	approved := 0
	for _, d := range a.Decisions {
		if d.Approved {
			approved++
		}
	}
	return fmt.Sprintf("%d of %d", approved, a.RequiredCount)
}

func newApprovalsShow() *cobra.Command {
	cmd := &cobra.Command{
		Use: "show APPROVAL", Short: "Show all that an approver must see", Args: cobra.ExactArgs(1),
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a, err := c.seeApproval(cmd, args[0])
		if err != nil {
			return err
		}
		return answer(cmd, a, func(p *printer) { p.approval(a) })
	}
	cmd.ValidArgsFunction = completeApprovals(c)
	return cmd
}

// seeApproval reads an approval with all that an approver needs to see.
func (c *connection) seeApproval(cmd *cobra.Command, id string) (a *pb.Approval, err error) {
	err = c.call(cmd, 0, func(ctx context.Context, r *remote) error {
		res, err := r.approvals.GetApproval(ctx, &pb.GetApprovalRequest{ApprovalId: id})
		a = res.GetApproval()
		return err
	})
	return a, err
}

// completeApprovals offers the ids of approvals that the caller may decide.
func completeApprovals(c *connection) completion {
	return completeRemote(c, func(ctx context.Context, r *remote, begun string) (found []string) {
		list, err := r.approvals.ListApprovals(ctx, &pb.ListApprovalsRequest{PageSize: pageSize, DecidableByMe: true})
		if err != nil {
			return nil
		}
		for _, a := range list.Approvals {
			if strings.HasPrefix(a.ApprovalId, begun) {
				found = append(found, a.ApprovalId+"\t"+a.Tool+" "+entityName(a.Entity))
			}
		}
		return found
	})
}
