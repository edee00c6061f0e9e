package server

import (
	"context"

	"github.com/opledger/opledger/callers"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
)

// maxSweeps bounds how often the call that ends a workflow gives up what is left of it; the rest is due work.
const maxSweeps = 8

// CompleteWorkflow ends a task: what is undispatched is cancelled, leases are given back, and what the user was told is
// recorded.
func (s *workflowService) CompleteWorkflow(ctx context.Context, req *pb.CompleteWorkflowRequest) (*pb.CompleteWorkflowResponse, error) {
	c := callOf(ctx)
	if _, err := s.workflow(ctx, req.WorkflowId); err != nil {
		return nil, err
	}
	if err := s.mayDecideAboutWorkflow(ctx, req.WorkflowId); err != nil {
		return nil, err
	}
	left, _, err := transact.Leftovers(ctx, s.config.Ledger.Engine(), c.namespace(), req.WorkflowId)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	ended, err := do[ledger.WorkflowEnded](ctx, s.Server, &ledger.CompleteWorkflow{
		Request: requestOf(c, req), WorkflowID: req.WorkflowId, RunID: req.RunId, Person: c.May(callers.Resolve),
		Conclusion: conclusionFrom(req.Conclusion), Cancelled: req.Cancelled, Reason: req.Reason, Etag: req.Etag,
		Leftovers: left, Jitter: s.ids.jitter(),
	})
	if err != nil {
		return nil, err
	}
	s.gaveUp(c.namespace(), ended)
	s.settleLate(ctx)
	w := s.sweep(ctx, ended.Workflow)
	m := &pb.CompleteWorkflowResponse{Workflow: c.workflowOf(w)}
	open, err := s.openOperations(ctx, w.ID)
	if err != nil {
		return nil, err
	}
	for _, o := range open {
		m.OpenOperationIds = append(m.OpenOperationIds, string(o.ID))
	}
	failed, _, err := s.operationsOf(ctx, w.ID, []ledger.State{ledger.FailedPermanent}, maxOpenOperations)
	for _, o := range failed {
		if !o.ClosedAt.IsZero() && o.Failure.Category == ledger.CategoryCancelled {
			m.CancelledOperationIds = append(m.CancelledOperationIds, string(o.ID))
		}
	}
	return m, err
}

// sweep gives up what is left of an ended workflow, as due work would later. That it fails is no failure of the end.
func (s *Server) sweep(ctx context.Context, w *ledger.Workflow) *ledger.Workflow {
	for range maxSweeps {
		left, all, err := transact.Leftovers(ctx, s.config.Ledger.Engine(), w.Namespace, w.ID)
		if err == nil {
			var reply any
			reply, err = s.config.Ledger.Do(ctx, &ledger.SweepWorkflow{Namespace: w.Namespace, WorkflowID: w.ID, Leftovers: left, Done: all, Jitter: s.ids.jitter()})
			if swept, ok := reply.(*ledger.WorkflowEnded); ok {
				s.gaveUp(w.Namespace, swept)
				w = swept.Workflow
			}
		}
		if err != nil {
			s.log.WarnContext(ctx, "an ended workflow could not give up all at once; due work goes on", "error", err, "workflow", w.ID)
			return w
		}
		if all {
			return w
		}
	}
	return w
}

// gaveUp tells those who wait of what an end has changed.
func (s *Server) gaveUp(ns ledger.Namespace, ended *ledger.WorkflowEnded) {
	for _, o := range ended.Operations {
		s.announce(&ledger.Cancelled{Operation: o}, nil)
	}
	for _, l := range ended.Leases {
		s.leaseMoved(ns, l.Names()...)
	}
}
