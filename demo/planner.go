package demo

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// planner is an agent whose tools are carried out by the server: it proposes and reads, and never holds a permit. Its hands
// know nothing of the provider.
type planner struct {
	*governedHands
	workflows pb.WorkflowServiceClient
}

// start starts the plan's workflow by the event that brought the request, or learns that it was started: then this process
// is given no run, since another one acts already.
func (p *planner) start(ctx context.Context, run string) error {
	p.say(note{Kind: noteCall, Text: "start: the web form's event " + planEvent})
	started, err := p.workflows.StartWorkflow(ctx, &pb.StartWorkflowRequest{
		RequestId: uuid.NewString(), RunId: run, Requester: planRequester,
		UserRequest: "Nora Lind has signed. Get her going.", NormalizedIntent: "onboard " + planCustomer,
		SourceEvent: &pb.SourceEvent{Source: "webform", EventId: planEvent},
	})
	if err != nil {
		return fmt.Errorf("start the workflow: %w", err)
	}
	p.workflow, p.runID = started.Workflow.WorkflowId, started.RunId
	if p.runID == "" {
		p.say(note{Kind: noteLedger, Text: "the event came before: " + p.workflow + ". You are given no run; resume it to go on."})
		return nil
	}
	p.say(note{Kind: noteLedger, Text: "started " + p.workflow + "; " + p.runID + " is its current run"})
	return nil
}

// resume makes a run the current one and answers with the account of what happened.
func (p *planner) resume(ctx context.Context, run string) (*pb.Projection, error) {
	p.say(note{Kind: noteCall, Text: "resume " + p.workflow})
	resumed, err := p.workflows.ResumeWorkflow(ctx, &pb.ResumeWorkflowRequest{RequestId: uuid.NewString(), WorkflowId: p.workflow, RunId: run})
	if err != nil {
		return nil, fmt.Errorf("resume the workflow: %w", err)
	}
	p.runID = resumed.RunId
	return resumed.Projection, nil
}

func (p *planner) do(ctx context.Context, call toolCall) (step, error) {
	answer, _, err := p.propose(ctx, call)
	if err != nil {
		return step{}, err
	}
	if answer.Permit != nil {
		return step{}, fmt.Errorf("%s gave a permit to an agent that has no right to act", call.Tool)
	}
	result := answer.Result
	if !answer.Result.Replayed {
		if result, err = p.carriedOut(ctx, result.OperationId); err != nil {
			return step{}, err
		}
	}
	switch result.State {
	case pb.Operation_STATE_COMPLETED_SUCCESS:
		return step{done: true, result: "the result: " + result.ProviderObjectId}, nil
	case pb.Operation_STATE_FAILED_PERMANENT:
		return step{done: true, result: "not done. The model reads: " + result.ModelMessage}, nil
	}
	return step{wait: patience(answer.RetryAfter)}, nil
}

// carriedOut waits until the server has come to an end with an operation, or for as long as a turn lasts.
func (p *planner) carriedOut(ctx context.Context, operation string) (*pb.ToolResult, error) {
	got, err := p.ledger.GetOperation(ctx, &pb.GetOperationRequest{OperationId: operation, Wait: durationpb.New(maxPatience)})
	if err != nil {
		return nil, fmt.Errorf("read the operation %s: %w", operation, err)
	}
	p.say(note{Kind: noteLedger, Text: "the server says: " + stateShown(got.Operation.State)})
	return got.Operation.Result, nil
}
