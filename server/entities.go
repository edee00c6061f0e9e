package server

import (
	"context"
	"errors"
	"strings"

	"google.golang.org/grpc/codes"

	"github.com/opledger/opledger/canon"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
)

// GetEntityState reads what guards read of an entity.
func (s *entityService) GetEntityState(ctx context.Context, req *pb.GetEntityStateRequest) (*pb.GetEntityStateResponse, error) {
	e, err := entityFrom("entity", req.Entity)
	if err != nil {
		return nil, err
	}
	record, err := s.config.Ledger.Engine().GetRecord(ctx, ledger.EntityKey(callOf(ctx).namespace(), e))
	switch {
	case errors.Is(err, ledger.ErrNotFound), err == nil && record.RowVersion() == 0:
		return nil, fail(codes.NotFound, pb.ErrorReason_ERROR_REASON_ENTITY_STATE_NOT_FOUND,
			"no state of "+e.String()+" was ever set; treat it as empty, or set one", map[string]string{"entity": e.String()})
	case err != nil:
		return nil, s.statusOf(ctx, err)
	}
	return &pb.GetEntityStateResponse{EntityState: entityStateOf(record.(*ledger.Entity))}, nil
}

// SetEntityState sets what guards read of an entity, from outside.
func (s *entityService) SetEntityState(ctx context.Context, req *pb.SetEntityStateRequest) (*pb.SetEntityStateResponse, error) {
	entity, err := entityFrom("entity", req.Entity)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	command := &ledger.SetEntityState{
		Namespace: c.namespace(), Actor: c.actor(), Entity: entity, State: req.State, Etag: req.Etag, Reason: req.Reason,
	}
	if req.AttributesJson != nil {
		canonical, err := attributesFrom(*req.AttributesJson)
		if err != nil {
			return nil, err
		}
		command.Attributes = canonical
	}
	set, err := do[ledger.Entity](ctx, s.Server, command)
	if err != nil {
		return nil, err
	}
	return &pb.SetEntityStateResponse{EntityState: entityStateOf(set)}, nil
}

// attributesFrom reads attributes into their canonical form. What is no JSON object, or would not survive, is refused with
// the place of each fault.
func attributesFrom(text string) ([]byte, error) {
	const field = "attributes_json"
	v, faults := canon.Parse([]byte(text), canon.Limits{})
	if len(faults) > 0 {
		return nil, argumentFaults(field, "", faults)
	}
	if v.Kind() != canon.KindObject {
		return nil, invalidField(pb.ErrorReason_ERROR_REASON_INVALID_ARGUMENTS, field, "attributes are a JSON object, such as {\"tier\":\"gold\"}")
	}
	return v.Canonical(), nil
}

// ListEntityStates lists states in the order of their last change, so that an entity that changes meanwhile is seen again
// and none is missed.
func (s *entityService) ListEntityStates(ctx context.Context, req *pb.ListEntityStatesRequest) (*pb.ListEntityStatesResponse, error) {
	q := ledger.RecordQuery{Kind: ledger.RecordEntity, Namespace: callOf(ctx).namespace()}
	if req.State != nil && *req.State != "" { // the empty state restricts no query
		q.Statuses = []string{*req.State}
	}
	states, next, err := listRecords(ctx, s.Server, req, q, req.PageSize, func(e *ledger.Entity) bool {
		return e.Version > 0 && (req.State == nil || e.State == *req.State) && (req.EntityType == "" || strings.HasPrefix(e.ID, req.EntityType+"/"))
	})
	if err != nil {
		return nil, err
	}
	m := &pb.ListEntityStatesResponse{NextPageToken: next}
	for _, e := range states {
		m.EntityStates = append(m.EntityStates, entityStateOf(e))
	}
	return m, nil
}

func entityStateOf(e *ledger.Entity) *pb.EntityState {
	kind, id, _ := strings.Cut(e.ID, "/") // a type has no slash
	return &pb.EntityState{
		Entity: entityOf(locks.Entity{Type: kind, ID: id}), State: e.State, AttributesJson: string(e.Attributes),
		Version: e.Version, Etag: e.Etag(), UpdateTime: stamp(e.UpdatedAt), OperationId: e.OperationID, Principal: e.Principal, Reason: e.Reason,
	}
}
