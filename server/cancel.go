package server

import (
	"context"

	"github.com/opledger/opledger/callers"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// CancelOperation cancels what was not dispatched; later it is a wish that stands.
func (s *operationService) CancelOperation(ctx context.Context, req *pb.CancelOperationRequest) (*pb.CancelOperationResponse, error) {
	c := callOf(ctx)
	if err := s.mayDecideAbout(ctx, req.OperationId); err != nil {
		return nil, err
	}
	cancelled, err := do[ledger.Cancelled](ctx, s.Server, &ledger.CancelOperation{
		Namespace: c.namespace(), Principal: c.Principal, OperationID: ledger.OperationID(req.OperationId), Reason: req.Reason, Etag: req.Etag,
		GivesUp: c.May(callers.Resolve),
	})
	if err != nil {
		return nil, err
	}
	return &pb.CancelOperationResponse{
		Operation: operationOf(cancelled.Operation, cancelled.Operation.UpdatedAt, c.sensitive),
		Result:    resultOf(cancelled.Operation, cancelled.Told, c.sensitive),
	}, nil
}
