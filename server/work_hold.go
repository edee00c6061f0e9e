package server

import (
	"context"
	"errors"
	"slices"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// ExtendWork is a worker's heartbeat. Each extension is answered by itself.
func (s *workService) ExtendWork(ctx context.Context, req *pb.ExtendWorkRequest) (*pb.ExtendWorkResponse, error) {
	items := make([]*pb.ExtendWorkItem, len(req.Requests))
	var extensions []*ledger.Extend
	var at []int
	for i, r := range req.Requests {
		if err := s.validate(ctx, r); err != nil {
			items[i] = notExtended(err)
			continue
		}
		extensions, at = append(extensions, s.extension(ctx, r)), append(at, i)
	}
	outs, err := judgedAll(ctx, s.Server, callOf(ctx).namespace(), extensions, func(e *ledger.Extend, c *configuration) ledger.Command {
		e.Epoch, e.Rules = c.epoch, c.policy
		return e
	})
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	for n, out := range outs {
		if out.Err != nil {
			items[at[n]] = notExtended(s.statusOf(ctx, out.Err))
			continue
		}
		items[at[n]] = &pb.ExtendWorkItem{Answer: &pb.ExtendWorkItem_Response{Response: extendedOf(out.Reply.(*ledger.Held))}}
	}
	return &pb.ExtendWorkResponse{Items: items}, nil
}

func notExtended(err error) *pb.ExtendWorkItem {
	return &pb.ExtendWorkItem{Answer: &pb.ExtendWorkItem_Error{Error: protoStatus(err)}}
}

// judgedAll hands in commands that are judged by the namespace's configuration, and those anew under which it has moved.
// The error says that the configuration cannot be read.
func judgedAll[C any](ctx context.Context, s *Server, ns ledger.Namespace, all []C, build func(C, *configuration) ledger.Command) ([]ledger.Decided, error) {
	config, err := s.tools.get(ctx, ns)
	outs := make([]ledger.Decided, len(all))
	pending := make([]int, len(all))
	for i := range pending {
		pending[i] = i
	}
	for try := 0; err == nil && len(pending) > 0; try++ {
		commands := make([]ledger.Command, len(pending))
		for n, i := range pending {
			commands[n] = build(all[i], config)
		}
		for n, out := range s.config.Ledger.DoAll(ctx, commands) {
			outs[pending[n]] = out
		}
		var moved *ledger.EpochMovedError
		pending = slices.DeleteFunc(pending, func(i int) bool {
			again := errors.As(outs[i].Err, &moved) && try < maxRebuilds
			if !again {
				s.announce(outs[i].Reply, outs[i].Err)
			}
			return !again
		})
		if len(pending) > 0 {
			config, err = s.tools.refresh(ctx, ns)
		}
	}
	return outs, err
}

// AnswerLookup hands in what the provider answered to a question that PollWork handed out.
func (s *workService) AnswerLookup(ctx context.Context, req *pb.AnswerLookupRequest) (*pb.AnswerLookupResponse, error) {
	c := callOf(ctx)
	statement, err := statementFrom(req.Evidence)
	if err != nil {
		return nil, err
	}
	id := ledger.OperationID(req.OperationId)
	if err := s.mayDecideAbout(ctx, req.OperationId); err != nil {
		return nil, err
	}
	r, err := do[ledger.Reconciliation](ctx, s.Server, &ledger.Reconcile{
		Namespace: c.namespace(), Principal: c.Principal, OperationID: id, Statement: statement, Jitter: s.ids.jitter(),
	})
	if err != nil {
		return nil, err
	}
	return &pb.AnswerLookupResponse{Evidence: evidenceOf(r.Evidence)}, nil
}

// drainPage is how many operations are read at a time to find a worker's own, and maxHeld how many it is told of.
const (
	drainPage = 500
	maxHeld   = 1000
)

// DrainWorker answers the worker's polls that wait here, and tells what it holds. Nothing is kept of it: a permit lives in
// the database, whatever its worker intends.
func (s *workService) DrainWorker(ctx context.Context, req *pb.DrainWorkerRequest) (*pb.DrainWorkerResponse, error) {
	c := callOf(ctx)
	s.work.drain(c.namespace(), c.Principal, req.WorkerId)
	config, err := s.tools.get(ctx, c.namespace())
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	m := &pb.DrainWorkerResponse{}
	for name, t := range config.tools {
		if !t.worked() || !c.MayTool(name) {
			continue
		}
		if m.AttemptIds, err = s.heldBy(ctx, c, req.WorkerId, name, m.AttemptIds); err != nil {
			return nil, s.statusOf(ctx, err)
		}
	}
	slices.Sort(m.AttemptIds)
	return m, nil
}

// heldBy adds the live attempts of a worker among one tool's.
func (s *workService) heldBy(ctx context.Context, c call, workerID, tool string, ids []string) ([]string, error) {
	q := ledger.OperationQuery{Namespace: c.namespace(), States: []ledger.State{ledger.Dispatched}, Tool: tool, Limit: drainPage}
	for {
		found, err := s.config.Ledger.Engine().ListOperations(ctx, q)
		if err != nil {
			return ids, err
		}
		for _, o := range found {
			if a := o.LiveAttempt(); a != nil && a.WorkerID == workerID && a.Principal == c.Principal && len(ids) < maxHeld {
				ids = append(ids, string(a.ID))
			}
			q.CreatedBefore, q.BeforeID = o.CreatedAt, o.ID
		}
		if len(found) < q.Limit || len(ids) == maxHeld {
			return ids, nil
		}
	}
}
