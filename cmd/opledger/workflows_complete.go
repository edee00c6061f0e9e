package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newWorkflowsComplete() *cobra.Command {
	var message string
	var claims []string
	req := &pb.CompleteWorkflowRequest{}
	cmd := &cobra.Command{
		Use: "complete WORKFLOW", Short: "End a workflow, and record what the user was told", Args: cobra.ExactArgs(1),
		Long: "Ends a workflow: what is undispatched is cancelled, its leases are given back, and what the user was told is recorded.\n" +
			"Nothing ends where a claim is not what the ledger knows. Of an operation that has not ended only \"open\" can be claimed.\n" +
			"Without --run a person ends it, which needs the role resolve.",
		Example: "  opledger workflows complete wf_1 --run run_1 --message \"Your refund is done.\" --claim op_1=done\n" +
			"  opledger workflows complete wf_1 --cancelled --reason \"nobody needs it\"",
	}
	c := addConnectionFlags(cmd)
	cmd.ValidArgsFunction = completeWorkflows(c)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if req.Conclusion, err = parseConclusion(message, claims); err != nil {
			return err
		}
		if req.RequestId == "" {
			if req.RequestId, err = newRequestID(); err != nil {
				return err
			}
		}
		req.WorkflowId = args[0]
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.workflows.CompleteWorkflow(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res, func(p *printer) { p.workflowCompleted(res) })
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&req.RunId, "run", "", "the current run, which ends it")
	flags.StringVar(&message, "message", "", "what the user was told")
	flags.StringArrayVar(&claims, "claim", nil, "what was told of one operation: op_…=done, not_done, open or undone")
	flags.BoolVar(&req.Cancelled, "cancelled", false, "it ends unfinished")
	flags.StringVar(&req.Reason, "reason", "", "why")
	flags.StringVar(&req.Etag, "etag", "", "end it only as it was seen")
	flags.StringVar(&req.RequestId, "request-id", "", "a UUID that you keep in retries of this very command (default: a new one)")
	return cmd
}

// workflowCompleted writes how a workflow ended.
func (p *printer) workflowCompleted(res *pb.CompleteWorkflowResponse) {
	fmt.Fprintf(p, "Workflow %s is %s.\n", printable(res.GetWorkflow().GetWorkflowId()), short(res.GetWorkflow().GetState()))
	p.facts(
		"cancelled with it", strings.Join(res.CancelledOperationIds, " "),
		"still open", strings.Join(res.OpenOperationIds, " "),
	)
}

// parseConclusion reads what the user was told; nil where nothing was.
func parseConclusion(message string, claims []string) (*pb.Conclusion, error) {
	if message == "" && len(claims) == 0 {
		return nil, nil
	}
	told := &pb.Conclusion{UserMessage: message}
	for _, text := range claims {
		id, word, found := strings.Cut(text, "=")
		if !found {
			return nil, usagef("--claim %q is not of the form op_…=%s", text, strings.Join(words(claimKindEnum), "|"))
		}
		kind, err := parseWord("claim", claimKindEnum, word)
		if err != nil {
			return nil, err
		}
		told.Claims = append(told.Claims, &pb.Claim{OperationId: id, Kind: pb.ClaimKind(kind)})
	}
	return told, nil
}
