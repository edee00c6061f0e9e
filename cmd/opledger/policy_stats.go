package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newPolicyStats() *cobra.Command {
	var period time.Duration
	req := &pb.GetPolicyStatsRequest{}
	cmd := &cobra.Command{
		Use: "stats", Short: "Tell how often rules said no, and would have in shadow", Args: cobra.NoArgs,
		Example: "  opledger policy stats --period 168h",
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if period <= 0 {
			return usagef("--period has to be above zero")
		}
		req.Period = durationpb.New(period)
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.policy.GetPolicyStats(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res, func(p *printer) { p.stats(res.Rules, period) })
		})
	}
	flags := cmd.Flags()
	flags.DurationVar(&period, "period", 24*time.Hour, "the period that ends now")
	flags.StringVar(&req.RuleId, "rule", "", "only this rule")
	return cmd
}

// stats writes the figures of rules.
func (p *printer) stats(rules []*pb.RuleStats, period time.Duration) {
	if len(rules) == 0 {
		fmt.Fprintf(p, "No rule was asked within the last %s.\n", lasting(period))
		return
	}
	var rows [][]string
	for _, s := range rules {
		rows = append(rows, []string{s.RuleId, versionWord(s.RuleVersion), fmt.Sprint(s.Evaluations), fmt.Sprint(s.Refusals), share(s.Refusals, s.Evaluations),
			fmt.Sprint(s.ShadowRefusals), share(s.ShadowRefusals, s.Evaluations), fmt.Sprint(s.Overrides)})
	}
	p.table([]string{"RULE", "VERSION", "ASKED", "SAID NO", "", "WOULD HAVE SAID NO", "", "OVERRIDDEN"}, rows)
}

// versionWord is a rule's version; built-in rules have none.
func versionWord(version int32) string {
	if version == 0 {
		return "built in"
	}
	return fmt.Sprint(version)
}

// share is a part of a whole, for people.
func share(part, whole int64) string {
	if whole == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(whole))
}
