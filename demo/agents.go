package demo

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/opledger/opledger/demo/provider"
	"github.com/opledger/opledger/internal/childproc"
)

// agent is a running agent process, and the end of what it has to say.
type agent struct {
	*childproc.Process
	notes chan error
}

// startAgent starts an agent in a process of its own, with a token where it has one. What it says is told as it comes.
func startAgent(ctx context.Context, executable, token string, tell func(note), arguments ...string) (*agent, error) {
	out, in := io.Pipe()
	p, err := childproc.Start(ctx, childproc.Command{
		Executable: executable, Arguments: append([]string{"demo", "agent"}, arguments...),
		Environment: []string{tokenVariable + "=" + token}, Out: in,
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
		err := readNotes(out, tell)
		_ = out.CloseWithError(err)
		a.notes <- err
	}()
	return a, nil
}

// killedAt kills the agent once the provider has committed so many effects of a kind, and before the agent can know: the
// answer is one of those that get lost.
func (a *agent) killedAt(ctx context.Context, p *provider.Provider, kind provider.Kind, n int) error {
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	var err error
	select {
	case err = <-committed(waiting, p, kind, n):
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
		return errors.Join(errors.New("the agent ended before it could be killed in the middle of its work"), err, a.Wait())
	}
	return nil
}

// committed tells when the provider has made so many effects of a kind, or that the context has ended.
func committed(ctx context.Context, p *provider.Provider, kind provider.Kind, n int) <-chan error {
	told := make(chan error, 1)
	go func() { told <- p.WaitFor(ctx, kind, n) }()
	return told
}
