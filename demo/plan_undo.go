package demo

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/opledger/opledger/demo/provider"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// What became of one asking that the plan be undone.
const (
	askedInterrupted = "interrupted" // the server died meanwhile
	askedDone        = "done"        // everything is undone
)

// undo lets a person ask that the plan be undone. The server dies while it does so; asked again, the next one goes on, and
// asked once more it has nothing to do.
func (d *desk) undo(ctx context.Context) error {
	d.tell(note{Who: personIda, Kind: notePerson, Text: "undo what " + d.result.WorkflowID + " did, the last success first"})
	asked := make(chan error, 1)
	go func() {
		_, err := d.compensate(ctx)
		asked <- err
	}()
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	select {
	case err := <-committed(waiting, d.provider, provider.KindEmail, 2):
		if err != nil {
			return err
		}
	case err := <-asked:
		return errors.Join(errors.New("the server answered before a correction had left"), err)
	}
	if err := d.crash(); err != nil {
		return err
	}
	if err := <-asked; err == nil {
		return errors.New("the server had answered before it was killed")
	}
	d.result.Asked = append(d.result.Asked, askedInterrupted)
	d.tell(note{Who: "server", Kind: noteDeath, Text: "killed (SIGKILL): the correction has left, and nobody has reported it"})
	if err := d.serve(ctx); err != nil {
		return err
	}
	d.tell(note{Who: "server", Kind: noteResult, Text: "another one serves the same database"})
	for _, words := range []string{"undo it", "and once more, to be sure"} {
		d.tell(note{Who: personIda, Kind: notePerson, Text: words})
		undone, err := d.compensate(ctx)
		if err != nil {
			return err
		}
		d.result.Asked = append(d.result.Asked, askedDone)
		for _, o := range undone.Operations {
			d.tell(note{Kind: noteLedger, Text: o.Tool + ": " + stateShown(o.State)})
		}
	}
	return nil
}

// compensate asks as often as it takes until the plan is undone. Each asking is a request of its own: what it does is
// recorded with the operations.
func (d *desk) compensate(ctx context.Context) (*pb.CompensateWorkflowResponse, error) {
	conn, err := d.as(personIda)
	if err != nil {
		return nil, err
	}
	for range maxTries {
		res, err := pb.NewWorkflowServiceClient(conn).CompensateWorkflow(ctx, &pb.CompensateWorkflowRequest{
			WorkflowId: d.result.WorkflowID, RequestId: uuid.NewString(), Reason: "the ticket cannot be had", Wait: durationpb.New(maxPatience),
		})
		switch {
		case err != nil:
			return nil, fmt.Errorf("compensate the workflow: %w", err)
		case res.Stuck:
			return nil, fmt.Errorf("the compensation is stuck: %v", res.Operations)
		case res.Done:
			return res, nil
		}
	}
	return nil, errors.New("the compensation came to no end")
}

// end lets the second run say what the customer was told: first what the plan had wanted, then what is so.
func (d *desk) end(ctx context.Context) error {
	p, err := d.planner()
	if err != nil {
		return err
	}
	got, err := p.workflows.GetWorkflow(ctx, &pb.GetWorkflowRequest{WorkflowId: d.result.WorkflowID})
	if err != nil {
		return fmt.Errorf("read the workflow: %w", err)
	}
	for _, c := range []Conclusion{wishfulEnd, honestEnd} {
		if err := d.conclude(ctx, p, got, c); err != nil {
			return err
		}
	}
	return nil
}

// conclude hands in what the customer was told, and keeps what became of it.
func (d *desk) conclude(ctx context.Context, p *planner, got *pb.GetWorkflowResponse, c Conclusion) error {
	told := &pb.Conclusion{UserMessage: c.Message}
	for _, o := range got.Operations {
		if kind, there := c.Claims[o.Tool]; there {
			told.Claims = append(told.Claims, &pb.Claim{OperationId: o.OperationId, Kind: pb.ClaimKind(pb.ClaimKind_value["CLAIM_KIND_"+kind])})
		}
	}
	p.say(note{Kind: noteCall, Text: fmt.Sprintf("the customer was told: %q", c.Message)})
	_, err := p.workflows.CompleteWorkflow(ctx, &pb.CompleteWorkflowRequest{
		RequestId: uuid.NewString(), WorkflowId: d.result.WorkflowID, RunId: got.Workflow.CurrentRunId, Conclusion: told,
	})
	if err != nil {
		if c.Refused = reasonOf(err); c.Refused == "" {
			return fmt.Errorf("complete the workflow: %w", err)
		}
		p.say(note{Kind: noteLedger, Text: "refused, " + c.Refused + ": " + status.Convert(err).Message()})
	} else {
		p.say(note{Kind: noteLedger, Text: "taken; the plan has ended"})
	}
	d.result.Conclusions = append(d.result.Conclusions, c)
	return nil
}
