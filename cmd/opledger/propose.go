package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newPropose() *cobra.Command {
	var arguments, entity, revise, reason, reviseGrant string
	var version int32
	var entityVersion int64
	var wait time.Duration
	var plan bool
	req := &pb.ProposeOperationRequest{}
	cmd := &cobra.Command{
		Use: "propose TOOL", Short: "Propose one business operation, for scripts", Args: cobra.ExactArgs(1),
		Long: "Proposes one business operation. Proposing the same again is always safe. Only a permit in the answer lets you act: with\n" +
			"--json look at .permit and at nothing else. \"opledger begin\" and \"opledger report\" go on from there.",
		Example: "  opledger propose refund.create --arguments '{\"order_id\":\"o_1\",\"amount\":\"10.00\",\"currency\":\"USD\"}' --json",
	}
	c := addConnectionFlags(cmd)
	lease := addLeaseTokenFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if err := atMost("wait", wait, longestWait); err != nil {
			return err
		}
		req.Tool = args[0]
		if req.LeaseToken, err = lease.find(); err != nil {
			return err
		}
		req.EntityVersion = ifChanged(cmd, "entity-version", &entityVersion)
		text, err := readArguments(cmd, arguments)
		if err != nil {
			return err
		}
		req.Arguments = &pb.ProposeOperationRequest_ArgumentsJson{ArgumentsJson: text}
		if req.RequestId == "" {
			if req.RequestId, err = newRequestID(); err != nil {
				return err
			}
		}
		if req.Entity, err = parseEntity(entity); err != nil {
			return err
		}
		if version != 0 {
			req.ToolVersion = &version
		}
		if plan {
			req.Mode = pb.ProposalMode_PROPOSAL_MODE_PLAN_ONLY
		}
		if wait > 0 {
			req.Wait = durationpb.New(wait)
		}
		if req.Revise, err = parseRevise(revise, reason, reviseGrant); err != nil {
			return err
		}
		return c.call(cmd, wait, func(ctx context.Context, r *remote) error {
			res, err := r.operations.ProposeOperation(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res, func(p *printer) { p.proposed(res) })
		})
	}
	cmd.ValidArgsFunction = completeTools(c)
	flags := cmd.Flags()
	flags.StringVar(&arguments, "arguments", "{}", argumentsUsage)
	flags.StringVar(&req.Occurrence, "occurrence", "", "tells a wanted repetition apart (\"item_2\")")
	flags.StringVar(&req.IdempotencyKey, "key", "", "your own key, where the tool takes one")
	flags.StringVar(&entity, "entity", "", "the entity that you believe it is about: type/id")
	flags.Int64Var(&entityVersion, "entity-version", 0, "the version of the entity's state that you reasoned from")
	flags.StringVar(&req.WorkflowId, "workflow", "", "the workflow that it belongs to; recorded")
	flags.StringVar(&req.RunId, "run", "", "the run of the workflow; recorded")
	flags.StringVar(&req.IntentNote, "note", "", "what you call your intent; recorded")
	flags.StringVar(&req.RequestId, "request-id", "", "a UUID that you keep in retries of this very command (default: a new one)")
	flags.Int32Var(&version, "tool-version", 0, "the version of the tool (default: the newest)")
	flags.BoolVar(&plan, "plan", false, "only say what would happen")
	flags.DurationVar(&wait, "wait", 0, "wait so long for it to end, where somebody else acts")
	flags.StringVar(&revise, "revise", "", "try afresh what ended without effect: the revision's number, or its operation id")
	flags.StringVar(&reason, "reason", "", "why it is tried afresh; with --revise")
	flags.StringSliceVar(&req.OverrideGrantIds, "grant", nil, "override grants to be used")
	flags.StringVar(&req.RepeatGrantId, "repeat-grant", "", "the repeat grant that allows the occurrence")
	flags.StringVar(&reviseGrant, "revise-grant", "", "the grant that allows the fresh try, where its proposer may not make it alone; with --revise")
	cmd.MarkFlagsRequiredTogether("revise", "reason")
	return cmd
}

// parseRevise reads --revise: a number, or an operation's id.
func parseRevise(text, reason, grant string) (*pb.Revise, error) {
	switch {
	case text == "" && grant != "":
		return nil, usagef("--revise-grant: say with --revise which operation is tried afresh")
	case text == "":
		return nil, nil
	}
	r := &pb.Revise{Reason: reason, GrantId: grant}
	if n, err := strconv.ParseInt(text, 10, 32); err == nil {
		if n < 1 {
			return nil, usagef("--revise: revisions count from 1")
		}
		r.Predecessor = &pb.Revise_Revision{Revision: int32(n)}
	} else {
		r.Predecessor = &pb.Revise_OperationId{OperationId: text}
	}
	return r, nil
}

// proposed writes the answer to a proposal.
func (p *printer) proposed(res *pb.ProposeOperationResponse) {
	decided := short(res.Decision)
	if res.DecidedBy != nil {
		decided += " by " + res.DecidedBy.RuleId + ": " + res.DecidedBy.Explanation
	}
	after := ""
	if res.RetryAfter != nil {
		after = lasting(res.RetryAfter.AsDuration())
	}
	p.facts("decision", decided, "operation", res.Result.GetOperationId(), "state", short(res.Result.GetState()), "again after", after,
		"held by", holderName(res.Holder), "succeeded by", res.Successor.GetOperationId(), "recorded as", res.DecisionId,
		"a grant", res.DecidedBy.GetOverrideHint(), "earlier", earlierName(res.Earlier), "waits for", approvalName(res.Approval),
		"the entity", entityChange(res.EntityChange))
	p.verdicts(res.ShadowVerdicts)
	if permit := res.Permit; permit != nil {
		fmt.Fprintln(p, "\nYou hold the permit:")
		p.facts("attempt", permit.AttemptId, "attempt token", permit.AttemptToken, "remaining", lasting(permit.Remaining.AsDuration()),
			"begin first", yes(permit.BeginRequired), "vendor key", permit.VendorIdempotencyKey, "client reference", permit.ClientReference,
			"arguments", permit.DispatchArgumentsJson)
	}
	if plan := res.Plan; plan != nil {
		p.facts("would be", short(plan.Decision), "key", plan.IdempotencyKey, "entity", entityName(plan.Entity), "operation", plan.OperationId)
	}
	p.result(res.Result)
	p.lookup(res.Lookup)
}

func earlierName(e *pb.EarlierOperation) string {
	if e == nil {
		return ""
	}
	until := ""
	if e.Until != nil {
		until = " until " + clock(e.Until)
	}
	return fmt.Sprintf("%s (%s, %s)%s", e.OperationId, e.Tool, short(e.State), until)
}

func approvalName(a *pb.ApprovalReference) string {
	if a == nil {
		return ""
	}
	return fmt.Sprintf("%s: %d of %d approved by %s, until %s", a.ApprovalId, a.ApprovedCount, a.RequiredCount, strings.Join(a.Roles, " or "), clock(a.ExpireTime))
}

func entityChange(c *pb.EntityChange) string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf("%s is at version %d (%s), not at %d; changed by %s", entityName(c.Entity), c.CurrentVersion, c.CurrentState, c.StatedVersion, strings.Join(c.OperationIds, " "))
}

func holderName(h *pb.Holder) string {
	if h == nil {
		return ""
	}
	until := ""
	if h.Until != nil {
		until = " until " + clock(h.Until)
	}
	return or(h.OperationId, or(h.WorkflowId, h.AttemptId)) + until
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return ""
}
