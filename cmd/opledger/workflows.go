package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newWorkflows() *cobra.Command {
	return family("workflows", "Start, resume, end and see agents' tasks",
		newWorkflowsStart(), newWorkflowsResume(), newWorkflowsComplete(), newWorkflowsCompensate(), newWorkflowsShow(), newWorkflowsList())
}

// completeWorkflows offers the ids of workflows that are open.
func completeWorkflows(c *connection) completion {
	return completeRemote(c, func(ctx context.Context, r *remote, begun string) (found []string) {
		list, err := r.workflows.ListWorkflows(ctx, &pb.ListWorkflowsRequest{States: []pb.Workflow_State{pb.Workflow_STATE_OPEN}, PageSize: 100})
		if err != nil {
			return nil
		}
		for _, w := range list.Workflows {
			if strings.HasPrefix(w.WorkflowId, begun) {
				found = append(found, w.WorkflowId+"\t"+w.NormalizedIntent)
			}
		}
		return found
	})
}

func newWorkflowsShow() *cobra.Command {
	cmd := &cobra.Command{
		Use: "show WORKFLOW", Short: "Tell how a workflow stands, its operations and what is open", Args: cobra.ExactArgs(1),
		Example: "  opledger workflows show wf_1",
	}
	c := addConnectionFlags(cmd)
	cmd.ValidArgsFunction = completeWorkflows(c)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.workflows.GetWorkflow(ctx, &pb.GetWorkflowRequest{WorkflowId: args[0]})
			if err != nil {
				return err
			}
			return answer(cmd, res, func(p *printer) { p.workflowShown(res) })
		})
	}
	return cmd
}

// workflowShown writes a workflow with its operations.
func (p *printer) workflowShown(res *pb.GetWorkflowResponse) {
	w := res.Workflow
	p.workflow(w)
	if claims := w.GetConclusion().GetClaims(); len(claims) > 0 {
		fmt.Fprintln(p)
		var rows [][]string
		for _, c := range claims {
			rows = append(rows, []string{c.OperationId, short(c.Kind)})
		}
		p.table([]string{"OPERATION", "THE USER WAS TOLD"}, rows)
	}
	open := map[string]bool{}
	for _, id := range res.OpenOperationIds {
		open[id] = true
	}
	if len(res.Operations) == 0 {
		fmt.Fprintln(p, "\nNo operation.")
		return
	}
	fmt.Fprintln(p)
	var rows [][]string
	for _, o := range res.Operations {
		outcome := ""
		if open[o.OperationId] {
			outcome = "open"
		}
		rows = append(rows, []string{o.OperationId, short(o.State), outcome, o.Tool, entityName(o.Entity), o.RunId, clock(o.CreateTime)})
	}
	p.table([]string{"OPERATION", "STATE", "OPEN", "TOOL", "ENTITY", "RUN", "CREATED"}, rows)
	if res.MoreOperations {
		fmt.Fprintf(p, "There are more: opledger ops list --workflow %s\n", printable(w.WorkflowId))
	}
}

// workflow writes what there is to know of a workflow itself.
func (p *printer) workflow(w *pb.Workflow) {
	var events, flags []string
	for _, e := range w.GetSourceEvents() {
		events = append(events, e.Source+"/"+e.EventId)
	}
	for _, f := range w.GetFlags() {
		flags = append(flags, strings.TrimSpace(f.WorkflowId+" "+f.NormalizedIntent))
	}
	p.facts(
		"workflow", w.GetWorkflowId(),
		"state", short(w.GetState()),
		"current run", w.GetCurrentRunId(),
		"runs", runCount(w),
		"user request", w.GetUserRequest(),
		"intent", w.GetNormalizedIntent(),
		"requester", w.GetRequester(),
		"events", strings.Join(events, " "),
		"correlation key", w.GetCorrelationKey(),
		"means otherwise", strings.Join(flags, "; "),
		"started", strings.TrimSpace(clock(w.GetCreateTime())+" by "+w.GetPrincipal()),
		"ended", endedBy(w),
		"reason", w.GetEndReason(),
		"user was told", w.GetConclusion().GetUserMessage(),
	)
}

func runCount(w *pb.Workflow) string {
	if n := len(w.GetRuns()); n > 0 {
		return fmt.Sprint(n)
	}
	return ""
}

func endedBy(w *pb.Workflow) string {
	if w.GetEndTime() == nil {
		return ""
	}
	return clock(w.EndTime) + " by " + w.EndPrincipal
}
