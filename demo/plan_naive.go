package demo

import (
	"context"
	"errors"
	"fmt"

	"github.com/opledger/opledger/demo/provider"
)

// forgetfulHands call straight away, and remember what they were answered for as long as their process lives. That memory
// is all that there is to undo by.
type forgetfulHands struct {
	provider *provider.Client
	say      func(note)

	contact, message string // the provider's ids of what this process knows of
	refused          bool   // a step was refused for good
}

func (h *forgetfulHands) do(ctx context.Context, call toolCall) (step, error) {
	a, err := parseArguments(call.Arguments)
	if err != nil {
		return step{}, err
	}
	h.say(note{Kind: noteCall, Text: call.Note})
	switch call.Tool {
	case contactTool:
		made, err := h.provider.AddContact(ctx, provider.Contact{Name: a.Name, Email: a.Email})
		if err != nil {
			return perhaps(ctx)
		}
		h.contact = made.ID
		return step{done: true, result: "done: " + made.ID}, nil
	case welcomeTool:
		sent, err := h.provider.Send(ctx, provider.Email{To: a.To, Subject: a.Subject})
		if err != nil {
			return perhaps(ctx)
		}
		h.message = sent.ID
		return step{done: true, result: "done: " + sent.ID}, nil
	case ticketTool:
		var status *provider.StatusError
		if err := h.provider.OpenTicket(ctx, provider.Ticket{Project: a.Project, Title: a.Title}); !errors.As(err, &status) {
			return perhaps(ctx)
		}
		h.refused = true
		return step{done: true, result: fmt.Sprintf("refused (%d): the project takes no tickets any more", status.Status)}, nil
	}
	return step{}, fmt.Errorf("nobody has written the tool %s", call.Tool)
}

// undo undoes what this process remembers, as a model does that reads its own transcript.
func (h *forgetfulHands) undo(ctx context.Context) error {
	h.say(note{Kind: noteAgain, Text: "the plan cannot be finished. What did I do? Undo that."})
	h.say(note{Kind: noteCall, Text: "mail to " + planAddress + ", which corrects " + h.message})
	sent, err := h.provider.Send(ctx, provider.Email{To: planAddress, Subject: "We wrote too soon", Corrects: h.message})
	if err != nil {
		return err
	}
	h.say(note{Kind: noteResult, Text: "done: " + sent.ID})
	h.say(note{Kind: noteCall, Text: "archive " + h.contact})
	archived, err := h.provider.ArchiveContact(ctx, provider.Archiving{Contact: h.contact})
	if err != nil {
		return err
	}
	h.say(note{Kind: noteResult, Text: "done: " + archived.ID + `. "Everything was undone."`})
	return nil
}
