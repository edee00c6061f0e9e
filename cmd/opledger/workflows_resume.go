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

func newWorkflowsResume() *cobra.Command {
	var wait time.Duration
	var maxBytes int32
	req := &pb.ResumeWorkflowRequest{}
	cmd := &cobra.Command{
		Use: "resume WORKFLOW", Short: "Take a workflow up with a new run, and tell what happened", Args: cobra.ExactArgs(1),
		Long: "Makes a run the current one: the one before it gets no new operation, permit or begin. What is open is reconciled, and\n" +
			"what happened is told in prose, for a model's context (with --json as JSON too).",
		Example: "  opledger workflows resume wf_1 --wait 10s",
	}
	c := addConnectionFlags(cmd)
	cmd.ValidArgsFunction = completeWorkflows(c)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if err := atMost("wait", wait, longestWait); err != nil {
			return err
		}
		if req.RequestId == "" {
			if req.RequestId, err = newRequestID(); err != nil {
				return err
			}
		}
		req.WorkflowId, req.MaxProjectionBytes = args[0], ifChanged(cmd, "max-bytes", &maxBytes)
		if wait > 0 {
			req.Wait = durationpb.New(wait)
		}
		return c.call(cmd, wait, func(ctx context.Context, r *remote) error {
			res, err := r.workflows.ResumeWorkflow(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res, func(p *printer) {
				p.facts("workflow", res.GetWorkflow().GetWorkflowId(), "run", res.RunId)
				fmt.Fprintln(p)
				for line := range strings.Lines(res.GetProjection().GetProse()) {
					fmt.Fprintln(p, printable(strings.TrimSuffix(line, "\n")))
				}
			})
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&req.RunId, "run", "", "your own id of the run (default: a new one)")
	flags.DurationVar(&wait, "wait", 0, "wait so long for open operations to be settled")
	flags.Int32Var(&maxBytes, "max-bytes", 16<<10, "the greatest size of the account: 1024 to 262144")
	flags.StringVar(&req.RequestId, "request-id", "", "a UUID that you keep in retries of this very command (default: a new one)")
	return cmd
}
