//go:build unix

package crashtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/opledger/opledger/internal/childproc"
	"github.com/opledger/opledger/internal/vendor"
	"github.com/opledger/opledger/worker"
)

// workerVariable makes the test binary a worker.
const workerVariable = "OPLEDGER_TEST_CRASH_WORKER"

// post is what a worker process is started with.
type post struct {
	Server string // of the ledger
	URL    string // to which effects are sent: a vendor's, or a store's
	ID     string
	Tools  []string
	// Freeze stops the process between its last look at the clocks and the first byte, until it is woken.
	Freeze bool
	// Hold lets a handler hang after it has sent, until the process dies.
	Hold bool
}

func init() { children = append(children, workerChild) }

// workerChild is a worker process. It says on its standard output where it is.
func workerChild() {
	text := os.Getenv(workerVariable)
	if text == "" {
		return
	}
	var p post
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		panic(err)
	}
	conn, err := grpc.NewClient(p.Server, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		panic(err)
	}
	config := worker.Config{ID: p.ID, Tools: map[string]worker.Tool{}}
	for _, tool := range p.Tools {
		config.Tools[tool] = worker.Tool{Act: p.act, Room: 1} // what is frozen or held asks for nothing more
	}
	if p.Freeze {
		woken := make(chan os.Signal, 1)
		signal.Notify(woken, syscall.SIGCONT)
		config.BeforeFirstByte = func(a *worker.Attempt) {
			fmt.Println("frozen", a.ID())
			_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
			<-woken // the signal may stop another thread first, and this one must not run on meanwhile
		}
	}
	fmt.Fprintln(os.Stderr, worker.Run(context.Background(), conn, config))
	os.Exit(1)
}

// act sends one request and tells what it was answered.
func (p *post) act(ctx context.Context, a *worker.Attempt) (worker.Outcome, error) {
	body, err := json.Marshal(map[string]any{"client_reference": a.ClientReference(), "arguments": string(a.Arguments())})
	if err != nil {
		return worker.Outcome{}, err
	}
	if err := a.Send(ctx); err != nil {
		return worker.Outcome{}, err
	}
	// A process that was frozen after its look sends whatever its context has come to meanwhile: the first byte is on its way.
	request, err := http.NewRequest(http.MethodPost, p.URL, bytes.NewReader(body))
	if err != nil {
		return worker.Outcome{}, err
	}
	if key, header, _ := a.VendorKey(); key != "" {
		request.Header.Set(header, key)
	}
	for _, f := range a.FencingNumbers() {
		request.Header.Set("Fencing-Number", strconv.FormatInt(f.Number, 10))
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return worker.Outcome{}, err
	}
	answer, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	fmt.Println("sent", a.ID())
	if p.Hold {
		select {}
	}
	var made vendor.Effect
	switch {
	case err != nil:
		return worker.Outcome{}, err
	case response.StatusCode == http.StatusConflict:
		return worker.Rejected("fenced", worker.Answer{}), nil
	case response.StatusCode != http.StatusCreated:
		return worker.Ambiguous(worker.ProviderError, worker.Answer{RawStatus: response.Status}), nil
	}
	if err := json.Unmarshal(answer, &made); err != nil {
		return worker.Outcome{}, err
	}
	replayed := response.Header.Get(vendor.ReplayedHeader) == "true"
	return worker.Succeeded(worker.Answer{ObjectID: made.ID, Replayed: &replayed}), nil
}

// hand is a worker process in the test's hands.
type hand struct {
	*childproc.Process
	t    *testing.T
	mu   sync.Mutex
	said []string
	news chan struct{} // a token where something was said
}

// employ starts a worker process, which ends with the test.
func employ(t *testing.T, p post) *hand {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	h := &hand{t: t, news: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	if h.Process, err = childproc.Start(ctx, childproc.Command{Executable: self, Environment: []string{workerVariable + "=" + string(text)}, Out: h}); err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = h.Wait()
	})
	return h
}

// Write takes what the process says, a line or several at a time.
func (h *hand) Write(b []byte) (int, error) {
	h.mu.Lock()
	h.said = append(h.said, strings.Split(strings.TrimSpace(string(b)), "\n")...)
	h.mu.Unlock()
	select {
	case h.news <- struct{}{}:
	default:
	}
	return len(b), nil
}

// says waits until the process has said a word about an attempt, and answers which.
func (h *hand) says(word string) (attempt string) {
	h.t.Helper()
	for {
		h.mu.Lock()
		for _, line := range h.said {
			if about, ok := strings.CutPrefix(line, word+" "); ok {
				h.mu.Unlock()
				return about
			}
		}
		h.mu.Unlock()
		select {
		case <-h.news:
		case <-h.Done():
			h.t.Fatalf("the worker ended before it said %q: %v", word, h.Wait())
		case <-h.t.Context().Done():
			h.t.Fatalf("the worker does not say %q", word)
		}
	}
}

// wake lets a frozen process go on.
func (h *hand) wake() {
	h.t.Helper()
	if err := h.Signal(syscall.SIGCONT); err != nil {
		h.t.Fatal(err)
	}
}
