package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newStanding() *cobra.Command {
	return family("standing", "Approve operations ahead, on a leash",
		newStandingCreate(), newStandingList(), newStandingShow(), newStandingRevoke())
}

func newStandingCreate() *cobra.Command {
	var amount, sum int64
	var entity string
	var expires time.Duration
	terms := &pb.StandingApprovalTerms{}
	req := &pb.CreateStandingApprovalRequest{Terms: terms}
	cmd := &cobra.Command{
		Use: "create", Short: "Approve operations ahead, within bounds", Args: cobra.NoArgs,
		Long: "Approves operations before they are proposed, one at a time, within bounds. Each use is visible, and the rest can be\n" +
			"revoked. Amounts are whole numbers of the canonical arguments, in minor units: 30 EUR is 3000.",
		Example: "  opledger approvals standing create --tool refund.create --max-count 5 --amount-pointer /amount/minor --max-amount 3000 \\\n" +
			"      --currency EUR --entity order/order_123 --expires-after 8h --reason \"goodwill for the delayed order\"",
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		terms.MaxAmount, terms.MaxSum = ifChanged(cmd, "max-amount", &amount), ifChanged(cmd, "max-sum", &sum)
		if terms.AmountPointer == "" && (terms.MaxAmount != nil || terms.MaxSum != nil) {
			return usagef("--max-amount and --max-sum bound the number at --amount-pointer, which has to be named")
		}
		if terms.Entity, err = parseEntity(entity); err != nil {
			return err
		}
		if req.RequestId, err = newRequestID(); err != nil {
			return err
		}
		req.ExpiresAfter = durationpb.New(expires)
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.approvals.CreateStandingApproval(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res.StandingApproval, func(p *printer) { p.standing(res.StandingApproval) })
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&terms.Tool, "tool", "", "the tool (required)")
	flags.Int32Var(&terms.MaxCount, "max-count", 0, "how many operations, 1 to 1000 (required)")
	flags.StringVar(&terms.AmountPointer, "amount-pointer", "", "the JSON Pointer of a canonical whole number that is bounded")
	flags.Int64Var(&amount, "max-amount", 0, "the greatest amount of one operation, in minor units")
	flags.Int64Var(&sum, "max-sum", 0, "the greatest sum of all, in minor units")
	flags.StringVar(&terms.Currency, "currency", "", "the currency of the amounts, such as EUR")
	flags.StringVar(&entity, "entity", "", "only about this entity: type/id")
	flags.StringVar(&terms.When, "when", "", "a further condition, CEL over the proposal")
	flags.StringVar(&terms.Proposer, "proposer", "", "only of this proposer (default: anybody but you)")
	flags.StringVar(&terms.WorkflowId, "workflow", "", "only of this workflow")
	flags.DurationVar(&expires, "expires-after", 0, "how long it holds, at most 720h (required)")
	flags.StringVar(&req.Reason, "reason", "", "why; recorded (required)")
	for _, name := range []string{"tool", "max-count", "expires-after", "reason"} {
		must(cmd.MarkFlagRequired(name))
	}
	must(cmd.RegisterFlagCompletionFunc("tool", completeToolFlag(c)))
	return cmd
}

func newStandingShow() *cobra.Command {
	cmd := &cobra.Command{Use: "show STANDING", Short: "Show one standing approval and its uses", Args: cobra.ExactArgs(1)}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.approvals.GetStandingApproval(ctx, &pb.GetStandingApprovalRequest{StandingApprovalId: args[0]})
			if err != nil {
				return err
			}
			return answer(cmd, res.StandingApproval, func(p *printer) { p.standing(res.StandingApproval) })
		})
	}
	return cmd
}

func (p *printer) standing(s *pb.StandingApproval) {
	t := s.GetTerms()
	p.facts(
		"standing approval", s.GetStandingApprovalId(),
		"tool", t.GetTool(),
		"operations", fmt.Sprintf("%d of %d used", s.GetUsedCount(), t.GetMaxCount()),
		"amounts", standingAmounts(s),
		"entity", or(entityName(t.GetEntity()), "any"),
		"when", t.GetWhen(),
		"proposer", or(t.GetProposer(), "anybody but its giver"),
		"workflow", t.GetWorkflowId(),
		"given by", s.GetGivenBy(),
		"given", clock(s.GetCreateTime()),
		"ends", clock(s.GetExpireTime()),
		"revoked", clock(s.GetRevokeTime()),
		"used by", strings.Join(s.GetOperationIds(), " "),
		"etag", s.GetEtag(),
	)
}

// standingAmounts is what a standing approval bounds of amounts, and what is used of it.
func standingAmounts(s *pb.StandingApproval) string {
	t := s.GetTerms()
	if t.GetAmountPointer() == "" {
		return ""
	}
	var parts []string
	if t.MaxAmount != nil {
		parts = append(parts, fmt.Sprintf("at most %d each", t.GetMaxAmount()))
	}
	if t.MaxSum != nil {
		parts = append(parts, fmt.Sprintf("%d of %d used in all", s.GetUsedSum(), t.GetMaxSum()))
	}
	return strings.TrimSpace(strings.Join(parts, ", ") + " " + t.GetCurrency() + " (" + t.GetAmountPointer() + ")")
}

func newStandingList() *cobra.Command {
	var usable bool
	req := &pb.ListStandingApprovalsRequest{}
	cmd := &cobra.Command{Use: "list", Short: "List standing approvals, the newest first", Args: cobra.NoArgs}
	c := addConnectionFlags(cmd)
	limit := addLimitFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		req.Usable = ifChanged(cmd, "usable", &usable)
		all := &pb.ListStandingApprovalsResponse{}
		err := c.call(cmd, 0, func(ctx context.Context, r *remote) (err error) {
			all.NextPageToken, err = readPages(*limit, func(size int32, token string) (int, string, error) {
				req.PageSize, req.PageToken = size, token
				page, err := r.approvals.ListStandingApprovals(ctx, req)
				all.StandingApprovals = append(all.StandingApprovals, page.GetStandingApprovals()...)
				return len(page.GetStandingApprovals()), page.GetNextPageToken(), err
			})
			return err
		})
		if err != nil {
			return err
		}
		return answer(cmd, all, func(p *printer) {
			var rows [][]string
			for _, s := range all.StandingApprovals {
				ends := clock(s.ExpireTime)
				if s.RevokeTime != nil {
					ends = "revoked " + clock(s.RevokeTime)
				}
				rows = append(rows, []string{s.StandingApprovalId, s.Terms.GetTool(), or(entityName(s.Terms.GetEntity()), "any"),
					fmt.Sprintf("%d of %d", s.UsedCount, s.Terms.GetMaxCount()), standingAmounts(s), s.GivenBy, ends})
			}
			p.list("No standing approval.", []string{"STANDING APPROVAL", "TOOL", "ENTITY", "USED", "AMOUNTS", "GIVEN BY", "ENDS"}, rows, all.NextPageToken, *limit)
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&req.Tool, "tool", "", "only for this tool")
	flags.BoolVar(&usable, "usable", false, "only those that can still be used (=false: that cannot)")
	must(cmd.RegisterFlagCompletionFunc("tool", completeToolFlag(c)))
	return cmd
}

func newStandingRevoke() *cobra.Command {
	req := &pb.RevokeStandingApprovalRequest{}
	cmd := &cobra.Command{
		Use: "revoke STANDING", Short: "End a standing approval; what it has approved and is begun goes on", Args: cobra.ExactArgs(1),
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		req.StandingApprovalId = args[0]
		if req.RequestId, err = newRequestID(); err != nil {
			return err
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.approvals.RevokeStandingApproval(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res.StandingApproval, func(p *printer) {
				fmt.Fprintf(p, "%s is revoked; %d operations had used it.\n", printable(res.StandingApproval.GetStandingApprovalId()), res.StandingApproval.GetUsedCount())
			})
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&req.Reason, "reason", "", "why; recorded (required)")
	flags.StringVar(&req.Etag, "etag", "", "refuse where it is no longer at the etag that you saw")
	must(cmd.MarkFlagRequired("reason"))
	return cmd
}
