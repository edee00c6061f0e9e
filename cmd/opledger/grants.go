package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newGrants() *cobra.Command {
	return family("grants", "Let one proposal pass once: override, repeat, revise",
		newGrantsCreate(), newGrantsShow(), newGrantsList(), newGrantsRevoke())
}

func newGrantsShow() *cobra.Command {
	cmd := &cobra.Command{Use: "show GRANT", Short: "Show one grant", Args: cobra.ExactArgs(1)}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.policy.GetGrant(ctx, &pb.GetGrantRequest{GrantId: args[0]})
			if err != nil {
				return err
			}
			return answer(cmd, res.Grant, func(p *printer) { p.grant(res.Grant) })
		})
	}
	return cmd
}

func (p *printer) grant(g *pb.Grant) {
	p.facts(
		"grant", g.GetGrantId(),
		"stands", grantStanding(g),
		"allows", short(g.GetKind()),
		"tool", g.GetTool(),
		"fingerprint", g.GetFingerprint(),
		"occurrence", g.GetOccurrence(),
		"rule", g.GetRuleId(),
		"operation", g.GetOperationId(),
		"for", or(g.GetForPrincipal(), "any proposer but its giver"),
		"given by", g.GetGivenBy(),
		"because", g.GetReason(),
		"given", clock(g.GetCreateTime()),
		"ends", clock(g.GetExpireTime()),
		"used by", g.GetUsedByOperationId(),
		"used", clock(g.GetUseTime()),
		"etag", g.GetEtag(),
	)
}

// grantStanding is how a grant stands. Whether its time is over is for the ledger to say; here its end is told.
func grantStanding(g *pb.Grant) string {
	switch {
	case g.GetUseTime() != nil:
		return "used"
	case g.GetRevokeTime() != nil:
		return "revoked " + clock(g.GetRevokeTime())
	}
	return "unused"
}

func newGrantsList() *cobra.Command {
	var usable bool
	req := &pb.ListGrantsRequest{}
	cmd := &cobra.Command{Use: "list", Short: "List grants, the newest first", Args: cobra.NoArgs}
	c := addConnectionFlags(cmd)
	limit := addLimitFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		req.Usable = ifChanged(cmd, "usable", &usable)
		all := &pb.ListGrantsResponse{}
		err := c.call(cmd, 0, func(ctx context.Context, r *remote) (err error) {
			all.NextPageToken, err = readPages(*limit, func(size int32, token string) (int, string, error) {
				req.PageSize, req.PageToken = size, token
				page, err := r.policy.ListGrants(ctx, req)
				all.Grants = append(all.Grants, page.GetGrants()...)
				return len(page.GetGrants()), page.GetNextPageToken(), err
			})
			return err
		})
		if err != nil {
			return err
		}
		return answer(cmd, all, func(p *printer) {
			var rows [][]string
			for _, g := range all.Grants {
				about := or(g.RuleId, or(g.Occurrence, g.OperationId))
				rows = append(rows, []string{g.GrantId, short(g.Kind), g.Tool, about, grantStanding(g), g.GivenBy, clock(g.CreateTime), clock(g.ExpireTime), g.UsedByOperationId})
			}
			p.list("No grant.", []string{"GRANT", "ALLOWS", "TOOL", "ABOUT", "STANDS", "GIVEN BY", "GIVEN", "ENDS", "USED BY"}, rows, all.NextPageToken, *limit)
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&req.Tool, "tool", "", "only for this tool")
	flags.BoolVar(&usable, "usable", false, "only those that can still be used (=false: that cannot)")
	must(cmd.RegisterFlagCompletionFunc("tool", completeToolFlag(c)))
	return cmd
}

func newGrantsRevoke() *cobra.Command {
	req := &pb.RevokeGrantRequest{}
	cmd := &cobra.Command{Use: "revoke GRANT", Short: "End a grant that is not used yet", Args: cobra.ExactArgs(1)}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		req.GrantId = args[0]
		if req.RequestId, err = newRequestID(); err != nil {
			return err
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.policy.RevokeGrant(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res.Grant, func(p *printer) { fmt.Fprintf(p, "%s is revoked.\n", printable(res.Grant.GetGrantId())) })
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&req.Reason, "reason", "", "why; recorded (required)")
	flags.StringVar(&req.Etag, "etag", "", "refuse where the grant is no longer at the etag that you saw")
	must(cmd.MarkFlagRequired("reason"))
	return cmd
}
