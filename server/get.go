package server

import (
	"context"

	"google.golang.org/grpc"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// GetOperation answers an operation as it stands, after waiting for its end where the caller asked for that.
func (s *operationService) GetOperation(ctx context.Context, req *pb.GetOperationRequest) (*pb.GetOperationResponse, error) {
	o, err := s.operation(ctx, req.OperationId)
	if err != nil {
		return nil, err
	}
	if o, err = s.waitForEnd(ctx, o, req.Wait.AsDuration()); err != nil {
		return nil, err
	}
	m, err := s.readOperation(ctx, o)
	return &pb.GetOperationResponse{Operation: m}, err
}

func (s *Server) operation(ctx context.Context, id string) (*ledger.Operation, error) {
	o, err := s.find(ctx, callOf(ctx).namespace(), ledger.OperationID(id))
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	return o, nil
}

// readOperation maps an operation that was read, its durations counted from the database's present time.
func (s *Server) readOperation(ctx context.Context, o *ledger.Operation) (*pb.Operation, error) {
	now, err := s.config.Ledger.Engine().Time(ctx)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	m := operationOf(o, now, callOf(ctx).sensitive)
	return m, s.withSteps(ctx, m, o)
}

// WatchOperation sends the operation as it stands, then each newer version that is seen, until it has ended or the caller
// leaves. Versions in quick succession may be seen as one; the events tell all.
func (s *operationService) WatchOperation(req *pb.WatchOperationRequest, stream grpc.ServerStreamingServer[pb.WatchOperationResponse]) error {
	ctx := stream.Context()
	seen := int64(-1)
	if req.SinceVersion != nil {
		seen = *req.SinceVersion
	}
	for {
		o, err := s.operation(ctx, req.OperationId)
		if err != nil {
			return err
		}
		if o.Version > seen {
			seen = o.Version
			m, err := s.readOperation(ctx, o)
			if err != nil {
				return err
			}
			if err := stream.Send(&pb.WatchOperationResponse{Operation: m}); err != nil {
				return err
			}
		}
		if o.State.Ended() || s.hub.stopping() {
			return nil
		}
		s.hub.wait(ctx, watched{o.Namespace, o.ID}, seen)
		if ctx.Err() != nil {
			return s.statusOf(ctx, ctx.Err())
		}
	}
}
