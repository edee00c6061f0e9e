package server

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
)

// maxEntityBytes bounds the readable name of an entity, "order/order_123", in bytes: it names rows, and the engines bound
// what they index. The rule in the proto counts characters.
const maxEntityBytes = 600

// entityFrom reads an entity's name.
func entityFrom(field string, m *pb.Entity) (locks.Entity, error) {
	e := locks.Entity{Type: m.GetType(), ID: m.GetId()}
	if n := len(e.String()); n > maxEntityBytes {
		return e, invalidField(pb.ErrorReason_ERROR_REASON_INVALID_REQUEST, field,
			fmt.Sprintf("the entity's name takes %d bytes, at most %d are kept; name it by a shorter one", n, maxEntityBytes))
	}
	return e, nil
}

// entitiesFrom reads a list of them.
func entitiesFrom(field string, list []*pb.Entity) ([]locks.Entity, error) {
	var entities []locks.Entity
	for i, m := range list {
		e, err := entityFrom(fmt.Sprintf("%s[%d]", field, i), m)
		if err != nil {
			return nil, err
		}
		entities = append(entities, e)
	}
	return entities, nil
}

// leaseOf is a lease as everybody sees it: without its token.
func leaseOf(l *ledger.Lease, now time.Time) *pb.EntityLease {
	if l == nil {
		return nil
	}
	m := &pb.EntityLease{
		LeaseId: l.ID, WorkflowId: l.WorkflowID, RunId: l.RunID, Principal: l.Principal,
		AcquireTime: stamp(l.AcquiredAt), ExpireTime: stamp(l.ExpiresAt), GreatestExpireTime: stamp(l.GreatestEnd),
		RenewCount: int32(l.Renewals), LastProposalTime: stamp(l.ProvedAt), Expired: !now.Before(l.ExpiresAt), Etag: l.Etag(),
	}
	for _, f := range l.Entities {
		m.FencingNumbers = append(m.FencingNumbers, &pb.FencingNumber{Entity: entityOf(f.Entity), Scope: locks.LeaseName, Number: f.Fence})
	}
	return m
}

// grantOf is a lease in its holder's hands. Its token is made here, and is nowhere else.
func (s *Server) grantOf(l *ledger.Lease, now time.Time) *pb.LeaseGrant {
	return &pb.LeaseGrant{
		LeaseToken: s.tokens.lease(l.Namespace, l.ID), Remaining: durationpb.New(l.ExpiresAt.Sub(now)),
		GreatestRemaining: durationpb.New(l.GreatestEnd.Sub(now)), Lease: leaseOf(l, now),
	}
}

// holdersOf describes who holds and keeps entities. Where an operation keeps one, it is read as it stands now.
func (s *Server) holdersOf(ctx context.Context, holders []ledger.Holder, now time.Time) ([]*pb.Holder, error) {
	var list []*pb.Holder
	for _, h := range holders {
		if h.OperationID != "" {
			o, err := s.config.Ledger.Engine().GetOperation(ctx, callOf(ctx).namespace(), h.OperationID)
			switch {
			case errors.Is(err, ledger.ErrNotFound):
			case err != nil:
				return nil, s.statusOf(ctx, err)
			default:
				h = h.Of(o)
			}
		}
		list = append(list, holderOf(&h, now))
	}
	return list, nil
}
