package crowd

import (
	"context"
	"fmt"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// entityType is that of the entities whose leases are contended for. It is nobody else's.
const entityType = "opledger_eval_order"

// In each act there are so many corners, each with so many entities; so many workflows want them, each by several agents.
const corners, entities, workflows = 4, 3, 4

// holder is a workflow's agent that wants leases.
type holder struct {
	*caller
	hall *hall
	api  pb.LeaseServiceClient
}

// turn takes, lengthens, gives back or breaks a lease, now and then with a token that is not its own.
func (a *holder) turn(ctx context.Context, act int) {
	pause(ctx, time.Duration(a.luck.Int64N(int64(think))))
	corner := act*corners + a.luck.IntN(corners)
	token := a.hall.token(corner, a.luck.IntN(8))
	switch choice := a.luck.IntN(20); {
	case choice == 0:
		a.breaks(ctx, a.entity(corner, a.luck.IntN(entities)))
	case token == "" || choice < 10:
		a.acquire(ctx, corner)
	case choice < 14:
		_, _, _ = again(ctx, a.api.RenewEntityLease, &pb.RenewEntityLeaseRequest{RequestId: a.id(), LeaseToken: token})
	default:
		_, _, _ = again(ctx, a.api.ReleaseEntityLease, &pb.ReleaseEntityLeaseRequest{RequestId: a.id(), LeaseToken: token})
	}
}

func (a *holder) entity(corner, n int) *pb.Entity {
	return &pb.Entity{Type: entityType, Id: fmt.Sprintf("%s-lease-%d-%d", a.mark, corner, n)}
}

// acquire asks for some of a corner's entities at once, for a time that soon ends.
func (a *holder) acquire(ctx context.Context, corner int) {
	request := &pb.AcquireEntityLeaseRequest{
		RequestId: a.id(), WorkflowId: fmt.Sprintf("opledger_eval/%s/%d", a.mark, a.luck.IntN(workflows)), RunId: "run_1",
		Ttl: durationpb.New(time.Second + time.Duration(a.luck.Int64N(int64(time.Second)))),
	}
	for n := range entities {
		if a.luck.IntN(entities) == 0 || n == entities-1 && len(request.Entities) == 0 {
			request.Entities = append(request.Entities, a.entity(corner, n))
		}
	}
	if m, _, err := again(ctx, a.api.AcquireEntityLease, request); err == nil && m.Grant != nil {
		a.hall.give(corner, m.Grant.LeaseToken)
	}
}

// breaks frees an entity as a person does who has seen its lease: that ends with all that it covers. A credential without the
// right is refused.
func (a *holder) breaks(ctx context.Context, e *pb.Entity) {
	seen, err := within(ctx, a.api.GetEntityLease, &pb.GetEntityLeaseRequest{Entity: e})
	if err != nil || seen.Lease == nil {
		return
	}
	_, _ = within(ctx, a.api.BreakEntityLease, &pb.BreakEntityLeaseRequest{
		RequestId: a.id(), Entity: e, Reason: "An evaluation tries what becomes of its holder.", Etag: seen.Lease.Etag,
	})
}

// token is one of the newest of a corner; empty where there is none.
func (h *hall) token(corner, back int) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := h.tokens[corner]
	if len(all) == 0 {
		return ""
	}
	return all[max(0, len(all)-1-back)]
}

func (h *hall) give(corner int, token string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tokens[corner] = append(h.tokens[corner], token)
}
