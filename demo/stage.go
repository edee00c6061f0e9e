package demo

import (
	"context"
	"errors"
	"fmt"

	"github.com/opledger/opledger/demo/provider"
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

// start starts an agent. What it says is shown as it comes.
func (st *stage) start(ctx context.Context, run, channel string) (*agent, error) {
	return startAgent(ctx, st.options.Executable, st.credentials.token(channel), st.tell,
		"--ledger", st.address, "--provider", st.provider.URL(), "--run", run, "--channel", channel)
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

// crash lets an agent send its payment, and kills it after the provider has committed.
func (st *stage) crash(ctx context.Context, run string) error {
	a, err := st.start(ctx, run, channelAgent)
	if err != nil {
		return err
	}
	if err := a.killedAt(ctx, st.provider, provider.KindCharge, 1); err != nil {
		return err
	}
	st.tell(note{Who: run, Kind: noteDeath, Text: "killed (SIGKILL): the charge is committed, and nobody has reported it"})
	return nil
}
