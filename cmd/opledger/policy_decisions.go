package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newPolicyDecisions() *cobra.Command {
	return family("decisions", "See what was decided, by which rule, on what grounds", newPolicyDecisionsList(), newPolicyDecisionsShow())
}

func newPolicyDecisionsList() *cobra.Command {
	var decisions []string
	var entity, from, until string
	req := &pb.ListDecisionsRequest{}
	cmd := &cobra.Command{
		Use: "list", Short: "List stored decisions, the newest first", Args: cobra.NoArgs,
		Example: "  opledger policy decisions list --decision denied,suppressed --tool refund.create\n" +
			"  opledger policy decisions list --rule refunds-per-customer --from 24h",
	}
	c := addConnectionFlags(cmd)
	limit := addLimitFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if req.Decisions, err = parseWords[pb.Decision]("decision", decisionEnum, decisions); err != nil {
			return err
		}
		if req.Entity, err = parseEntity(entity); err != nil {
			return err
		}
		if req.TimeFrom, err = parseTime("from", from); err != nil {
			return err
		}
		if req.TimeUntil, err = parseTime("until", until); err != nil {
			return err
		}
		all := &pb.ListDecisionsResponse{}
		err = c.call(cmd, 0, func(ctx context.Context, r *remote) (err error) {
			all.NextPageToken, err = readPages(*limit, func(size int32, token string) (int, string, error) {
				req.PageSize, req.PageToken = size, token
				page, err := r.policy.ListDecisions(ctx, req)
				all.Decisions = append(all.Decisions, page.GetDecisions()...)
				return len(page.GetDecisions()), page.GetNextPageToken(), err
			})
			return err
		})
		if err != nil {
			return err
		}
		return answer(cmd, all, func(p *printer) {
			var rows [][]string
			for _, d := range all.Decisions {
				by := &pb.RuleVerdict{}
				if len(d.Verdicts) > 0 {
					by = d.Verdicts[0]
				}
				rows = append(rows, []string{d.DecisionId, clock(d.Time), short(d.Decision), d.Tool, entityName(d.Entity), d.Principal, by.RuleId, by.Explanation})
			}
			p.list("No decision.", []string{"DECISION", "TIME", "DECIDED", "TOOL", "ENTITY", "PRINCIPAL", "RULE", "WHY"}, rows, all.NextPageToken, *limit)
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&req.Tool, "tool", "", "only about this tool")
	flags.StringSliceVar(&decisions, "decision", nil, "only these decisions")
	flags.StringVar(&req.RuleId, "rule", "", "only those that this rule made")
	flags.StringVar(&req.OperationId, "operation", "", "only about this operation")
	flags.StringVar(&req.WorkflowId, "workflow", "", "only about this workflow")
	flags.StringVar(&entity, "entity", "", "only about this entity: type/id")
	flags.StringVar(&from, "from", "", "only from this time on: RFC 3339, or how long ago, such as 24h")
	flags.StringVar(&until, "until", "", "only before this time")
	must(cmd.RegisterFlagCompletionFunc("decision", completeWords(words(decisionEnum)...)))
	must(cmd.RegisterFlagCompletionFunc("tool", completeToolFlag(c)))
	return cmd
}

func newPolicyDecisionsShow() *cobra.Command {
	cmd := &cobra.Command{
		Use: "show DECISION", Short: "Show one decision: what each rule said, and what it looked at", Args: cobra.ExactArgs(1),
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.policy.GetDecision(ctx, &pb.GetDecisionRequest{DecisionId: args[0]})
			if err != nil {
				return err
			}
			return answer(cmd, res.Decision, func(p *printer) {
				d := res.Decision
				p.facts(
					"decision", d.GetDecisionId(), "time", clock(d.GetTime()), "decided", short(d.GetDecision()),
					"tool", fmt.Sprintf("%s v%d", d.GetTool(), d.GetToolVersion()), "principal", d.GetPrincipal(),
					"entity", entityName(d.GetEntity()), "workflow", d.GetWorkflowId(), "operation", d.GetOperationId(),
					"key", d.GetIdempotencyKey(), "fingerprint", d.GetFingerprint(),
				)
				p.verdicts(d.GetVerdicts())
			})
		})
	}
	return cmd
}

// verdicts writes what each rule said, and what it looked at.
func (p *printer) verdicts(list []*pb.RuleVerdict) {
	for _, v := range list {
		rule := v.RuleId
		if v.RuleVersion > 0 {
			rule += fmt.Sprintf(" v%d", v.RuleVersion)
		}
		says := or(short(v.Decision), "pass")
		if v.Shadow {
			says += " (in shadow: let pass)"
		}
		fmt.Fprintln(p)
		p.facts("rule", rule, "says", says, "because", v.Explanation, "looked at", inputs(v.Inputs), "a grant", v.OverrideHint)
	}
}

func inputs(facts map[string]string) string {
	var words []string
	for name, value := range facts {
		words = append(words, name+"="+value)
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}
