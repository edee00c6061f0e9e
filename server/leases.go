package server

import (
	"context"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
)

// AcquireEntityLease takes a lease on all the entities, and where they are not free waits in line for as long as the
// caller wishes.
func (s *leaseService) AcquireEntityLease(ctx context.Context, req *pb.AcquireEntityLeaseRequest) (*pb.AcquireEntityLeaseResponse, error) {
	c := callOf(ctx)
	join, err := s.optionalProof(c.namespace(), req.LeaseToken)
	if err != nil {
		return nil, err
	}
	entities, err := entitiesFrom("entities", req.Entities)
	if err != nil {
		return nil, err
	}
	acquired, err := s.acquire(ctx, ledger.AcquireLease{
		Namespace: c.namespace(), Actor: c.actor(), RequestID: ledger.RequestID(req.RequestId), NewLease: s.ids.fresh("lea_"),
		Entities: entities, WorkflowID: req.WorkflowId, RunID: req.RunId,
		TTL: req.Ttl.AsDuration(), Wait: req.Wait.AsDuration(), Join: join,
	})
	if err != nil {
		return nil, err
	}
	if acquired.Granted {
		return &pb.AcquireEntityLeaseResponse{Grant: s.grantOf(acquired.Lease, acquired.At)}, nil
	}
	holders, err := s.holdersOf(ctx, acquired.Holders, acquired.At)
	return &pb.AcquireEntityLeaseResponse{Holders: holders, WaitingBefore: int32(acquired.WaitingBefore)}, err
}

// acquire asks until the lease is granted or the wait is over. The last question gives the place in line up, so that
// whoever is told no does not hold others up. One whose caller has gone keeps its place for locks.Presence and no longer.
func (s *leaseService) acquire(ctx context.Context, wish ledger.AcquireLease) (*ledger.AcquiredLease, error) {
	wait := wish.Wait
	if deadline, ok := ctx.Deadline(); ok {
		wait = min(wait, time.Until(deadline)-replyReserve)
	}
	end := time.Now().Add(wait)
	for {
		command := wish // a command is never changed while a transaction may still carry it
		if command.Wait = time.Until(end); command.Wait < 0 || s.hub.stopping() {
			command.Wait = 0
		}
		acquired, err := do[ledger.AcquiredLease](ctx, s.Server, &command)
		if err != nil || acquired.Granted || command.Wait == 0 {
			if err == nil && acquired.Granted {
				s.leaseMoved(wish.Namespace, acquired.Lease.Names()...)
			}
			return acquired, err
		}
		s.waitForEntity(ctx, wish, acquired, time.Until(end))
		if ctx.Err() != nil {
			return nil, s.statusOf(ctx, ctx.Err())
		}
	}
}

// waitForEntity returns when an entity may have become free: when this server has seen a lease or an operation let it go,
// and otherwise after the interval at which other servers' changes are looked for.
func (s *leaseService) waitForEntity(ctx context.Context, wish ledger.AcquireLease, acquired *ledger.AcquiredLease, rest time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, max(0, min(rest, s.config.Poll)))
	defer cancel()
	entity := wish.Entities[0]
	if len(acquired.Holders) > 0 {
		entity = acquired.Holders[0].Entity
	}
	s.hub.wait(ctx, leaseWatch(wish.Namespace, entity), 0)
}

// leaseWatch is what an acquisition waits for. Its name is no operation's, so that nothing else wakes it.
func leaseWatch(ns ledger.Namespace, e locks.Entity) watched {
	return watched{ns, ledger.OperationID("lease of " + e.String())}
}

// leaseMoved tells acquisitions that wait on this server to ask again.
func (s *Server) leaseMoved(ns ledger.Namespace, entities ...locks.Entity) {
	for _, e := range entities {
		s.hub.wake(leaseWatch(ns, e), 1)
	}
}
