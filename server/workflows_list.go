package server

import (
	"context"
	"errors"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// ListWorkflows lists workflows, the newest first by creation and then by id.
func (s *workflowService) ListWorkflows(ctx context.Context, req *pb.ListWorkflowsRequest) (*pb.ListWorkflowsResponse, error) {
	c := callOf(ctx)
	wanted := wantedWorkflow(req)
	if req.SourceEvent != nil {
		w, err := s.workflowOfEvent(ctx, req.SourceEvent)
		if err != nil || w == nil || !wanted(w) {
			return &pb.ListWorkflowsResponse{}, err
		}
		return &pb.ListWorkflowsResponse{Workflows: []*pb.Workflow{c.listedWorkflow(w)}}, nil
	}
	q := ledger.RecordQuery{Kind: ledger.RecordWorkflow, Namespace: c.namespace(), Descending: true}
	for _, state := range req.States {
		q.Statuses = append(q.Statuses, wordOf(state.String(), "STATE_"))
	}
	if req.CorrelationKey != "" {
		q.Subject = ledger.CorrelationKey(c.namespace(), req.CorrelationKey).ID
	}
	if req.Requester != "" {
		q.Entity = ledger.RequesterIndex(c.namespace(), req.Requester)
	}
	found, next, err := listRecords(ctx, s.Server, req, q, req.PageSize, wanted)
	if err != nil {
		return nil, err
	}
	m := &pb.ListWorkflowsResponse{NextPageToken: next}
	for _, w := range found {
		m.Workflows = append(m.Workflows, c.listedWorkflow(w))
	}
	return m, nil
}

// wantedWorkflow holds a workflow against every filter of the list.
func wantedWorkflow(req *pb.ListWorkflowsRequest) func(*ledger.Workflow) bool {
	states := map[ledger.WorkflowState]bool{}
	for _, state := range req.States {
		states[ledger.WorkflowState(wordOf(state.String(), "STATE_"))] = true
	}
	return func(w *ledger.Workflow) bool {
		switch {
		case len(states) > 0 && !states[w.State],
			req.CorrelationKey != "" && w.CorrelationKey != req.CorrelationKey,
			req.Requester != "" && w.Requester != req.Requester,
			req.CreateTimeFrom != nil && w.CreatedAt.Before(req.CreateTimeFrom.AsTime()),
			req.CreateTimeUntil != nil && !w.CreatedAt.Before(req.CreateTimeUntil.AsTime()):
			return false
		}
		return true
	}
}

// listedWorkflow is a workflow as lists show it.
func (c call) listedWorkflow(w *ledger.Workflow) *pb.Workflow {
	m := c.workflowOf(w)
	m.Runs, m.SourceEvents, m.Flags, m.Conclusion = nil, nil, nil, nil // GetWorkflow shows them
	return m
}

// workflowOfEvent is the workflow that an event belongs to; nil where it belongs to none.
func (s *Server) workflowOfEvent(ctx context.Context, e *pb.SourceEvent) (*ledger.Workflow, error) {
	found, err := s.config.Ledger.Engine().GetRecord(ctx, ledger.SourceEventKey(callOf(ctx).namespace(), e.Source, e.EventId))
	switch {
	case errors.Is(err, ledger.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, s.statusOf(ctx, err)
	}
	return s.workflow(ctx, found.(*ledger.SourceEvent).WorkflowID)
}
