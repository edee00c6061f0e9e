package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// pageSize is how many are asked for at once.
const pageSize = 200

func newOpsList() *cobra.Command {
	var states, classes []string
	var entity string
	var limit int
	var needsHuman, incidents bool
	req := &pb.ListOperationsRequest{}
	cmd := &cobra.Command{
		Use: "list", Short: "List operations, the newest first", Args: cobra.NoArgs,
		Example: "  opledger ops list --state unknown_outcome,failed_retryable\n" +
			"  opledger ops list --entity order/order_123 --json",
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if req.States, err = parseStates(states); err != nil {
			return err
		}
		for _, word := range classes {
			n, err := parseWord("class", classEnum, word)
			if err != nil {
				return err
			}
			req.ToolClasses = append(req.ToolClasses, pb.ToolClass(n))
		}
		if req.Entity, err = parseEntity(entity); err != nil {
			return err
		}
		if cmd.Flags().Changed("needs-human") {
			req.NeedsHuman = &needsHuman
		}
		if cmd.Flags().Changed("incidents") {
			req.HasIncident = &incidents
		}
		return listOperations(cmd, c, req, limit)
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&states, "state", nil, "only in these states")
	flags.StringVar(&req.Tool, "tool", "", "only of this tool")
	flags.StringSliceVar(&classes, "class", nil, "only of tools of these classes")
	flags.StringVar(&entity, "entity", "", "only about this entity: type/id")
	flags.StringVar(&req.IdempotencyKey, "key", "", "only those that hold this idempotency key")
	flags.StringVar(&req.WorkflowId, "workflow", "", "only of this workflow")
	flags.StringVar(&req.RunId, "run", "", "only of this run")
	flags.StringVar(&req.ToolCallId, "tool-call", "", "only of this tool call id")
	flags.BoolVar(&needsHuman, "needs-human", false, "only those that wait for a person (=false: that do not)")
	flags.BoolVar(&incidents, "incidents", false, "only those with incidents (=false: without)")
	flags.IntVar(&limit, "limit", 50, "how many at most")
	must(cmd.RegisterFlagCompletionFunc("state", completeWords(words(stateEnum)...)))
	must(cmd.RegisterFlagCompletionFunc("class", completeWords(words(classEnum)...)))
	must(cmd.RegisterFlagCompletionFunc("tool", completeToolFlag(c)))
	return cmd
}

// listOperations reads pages until there are enough, and writes them.
func listOperations(cmd *cobra.Command, c *connection, req *pb.ListOperationsRequest, limit int) error {
	if limit < 1 {
		return usagef("--limit has to be at least 1")
	}
	all := &pb.ListOperationsResponse{}
	err := c.call(cmd, 0, func(ctx context.Context, r *remote) error {
		for len(all.Operations) < limit {
			req.PageSize = int32(min(pageSize, limit-len(all.Operations)))
			page, err := r.operations.ListOperations(ctx, req)
			if err != nil {
				return err
			}
			all.Operations = append(all.Operations, page.Operations...)
			all.NextPageToken = page.NextPageToken
			if page.NextPageToken == "" {
				return nil
			}
			req.PageToken = page.NextPageToken
		}
		return nil
	})
	if err != nil {
		return err
	}
	return answer(cmd, all, func(p *printer) {
		if len(all.Operations) == 0 {
			fmt.Fprintln(p, "No operation.")
			return
		}
		var rows [][]string
		for _, o := range all.Operations {
			rows = append(rows, []string{o.OperationId, short(o.State), o.Tool, entityName(o.Entity), clock(o.CreateTime), clock(o.StateTime), attention(o)})
		}
		p.table([]string{"OPERATION", "STATE", "TOOL", "ENTITY", "CREATED", "IN STATE SINCE", "ATTENTION"}, rows)
		if all.NextPageToken != "" {
			fmt.Fprintf(p, "\nThere are more: --limit %d\n", limit*4)
		}
	})
}

// attention is why a person should look.
func attention(o *pb.Operation) string {
	switch {
	case len(o.Incidents) > 0:
		return "incident: " + short(o.Incidents[len(o.Incidents)-1].Kind)
	case o.NeedsHuman != nil:
		return o.NeedsHuman.Reason
	case o.Failure != nil:
		return short(o.Failure.Category)
	}
	return ""
}
