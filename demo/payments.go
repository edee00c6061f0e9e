package demo

import (
	"context"
	"errors"

	"github.com/opledger/opledger/callers"
	"github.com/opledger/opledger/demo/provider"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// The channels by which the agent of the first story is asked.
const (
	channelAgent   = "agent"
	channelConsole = "console"
)

// paymentsCast are those of the first story.
var paymentsCast = cast{
	channelAgent:   {Roles: []callers.Role{callers.Propose, callers.Execute}},
	channelConsole: {Roles: []callers.Role{callers.Propose, callers.Execute}},
	director:       {Roles: []callers.Role{callers.Administer, callers.Read}},
}

// playPayments gives the first story: an answer is lost, and the call is made again.
func playPayments(ctx context.Context, o Options, s *screen) (*Payments, error) {
	s.paymentsPrologue()
	r := &Payments{}
	if err := r.playNaive(ctx, o, s); err != nil {
		return nil, err
	}
	if err := r.playGoverned(ctx, o, s); err != nil {
		return nil, err
	}
	return r, nil
}

// faultyProvider starts a provider with the faults of the night.
func faultyProvider() (*provider.Provider, error) {
	p, err := newProvider()
	if err != nil {
		return nil, err
	}
	p.LoseAnswers(provider.KindCharge, lostCharges)
	p.LoseAnswers(provider.KindEmail, lostEmails)
	return p, nil
}

// playNaive gives the first act: the loop alone.
func (r *Payments) playNaive(ctx context.Context, o Options, s *screen) (err error) {
	p, err := faultyProvider()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	s.act("ACT 1", "The loop alone: it retries, as loops do.", nightTime)
	client := provider.NewClient(p.URL(), callTimeout)
	run := func(who string, calls []toolCall) error {
		say := func(n note) { n.Who = who; s.tell(n) }
		return work(ctx, &naiveHands{provider: client, account: o.Account, say: say}, calls, say)
	}
	if err := run("agent", agentCalls()); err != nil {
		return err
	}
	if err := run("console", consoleCalls()); err != nil {
		return err
	}
	r.Naive = countAt(p)
	s.count(r.Naive, false)
	s.pause()
	return nil
}

// playGoverned gives the second act: the same loop through a server.
func (r *Payments) playGoverned(ctx context.Context, o Options, s *screen) (err error) {
	p, err := faultyProvider()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	return behind(ctx, o, paymentsCast, p, func(ctx context.Context, b *backstage) error {
		tools, err := toolsFor(o.Account)
		if err != nil {
			return err
		}
		if err := b.applyTools(ctx, tools); err != nil {
			return err
		}
		s.act("ACT 2", "The same loop, the same faults, through Opledger. And now the agent dies, too.", nightTime)
		s.text(s.paint(dim, "A real server: opledger serve, an SQLite file, gRPC on "+b.address+"."))
		st := &stage{backstage: b, options: o, screen: s}
		if err := st.play(ctx); err != nil {
			return err
		}
		r.Opledger, r.effects = countAt(p), effectsAt(p)
		s.count(r.Opledger, r.Opledger == Count{1, 1})
		s.pause()
		if r.Operations, err = readOperations(ctx, pb.NewOperationServiceClient(b.director), st.notes); err == nil {
			s.histories(r)
		}
		return err
	})
}
