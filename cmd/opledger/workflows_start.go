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

func newWorkflowsStart() *cobra.Command {
	var event string
	var window time.Duration
	req := &pb.StartWorkflowRequest{}
	cmd := &cobra.Command{
		Use: "start", Short: "Start a task, or learn which one the event or the key belongs to", Args: cobra.NoArgs,
		Long: "Starts a task. The same event, the same workflow id, or the same correlation key with the same intent, is united with\n" +
			"the task that is there: then no run is given, since another acts, and the exit status is 1.",
		Example: "  opledger workflows start --event slack/ev_1 --key msg:C1:1700.1 --intent \"refund order_123\"",
	}
	c := addConnectionFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if req.SourceEvent, err = parseEvent(event); err != nil {
			return err
		}
		if window > 0 {
			req.CorrelationWindow = durationpb.New(window)
		}
		if req.RequestId == "" {
			if req.RequestId, err = newRequestID(); err != nil {
				return err
			}
		}
		return c.call(cmd, 0, func(ctx context.Context, r *remote) error {
			res, err := r.workflows.StartWorkflow(ctx, req)
			if err != nil {
				return err
			}
			if err := answer(cmd, res, func(p *printer) { p.workflowStarted(res) }); err != nil {
				return err
			}
			if res.RunId == "" {
				return errSaid
			}
			return nil
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&req.WorkflowId, "workflow", "", "your own id of the workflow (default: a new one)")
	flags.StringVar(&req.RunId, "run", "", "your own id of its first run (default: a new one)")
	flags.StringVar(&event, "event", "", "the event that brought the request: source/id")
	flags.StringVar(&req.CorrelationKey, "key", "", "the key that unites one intent across channels")
	flags.DurationVar(&window, "window", 0, "how long after the last united event another is still united (default: 10m)")
	flags.StringVar(&req.UserRequest, "user-request", "", "what the user asked for, in the user's words")
	flags.StringVar(&req.NormalizedIntent, "intent", "", "the intent, normalized so that one request through two channels reads the same")
	flags.StringVar(&req.Requester, "requester", "", "the person who asks, who can approve nothing in it")
	flags.StringToStringVar(&req.Labels, "label", nil, "your own marks: name=value")
	flags.StringVar(&req.RequestId, "request-id", "", "a UUID that you keep in retries of this very command (default: a new one)")
	return cmd
}

// workflowStarted writes which workflow a request belongs to, and who acts in it.
func (p *printer) workflowStarted(res *pb.StartWorkflowResponse) {
	w := res.Workflow
	switch by := res.GetUnitedWith().GetBy().(type) {
	case *pb.UnitedWith_SourceEvent:
		fmt.Fprintf(p, "The event %s/%s came before. Its workflow's run acts.\n", printable(by.SourceEvent.Source), printable(by.SourceEvent.EventId))
	case *pb.UnitedWith_CorrelationKey:
		fmt.Fprintf(p, "United by the key %s. Its workflow's run acts.\n", printable(by.CorrelationKey))
	case *pb.UnitedWith_WorkflowId:
		fmt.Fprintf(p, "The workflow %s was started before. Its run acts.\n", printable(by.WorkflowId))
	}
	p.facts("workflow", w.GetWorkflowId(), "state", short(w.GetState()), "run", res.RunId, "current run", w.GetCurrentRunId())
	if f := res.Flag; f != nil {
		fmt.Fprintf(p, "Workflow %s of the same key means something else: %s. A person should look.\n", printable(f.WorkflowId), printable(f.NormalizedIntent))
	}
}

// parseEvent reads "source/id". The id may hold slashes.
func parseEvent(text string) (*pb.SourceEvent, error) {
	if text == "" {
		return nil, nil
	}
	source, id, found := strings.Cut(text, "/")
	if !found || source == "" || id == "" {
		return nil, usagef("--event %q is not of the form source/id", text)
	}
	return &pb.SourceEvent{Source: source, EventId: id}, nil
}
