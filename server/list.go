package server

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// DefaultPageSize is the size of a page whose caller names none.
const DefaultPageSize = 50

// maxPageSize is the greatest page; a larger request gets this many.
const maxPageSize = 1000

func pageSize(asked int32) int {
	if asked <= 0 {
		return DefaultPageSize
	}
	return min(int(asked), maxPageSize)
}

// pageToken is where the next page begins. It is opaque to callers and holds for the same filter only.
type pageToken struct {
	Time  time.Time `json:"t,omitzero"`
	ID    string    `json:"i,omitempty"`
	After int64     `json:"a,omitempty"`
}

func (t pageToken) String() string {
	b, _ := json.Marshal(t) // a struct of plain fields always marshals
	return base64.RawURLEncoding.EncodeToString(b)
}

func parsePageToken(text string) (t pageToken, err error) {
	if text == "" {
		return t, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(b, &t)
	}
	if err != nil {
		return t, invalidField(pb.ErrorReason_ERROR_REASON_INVALID_PAGE_TOKEN, "page_token", "this is no page token of ours; begin again without one")
	}
	return t, nil
}

// ListOperations lists the namespace's operations, newest first.
func (s *operationService) ListOperations(ctx context.Context, req *pb.ListOperationsRequest) (*pb.ListOperationsResponse, error) {
	token, err := parsePageToken(req.PageToken)
	if err != nil {
		return nil, err
	}
	size := pageSize(req.PageSize)
	q := ledger.OperationQuery{
		Namespace: callOf(ctx).namespace(), Tool: req.Tool, WorkflowID: req.WorkflowId, RunID: req.RunId, Key: ledger.IdempotencyKey(req.IdempotencyKey),
		NeedsHuman: req.NeedsHuman, HasIncident: req.HasIncident, ToolCallID: req.ToolCallId,
		CreatedBefore: token.Time, BeforeID: ledger.OperationID(token.ID), Limit: size + 1,
	}
	for _, st := range req.States {
		q.States = append(q.States, stateFrom(st))
	}
	for _, c := range req.ToolClasses {
		q.Classes = append(q.Classes, className(c))
	}
	if e := req.Entity; e != nil {
		q.Entity = e.Type + "/" + e.Id
	}
	if t := req.CreateTimeFrom; t != nil {
		q.CreatedFrom = t.AsTime()
	}
	if t := req.CreateTimeUntil; t != nil {
		q.CreatedUntil = t.AsTime()
	}
	found, err := s.config.Ledger.Engine().ListOperations(ctx, q)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	now, err := s.config.Ledger.Engine().Time(ctx)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	m := &pb.ListOperationsResponse{}
	if len(found) > size {
		found = found[:size]
		last := found[size-1]
		m.NextPageToken = pageToken{Time: last.CreatedAt, ID: string(last.ID)}.String()
	}
	for _, o := range found {
		m.Operations = append(m.Operations, operationOf(o, now, callOf(ctx).sensitive))
	}
	return m, nil
}

// ListOperationEvents lists an operation's history, oldest first.
func (s *operationService) ListOperationEvents(ctx context.Context, req *pb.ListOperationEventsRequest) (*pb.ListOperationEventsResponse, error) {
	token, err := parsePageToken(req.PageToken)
	if err != nil {
		return nil, err
	}
	if _, err := s.operation(ctx, req.OperationId); err != nil {
		return nil, err
	}
	size := pageSize(req.PageSize)
	events, err := s.config.Ledger.Engine().ListEvents(ctx, callOf(ctx).namespace(), ledger.OperationID(req.OperationId), token.After, size+1)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	m := &pb.ListOperationEventsResponse{}
	if len(events) > size {
		events = events[:size]
		m.NextPageToken = pageToken{After: events[size-1].Sequence}.String()
	}
	for _, e := range events {
		m.Events = append(m.Events, eventOf(e))
	}
	return m, nil
}
