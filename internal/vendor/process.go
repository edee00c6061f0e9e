package vendor

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/opledger/opledger/internal/childproc"
)

// actVariable makes a test binary play the provider.
const actVariable = "OPLEDGER_TEST_VENDOR"

// Main makes this process the provider, and never returns, if it was started as one. A package's TestMain calls it first.
func Main() {
	if os.Getenv(actVariable) == "" {
		return
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("http://" + listener.Addr().String())
	s := &service{books: newBooks(), closing: make(chan struct{})}
	server := &http.Server{Handler: s.routes(), ReadHeaderTimeout: 10 * time.Second}
	fmt.Fprintln(os.Stderr, server.Serve(listener))
	os.Exit(1)
}

// Process is a provider that runs in a process of its own.
type Process struct {
	URL string
	t   testing.TB
}

// Start starts a provider, which ends with the test.
func Start(t testing.TB) *Process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, in := io.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	child, err := childproc.Start(ctx, childproc.Command{Executable: self, Environment: []string{actVariable + "=1"}, Out: in})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = child.Wait()
	})
	go func() {
		<-child.Done()
		_ = in.CloseWithError(errClosed)
	}()
	line := bufio.NewScanner(out)
	if !line.Scan() {
		t.Fatalf("the provider did not start (does TestMain call vendor.Main?): %v", child.Wait())
	}
	return &Process{URL: line.Text(), t: t}
}

// Plan lets the next requests of a collection meet a fault.
func (p *Process) Plan(f Planned) {
	p.t.Helper()
	p.call(http.MethodPost, "/control/faults", f, nil)
}

// Fail lets the next request of a collection meet a fault.
func (p *Process) Fail(collection string, fault Fault) {
	p.t.Helper()
	p.Plan(Planned{Collection: collection, Fault: fault, Times: 1})
}

// Effects lists what the provider has really done, in order.
func (p *Process) Effects() (effects []Effect) {
	p.t.Helper()
	p.call(http.MethodGet, "/control/effects", nil, &effects)
	return effects
}

// Counts gives the provider's own figures.
func (p *Process) Counts() (c Counts) {
	p.t.Helper()
	p.call(http.MethodGet, "/control/counts", nil, &c)
	return c
}

// Await waits until the provider's figures are as wanted.
func (p *Process) Await(ctx context.Context, what string, wanted func(Counts) bool) Counts {
	p.t.Helper()
	c := p.Counts()
	for !wanted(c) {
		if ctx.Err() != nil {
			p.t.Fatalf("the provider: %s did not come to be: %+v", what, c)
		}
		p.call(http.MethodPost, "/control/wait", c, &c)
	}
	return c
}

// Show lets lookups find what was hidden until now.
func (p *Process) Show() {
	p.t.Helper()
	p.call(http.MethodPost, "/control/show", struct{}{}, nil)
}

// Finish ends what was taken on.
func (p *Process) Finish() {
	p.t.Helper()
	p.call(http.MethodPost, "/control/finish", struct{}{}, nil)
}

// CommitLate makes the effects whose commit was put off.
func (p *Process) CommitLate() (made []Effect) {
	p.t.Helper()
	p.call(http.MethodPost, "/control/commit", struct{}{}, &made)
	return made
}

// Deliver sends a webhook and answers the status that it was met with.
func (p *Process) Deliver(d Delivery) int {
	p.t.Helper()
	var met struct{ Status int }
	p.call(http.MethodPost, "/control/deliver", d, &met)
	return met.Status
}

func (p *Process) call(method, path string, in, out any) {
	p.t.Helper()
	body, err := json.Marshal(in)
	if err != nil {
		p.t.Fatal(err)
	}
	req, err := http.NewRequest(method, p.URL+path, bytes.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		p.t.Fatalf("%s %s: %d %s %v", method, path, res.StatusCode, answer, err)
	}
	if out != nil {
		if err := json.Unmarshal(answer, out); err != nil {
			p.t.Fatal(err)
		}
	}
}
