package demo

import (
	"context"
	"errors"

	"github.com/opledger/opledger/demo/provider"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// playControl gives the second story: two runs contradict each other, and a large refund waits for two persons.
func playControl(ctx context.Context, o Options, s *screen) (*Control, error) {
	s.controlPrologue()
	r := &Control{}
	if err := r.playNaive(ctx, s); err != nil {
		return nil, err
	}
	if err := r.playGoverned(ctx, o, s); err != nil {
		return nil, err
	}
	return r, nil
}

// playNaive gives the first act: each run calls its tool, and the tool looks at its one call.
func (r *Control) playNaive(ctx context.Context, s *screen) (err error) {
	p, err := newProvider()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	s.act("ACT 1", "The tools alone: one run does not know of the other, and the threshold is an if in the tool.", afternoonTime)
	hired := func(who string) hands {
		say := func(n note) { n.Who = who; s.tell(n) }
		return &cautiousHands{naiveHands{provider: provider.NewClient(p.URL(), callTimeout), account: provider.KeyedAccount, say: say}}
	}
	chat, mail := hired(agentChat), hired(agentMail)
	for _, turn := range []struct {
		by   hands
		call toolCall
	}{
		{chat, brokenRefund}, {mail, brokenCredit},
		{chat, largeRefund}, {chat, rephrased}, {chat, firstHalf}, {chat, secondHalf},
	} {
		if _, err := turn.by.do(ctx, turn.call); err != nil {
			return err
		}
	}
	r.Naive = givenAt(p)
	s.given(r.Naive, false)
	s.pause()
	return nil
}

// playGoverned gives the second act: the same calls through a server, under rules that are files.
func (r *Control) playGoverned(ctx context.Context, o Options, s *screen) (err error) {
	p, err := newProvider()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	return behind(ctx, o, controlCast, p, func(ctx context.Context, b *backstage) error {
		if err := b.applyControl(ctx); err != nil {
			return err
		}
		s.act("ACT 2", "The same calls through Opledger, under three rules: demo/rules.", afternoonTime)
		s.text(s.paint(dim, "A real server: opledger serve, gRPC on "+b.address+", a token of their own for each agent and person."))
		f := &floor{hall: hall{backstage: b, screen: s}, result: r}
		defer f.close()
		if err := f.play(ctx); err != nil {
			return err
		}
		r.Opledger = givenAt(p)
		s.given(r.Opledger, r.Opledger == promisedGiven)
		s.pause()
		if r.Operations, err = readOperations(ctx, pb.NewOperationServiceClient(b.director), f.notes); err != nil {
			return err
		}
		s.controlHistories(r)
		return nil
	})
}

// applyControl puts the tools and the rules of the story in force.
func (b *backstage) applyControl(ctx context.Context) error {
	tools, err := readTools(controlTools...)
	if err != nil {
		return err
	}
	rules, err := readRules(controlRules...)
	if err != nil {
		return err
	}
	if err := b.applyTools(ctx, tools); err != nil {
		return err
	}
	return b.applyRules(ctx, rules)
}
