package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// worldFlags make up what rules read.
type worldFlags struct {
	time, state, attributes string
	roles, counters         []string
}

func newPolicyEval() *cobra.Command {
	var arguments string
	var toolVersion int32
	var entityVersion int64
	var files []string
	w := &worldFlags{}
	req := &pb.EvaluatePolicyRequest{}
	cmd := &cobra.Command{
		Use: "eval TOOL", Short: "Ask what would be decided, without recording anything", Args: cobra.ExactArgs(1),
		Long: "Asks the server what it would decide about a proposal now. What rules read can be made up: another time, state, roles\n" +
			"or counter values; and rules can be tried that are stored nowhere. \"opledger policy test\" tests rules without a server.",
		Example: "  opledger policy eval refund.create --arguments @refund.json --entity-state refunded\n" +
			"  opledger policy eval refund.create --arguments @refund.json --rules refund-above-300.yaml\n" +
			"  opledger policy eval refund.create --arguments @refund.json --at 2026-03-01T02:00:00Z --counter refunds-per-customer=2",
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		req.Tool = args[0]
		text, err := readArguments(cmd, arguments)
		if err != nil {
			return err
		}
		req.Arguments = &pb.EvaluatePolicyRequest_ArgumentsJson{ArgumentsJson: text}
		req.ToolVersion = ifChanged(cmd, "tool-version", &toolVersion)
		req.EntityVersion = ifChanged(cmd, "entity-version", &entityVersion)
		if req.World, err = w.world(cmd); err != nil {
			return err
		}
		if req.CandidateRules, err = candidates(cmd, files); err != nil {
			return err
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.policy.EvaluatePolicy(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res, func(p *printer) { p.evaluated(res) })
		})
	}
	cmd.ValidArgsFunction = completeTools(c)
	flags := cmd.Flags()
	flags.StringVar(&arguments, "arguments", "{}", argumentsUsage)
	flags.StringVar(&req.Occurrence, "occurrence", "", "the occurrence")
	flags.StringVar(&req.WorkflowId, "workflow", "", "the workflow")
	flags.StringVar(&req.RunId, "run", "", "the run of the workflow")
	flags.Int32Var(&toolVersion, "tool-version", 0, "the version of the tool (default: the newest)")
	flags.Int64Var(&entityVersion, "entity-version", 0, "the version of the entity that the proposal would name")
	flags.StringSliceVar(&req.OverrideGrantIds, "grant", nil, "override grants that the proposal would name")
	flags.StringVar(&req.AsPrincipal, "as", "", "judge it for this principal (default: you)")
	flags.StringSliceVar(&files, "rules", nil, "judge by the rules of these files as well; one that holds already gives way to its namesake")
	flags.StringVar(&w.time, "at", "", "made up: the time, RFC 3339 or how long ago")
	flags.StringVar(&w.state, "entity-state", "", "made up: the entity's state")
	flags.StringVar(&w.attributes, "entity-attributes", "", "made up: the entity's attributes, as --arguments")
	flags.StringSliceVar(&w.roles, "role", nil, "made up: the principal's roles")
	flags.StringSliceVar(&w.counters, "counter", nil, "made up: the value of a limit, RULE=VALUE or TOOL/LIMIT=VALUE")
	return cmd
}

// world is the made-up world, or nil where nothing is made up.
func (w *worldFlags) world(cmd *cobra.Command) (*pb.ExampleWorld, error) {
	if !anyChanged(cmd, "at", "entity-state", "entity-attributes", "role", "counter") {
		return nil, nil
	}
	made := &pb.ExampleWorld{EntityState: ifChanged(cmd, "entity-state", &w.state), Roles: w.roles}
	var err error
	if made.Time, err = parseTime("at", w.time); err != nil {
		return nil, err
	}
	if made.EntityAttributesJson, err = readArguments(cmd, w.attributes); err != nil {
		return nil, err
	}
	for _, text := range w.counters {
		name, value, found := strings.Cut(text, "=")
		n, bad := strconv.ParseInt(value, 10, 64)
		if !found || name == "" || bad != nil {
			return nil, usagef("--counter %q is not of the form RULE=VALUE", text)
		}
		if made.Counters == nil {
			made.Counters = map[string]int64{}
		}
		made.Counters[name] = n
	}
	return made, nil
}

// evaluated writes what would be decided, and what each rule says.
func (p *printer) evaluated(res *pb.EvaluatePolicyResponse) {
	plan := res.GetPlan()
	p.facts("would be", short(plan.GetDecision()), "operation", or(plan.GetOperationId(), "a new one"), "held by", holderName(res.Holder),
		"key", plan.GetIdempotencyKey(), "fingerprint", plan.GetFingerprint(), "entity", entityName(plan.GetEntity()), "arguments", plan.GetCanonicalArgumentsJson())
	p.verdicts(plan.GetVerdicts())
	if r := res.GetResult(); r != nil {
		fmt.Fprintln(p)
		p.facts("for the customer", r.SafeUserMessage, "for the model", r.ModelMessage)
	}
}
