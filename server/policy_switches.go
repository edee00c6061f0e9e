package server

import (
	"context"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// PauseScope stops a namespace, a class or a tool. When it returns, nothing new starts anywhere.
func (s *policyService) PauseScope(ctx context.Context, req *pb.PauseScopeRequest) (*pb.PauseScopeResponse, error) {
	who := callOf(ctx)
	reply, err := do[ledger.Switched](ctx, s.Server, &ledger.PauseScope{
		Request: requestOf(who, req), Scope: scopeFrom(req.Scope), Reason: req.Reason,
	})
	if err != nil {
		return nil, err
	}
	// Also where it was paused already: by a call whose answer was lost, it may not hold everywhere yet.
	return &pb.PauseScopeResponse{Pause: pauseOf(reply.Switch)}, s.holdsEverywhere(ctx)
}

// ResumeScope ends a pause.
func (s *policyService) ResumeScope(ctx context.Context, req *pb.ResumeScopeRequest) (*pb.ResumeScopeResponse, error) {
	who := callOf(ctx)
	reply, err := do[ledger.Switched](ctx, s.Server, &ledger.ResumeScope{
		Request: requestOf(who, req), Scope: scopeFrom(req.Scope), Reason: req.Reason, Etag: req.Etag,
	})
	if err != nil {
		return nil, err
	}
	return &pb.ResumeScopeResponse{Pause: pauseOf(reply.Switch)}, s.holdsEverywhere(ctx)
}

// ListPauses lists what is paused, the newest first.
func (s *policyService) ListPauses(ctx context.Context, req *pb.ListPausesRequest) (*pb.ListPausesResponse, error) {
	token, err := parsePageToken(req)
	if err != nil {
		return nil, err
	}
	m := &pb.ListPausesResponse{}
	m.NextPageToken, err = s.listRecords(ctx, token, pageSize(req.PageSize, DefaultPageSize), ledger.RecordQuery{
		Kind: ledger.RecordSwitch, Statuses: []string{"paused"}, Descending: true,
	}, func(r ledger.Record) { m.Pauses = append(m.Pauses, pauseOf(r.(*ledger.Switch))) })
	return m, err
}

// SetShadow puts the policy rules of a scope in shadow, or in force again. When it returns, that holds everywhere.
func (s *policyService) SetShadow(ctx context.Context, req *pb.SetShadowRequest) (*pb.SetShadowResponse, error) {
	who := callOf(ctx)
	reply, err := do[ledger.Switched](ctx, s.Server, &ledger.SetShadow{
		Request: requestOf(who, req), Scope: scopeFrom(req.Scope), Shadow: req.GetShadow(), Reason: req.Reason,
	})
	if err != nil {
		return nil, err
	}
	return &pb.SetShadowResponse{Scope: scopeOf(reply.Switch.Scope()), Shadow: reply.Switch.Shadow}, s.holdsEverywhere(ctx)
}

func scopeFrom(m *pb.SwitchScope) ledger.SwitchScope {
	switch part := m.GetPart().(type) {
	case *pb.SwitchScope_ToolClass:
		return ledger.SwitchScope{Class: className(part.ToolClass)}
	case *pb.SwitchScope_Tool:
		return ledger.SwitchScope{Tool: part.Tool}
	}
	return ledger.SwitchScope{} // the whole namespace: the request's own rules admit no fourth
}

func scopeOf(s ledger.SwitchScope) *pb.SwitchScope {
	switch {
	case s.Tool != "":
		return &pb.SwitchScope{Part: &pb.SwitchScope_Tool{Tool: s.Tool}}
	case s.Class != "":
		return &pb.SwitchScope{Part: &pb.SwitchScope_ToolClass{ToolClass: classOf(string(s.Class))}}
	}
	return &pb.SwitchScope{Part: &pb.SwitchScope_WholeNamespace{WholeNamespace: &pb.WholeNamespace{}}}
}

func pauseOf(s *ledger.Switch) *pb.Pause {
	return &pb.Pause{Scope: scopeOf(s.Scope()), Principal: string(s.PausedBy), Reason: s.PauseReason, Time: stamp(s.PausedAt), Etag: s.Etag()}
}

// listRecords reads one page of records, hands each to the function, and answers the token of the next page.
func (s *Server) listRecords(ctx context.Context, token pageToken, size int, q ledger.RecordQuery, add func(ledger.Record)) (next string, err error) {
	q.Namespace, q.After, q.AfterID, q.Limit = callOf(ctx).namespace(), token.Time, token.ID, size+1
	found, err := s.config.Ledger.Engine().ListRecords(ctx, q)
	if err != nil {
		return "", s.statusOf(ctx, err)
	}
	if len(found) > size {
		found = found[:size]
		last := found[size-1]
		next = pageToken{Time: last.Index().At, ID: last.Key().ID, Filter: token.Filter}.String()
	}
	for _, r := range found {
		add(r)
	}
	return next, nil
}
