package server

import (
	"cmp"
	"context"
	"slices"
	"strings"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// ListHumanTasks lists everything that waits for a person, what is due first first: approvals that are open, and operations
// that were put before somebody. An operation that was settled waits no more and leaves no task behind; an approval does.
func (s *approvalService) ListHumanTasks(ctx context.Context, req *pb.ListHumanTasksRequest) (*pb.ListHumanTasksResponse, error) {
	token, err := parsePageToken(req)
	if err != nil {
		return nil, err
	}
	now, err := s.config.Ledger.Engine().Time(ctx)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	size := pageSize(req.PageSize, DefaultPageSize)
	keep := func(t *humanTask) bool { return t.wanted(req, now) && t.follows(token) }
	tasks, err := s.approvalTasks(ctx, req, token, size+1, keep)
	if err != nil {
		return nil, err
	}
	waiting, err := s.operationTasks(ctx, keep)
	if err != nil {
		return nil, err
	}
	tasks = append(tasks, waiting...)
	slices.SortFunc(tasks, func(a, b *humanTask) int {
		return cmp.Or(a.order().Compare(b.order()), strings.Compare(a.id(), b.id()))
	})
	m := &pb.ListHumanTasksResponse{}
	if len(tasks) > size {
		tasks = tasks[:size]
		last := tasks[size-1]
		m.NextPageToken = pageToken{Time: last.order(), ID: last.id(), Filter: token.Filter}.String()
	}
	for _, t := range tasks {
		m.HumanTasks = append(m.HumanTasks, t.HumanTask)
	}
	return m, nil
}

// approvalTasks are the first tasks of approvals behind the token, as many as a page can hold. Approvals are stored in the
// order in which they are due.
func (s *approvalService) approvalTasks(ctx context.Context, req *pb.ListHumanTasksRequest, token pageToken, limit int, keep func(*humanTask) bool) (tasks []*humanTask, err error) {
	q := ledger.RecordQuery{Kind: ledger.RecordApproval, Namespace: callOf(ctx).namespace(), After: token.Time, Limit: maxPageSize}
	if id, isApproval := strings.CutPrefix(token.ID, taskPrefix); isApproval && strings.HasPrefix(id, approvalPrefix) {
		q.AfterID = id
	}
	if !req.IncludeSettled {
		q.Statuses = []string{string(ledger.ApprovalOpen)}
	}
	for len(tasks) < limit {
		found, err := s.config.Ledger.Engine().ListRecords(ctx, q)
		if err != nil {
			return nil, s.statusOf(ctx, err)
		}
		for _, r := range found {
			if t := taskOfApproval(r.(*ledger.Approval)); keep(t) && len(tasks) < limit {
				tasks = append(tasks, t)
			}
			q.After, q.AfterID = r.Index().At, r.Key().ID
		}
		if len(found) < q.Limit {
			break
		}
	}
	return tasks, nil
}

// operationTasks are the tasks of operations that need a person. They are few, or people would not keep up: all of them are
// read, since operations are not stored in the order in which they are due.
func (s *approvalService) operationTasks(ctx context.Context, keep func(*humanTask) bool) (tasks []*humanTask, err error) {
	yes := true
	q := ledger.OperationQuery{Namespace: callOf(ctx).namespace(), NeedsHuman: &yes, Limit: maxPageSize}
	for {
		found, err := s.config.Ledger.Engine().ListOperations(ctx, q)
		if err != nil {
			return nil, s.statusOf(ctx, err)
		}
		for _, o := range found {
			if o.Human != nil {
				if t := taskOfOperation(o); keep(t) {
					tasks = append(tasks, t)
				}
			}
			q.CreatedBefore, q.BeforeID = o.CreatedAt, o.ID
		}
		if len(found) < q.Limit {
			return tasks, nil
		}
	}
}

// AcknowledgeHumanTask says that a person has taken it up.
func (s *approvalService) AcknowledgeHumanTask(ctx context.Context, req *pb.AcknowledgeHumanTaskRequest) (*pb.AcknowledgeHumanTaskResponse, error) {
	who := callOf(ctx)
	take := &ledger.TakeTask{
		Namespace: who.namespace(), Actor: who.actor(), RequestID: ledger.RequestID(req.RequestId), Hold: req.HoldEscalationFor.AsDuration(),
		Comment: req.Comment, Etag: req.Etag,
	}
	if id := strings.TrimPrefix(req.HumanTaskId, taskPrefix); strings.HasPrefix(id, approvalPrefix) {
		take.ApprovalID = id
	} else {
		take.OperationID = ledger.OperationID(id)
	}
	taken, err := do[ledger.TaskTaken](ctx, s.Server, take)
	if err != nil {
		return nil, err
	}
	if taken.Approval != nil {
		return &pb.AcknowledgeHumanTaskResponse{HumanTask: taskOfApproval(taken.Approval).HumanTask}, nil
	}
	return &pb.AcknowledgeHumanTaskResponse{HumanTask: taskOfOperation(taken.Operation).HumanTask}, nil
}
