package demo

import (
	"context"
	"errors"
	"strings"

	"github.com/opledger/opledger/demo/provider"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// playPlan gives the third story: a plan's run dies in the middle, and its last step fails for good.
func playPlan(ctx context.Context, o Options, s *screen) (*Plan, error) {
	s.planPrologue()
	r := &Plan{}
	if err := r.playNaive(ctx, o, s); err != nil {
		return nil, err
	}
	if err := r.playGoverned(ctx, o, s); err != nil {
		return nil, err
	}
	return r, nil
}

// planProvider starts a provider that loses the answers to some mails.
func planProvider() (*provider.Provider, error) {
	p, err := provider.Start(provider.Options{Propagation: mailLag})
	if err != nil {
		return nil, err
	}
	p.LoseAnswers(provider.KindEmail, lostMails)
	return p, nil
}

// playNaive gives the first act: the new process starts from the top, and undoes from memory.
func (r *Plan) playNaive(ctx context.Context, o Options, s *screen) (err error) {
	p, err := planProvider()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	s.act("ACT 1", "The plan alone: what was done is known to the process that did it.", morningTime)
	first, err := startAgent(ctx, o.Executable, "", s.tell, "--provider", p.URL(), "--run", "run_1")
	if err != nil {
		return err
	}
	if err := first.killedAt(ctx, p, provider.KindEmail, 1); err != nil {
		return err
	}
	s.tell(note{Who: "run_1", Kind: noteDeath, Text: "killed (SIGKILL): the mail has left, and nobody knows"})
	s.pause()
	say := func(n note) { n.Who = "run_2"; s.tell(n) }
	h := &forgetfulHands{provider: provider.NewClient(p.URL(), callTimeout), say: say}
	if err := work(ctx, h, secondCalls(), say); err != nil {
		return err
	}
	if err := h.undo(ctx); err != nil {
		return err
	}
	r.Naive = madeAt(p)
	s.made(r.Naive)
	s.pause()
	return nil
}

// playGoverned gives the second act: the same plan through a server, which carries its steps out.
func (r *Plan) playGoverned(ctx context.Context, o Options, s *screen) (err error) {
	p, err := planProvider()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	return behind(ctx, o, planCast, p, func(ctx context.Context, b *backstage) error {
		tools, err := readToolsAt(strings.TrimPrefix(p.URL(), "http://"), planTools...)
		if err != nil {
			return err
		}
		if err := b.applyTools(ctx, tools); err != nil {
			return err
		}
		s.act("ACT 2", "The same plan through Opledger, and the server dies, too.", morningTime)
		s.text(s.paint(dim, "The tools are files, the server carries them out, and three of them say how they are undone: demo/tools."))
		d := &desk{hall: hall{backstage: b, screen: s}, result: r, options: o}
		defer d.close()
		if err := d.play(ctx); err != nil {
			return err
		}
		r.Opledger = madeAt(p)
		s.made(r.Opledger)
		s.pause()
		if r.Operations, err = readOperations(ctx, pb.NewOperationServiceClient(b.director), d.notes); err != nil {
			return err
		}
		s.planHistory(r)
		return nil
	}, "--http-allow-private", "--http-allow-http") // the provider is on loopback, unencrypted
}
