package servers

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/opledger/opledger/internal/childproc"
)

// missing skips a test whose server cannot run on this machine, or fails it where all servers have to be there.
func missing(t *testing.T, what, how string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is missing: %s", what, how)
	}
	t.Skipf("%s is missing: %s", what, how)
}

var errEnded = errors.New("it ended")

// start runs a server until the context ends, and gives the first line that it says.
func start(ctx context.Context, c childproc.Command) (line string, err error) {
	out, in := io.Pipe()
	c.Out = in
	child, err := childproc.Start(ctx, c)
	if err != nil {
		return "", err
	}
	go func() {
		<-child.Done()
		_ = in.CloseWithError(errEnded)
	}()
	scanner := bufio.NewScanner(out)
	if !scanner.Scan() {
		return "", errors.Join(errEnded, child.Wait())
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return scanner.Text(), nil
}

// startFor runs a server for one test.
func startFor(t *testing.T, c childproc.Command) (line string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	line, err := start(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// in is a place in the repository.
func in(path string) string { return "../../" + path }

// there reports whether a file is there.
func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
