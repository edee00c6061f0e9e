package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newWorkflowsCompensate() *cobra.Command {
	var reason string
	var wait time.Duration
	cmd := &cobra.Command{
		Use: "compensate WORKFLOW", Short: "Undo what a workflow has done, the last success first", Args: cobra.ExactArgs(1),
		Long: "Undoes the operations of a workflow that have succeeded and whose tools have a playbook, in reverse order of their\n" +
			"success, each after the one before it is known to be undone. It stops at what cannot be undone or is not known, and ends\n" +
			"with the status 1 then. Run again it goes on where things stand.",
		Example: "  opledger workflows compensate wf_… --reason \"the ticket cannot be had\" --wait 5m",
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return c.call(cmd, wait, func(ctx context.Context, r *remote) error {
			res, err := unwind(ctx, r, args[0], reason, wait)
			if err != nil {
				return err
			}
			if err := answer(cmd, res, func(p *printer) { p.unwinding(args[0], res) }); err != nil {
				return err
			}
			if !res.Done {
				return errSaid
			}
			return nil
		})
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why; recorded with each operation")
	cmd.Flags().DurationVar(&wait, "wait", 0, "go on so long; it is asked again as often as that takes")
	_ = cmd.MarkFlagRequired("reason")
	return cmd
}

// unwind asks until everything is undone, it is stuck, or the time is over. Each call is a request of its own: what it
// does is recorded with the operations, so that none is done twice.
func unwind(ctx context.Context, r *remote, workflow, reason string, wait time.Duration) (*pb.CompensateWorkflowResponse, error) {
	for end := time.Now().Add(wait); ; {
		id, err := newRequestID()
		if err != nil {
			return nil, err
		}
		req := &pb.CompensateWorkflowRequest{WorkflowId: workflow, RequestId: id, Reason: reason}
		left := time.Until(end)
		if left > 0 {
			req.Wait = durationpb.New(min(left, longestWait))
		}
		res, err := r.workflows.CompensateWorkflow(ctx, req)
		if err != nil || left <= longestWait || !underWay(res) {
			return res, err
		}
	}
}

// underWay reports whether waiting longer can bring it on.
func underWay(res *pb.CompensateWorkflowResponse) bool {
	return slices.ContainsFunc(res.Operations, func(o *pb.WorkflowUndoing) bool { return o.Status == pb.WorkflowUndoing_STATUS_UNDER_WAY })
}

// unwinding writes how far a workflow is undone.
func (p *printer) unwinding(workflow string, res *pb.CompensateWorkflowResponse) {
	switch {
	case len(res.Operations) == 0:
		fmt.Fprintf(p, "Workflow %s has done nothing that could be undone.\n", printable(workflow))
		return
	case res.Done:
		fmt.Fprintf(p, "What workflow %s did is undone, as far as it can be.\n", printable(workflow))
	case res.Stuck:
		fmt.Fprintf(p, "Workflow %s is not undone: a person is needed.\n", printable(workflow))
	default:
		fmt.Fprintf(p, "Workflow %s is not undone yet. Run the same again to go on.\n", printable(workflow))
	}
	var rows [][]string
	for _, o := range res.Operations {
		rows = append(rows, []string{o.OperationId, o.Tool, short(o.State), short(o.Status), o.Explanation})
	}
	fmt.Fprintln(p)
	p.table([]string{"OPERATION", "TOOL", "STATE", "UNDOING", "WHY"}, rows)
}
