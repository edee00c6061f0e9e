//go:build unix

package storm

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"

	"github.com/opledger/opledger/internal/childproc"
)

// member is one hand, as the storm that started it sees it.
type member struct {
	*childproc.Process
	post  post
	in    *os.File
	mu    sync.Mutex
	said  [][]string
	heard chan struct{} // closed and made anew with each line
}

// hire starts a hand, which ends with the context or this process.
func (f *field) hire(ctx context.Context, p post) (*member, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	reading, writing, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = reading.Close() }() // the child has its own
	out, outEnd := io.Pipe()
	m := &member{post: p, in: writing, heard: make(chan struct{})}
	m.Process, err = childproc.Start(ctx, childproc.Command{
		Executable: f.env.Binary, Arguments: []string{"eval", "hand"}, Environment: []string{HandVariable + "=" + string(text)}, In: reading, Out: outEnd,
	})
	if err != nil {
		_ = writing.Close()
		return nil, err
	}
	go func() {
		<-m.Done()
		_ = outEnd.Close()
		_ = writing.Close()
	}()
	go m.listen(out)
	return m, nil
}

func (m *member) listen(out io.Reader) {
	for lines := bufio.NewScanner(out); lines.Scan(); {
		m.mu.Lock()
		m.said = append(m.said, strings.Fields(lines.Text()))
		close(m.heard)
		m.heard = make(chan struct{})
		m.mu.Unlock()
	}
}

// await waits until so many lines begin with the word, and answers them. It fails when the process ends before.
func (m *member) await(ctx context.Context, word string, count int) ([][]string, error) {
	for {
		m.mu.Lock()
		var found [][]string
		for _, line := range m.said {
			if len(line) > 0 && line[0] == word {
				found = append(found, line)
			}
		}
		heard := m.heard
		m.mu.Unlock()
		if len(found) >= count {
			return found, nil
		}
		select {
		case <-heard:
		case <-m.Done():
			return nil, fmt.Errorf("%s ended before it said %q %d times: %w", m.post.ID, word, count, m.Wait())
		case <-ctx.Done():
			return nil, fmt.Errorf("%s did not say %q %d times, but %v: %w", m.post.ID, word, count, m.said, ctx.Err())
		}
	}
}

// goOn lets everybody of the process go on who stands at its step.
func (m *member) goOn() { _, _ = fmt.Fprintln(m.in, "go") }

// dismiss lets the process end well: it reports what it has done.
func (m *member) dismiss() {
	_ = m.Signal(syscall.SIGCONT)
	_ = m.Signal(syscall.SIGTERM)
}
