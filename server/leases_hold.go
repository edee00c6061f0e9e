package server

import (
	"context"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// RenewEntityLease lengthens a lease that is still held.
func (s *leaseService) RenewEntityLease(ctx context.Context, req *pb.RenewEntityLeaseRequest) (*pb.RenewEntityLeaseResponse, error) {
	c := callOf(ctx)
	proof, err := s.leaseProof(c.namespace(), req.LeaseToken)
	if err != nil {
		return nil, err
	}
	held, err := do[ledger.HeldLease](ctx, s.Server, &ledger.RenewLease{
		Namespace: c.namespace(), Actor: c.actor(), Proof: *proof, TTL: req.Ttl.AsDuration(), RenewalID: req.RequestId,
	})
	if err != nil {
		return nil, err
	}
	return &pb.RenewEntityLeaseResponse{Grant: s.grantOf(held.Lease, held.At)}, nil
}

// ReleaseEntityLease gives a lease back, whole or in part.
func (s *leaseService) ReleaseEntityLease(ctx context.Context, req *pb.ReleaseEntityLeaseRequest) (*pb.ReleaseEntityLeaseResponse, error) {
	c := callOf(ctx)
	proof, err := s.leaseProof(c.namespace(), req.LeaseToken)
	if err != nil {
		return nil, err
	}
	given, err := entitiesFrom("entities", req.Entities)
	if err != nil {
		return nil, err
	}
	released, err := do[ledger.ReleasedLease](ctx, s.Server, &ledger.ReleaseLease{
		Namespace: c.namespace(), Actor: c.actor(), Proof: *proof, Entities: given,
	})
	if err != nil {
		return nil, err
	}
	if len(given) == 0 && released.Lease != nil {
		given = released.Lease.Names()
	}
	s.leaseMoved(c.namespace(), given...)
	kept, err := s.holdersOf(ctx, released.KeptBy, released.At)
	return &pb.ReleaseEntityLeaseResponse{WasLost: released.WasLost, KeptBy: kept}, err
}

// BreakEntityLease frees an entity by a permitted person's word.
func (s *leaseService) BreakEntityLease(ctx context.Context, req *pb.BreakEntityLeaseRequest) (*pb.BreakEntityLeaseResponse, error) {
	entity, err := entityFrom("entity", req.Entity)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	command := &ledger.BreakLease{
		Namespace: c.namespace(), Actor: c.actor(), Entity: entity, Reason: req.Reason, Etag: req.Etag, Jitter: s.ids.jitter(),
	}
	for _, id := range req.SeenOperationIds {
		command.Seen = append(command.Seen, ledger.OperationID(id))
	}
	broken, err := do[ledger.BrokenLease](ctx, s.Server, command)
	if err != nil {
		return nil, err
	}
	m := &pb.BreakEntityLeaseResponse{Lease: leaseOf(broken.Lease, broken.At)}
	for i := range broken.Lifted {
		m.Lifted = append(m.Lifted, holderOf(&broken.Lifted[i], broken.At))
	}
	for _, o := range broken.Operations {
		s.announce(&ledger.Cancelled{Operation: o}, nil)
	}
	s.leaseMoved(c.namespace(), command.Entity)
	if broken.Lease != nil {
		s.leaseMoved(c.namespace(), broken.Lease.Names()...)
	}
	return m, nil
}
