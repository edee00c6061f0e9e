package server

import (
	"context"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/projection"
)

const (
	// lateCommits bounds the wait for transactions that count as before a change of the workflow and commit after it by the
	// clock, so that what they made is told of. Where an engine cannot say sooner that they have ended, this is waited.
	lateCommits = time.Second
	// maxProjected is how many ended operations an account is made of, the newest; older ones are not counted.
	maxProjected = 5_000
	// reconciledTogether bounds the operations that are reconciled in one hand-in.
	reconciledTogether = 64
)

// ResumeWorkflow makes a run the current one, reconciles what must be, retries what may be, and tells what happened.
func (s *workflowService) ResumeWorkflow(ctx context.Context, req *pb.ResumeWorkflowRequest) (*pb.ResumeWorkflowResponse, error) {
	c := callOf(ctx)
	command := &ledger.ResumeWorkflow{Request: requestOf(c, req), WorkflowID: req.WorkflowId, NewRun: req.RunId}
	if command.NewRun == "" {
		command.NewRun = s.ids.fresh("run_")
	}
	if err := s.mayDecideAboutWorkflow(ctx, req.WorkflowId); err != nil {
		return nil, err
	}
	resumed, err := do[ledger.WorkflowResumed](ctx, s.Server, command)
	if err != nil {
		return nil, err
	}
	s.settleLate(ctx)
	if err := s.reconcileOpen(ctx, req.WorkflowId, req.Wait.AsDuration()); err != nil {
		return nil, err
	}
	w, err := s.workflow(ctx, req.WorkflowId)
	if err != nil {
		return nil, err
	}
	p, err := s.projectionOf(ctx, w, int(req.GetMaxProjectionBytes()))
	return &pb.ResumeWorkflowResponse{Workflow: c.workflowOf(w), RunId: resumed.RunID, Projection: p}, err
}

// settleLate waits, for a bounded time, until every transaction that began before has ended.
func (s *Server) settleLate(ctx context.Context) {
	bounded, cancel := context.WithTimeout(ctx, lateCommits)
	defer cancel()
	if err := s.config.Ledger.Engine().Barrier(bounded); err != nil && bounded.Err() == nil {
		s.log.WarnContext(ctx, "it could not be waited for earlier transactions; what they make is told of later", "error", err)
	}
}

// reconcileOpen runs reconciliation of what is open now: time is applied, the next question and the next check of a permit
// are made due at once. A time that a provider asked for is kept. Then it waits until nothing more is expected by waiting.
func (s *Server) reconcileOpen(ctx context.Context, workflow string, wait time.Duration) error {
	open, err := s.openOperations(ctx, workflow)
	if err != nil {
		return err
	}
	for start := 0; start < len(open); start += reconciledTogether {
		part := open[start:min(start+reconciledTogether, len(open))]
		commands := make([]ledger.Command, len(part))
		for i, o := range part {
			commands[i] = &ledger.Reconcile{Namespace: o.Namespace, Principal: callOf(ctx).Principal, OperationID: o.ID, Jitter: s.ids.jitter()}
		}
		for i, out := range s.config.Ledger.DoAll(ctx, commands) {
			s.announce(out.Reply, out.Err)
			if out.Err != nil {
				return s.statusOf(ctx, out.Err)
			}
			part[i] = out.Reply.(*ledger.Reconciliation).Operation
		}
	}
	end := time.Now().Add(wait)
	for _, o := range open {
		if o.Terms.Queued() { // nobody's own call is waited for: a proposal is its occasion
			if _, err := s.waitForEnd(ctx, o, time.Until(end)); err != nil {
				return err
			}
		}
	}
	return nil
}

// projectionOf tells what happened in a workflow.
func (s *Server) projectionOf(ctx context.Context, w *ledger.Workflow, maxBytes int) (*pb.Projection, error) {
	c := callOf(ctx)
	open, err := s.openOperations(ctx, w.ID)
	if err != nil {
		return nil, err
	}
	var ended []ledger.State
	for _, state := range ledger.States {
		if state.Ended() {
			ended = append(ended, state)
		}
	}
	past, more, err := s.operationsOf(ctx, w.ID, ended, maxProjected)
	if err != nil {
		return nil, err
	}
	told := *w
	if !c.mayReadWords(w) {
		told.UserRequest = ""
	}
	p := projection.Make(projection.Input{Workflow: &told, Operations: once(open, past), Truncated: more, MaxBytes: maxBytes})
	m := &pb.Projection{Json: p.JSON, Prose: p.Prose, Summarized: p.Summarized}
	for _, o := range p.Operations {
		m.Operations = append(m.Operations, &pb.ProjectedOperation{
			OperationId: string(o.ID), OperationVersion: o.Version, Result: resultOf(o, ledger.TellState(o, o.UpdatedAt), c.sensitive),
		})
	}
	return m, nil
}

// once joins two lists that were read one after the other. An operation that ended in between is in both, and counts as it
// was read last.
func once(first, second []*ledger.Operation) []*ledger.Operation {
	seen := map[ledger.OperationID]bool{}
	var all []*ledger.Operation
	for _, o := range append(second[:len(second):len(second)], first...) {
		if !seen[o.ID] {
			seen[o.ID] = true
			all = append(all, o)
		}
	}
	return all
}
