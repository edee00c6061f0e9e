package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newGrantsCreate() *cobra.Command {
	var kind, decision string
	var expires time.Duration
	req := &pb.CreateGrantRequest{}
	cmd := &cobra.Command{
		Use: "create", Short: "Give a one-use grant to a proposal that a rule holds up", Args: cobra.NoArgs,
		Long: "Gives a grant that one proposal may use once. It is bound to the proposal's fingerprint, and its proposer cannot be who\n" +
			"gives it. With --decision the tool and the fingerprint, and of an override the rule, are those of a stored decision.",
		Example: "  opledger grants create --kind override --decision dec_01... --reason \"the customer asked for a second mail\"\n" +
			"  opledger grants create --kind repeat --tool refund.create --fingerprint sha256:... --occurrence item_2 --reason \"two items came back\"",
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		n, err := parseWord("kind", grantKindEnum, kind)
		if err != nil {
			return err
		}
		req.Kind = pb.GrantKind(n)
		if cmd.Flags().Changed("expires-after") {
			req.ExpiresAfter = durationpb.New(expires)
		}
		if req.RequestId, err = newRequestID(); err != nil {
			return err
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			if decision != "" {
				if err := grantFor(ctx, r, req, decision); err != nil {
					return err
				}
			}
			res, err := r.policy.CreateGrant(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res.Grant, func(p *printer) { p.grant(res.Grant) })
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&kind, "kind", "", "what it allows: override, repeat or revise (required)")
	flags.StringVar(&decision, "decision", "", "the stored decision that the grant is an answer to")
	flags.StringVar(&req.Tool, "tool", "", "the tool that it is for")
	flags.StringVar(&req.Fingerprint, "fingerprint", "", "the fingerprint of the proposal, as a decision or \"opledger identity explain\" shows it")
	flags.StringVar(&req.RuleId, "rule", "", "the rule that it overrides; of an override")
	flags.StringVar(&req.Occurrence, "occurrence", "", "the occurrence that it allows; of a repeat")
	flags.StringVar(&req.OperationId, "operation", "", "the operation that may be succeeded; of a revise")
	flags.StringVar(&req.ForPrincipal, "for", "", "who may use it (default: any proposer but you)")
	flags.DurationVar(&expires, "expires-after", time.Hour, "how long it can be used, at most 720h")
	flags.StringVar(&req.Reason, "reason", "", "why; recorded (required)")
	must(cmd.MarkFlagRequired("kind"))
	must(cmd.MarkFlagRequired("reason"))
	cmd.MarkFlagsOneRequired("decision", "fingerprint")
	must(cmd.RegisterFlagCompletionFunc("kind", completeWords(words(grantKindEnum)...)))
	must(cmd.RegisterFlagCompletionFunc("tool", completeToolFlag(c)))
	return cmd
}

// grantFor fills in what the flags leave open from the decision that the grant is an answer to.
func grantFor(ctx context.Context, r *remote, req *pb.CreateGrantRequest, decision string) error {
	res, err := r.policy.GetDecision(ctx, &pb.GetDecisionRequest{DecisionId: decision})
	if err != nil {
		return err
	}
	d := res.Decision
	req.Tool = or(req.Tool, d.GetTool())
	req.Fingerprint = or(req.Fingerprint, d.GetFingerprint())
	if req.Kind == pb.GrantKind_GRANT_KIND_OVERRIDE && len(d.GetVerdicts()) > 0 {
		req.RuleId = or(req.RuleId, d.Verdicts[0].RuleId)
	}
	return nil
}
