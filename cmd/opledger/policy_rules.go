package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newPolicyList() *cobra.Command {
	var shadow bool
	req := &pb.ListRulesRequest{}
	cmd := &cobra.Command{
		Use: "list", Short: "List rules by id", Args: cobra.NoArgs,
		Long: "Lists the rules that span tools. A tool's own rules are in its definition: \"opledger tools show\".",
	}
	c := addConnectionFlags(cmd)
	limit := addLimitFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		req.Shadow = ifChanged(cmd, "shadow", &shadow)
		all := &pb.ListRulesResponse{}
		err := c.call(cmd, 0, func(ctx context.Context, r *remote) (err error) {
			all.NextPageToken, err = readPages(*limit, func(size int32, token string) (int, string, error) {
				req.PageSize, req.PageToken = size, token
				page, err := r.policy.ListRules(ctx, req)
				all.Rules = append(all.Rules, page.GetRules()...)
				return len(page.GetRules()), page.GetNextPageToken(), err
			})
			return err
		})
		if err != nil {
			return err
		}
		return answer(cmd, all, func(p *printer) {
			var rows [][]string
			for _, a := range all.Rules {
				rows = append(rows, []string{a.Rule.GetRuleId(), fmt.Sprint(a.Version), ruleKind(a.Rule), ruleScope(a.Rule.GetScope()), ruleStanding(a), clock(a.ApplyTime), a.AppliedBy, a.Rule.GetDescription()})
			}
			p.list("No rule. Apply some: opledger policy apply FILE", []string{"RULE", "VERSION", "KIND", "APPLIES TO", "STANDS", "APPLIED", "BY", "DESCRIPTION"}, rows, all.NextPageToken, *limit)
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&req.Tool, "tool", "", "only those that apply to this tool")
	flags.BoolVar(&shadow, "shadow", false, "only those in shadow (=false: in force)")
	flags.BoolVar(&req.IncludeRemoved, "removed", false, "those that were removed as well")
	must(cmd.RegisterFlagCompletionFunc("tool", completeToolFlag(c)))
	return cmd
}

// ruleKind is the name of what a rule says.
func ruleKind(r *pb.PolicyRule) string {
	if r == nil {
		return ""
	}
	m := r.ProtoReflect()
	if set := m.WhichOneof(m.Descriptor().Oneofs().ByName("kind")); set != nil {
		return string(set.Name())
	}
	return "unknown to this program"
}

// ruleScope is what a rule applies to, in one cell.
func ruleScope(s *pb.RuleScope) string {
	var parts []string
	add := func(name string, values []string) {
		if len(values) > 0 {
			parts = append(parts, name+"="+strings.Join(values, ","))
		}
	}
	var classes []string
	for _, c := range s.GetToolClasses() {
		classes = append(classes, short(c))
	}
	add("tools", s.GetTools())
	add("classes", classes)
	add("intents", s.GetIntents())
	add("entities", s.GetEntityTypes())
	return or(strings.Join(parts, " "), "all that mutate")
}

func ruleStanding(a *pb.AppliedRule) string {
	switch {
	case a.RemoveTime != nil:
		return "removed " + clock(a.RemoveTime)
	case a.Rule.GetShadow():
		return "in shadow"
	}
	return "in force"
}

func newPolicyRemove() *cobra.Command {
	req := &pb.RemoveRuleRequest{}
	cmd := &cobra.Command{
		Use: "remove RULE", Short: "End a rule; its versions and decisions stay on the record", Args: cobra.ExactArgs(1),
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		req.RuleId = args[0]
		if req.RequestId, err = newRequestID(); err != nil {
			return err
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.policy.RemoveRule(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res.Rule, func(p *printer) {
				fmt.Fprintf(p, "%s has ended with version %d.\n", printable(res.Rule.GetRule().GetRuleId()), res.Rule.GetVersion())
			})
		})
	}
	cmd.ValidArgsFunction = completeRules(c)
	flags := cmd.Flags()
	flags.StringVar(&req.Reason, "reason", "", "why; recorded (required)")
	flags.StringVar(&req.Etag, "etag", "", "refuse where the rule is no longer at the etag that you saw")
	must(cmd.MarkFlagRequired("reason"))
	return cmd
}

// completeRules offers the ids of rules for a first argument, and nothing where no server answers.
func completeRules(c *connection) completion {
	return completeRemote(c, func(ctx context.Context, r *remote, begun string) (found []string) {
		list, err := r.policy.ListRules(ctx, &pb.ListRulesRequest{PageSize: pageSize})
		if err != nil {
			return nil
		}
		for _, a := range list.Rules {
			if id := a.Rule.GetRuleId(); strings.HasPrefix(id, begun) {
				found = append(found, id+"\t"+a.Rule.GetDescription())
			}
		}
		return found
	})
}
