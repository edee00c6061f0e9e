package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newOpsEvents() *cobra.Command {
	cmd := &cobra.Command{
		Use: "events OPERATION", Short: "Tell the history of one operation, the oldest event first", Args: cobra.ExactArgs(1),
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		all := &pb.ListOperationEventsResponse{}
		err := c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			req := &pb.ListOperationEventsRequest{OperationId: args[0], PageSize: pageSize}
			for {
				page, err := r.operations.ListOperationEvents(ctx, req)
				if err != nil {
					return err
				}
				all.Events = append(all.Events, page.Events...)
				if page.NextPageToken == "" {
					return nil
				}
				req.PageToken = page.NextPageToken
			}
		})
		if err != nil {
			return err
		}
		return answer(cmd, all, func(p *printer) {
			var rows [][]string
			for _, e := range all.Events {
				rows = append(rows, []string{fmt.Sprint(e.Sequence), clock(e.Time), short(e.Type), change(e), attemptOf(e), e.Principal, detail(e.Detail)})
			}
			p.table([]string{"#", "TIME", "EVENT", "STATE", "ATTEMPT", "BY", "DETAIL"}, rows)
		})
	}
	return cmd
}

func change(e *pb.OperationEvent) string {
	from, to := short(e.FromState), short(e.ToState)
	switch {
	case to == "":
		return ""
	case from == "":
		return to
	}
	return from + " -> " + to
}

func attemptOf(e *pb.OperationEvent) string {
	if e.AttemptNumber == 0 {
		return ""
	}
	return fmt.Sprint(e.AttemptNumber)
}

func detail(facts map[string]string) string {
	var words []string
	for name, value := range facts {
		words = append(words, name+"="+value)
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}
