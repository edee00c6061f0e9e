package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// lookAgain is how long to wait after a look that found nothing. A find counts at any time, so it is shorter than the time
// after which "not found" does.
const lookAgain = 1500 * time.Millisecond

// find is an effect that a lookup has shown, with the references that it carries.
type find struct{ id, key, reference string }

// lookUp asks the provider the first question of the ledger's invitation and hands the answer in, whatever it is: what it
// is worth is the ledger's to judge.
func (h *governedHands) lookUp(ctx context.Context, call toolCall, a *pb.ProposeOperationResponse) (step, error) {
	if len(a.Lookup.Questions) == 0 {
		return step{wait: patience(a.RetryAfter)}, nil
	}
	q := a.Lookup.Questions[0]
	found, err := h.ask(ctx, call, a.Lookup, q)
	if err != nil {
		return step{}, fmt.Errorf("look %s up at the provider: %w", call.Tool, err)
	}
	evidence := &pb.Evidence{
		EvidenceId: uuid.NewString(), Verdict: pb.Verdict_VERDICT_DID_NOT_HAPPEN,
		Source: &pb.Evidence_Lookup{Lookup: &pb.LookupSource{LookupTicket: a.Lookup.LookupTicket, By: q.By, Value: q.Value}},
	}
	said := "not found"
	if found != nil {
		said = "found: " + found.id
		evidence.Verdict = pb.Verdict_VERDICT_HAPPENED
		evidence.Attribution = &pb.Attribution{VendorIdempotencyKey: found.key, ClientReference: found.reference}
		evidence.Answer = &pb.ProviderAnswer{ProviderObjectId: found.id, ResultJson: resultJSON(found.id)}
	}
	h.say(note{Kind: noteAsk, Text: fmt.Sprintf("ask %s by %s %s: %s", a.Lookup.Provider, byShown(q.By), cut(q.Value), said)})
	r, err := h.ledger.Reconcile(ctx, &pb.ReconcileRequest{
		OperationId: a.Result.OperationId, RequestId: uuid.NewString(), Evidence: evidence,
	})
	if err != nil {
		return step{}, fmt.Errorf("hand in what the provider said of %s: %w", call.Tool, err)
	}
	if found != nil {
		h.say(note{Kind: noteLedger, Text: "evidence taken: the operation is " + stateShown(r.Operation.State)})
		return step{}, nil
	}
	h.say(note{Kind: noteLedger, Text: fmt.Sprintf("kept, and settles nothing: the log lags, so %q counts in %s at the earliest",
		said, seconds(a.Lookup.NotFoundCountsAfter))})
	return step{wait: lookAgain}, nil
}

// ask puts one question to the provider.
func (h *governedHands) ask(ctx context.Context, call toolCall, l *pb.LookupInstruction, q *pb.LookupQuestion) (*find, error) {
	kind, moves := transferKinds[call.Tool]
	if !moves {
		emails, err := h.provider.FindEmails(ctx, q.Value)
		if err != nil || len(emails) == 0 {
			return nil, err
		}
		return &find{id: emails[0].ID, reference: emails[0].ClientReference}, nil
	}
	key, reference := "", q.Value
	if q.By == pb.LookupBy_LOOKUP_BY_VENDOR_KEY {
		key, reference = q.Value, ""
	}
	found, err := h.provider.FindTransfers(ctx, kind, l.ProviderAccount, key, reference)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &find{id: found[0].ID, key: found[0].IdempotencyKey, reference: found[0].ClientReference}, nil
}

func byShown(by pb.LookupBy) string {
	switch by {
	case pb.LookupBy_LOOKUP_BY_VENDOR_KEY:
		return "idempotency key"
	case pb.LookupBy_LOOKUP_BY_CLIENT_REFERENCE:
		return "client reference"
	}
	return "id"
}
