package server

import (
	"context"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// LiftExclusion lets others of an exclusive group pass an operation that holds an entity, by a permitted person's word.
func (s *policyService) LiftExclusion(ctx context.Context, req *pb.LiftExclusionRequest) (*pb.LiftExclusionResponse, error) {
	entity, err := entityFrom("entity", req.Entity)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	lifted, err := do[ledger.LiftedExclusion](ctx, s.Server, &ledger.LiftExclusion{
		Namespace: c.namespace(), Actor: c.actor(), Entity: entity, Group: req.Group,
		OperationID: ledger.OperationID(req.OperationId), SeenVersion: req.SeenOperationVersion, Reason: req.Reason, Jitter: s.ids.jitter(),
	})
	if err != nil {
		return nil, err
	}
	s.announce(&ledger.Cancelled{Operation: lifted.Operation}, nil)
	return &pb.LiftExclusionResponse{Lifted: holderOf(&lifted.Lifted, lifted.At)}, nil
}
