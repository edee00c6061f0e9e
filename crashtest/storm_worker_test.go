//go:build unix

package crashtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/opledger/opledger/internal/childproc"
	"github.com/opledger/opledger/internal/vendor"
	"github.com/opledger/opledger/worker"
)

// stormVariable makes the test binary a worker of the storm.
const stormVariable = "OPLEDGER_TEST_CRASH_STORM"

// stormRoom is how many attempts of one tool a worker runs at a time.
const stormRoom = 3

// fate is what becomes of a worker at one of its attempts, counted from one; zero: nothing does by itself.
type fate struct {
	Stands    int64 // it freezes between its last look at the clocks and the first byte, until it is woken
	DiesEarly int64 // it dies at the same place
	DiesLate  int64 // it dies between the provider's answer and its report
}

// stormPost is what a worker of the storm is started with.
type stormPost struct {
	Servers  []string
	Provider string // its URL
	ID       string
	Tools    []string
	Fate     fate
}

func init() { children = append(children, stormChild) }

// stormChild is a worker process of the storm. It ends well when it is told to (SIGTERM), after it has reported.
func stormChild() {
	text := os.Getenv(stormVariable)
	if text == "" {
		return
	}
	p := &stormPost{}
	if err := json.Unmarshal([]byte(text), p); err != nil {
		panic(err)
	}
	conn, err := childproc.DialAll(p.Servers)
	if err != nil {
		panic(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	s := newStormSender(p)
	config := worker.Config{
		ID: p.ID, Tools: map[string]worker.Tool{}, BeforeFirstByte: s.beforeFirstByte,
		Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
	}
	for _, tool := range p.Tools {
		config.Tools[tool] = worker.Tool{Act: s.act, Room: stormRoom, Lookup: s.lookUp, LookupRoom: stormRoom}
	}
	if err := worker.Run(ctx, conn, config); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// stormSender acts at the provider.
type stormSender struct {
	post     *stormPost
	client   http.Client
	looked   atomic.Int64 // attempts that have come past their last look at the clocks
	answered atomic.Int64 // attempts that the provider has answered
	standing sync.Mutex
	woken    chan os.Signal
}

func newStormSender(p *stormPost) *stormSender {
	s := &stormSender{post: p, woken: make(chan os.Signal, 1)}
	// A connection for each request: one that is used again may be found dead, and Go's client then sends once more what
	// bears an idempotency key. One permit is one request on the wire.
	s.client.Transport = &http.Transport{DisableKeepAlives: true}
	signal.Notify(s.woken, syscall.SIGCONT)
	return s
}

// beforeFirstByte is the failpoint.
func (s *stormSender) beforeFirstByte(a *worker.Attempt) {
	switch s.looked.Add(1) {
	case s.post.Fate.Stands:
		s.stand(a)
	case s.post.Fate.DiesEarly:
		die()
	}
}

// stand says where the process stands, and stops it. The signal may stop another thread first, so that this one waits to be
// woken in any case; what an earlier waking has left in the channel does not count.
func (s *stormSender) stand(a *worker.Attempt) {
	s.standing.Lock()
	defer s.standing.Unlock()
	select {
	case <-s.woken:
	default:
	}
	fmt.Println("stands", a.OperationID(), a.Number(), a.Tool())
	_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
	<-s.woken
}

func die() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// act sends one request. It pays no heed to its context from the look on: a process that was frozen there sends whatever
// its context has come to meanwhile, since no program can look any more.
func (s *stormSender) act(ctx context.Context, a *worker.Attempt) (worker.Outcome, error) {
	body, err := json.Marshal(map[string]string{"client_reference": a.ClientReference(), "operation": a.OperationID()})
	if err != nil {
		return worker.Outcome{}, err
	}
	request, err := http.NewRequest(http.MethodPost, s.post.Provider+stormPaths[a.Tool()], bytes.NewReader(body))
	if err != nil {
		return worker.Outcome{}, err
	}
	if key, header, _ := a.VendorKey(); key != "" {
		request.Header.Set(header, key)
	}
	if err := a.Send(ctx); err != nil {
		return worker.Outcome{}, err
	}
	response, err := s.client.Do(request)
	if err != nil {
		return worker.Outcome{}, err
	}
	defer response.Body.Close()
	var made vendor.Effect
	if response.StatusCode != http.StatusCreated {
		return worker.Ambiguous(worker.ProviderError, worker.Answer{RawStatus: response.Status}), nil
	}
	if err := json.NewDecoder(response.Body).Decode(&made); err != nil {
		return worker.Outcome{}, err
	}
	if s.answered.Add(1) == s.post.Fate.DiesLate {
		die()
	}
	replayed := response.Header.Get(vendor.ReplayedHeader) == "true"
	return worker.Succeeded(worker.Answer{ObjectID: made.ID, Replayed: &replayed}), nil
}

// lookUp asks by the client reference, the one question that the tools' profiles name.
func (s *stormSender) lookUp(ctx context.Context, l *worker.Lookup) (worker.Finding, error) {
	q := l.Questions[0]
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.post.Provider+stormPaths[l.Tool]+"?client_reference="+url.QueryEscape(q.Value), nil)
	if err != nil {
		return worker.Finding{}, err
	}
	response, err := s.client.Do(request)
	if err != nil {
		return worker.Finding{}, err
	}
	defer response.Body.Close()
	var found struct{ Data []vendor.Effect }
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("the provider says %s", response.Status)
	}
	if err == nil {
		err = json.Unmarshal(text, &found)
	}
	switch {
	case err != nil:
		return worker.Finding{}, err
	case len(found.Data) == 0:
		return worker.DidNotHappen(q), nil
	}
	e := found.Data[0]
	return worker.Happened(q, worker.Find{VendorKey: e.IdempotencyKey, ClientReference: e.Reference, Answer: worker.Answer{ObjectID: e.ID}}), nil
}
