package server

import (
	"context"
	"errors"

	"google.golang.org/grpc/codes"

	"github.com/opledger/opledger/callers"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// approvalsPageSize is the greatest page of approvals: each comes with what has changed since, which is read anew.
const approvalsPageSize = 100

// ListApprovals lists approvals, those that expire first first.
func (s *approvalService) ListApprovals(ctx context.Context, req *pb.ListApprovalsRequest) (*pb.ListApprovalsResponse, error) {
	token, err := parsePageToken(req)
	if err != nil {
		return nil, err
	}
	now, err := s.config.Ledger.Engine().Time(ctx)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	q := ledger.RecordQuery{Kind: ledger.RecordApproval, Subject: req.OperationId, Tool: req.Tool, Statuses: []string{string(ledger.ApprovalOpen)}}
	if len(req.States) > 0 {
		q.Statuses = nil
		for _, state := range req.States {
			q.Statuses = append(q.Statuses, wordOf(state.String(), "STATE_"))
		}
	}
	if e := req.Entity; e != nil {
		q.Entity = e.Type + "/" + e.Id
	}
	who := callOf(ctx)
	var found []*ledger.Approval
	next, err := s.scanRecords(ctx, token, min(pageSize(req.PageSize, DefaultPageSize), approvalsPageSize), q, func(r ledger.Record) bool {
		a := r.(*ledger.Approval)
		if req.DecidableByMe {
			if _, no := a.RoleOf(who.actor()); no != nil || !who.May(callers.Approve) || !who.MayTool(a.Tool) || a.State != ledger.ApprovalOpen || !now.Before(a.ExpiresAt) {
				return false
			}
		}
		found = append(found, a)
		return true
	})
	if err != nil {
		return nil, err
	}
	m := &pb.ListApprovalsResponse{NextPageToken: next}
	for _, a := range found {
		shown, err := s.shown(ctx, a)
		if err != nil {
			return nil, err
		}
		shown.RecentOperations = nil // GetApproval shows them
		m.Approvals = append(m.Approvals, shown)
	}
	return m, nil
}

// GetApproval reads one approval with all that an approver needs to see.
func (s *approvalService) GetApproval(ctx context.Context, req *pb.GetApprovalRequest) (*pb.GetApprovalResponse, error) {
	a, err := s.approval(ctx, req.ApprovalId)
	if err != nil {
		return nil, err
	}
	m, err := s.shown(ctx, a)
	return &pb.GetApprovalResponse{Approval: m}, err
}

// DecideApproval records one person's yes or no.
func (s *approvalService) DecideApproval(ctx context.Context, req *pb.DecideApprovalRequest) (*pb.DecideApprovalResponse, error) {
	who := callOf(ctx)
	a, err := s.approval(ctx, req.ApprovalId)
	if err != nil {
		return nil, err
	}
	if !who.MayTool(a.Tool) {
		return nil, who.unreached(a.Tool)
	}
	decided, err := judged[ledger.ApprovalDecided](ctx, s.Server, func(c *configuration) ledger.Command {
		return &ledger.DecideApproval{
			Namespace: who.namespace(), Actor: who.actor(), RequestID: ledger.RequestID(req.RequestId), ApprovalID: req.ApprovalId,
			Approve: req.GetApprove() != nil, Etag: req.Etag, Comment: req.Comment, Epoch: c.epoch, Rules: c.policy,
		}
	})
	if err != nil {
		return nil, err
	}
	m, err := s.shown(ctx, decided.Approval)
	if err != nil {
		return nil, err
	}
	return &pb.DecideApprovalResponse{Approval: m, Result: resultOf(decided.Operation, decided.Told, who.sensitive)}, nil
}

// approval reads one approval of the caller's namespace.
func (s *Server) approval(ctx context.Context, id string) (*ledger.Approval, error) {
	key := ledger.RecordKey{Kind: ledger.RecordApproval, Namespace: callOf(ctx).namespace(), ID: id}
	r, err := s.config.Ledger.Engine().GetRecord(ctx, key)
	if errors.Is(err, ledger.ErrNotFound) {
		return nil, fail(codes.NotFound, pb.ErrorReason_ERROR_REASON_APPROVAL_NOT_FOUND, "there is no approval "+id+" in this namespace; list the approvals that wait", nil)
	}
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	return r.(*ledger.Approval), nil
}

// maxScanned bounds how many rows one page of a filtered list looks at; what is beyond comes with the next page.
const maxScanned = 5000

// scanRecords reads records until a page of those that are kept is full, and answers the token of the next page.
func (s *Server) scanRecords(ctx context.Context, token pageToken, size int, q ledger.RecordQuery, keep func(ledger.Record) bool) (next string, err error) {
	q.Namespace, q.After, q.AfterID, q.Limit = callOf(ctx).namespace(), token.Time, token.ID, size+1
	for kept, seen := 0, 0; ; {
		found, err := s.config.Ledger.Engine().ListRecords(ctx, q)
		if err != nil {
			return "", s.statusOf(ctx, err)
		}
		for _, r := range found {
			if kept == size || seen == maxScanned {
				return pageToken{Time: q.After, ID: q.AfterID, Filter: token.Filter}.String(), nil
			}
			if keep(r) {
				kept++
			}
			q.After, q.AfterID = r.Index().At, r.Key().ID
			seen++
		}
		if len(found) < q.Limit {
			return "", nil
		}
	}
}
