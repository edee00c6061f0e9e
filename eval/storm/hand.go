//go:build unix

package storm

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"google.golang.org/grpc"

	"github.com/opledger/opledger/worker"
)

// HandVariable holds, as JSON, what a hand is started with.
const HandVariable = "OPLEDGER_EVAL_HAND"

// post is what a hand is started with.
type post struct {
	Servers  []string // addresses of the ledger
	Provider string   // its URL
	ID       string
	// Hold is the step at which it stands until it is told to go on; empty: nowhere. An agent knows one, Proposed: it has
	// proposed what workers carry out, and nothing yet that the server does.
	Hold Step
	// Refs makes it an agent, which proposes an operation of each tool for each of them. Empty: it is a worker.
	Refs []string
}

// Hand is the life of one process of a storm: a worker, or an agent. It says on out where it stands, and goes on from
// there when a line comes in. It ends well at SIGTERM, after it has reported what it did.
func Hand(ctx context.Context, in io.Reader, out io.Writer) error {
	var p post
	if err := json.Unmarshal([]byte(os.Getenv(HandVariable)), &p); err != nil {
		return fmt.Errorf("%s says what a hand is to do: %w", HandVariable, err)
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	conn, err := dialAll(p.Servers)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	h := &hand{post: p, out: out, goOn: make(chan struct{})}
	go h.listen(in)
	if len(p.Refs) > 0 {
		return h.propose(ctx, conn)
	}
	return h.work(ctx, conn)
}

// hand is a process of a storm.
type hand struct {
	post   post
	mu     sync.Mutex
	out    io.Writer
	goOn   chan struct{}
	client books
}

// listen lets everybody go on who stands at a step when the first line comes, and ends nobody when none does.
func (h *hand) listen(in io.Reader) {
	if bufio.NewScanner(in).Scan() {
		close(h.goOn)
	}
}

func (h *hand) say(words ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, _ = fmt.Fprintln(h.out, words...)
}

// stand says that an attempt has come to a step, and stays there until it may go on, whatever becomes of its permit.
func (h *hand) stand(step Step, a *worker.Attempt) {
	if h.post.Hold != step {
		return
	}
	select {
	case <-h.goOn:
		return
	default:
	}
	h.say("at", step, a.OperationID())
	<-h.goOn
}

// work carries out operations of every tool that is a worker's.
func (h *hand) work(ctx context.Context, conn grpc.ClientConnInterface) error {
	h.client = newBooks(h.post.Provider)
	config := worker.Config{
		ID: h.post.ID, Tools: map[string]worker.Tool{},
		BeforeFirstByte: func(a *worker.Attempt) { h.stand(Looked, a) },
		Logger:          slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
	}
	for _, tool := range workerTools {
		config.Tools[tool] = worker.Tool{Act: h.act, Room: 4, Lookup: h.lookUp, LookupRoom: 4}
	}
	h.say("works")
	return worker.Run(ctx, conn, config)
}

// act sends one request. From its last look at the clock on it pays no heed to its context: no program can look any more
// when it is frozen there.
func (h *hand) act(ctx context.Context, a *worker.Attempt) (worker.Outcome, error) {
	h.stand(Handed, a)
	key, _, _ := a.VendorKey()
	var arguments struct{ Ref string }
	if err := json.Unmarshal(a.Arguments(), &arguments); err != nil {
		return worker.Outcome{}, err
	}
	if err := a.Send(ctx); err != nil {
		return worker.Outcome{}, err
	}
	made, replayed, err := h.client.write(a.Tool(), arguments.Ref, key, a.ClientReference())
	switch {
	case errors.Is(err, errRefused):
		return worker.Ambiguous(worker.ProviderError, worker.Answer{RawStatus: err.Error()}), nil
	case err != nil:
		return worker.Outcome{}, err
	}
	h.stand(Answered, a)
	return worker.Succeeded(worker.Answer{ObjectID: made, Replayed: &replayed}), nil
}

// lookUp asks by the client reference, the one question that the tools name.
func (h *hand) lookUp(ctx context.Context, l *worker.Lookup) (worker.Finding, error) {
	q := l.Questions[0]
	found, err := h.client.find(ctx, l.Tool, q.Value)
	switch {
	case err != nil:
		return worker.Finding{}, err
	case found == nil:
		return worker.DidNotHappen(q), nil
	}
	return worker.Happened(q, worker.Find{VendorKey: found.VendorKey, ClientReference: found.Reference, Answer: worker.Answer{ObjectID: found.ID}}), nil
}
