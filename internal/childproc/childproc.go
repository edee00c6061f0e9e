// Package childproc runs Opledger's own binary in further processes: a server, or anything else, that ends when the one
// who started it does, however that happens.
package childproc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
)

// Process is a child process.
type Process struct {
	cmd    *exec.Cmd
	stderr tail
	waited chan struct{}
	err    error
}

// Command says what to run.
type Command struct {
	Executable  string
	Arguments   []string
	Environment []string  // name=value, beside this process's own
	In          *os.File  // is the standard input; nil: nothing to read
	Out         io.Writer // takes the standard output
	Err         io.Writer // takes the standard error, the last of which is kept in any case; nil: nobody
}

// Start runs a command. The process is killed when the context ends, and on Linux when this process dies.
func Start(ctx context.Context, c Command) (*Process, error) {
	p := &Process{waited: make(chan struct{})}
	p.cmd = exec.CommandContext(ctx, c.Executable, c.Arguments...)
	p.cmd.Env = append(environment(os.Environ()), c.Environment...)
	p.cmd.SysProcAttr = dieWithParent()
	if c.In != nil {
		p.cmd.Stdin = c.In
	}
	p.cmd.Stdout, p.cmd.Stderr = c.Out, &p.stderr
	if c.Err != nil {
		p.cmd.Stderr = io.MultiWriter(&p.stderr, c.Err)
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.waited)
	}()
	return p, nil
}

// environment leaves out what would set flags of the child behind the caller's back. What tests say to their own
// processes stays.
func environment(all []string) []string {
	var kept []string
	for _, variable := range all {
		if !strings.HasPrefix(variable, "OPLEDGER_") || strings.HasPrefix(variable, "OPLEDGER_TEST_") {
			kept = append(kept, variable)
		}
	}
	return kept
}

// Done is closed when the process has ended and its output was taken whole.
func (p *Process) Done() <-chan struct{} { return p.waited }

// Wait waits for the end. The error says how it ended where that was not well, with the last of what the process said.
func (p *Process) Wait() error {
	<-p.waited
	if p.err == nil {
		return nil
	}
	if said := p.stderr.String(); said != "" {
		return errors.Join(p.err, errors.New(said))
	}
	return p.err
}

// Signal sends the process a signal, to freeze it and to wake it again.
func (p *Process) Signal(s os.Signal) error { return p.cmd.Process.Signal(s) }

// Kill ends the process at once, as a crash would, and waits until it is gone. It reports whether the process was alive.
func (p *Process) Kill() bool {
	alive := p.cmd.Process.Kill() == nil
	<-p.waited
	return alive && !p.cmd.ProcessState.Success()
}

// maxTail bounds what is kept of a process's words.
const maxTail = 8 << 10

// tail keeps the last of what was written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if n := len(t.text) - maxTail; n > 0 {
		t.text = append([]byte(nil), t.text[n:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.text))
}
