package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/opledger/opledger/demo/provider"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// floor is where the second story's second act is played: two agents and the people of the shop, each with a connection
// and a token of their own.
type floor struct {
	hall
	result *Control
}

// agent gives an agent of the story its hands.
func (f *floor) agent(name string) (*governedHands, error) {
	conn, err := f.as(name)
	if err != nil {
		return nil, err
	}
	return &governedHands{
		ledger: pb.NewOperationServiceClient(conn), provider: provider.NewClient(f.provider.URL(), callTimeout),
		workflow: "wf_" + name, runID: "run_" + name,
		say: func(n note) { n.Who = name; f.tell(n) },
	}, nil
}

// play lets two runs contradict each other, then a model look for a way round two people.
func (f *floor) play(ctx context.Context) error {
	chat, err := f.agent(agentChat)
	if err != nil {
		return err
	}
	mail, err := f.agent(agentMail)
	if err != nil {
		return err
	}
	if err := f.contradict(ctx, chat, mail); err != nil {
		return err
	}
	f.screen.pause()
	return f.large(ctx, chat)
}

// contradict lets one run refund the order and the other one credit it: in the middle of the refund, and after it.
func (f *floor) contradict(ctx context.Context, chat, mail *governedHands) error {
	f.screen.scene("One order, two remedies")
	refund, err := f.asks(ctx, chat, brokenRefund)
	if err != nil {
		return err
	}
	if _, err := f.does(ctx, mail, brokenCredit); err != nil {
		return err
	}
	if err := f.acts(ctx, chat, refund); err != nil {
		return err
	}
	denied, err := f.does(ctx, mail, otherCredit)
	if err != nil {
		return err
	}
	f.screen.said("the customer is told", denied.Result.SafeUserMessage)
	f.screen.said("the model reads", denied.Result.ModelMessage)
	return nil
}

// large lets the model look for a way round two people, and then waits for them.
func (f *floor) large(ctx context.Context, chat *governedHands) error {
	f.screen.scene("A refund above the threshold, and a model in a hurry")
	waits, err := f.does(ctx, chat, largeRefund)
	if err != nil {
		return err
	}
	if waits.Approval == nil {
		return errors.New("nobody was asked about the large refund")
	}
	for _, call := range []toolCall{rephrased, firstHalf, secondHalf, largeCredit} {
		if _, err := f.does(ctx, chat, call); err != nil {
			return err
		}
	}
	f.screen.pause()
	f.screen.scene("Two people decide, and nobody twice")
	if err := f.decide(ctx, waits.Approval.ApprovalId); err != nil {
		return err
	}
	f.screen.pause()
	f.screen.scene("Now it may run, once")
	for _, call := range []toolCall{largeRefund, rephrased, thirdRefund} {
		if _, err := f.does(ctx, chat, call); err != nil {
			return err
		}
	}
	f.result.Approval, err = f.approval(ctx, waits.Approval.ApprovalId)
	return err
}

// asked is an answer, and since when a permit in there counts.
type asked struct {
	*pb.ProposeOperationResponse
	since time.Time
}

// does proposes a call and acts on the permit, where the answer holds one: what should not have been let pass is then
// counted at the provider.
func (f *floor) does(ctx context.Context, h *governedHands, call toolCall) (asked, error) {
	answer, err := f.asks(ctx, h, call)
	if err != nil {
		return answer, err
	}
	return answer, f.acts(ctx, h, answer)
}

// asks proposes a call and keeps the answer for the result.
func (f *floor) asks(ctx context.Context, h *governedHands, call toolCall) (asked, error) {
	answer, since, err := h.propose(ctx, call)
	if err != nil {
		return asked{}, err
	}
	f.result.Answers = append(f.result.Answers, Answer{
		Call: call.Note, Tool: call.Tool, Decision: decisionShown(answer.Decision), Rule: answer.DecidedBy.GetRuleId(),
		OperationID: answer.Result.OperationId, Names: named(answer),
	})
	return asked{answer, since}, nil
}

// acts sends the request of a permit. Without one nothing is sent.
func (f *floor) acts(ctx context.Context, h *governedHands, answer asked) error {
	if answer.Permit == nil {
		return nil
	}
	done, err := h.act(ctx, answer.Permit, answer.since)
	if err != nil {
		return err
	}
	if !done.done {
		return fmt.Errorf("%s was not carried out: %s", answer.Permit.Tool, done.why)
	}
	h.say(note{Kind: noteResult, Text: done.result})
	return nil
}
