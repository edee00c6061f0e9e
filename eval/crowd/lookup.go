package crowd

import (
	"context"

	"github.com/opledger/opledger/eval/provider"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// reconcile asks the ledger to find out what happened, and makes the lookup that it asks for.
func (a *agent) reconcile(ctx context.Context, i *intent) {
	id := i.operation()
	m, err := within(ctx, a.api.Reconcile, &pb.ReconcileRequest{OperationId: id, RequestId: a.id()})
	if err == nil && len(m.GetLookup().GetQuestions()) > 0 {
		a.lookUp(ctx, i, id, m.Lookup)
	}
}

// lookUp puts the first question to the provider, and hands in what it says: of a find the references that it bears, not
// those that were asked for.
func (a *agent) lookUp(ctx context.Context, i *intent, operation string, l *pb.LookupInstruction) {
	q := l.Questions[0]
	query := provider.Query{Collection: i.tool}
	switch q.By {
	case pb.LookupBy_LOOKUP_BY_VENDOR_KEY:
		query.VendorKey = q.Value
	case pb.LookupBy_LOOKUP_BY_CLIENT_REFERENCE:
		query.ClientReference = q.Value
	default:
		query.ObjectID = q.Value
	}
	e := &pb.Evidence{
		EvidenceId: a.id(), Verdict: pb.Verdict_VERDICT_DID_NOT_HAPPEN,
		Source: &pb.Evidence_Lookup{Lookup: &pb.LookupSource{LookupTicket: l.LookupTicket, By: q.By, Value: q.Value}},
	}
	switch found, err := a.scene.provider.Find(query); {
	case err != nil:
		e.Verdict = pb.Verdict_VERDICT_STILL_UNKNOWN
	case len(found) > 0:
		e.Verdict = pb.Verdict_VERDICT_HAPPENED
		e.Attribution = &pb.Attribution{VendorIdempotencyKey: found[0].VendorKey, ClientReference: found[0].ClientReference}
		e.Answer = &pb.ProviderAnswer{ProviderObjectId: found[0].ID}
	}
	_, _, err := again(ctx, a.api.Reconcile, &pb.ReconcileRequest{OperationId: operation, RequestId: a.id(), Evidence: e})
	if !lost(err) {
		i.tell(e.Answer.GetProviderObjectId())
	}
}
