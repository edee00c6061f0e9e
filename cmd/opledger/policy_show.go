package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newPolicyShow() *cobra.Command {
	var version int32
	cmd := &cobra.Command{
		Use: "show RULE", Short: "Show one rule, as a file that can be applied", Args: cobra.ExactArgs(1),
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		req := &pb.GetRuleRequest{RuleId: args[0], RuleVersion: ifChanged(cmd, "version", &version)}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.policy.GetRule(ctx, req)
			if err != nil {
				return err
			}
			a := res.Rule
			text, err := ruleText(a.GetRule())
			if err != nil {
				return err
			}
			return answer(cmd, a, func(p *printer) {
				fmt.Fprintf(p, "# %s, version %d, applied %s by %s, etag %s\n", printable(a.GetRule().GetRuleId()), a.GetVersion(), clock(a.GetApplyTime()), printable(a.GetAppliedBy()), printable(a.GetEtag()))
				if a.GetRemoveTime() != nil {
					fmt.Fprintf(p, "# removed %s\n", clock(a.GetRemoveTime()))
				}
				_, _ = p.Write(text)
			})
		})
	}
	cmd.ValidArgsFunction = completeRules(c)
	cmd.Flags().Int32Var(&version, "version", 0, "this version (default: the newest)")
	return cmd
}
