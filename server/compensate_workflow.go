package server

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// maxUndoneOperations bounds what one call undoes. A workflow of an agent that did more is undone by a program that knows
// what it does.
const maxUndoneOperations = 1000

// CompensateWorkflow undoes what a workflow has done, the last success first. It keeps nothing of its own: each
// compensation is recorded with its operation, so that whoever asks again, on any server, goes on where things stand.
func (s *workflowService) CompensateWorkflow(ctx context.Context, req *pb.CompensateWorkflowRequest) (*pb.CompensateWorkflowResponse, error) {
	all, more, err := s.operationsOf(ctx, req.WorkflowId, nil, maxUndoneOperations)
	if err != nil {
		return nil, err
	}
	if more {
		return nil, fail(codes.FailedPrecondition, pb.ErrorReason_ERROR_REASON_COMPENSATION_NOT_POSSIBLE,
			"workflow "+req.WorkflowId+" has more operations than are undone together; compensate them one by one", nil)
	}
	config, err := s.tools.refresh(ctx, callOf(ctx).namespace())
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	u := &unwinding{Server: s.Server, tools: config.tools, reason: req.Reason, until: s.config.Clock().Add(req.Wait.AsDuration())}
	m := &pb.CompensateWorkflowResponse{Done: true}
	goes := true
	for _, o := range unwound(all) {
		item := &pb.WorkflowUndoing{OperationId: string(o.ID), Tool: o.Tool, State: stateOf(o.State), Status: pb.WorkflowUndoing_STATUS_WAITING}
		if goes {
			if err := u.undo(ctx, o, item); err != nil {
				return nil, err
			}
		}
		switch item.Status {
		case pb.WorkflowUndoing_STATUS_UNDONE, pb.WorkflowUndoing_STATUS_NO_PLAYBOOK:
		default:
			m.Stuck = m.Stuck || item.Status == pb.WorkflowUndoing_STATUS_STUCK
			m.Done, goes = false, false
		}
		m.Operations = append(m.Operations, item)
	}
	return m, nil
}

// unwound are the operations of a workflow that are to be undone, in order: what is open first, since it may have
// happened last; then what succeeded, the newest success first. Reads, steps of compensations, and what is known to have
// had no effect are left out.
func unwound(all []*ledger.Operation) []*ledger.Operation {
	all = slices.DeleteFunc(slices.Clone(all), func(o *ledger.Operation) bool {
		return !o.Terms.Mutates() || o.Undoes != nil || o.State == ledger.CompletedNoop || o.State == ledger.FailedPermanent
	})
	newest := func(a, b time.Time) int { return b.Compare(a) }
	slices.SortStableFunc(all, func(a, b *ledger.Operation) int {
		aAt, bAt := a.SucceededAt(), b.SucceededAt()
		return cmp.Or(cmp.Compare(rank(aAt), rank(bAt)), newest(aAt, bAt), newest(a.CreatedAt, b.CreatedAt), strings.Compare(string(a.ID), string(b.ID)))
	})
	return all
}

// rank puts what has not succeeded first.
func rank(succeeded time.Time) int {
	if succeeded.IsZero() {
		return 0
	}
	return 1
}

// unwinding undoes the operations of a workflow one after the other.
type unwinding struct {
	*Server
	tools  map[string]*tool
	reason string
	until  time.Time // by this server's clock: how long the caller waits
}

// undo undoes one operation, and says how far that has come.
func (u *unwinding) undo(ctx context.Context, o *ledger.Operation, item *pb.WorkflowUndoing) error {
	switch {
	case o.State == ledger.Compensated:
		item.Status = pb.WorkflowUndoing_STATUS_UNDONE
		return nil
	case o.State != ledger.CompletedSuccess && o.State != ledger.Compensating:
		item.Status, item.Explanation = pb.WorkflowUndoing_STATUS_OPEN, "it is "+string(o.State)+"; wait until its outcome is known, or cancel it"
		return nil
	}
	if t := u.tools[o.Tool]; len(o.Undoing) == 0 && (t == nil || t.newest().compiled.Definition.Playbook == nil) {
		item.Status, item.Explanation = pb.WorkflowUndoing_STATUS_NO_PLAYBOOK, "the tool "+o.Tool+" has no playbook; what it did stands"
		return nil
	}
	done, err := u.compensate(ctx, &ledger.Compensate{
		Namespace: o.Namespace, Actor: callOf(ctx).actor(), OperationID: o.ID, Reason: u.reason, Jitter: u.ids.jitter(),
	})
	if status.Code(err) == codes.FailedPrecondition {
		item.Status, item.Explanation = pb.WorkflowUndoing_STATUS_STUCK, status.Convert(err).Message()
		return nil
	}
	if err != nil {
		return err
	}
	if o, err = u.waitForEnd(ctx, done.Operation, u.until.Sub(u.config.Clock())); err != nil {
		return err
	}
	item.State = stateOf(o.State)
	switch {
	case o.State == ledger.Compensated:
		item.Status = pb.WorkflowUndoing_STATUS_UNDONE
	case o.Human != nil:
		item.Status, item.Explanation = pb.WorkflowUndoing_STATUS_STUCK, "a person is asked: "+o.Human.Reason
	case o.State == ledger.CompletedSuccess:
		item.Status, item.Explanation = pb.WorkflowUndoing_STATUS_STUCK, "an effect of it was decided to stand: "+strings.Join(o.StandingEffects(), ", ")
	default:
		item.Status, item.Explanation = pb.WorkflowUndoing_STATUS_UNDER_WAY, "its steps are being carried out"
	}
	return nil
}
