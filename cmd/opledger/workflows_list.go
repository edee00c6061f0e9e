package main

import (
	"context"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newWorkflowsList() *cobra.Command {
	var states []string
	var event string
	req := &pb.ListWorkflowsRequest{}
	cmd := &cobra.Command{
		Use: "list", Short: "List workflows, the newest first", Args: cobra.NoArgs,
		Example: "  opledger workflows list --state open\n" +
			"  opledger workflows list --event slack/ev_1",
	}
	c := addConnectionFlags(cmd)
	limit := addLimitFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if req.States, err = parseWords[pb.Workflow_State]("state", workflowStateEnum, states); err != nil {
			return err
		}
		if req.SourceEvent, err = parseEvent(event); err != nil {
			return err
		}
		all := &pb.ListWorkflowsResponse{}
		err = c.call(cmd, 0, func(ctx context.Context, r *remote) (err error) {
			all.NextPageToken, err = readPages(*limit, func(size int32, token string) (int, string, error) {
				req.PageSize, req.PageToken = size, token
				page, err := r.workflows.ListWorkflows(ctx, req)
				all.Workflows = append(all.Workflows, page.GetWorkflows()...)
				return len(page.GetWorkflows()), page.GetNextPageToken(), err
			})
			return err
		})
		if err != nil {
			return err
		}
		return answer(cmd, all, func(p *printer) {
			var rows [][]string
			for _, w := range all.Workflows {
				rows = append(rows, []string{
					w.WorkflowId, short(w.State), w.CurrentRunId, w.Requester, w.NormalizedIntent, clock(w.CreateTime), clock(w.EndTime),
				})
			}
			p.list("No workflow.", []string{"WORKFLOW", "STATE", "CURRENT RUN", "REQUESTER", "INTENT", "STARTED", "ENDED"}, rows, all.NextPageToken, *limit)
		})
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&states, "state", nil, "only in these states")
	flags.StringVar(&event, "event", "", "only the one that this event belongs to: source/id")
	flags.StringVar(&req.CorrelationKey, "key", "", "only with this correlation key")
	flags.StringVar(&req.Requester, "requester", "", "only of this person")
	must(cmd.RegisterFlagCompletionFunc("state", completeWords(words(workflowStateEnum)...)))
	return cmd
}
