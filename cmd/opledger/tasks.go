package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func newTasks() *cobra.Command {
	return family("tasks", "See what waits for a person, and take it up", newTasksList(), newTasksAck())
}

func newTasksList() *cobra.Command {
	var overdue, acknowledged bool
	req := &pb.ListHumanTasksRequest{}
	cmd := &cobra.Command{
		Use: "list", Short: "List what waits for a person, what is due first first", Args: cobra.NoArgs,
		Example: "  opledger tasks list --owner support --acknowledged=false",
	}
	c := addConnectionFlags(cmd)
	limit := addLimitFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		req.Overdue, req.Acknowledged = ifChanged(cmd, "overdue", &overdue), ifChanged(cmd, "acknowledged", &acknowledged)
		all := &pb.ListHumanTasksResponse{}
		err := c.call(cmd, 0, func(ctx context.Context, r *remote) (err error) {
			all.NextPageToken, err = readPages(*limit, func(size int32, token string) (int, string, error) {
				req.PageSize, req.PageToken = size, token
				page, err := r.approvals.ListHumanTasks(ctx, req)
				all.HumanTasks = append(all.HumanTasks, page.GetHumanTasks()...)
				return len(page.GetHumanTasks()), page.GetNextPageToken(), err
			})
			return err
		})
		if err != nil {
			return err
		}
		return answer(cmd, all, func(p *printer) {
			var rows [][]string
			for _, t := range all.HumanTasks {
				n := t.NeedsHuman
				rows = append(rows, []string{t.HumanTaskId, taskSubject(t), n.GetReason(), n.GetOwner(), clock(n.GetSince()), clock(n.GetDueTime()), escalation(n), taskStanding(t)})
			}
			p.list("Nothing waits for a person.", []string{"TASK", "ABOUT", "WHY", "OWNER", "SINCE", "DUE", "ESCALATION", "STANDS"}, rows, all.NextPageToken, *limit)
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&req.Owner, "owner", "", "only of this owner")
	flags.BoolVar(&overdue, "overdue", false, "only those that are overdue (=false: that are not)")
	flags.BoolVar(&acknowledged, "acknowledged", false, "only those that somebody has taken up (=false: nobody has)")
	flags.BoolVar(&req.IncludeSettled, "settled", false, "those that are settled as well")
	return cmd
}

// taskSubject is what waits; it is what the next command is called with.
func taskSubject(t *pb.HumanTask) string {
	switch subject := t.GetSubject().(type) {
	case *pb.HumanTask_ApprovalId:
		return subject.ApprovalId
	case *pb.HumanTask_OperationId:
		return subject.OperationId
	case *pb.HumanTask_Block:
		return entityName(subject.Block.GetEntity()) + " held by " + holderName(subject.Block)
	case *pb.HumanTask_WorkflowId:
		return subject.WorkflowId
	}
	return "unknown to this program"
}

func escalation(n *pb.NeedsHuman) string {
	switch {
	case n.GetEscalateTime() != nil:
		return "escalated to " + n.GetEscalateTo()
	case n.GetEscalateTo() != "":
		return "then " + n.GetEscalateTo()
	}
	return ""
}

func taskStanding(t *pb.HumanTask) string {
	switch {
	case t.EndTime != nil:
		return "settled " + clock(t.EndTime)
	case t.NeedsHuman.GetAcknowledgedBy() != "":
		return "taken up by " + t.NeedsHuman.GetAcknowledgedBy()
	}
	return "waits"
}

func newTasksAck() *cobra.Command {
	var hold time.Duration
	req := &pb.AcknowledgeHumanTaskRequest{}
	cmd := &cobra.Command{
		Use: "ack TASK", Short: "Take a task up, which stops its escalation for a while", Args: cobra.ExactArgs(1),
		Example: "  opledger tasks ack hum_01... --hold 2h --comment \"calling the bank\"",
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		req.HumanTaskId = args[0]
		if cmd.Flags().Changed("hold") {
			req.HoldEscalationFor = durationpb.New(hold)
		}
		if req.RequestId, err = newRequestID(); err != nil {
			return err
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.approvals.AcknowledgeHumanTask(ctx, req)
			if err != nil {
				return err
			}
			return answer(cmd, res.HumanTask, func(p *printer) {
				n := res.HumanTask.GetNeedsHuman()
				fmt.Fprintf(p, "%s is taken up by %s.\n", printable(res.HumanTask.GetHumanTaskId()), printable(n.GetAcknowledgedBy()))
				p.facts("about", taskSubject(res.HumanTask), "because", n.GetReason(), "due", clock(n.GetDueTime()), "escalation", escalation(n))
			})
		})
	}
	flags := cmd.Flags()
	flags.DurationVar(&hold, "hold", 0, "how long it does not escalate, at most 168h (default: the owner's time anew)")
	flags.StringVar(&req.Comment, "comment", "", "what you say to it; recorded")
	flags.StringVar(&req.Etag, "etag", "", "refuse where the task is no longer at the etag that you saw")
	return cmd
}
