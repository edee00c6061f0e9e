package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/opledger/opledger/demo/provider"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/childproc"
)

// Options say how a play is given.
type Options struct {
	Executable string    // Opledger's own binary, from which the server and the agents are started
	Account    string    // at the payment provider: provider.KeyedAccount or provider.PlainAccount
	Out        io.Writer // where it is shown; io.Discard shows it to nobody
	Colour     bool
	Pauses     bool // give readers time
}

// Play gives the play and says what it came to. An error is a play that could not be given; a play whose promise was not
// kept is a Result that says so.
func Play(ctx context.Context, o Options) (*Result, error) {
	began := time.Now()
	if _, ok := accounts[o.Account]; !ok {
		return nil, fmt.Errorf("the demonstration's provider has no account %q", o.Account)
	}
	s := &screen{out: o.Out, colour: o.Colour, pauses: o.Pauses}
	s.prologue()
	r := &Result{}
	var err error
	if r.Naive, err = playNaive(ctx, o, s); err != nil {
		return nil, err
	}
	if err := playGoverned(ctx, o, s, r); err != nil {
		return nil, err
	}
	r.judge()
	r.Seconds = time.Since(began).Seconds()
	s.epilogue(r)
	return r, nil
}

// newProvider starts a provider with empty books and the faults of the night.
func newProvider() (*provider.Provider, error) {
	p, err := provider.Start(provider.Options{Propagation: logLag})
	if err != nil {
		return nil, err
	}
	p.LoseAnswers(provider.KindCharge, lostCharges)
	p.LoseAnswers(provider.KindEmail, lostEmails)
	return p, nil
}

// playNaive gives the first act: the loop alone.
func playNaive(ctx context.Context, o Options, s *screen) (count Count, err error) {
	p, err := newProvider()
	if err != nil {
		return count, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	s.act("ACT 1", "The loop alone: it retries, as loops do.")
	client := provider.NewClient(p.URL(), callTimeout)
	run := func(who string, calls []toolCall) error {
		say := func(n note) { n.Who = who; s.tell(n) }
		for _, call := range calls {
			if err := loop(ctx, &naiveHands{provider: client, account: o.Account, say: say}, call, say); err != nil {
				return err
			}
		}
		return nil
	}
	if err := run("agent", agentCalls()); err != nil {
		return count, err
	}
	if err := run("console", consoleCalls()); err != nil {
		return count, err
	}
	count = countAt(p)
	s.count(count, false)
	s.pause()
	return count, nil
}

// playGoverned gives the second act: the same loop through a server.
func playGoverned(ctx context.Context, o Options, s *screen, r *Result) (err error) {
	dir, err := os.MkdirTemp("", "opledger-demo-")
	if err != nil {
		return fmt.Errorf("a folder for the demonstration's database: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	p, err := newProvider()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	ctx, stop := context.WithCancel(ctx)
	creds, err := makeCredentials(filepath.Join(dir, "tokens"))
	if err != nil {
		stop()
		return err
	}
	server, err := childproc.StartServer(ctx, o.Executable, filepath.Join(dir, "demo.db"), "--tokens", filepath.Join(dir, "tokens"))
	if err != nil {
		stop()
		return err
	}
	defer func() { stop(); <-server.Done() }()
	conn, err := connect(server.Address, creds.token(director))
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := applyTools(ctx, pb.NewRegistryServiceClient(conn), o.Account); err != nil {
		return err
	}
	s.act("ACT 2", "The same loop, the same faults, through Opledger. And now the agent dies, too.")
	s.text(s.paint(dim, "A real server: opledger serve, an SQLite file, gRPC on "+server.Address+"."))
	st := &stage{options: o, screen: s, provider: p, address: server.Address, credentials: creds}
	if err := st.play(ctx); err != nil {
		return err
	}
	r.Opledger, r.effects = countAt(p), effectsAt(p)
	s.count(r.Opledger, r.Opledger == Count{1, 1})
	s.pause()
	r.Operations, err = readOperations(ctx, pb.NewOperationServiceClient(conn), st.notes)
	if err == nil {
		s.histories(r)
	}
	return err
}
