package server

import (
	"context"
	"slices"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
)

// GetEntityLease tells who holds or keeps an entity.
func (s *leaseService) GetEntityLease(ctx context.Context, req *pb.GetEntityLeaseRequest) (*pb.GetEntityLeaseResponse, error) {
	entity, err := entityFrom("entity", req.Entity)
	if err != nil {
		return nil, err
	}
	standing, err := do[ledger.EntityStanding](ctx, s.Server, &ledger.LookAtEntity{Namespace: callOf(ctx).namespace(), Entity: entity})
	if err != nil {
		return nil, err
	}
	kept, err := s.holdersOf(ctx, standing.KeptBy, standing.At)
	return &pb.GetEntityLeaseResponse{Lease: leaseOf(standing.Lease, standing.At), KeptBy: kept, WaitingCount: int32(standing.WaitingCount)}, err
}

// ListEntityLeases lists the leases that were not given back, broken or taken over, the oldest first.
func (s *leaseService) ListEntityLeases(ctx context.Context, req *pb.ListEntityLeasesRequest) (*pb.ListEntityLeasesResponse, error) {
	now, err := s.config.Ledger.Engine().Time(ctx)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	q := ledger.RecordQuery{Kind: ledger.RecordLease, Namespace: callOf(ctx).namespace(), Statuses: []string{"held"}, Subject: req.WorkflowId}
	leases, next, err := listRecords(ctx, s.Server, req, q, req.PageSize, func(l *ledger.Lease) bool { return wantedLease(l, req, now) })
	if err != nil {
		return nil, err
	}
	m := &pb.ListEntityLeasesResponse{NextPageToken: next}
	for _, l := range leases {
		m.Leases = append(m.Leases, leaseOf(l, now))
	}
	return m, nil
}

// wantedLease holds a lease against the filters that no index answers.
func wantedLease(l *ledger.Lease, req *pb.ListEntityLeasesRequest, now time.Time) bool {
	switch {
	case req.EntityType != "" && !slices.ContainsFunc(l.Entities, func(f locks.Fenced) bool { return f.Entity.Type == req.EntityType }):
		return false
	case req.Expired != nil && *req.Expired == now.Before(l.ExpiresAt):
		return false
	case req.MinAge != nil && now.Sub(l.AcquiredAt) < req.MinAge.AsDuration():
		return false
	}
	return true
}
