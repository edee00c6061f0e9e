package server

import (
	"context"
	"errors"
	"time"

	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// StartWorkflow starts a task, or answers with the one that its event, its own id or its correlation key belongs to.
func (s *workflowService) StartWorkflow(ctx context.Context, req *pb.StartWorkflowRequest) (*pb.StartWorkflowResponse, error) {
	c := callOf(ctx)
	command := &ledger.StartWorkflow{
		Request: requestOf(c, req), NewWorkflow: req.WorkflowId, Own: req.WorkflowId != "", NewRun: req.RunId,
		UserRequest: req.UserRequest, NormalizedIntent: req.NormalizedIntent, Requester: req.Requester,
		CorrelationKey: req.CorrelationKey, CorrelationWindow: req.CorrelationWindow.AsDuration(), Labels: req.Labels,
	}
	if !command.Own {
		command.NewWorkflow = s.ids.fresh("wf_")
	}
	if command.NewRun == "" {
		command.NewRun = s.ids.fresh("run_")
	}
	if e := req.SourceEvent; e != nil {
		command.Event = &ledger.Arrival{Source: e.Source, EventID: e.EventId}
		if e.Time != nil {
			command.Event.Time = e.Time.AsTime()
		}
	}
	started, err := do[ledger.WorkflowStarted](ctx, s.Server, command)
	if err != nil {
		return nil, err
	}
	m := &pb.StartWorkflowResponse{Workflow: c.workflowOf(started.Workflow), RunId: started.RunID, UnitedWith: unitedOf(started.United)}
	if f := started.Flag; f != nil {
		m.Flag = flagOf(*f)
	}
	return m, nil
}

// sourceEventTime is when the first event of a workflow was sent; zero where the workflow has none, or was never started.
// It never changes: the first event stays the first.
func (s *Server) sourceEventTime(ctx context.Context, workflow string) (time.Time, error) {
	if workflow == "" {
		return time.Time{}, nil
	}
	found, err := s.config.Ledger.Engine().GetRecord(ctx, ledger.WorkflowKey(callOf(ctx).namespace(), workflow))
	switch {
	case errors.Is(err, ledger.ErrNotFound):
		return time.Time{}, nil
	case err != nil:
		return time.Time{}, s.statusOf(ctx, err)
	}
	if events := found.(*ledger.Workflow).Events; len(events) > 0 {
		return events[0].Time, nil
	}
	return time.Time{}, nil
}

// maxShownOperations is how many operations of a workflow GetWorkflow shows.
const maxShownOperations = 1000

// GetWorkflow reads a workflow, its operations and what is open.
func (s *workflowService) GetWorkflow(ctx context.Context, req *pb.GetWorkflowRequest) (*pb.GetWorkflowResponse, error) {
	c := callOf(ctx)
	w, err := s.workflow(ctx, req.WorkflowId)
	if err != nil {
		return nil, err
	}
	engine := s.config.Ledger.Engine()
	found, err := engine.ListOperations(ctx, ledger.OperationQuery{Namespace: c.namespace(), WorkflowID: w.ID, Limit: maxShownOperations + 1})
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	now, err := engine.Time(ctx)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	m := &pb.GetWorkflowResponse{Workflow: c.workflowOf(w), MoreOperations: len(found) > maxShownOperations}
	for _, o := range found[:min(len(found), maxShownOperations)] {
		m.Operations = append(m.Operations, listedOperation(o, now, c.sensitive))
	}
	open, err := s.openOperations(ctx, w.ID)
	for _, o := range open {
		m.OpenOperationIds = append(m.OpenOperationIds, string(o.ID))
	}
	return m, err
}

// listedOperation is an operation as lists show it.
func listedOperation(o *ledger.Operation, now time.Time, sensitive bool) *pb.Operation {
	m := operationOf(o, now, sensitive)
	m.Attempts, m.Evidence, m.CanonicalArgumentsJson = nil, nil, "" // GetOperation shows them
	return m
}

// workflow reads a workflow that was started.
func (s *Server) workflow(ctx context.Context, id string) (*ledger.Workflow, error) {
	found, err := s.config.Ledger.Engine().GetRecord(ctx, ledger.WorkflowKey(callOf(ctx).namespace(), id))
	switch {
	case errors.Is(err, ledger.ErrNotFound):
		return nil, fail(codes.NotFound, pb.ErrorReason_ERROR_REASON_WORKFLOW_NOT_FOUND,
			"no workflow "+id+" was started in this namespace; start it first", map[string]string{"workflow_id": id})
	case err != nil:
		return nil, s.statusOf(ctx, err)
	}
	return found.(*ledger.Workflow), nil
}

// notEnded are the states of what is open.
var notEnded = func() (open []ledger.State) {
	for _, state := range ledger.States {
		if !state.Ended() {
			open = append(open, state)
		}
	}
	return open
}()

// openOperations are all operations of a workflow that have not ended, the newest first.
func (s *Server) openOperations(ctx context.Context, workflow string) ([]*ledger.Operation, error) {
	all, _, err := s.operationsOf(ctx, workflow, notEnded, maxOpenOperations)
	return all, err
}

// maxOpenOperations bounds what is read of one workflow's open operations at once. No workflow of an agent comes near it;
// one that does is told of as far as this goes.
const maxOpenOperations = 10_000

// operationsOf are operations of a workflow in some states, the newest first, and whether there are more than the limit.
func (s *Server) operationsOf(ctx context.Context, workflow string, states []ledger.State, limit int) (all []*ledger.Operation, more bool, err error) {
	q := ledger.OperationQuery{Namespace: callOf(ctx).namespace(), WorkflowID: workflow, States: states}
	for {
		q.Limit = min(maxPageSize, limit+1-len(all))
		page, err := s.config.Ledger.Engine().ListOperations(ctx, q)
		if err != nil {
			return nil, false, s.statusOf(ctx, err)
		}
		all = append(all, page...)
		switch {
		case len(all) > limit:
			return all[:limit], true, nil
		case len(page) < q.Limit:
			return all, false, nil
		}
		last := page[len(page)-1]
		q.CreatedBefore, q.BeforeID = last.CreatedAt, last.ID
	}
}
