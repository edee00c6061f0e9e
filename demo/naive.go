package demo

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/opledger/opledger/demo/provider"
)

// naiveHands call the provider straight away, as a tool does that was written in an afternoon. They do send an
// idempotency key with each payment; like many client libraries they make a new one for each call, so that a loop's retry
// is a new payment.
type naiveHands struct {
	provider *provider.Client
	account  string
	say      func(note)
}

func (h *naiveHands) do(ctx context.Context, call toolCall) (step, error) {
	a, err := parseArguments(call.Arguments)
	if err != nil {
		return step{}, err
	}
	kind, moves := transferKinds[call.Tool]
	if !moves {
		h.say(note{Kind: noteCall, Text: call.Note})
		sent, err := h.provider.Send(ctx, provider.Email{To: a.To, Subject: a.Subject})
		if err != nil {
			return perhaps(ctx)
		}
		return step{done: true, result: "done: " + sent.ID}, nil
	}
	transfer, err := transferOf(kind, a, h.account)
	if err != nil {
		return step{}, err
	}
	transfer.IdempotencyKey = uuid.NewString()
	h.say(note{Kind: noteCall, Text: call.Note + "  Idempotency-Key: " + cut(transfer.IdempotencyKey) + ", a new one"})
	made, _, err := h.provider.Transfer(ctx, transfer)
	if err != nil {
		return perhaps(ctx)
	}
	return step{done: true, result: "done: " + made.ID}, nil
}

// perhaps is what a loop makes of an error: perhaps it did not happen.
func perhaps(ctx context.Context) (step, error) {
	if ctx.Err() != nil {
		return step{}, ctx.Err()
	}
	return step{why: fmt.Sprintf("no answer within %s. Perhaps it did not happen. Call again.", callTimeout)}, nil
}
