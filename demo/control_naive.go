package demo

import (
	"context"

	"github.com/opledger/opledger/demo/provider"
)

// cautiousHands are naive hands whose author has thought of the threshold: what is above it is not paid, and the model
// reads that a person is to be asked. Nothing keeps the model from asking for less.
type cautiousHands struct{ naiveHands }

func (h *cautiousHands) do(ctx context.Context, call toolCall) (step, error) {
	a, err := parseArguments(call.Arguments)
	if err != nil {
		return step{}, err
	}
	t, err := transferOf(provider.KindRefund, a, h.account)
	if err != nil {
		return step{}, err
	}
	if t.Amount > largestAlone {
		h.say(note{Kind: noteCall, Text: call.Note})
		h.say(note{Kind: noteAgain, Text: "the tool: above 250.00 EUR, ask a person. The model words it anew."})
		return step{why: "a person is to be asked"}, nil
	}
	s, err := h.naiveHands.do(ctx, call)
	if err == nil && s.done {
		h.say(note{Kind: noteResult, Text: s.result})
	}
	return s, err
}
