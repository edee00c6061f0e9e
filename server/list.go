package server

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// DefaultPageSize is the size of a page whose caller names none.
const DefaultPageSize = 50

// maxPageSize is the greatest page; a larger request gets this many.
const maxPageSize = 1000

// eventsPageSize is the same for histories, whose entries are short.
const eventsPageSize = 100

func pageSize(asked int32, otherwise int) int {
	if asked <= 0 {
		return otherwise
	}
	return min(int(asked), maxPageSize)
}

// pageToken is where the next page begins. It is opaque to callers and holds for the same filter only.
type pageToken struct {
	Time  time.Time `json:"t,omitzero"`
	ID    string    `json:"i,omitempty"`
	After int64     `json:"a,omitempty"`
	// Filter is a hash of the list that the token belongs to, so that it is refused with another one.
	Filter string `json:"f"`
}

// paged is a request for one page of a list.
type paged interface {
	proto.Message
	GetPageToken() string
}

// filterOf hashes a request without its page.
func filterOf(req paged) string {
	list := proto.Clone(req)
	for _, page := range []protoreflect.Name{"page_size", "page_token"} {
		list.ProtoReflect().Clear(list.ProtoReflect().Descriptor().Fields().ByName(page))
	}
	b, _ := proto.MarshalOptions{Deterministic: true}.Marshal(list) // what was unmarshalled always marshals
	sum := sha256.Sum256(append([]byte(list.ProtoReflect().Descriptor().Name()), b...))
	return base64.RawURLEncoding.EncodeToString(sum[:9])
}

func (t pageToken) String() string {
	b, _ := json.Marshal(t) // a struct of plain fields always marshals
	return base64.RawURLEncoding.EncodeToString(b)
}

func parsePageToken(req paged) (t pageToken, err error) {
	filter := filterOf(req)
	if req.GetPageToken() == "" {
		return pageToken{Filter: filter}, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(req.GetPageToken())
	if err == nil {
		err = json.Unmarshal(b, &t)
	}
	if err != nil || t.Filter != filter {
		return t, invalidField(pb.ErrorReason_ERROR_REASON_INVALID_PAGE_TOKEN, "page_token", "this is no page token of this list with these filters; begin again without one")
	}
	return t, nil
}

// ListOperations lists the namespace's operations, newest first.
func (s *operationService) ListOperations(ctx context.Context, req *pb.ListOperationsRequest) (*pb.ListOperationsResponse, error) {
	token, err := parsePageToken(req)
	if err != nil {
		return nil, err
	}
	size := pageSize(req.PageSize, DefaultPageSize)
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
		m.NextPageToken = pageToken{Time: last.CreatedAt, ID: string(last.ID), Filter: token.Filter}.String()
	}
	for _, o := range found {
		listed := operationOf(o, now, callOf(ctx).sensitive)
		listed.Attempts, listed.Evidence, listed.CanonicalArgumentsJson = nil, nil, "" // GetOperation shows them
		m.Operations = append(m.Operations, listed)
	}
	return m, nil
}

// ListOperationEvents lists an operation's history, oldest first.
func (s *operationService) ListOperationEvents(ctx context.Context, req *pb.ListOperationEventsRequest) (*pb.ListOperationEventsResponse, error) {
	token, err := parsePageToken(req)
	if err != nil {
		return nil, err
	}
	o, err := s.operation(ctx, req.OperationId)
	if err != nil {
		return nil, err
	}
	size := pageSize(req.PageSize, eventsPageSize)
	events, err := s.events(ctx, o, token.After, size+1)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	m := &pb.ListOperationEventsResponse{}
	if len(events) > size {
		events = events[:size]
		m.NextPageToken = pageToken{After: events[size-1].Sequence, Filter: token.Filter}.String()
	}
	for _, e := range events {
		m.Events = append(m.Events, eventOf(e))
	}
	return m, nil
}
