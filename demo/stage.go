package demo

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/opledger/opledger/demo/provider"
	"github.com/opledger/opledger/internal/childproc"
)

// stage is where the first story's second act is played: agents in processes of their own, watched from here.
type stage struct {
	*backstage
	options Options
	screen  *screen
	notes   []note
}

// play lets the first run die, a second one go on, and a second channel ask for the same.
func (st *stage) play(ctx context.Context) error {
	if err := st.crash(ctx, "run_1"); err != nil {
		return err
	}
	st.screen.pause()
	if err := st.run(ctx, "run_2", channelAgent); err != nil {
		return err
	}
	st.screen.pause()
	return st.run(ctx, "console", channelConsole)
}

// agent is a running agent process, and the end of what it has to say.
type agent struct {
	*childproc.Process
	notes chan error
}

// start starts an agent. What it says is shown as it comes.
func (st *stage) start(ctx context.Context, run, channel string) (*agent, error) {
	out, in := io.Pipe()
	p, err := childproc.Start(ctx, childproc.Command{
		Executable: st.options.Executable,
		Arguments: []string{
			"demo", "agent", "--ledger", st.address, "--provider", st.provider.URL(), "--run", run, "--channel", channel,
		},
		Environment: []string{tokenVariable + "=" + st.credentials.token(channel)},
		Out:         in,
	})
	if err != nil {
		return nil, fmt.Errorf("start an agent: %w", err)
	}
	a := &agent{Process: p, notes: make(chan error, 1)}
	go func() {
		<-p.Done()
		_ = in.Close()
	}()
	go func() {
		err := readNotes(out, st.tell)
		_ = out.CloseWithError(err)
		a.notes <- err
	}()
	return a, nil
}

func (st *stage) tell(n note) {
	st.notes = append(st.notes, n)
	st.screen.tell(n)
}

// run lets an agent do its work to the end.
func (st *stage) run(ctx context.Context, run, channel string) error {
	a, err := st.start(ctx, run, channel)
	if err != nil {
		return err
	}
	said, ended := <-a.notes, a.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := errors.Join(said, ended); err != nil {
		return fmt.Errorf("the agent %s: %w", run, err)
	}
	return nil
}

// crash lets an agent send its payment, and kills it after the provider has committed and before the agent can know: its
// answer is one of those that get lost.
func (st *stage) crash(ctx context.Context, run string) error {
	a, err := st.start(ctx, run, channelAgent)
	if err != nil {
		return err
	}
	committed := make(chan error, 1)
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { committed <- st.provider.WaitFor(waiting, provider.KindCharge, 1) }()
	select {
	case err = <-committed:
	case <-a.Done():
	}
	killed := a.Kill()
	if said := <-a.notes; said != nil {
		return said
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil || !killed:
		return errors.Join(errors.New("the agent ended before it could be killed in the middle of its payment"), err, a.Wait())
	}
	st.tell(note{Who: run, Kind: noteDeath, Text: "killed (SIGKILL): the charge is committed, and nobody has reported it"})
	return nil
}
