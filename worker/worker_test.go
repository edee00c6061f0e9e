package worker_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
	"github.com/opledger/opledger/worker"
)

// tools are one tool of each kind that a worker meets: with a begin, and keyed by the provider without one. Permits are as
// short as the contract admits, so that heartbeats are seen.
const tools = `
name: mail.send
class: EXTERNAL_NON_IDEMPOTENT_WRITE
executor: WORKER
arguments_schema: {type: object, required: [ref], properties: {ref: {type: string}}}
identity: {key_template: "mail:{ref}", occurrence: NOBODY}
permit: {duration: 1s, greatest_age: 60s, stall_allowance: 1s}
retry: {initial_backoff: 0.05s, max_backoff: 0.1s, max_attempts: 3}
policy: {loosen_reason: A test.}
provider:
  name: post
  stores_client_reference: true
  lookups: [{by: CLIENT_REFERENCE, read_after_write: true, how: in memory}]
  longest_flight: 0.1s
---
name: card.charge
class: EXTERNAL_IDEMPOTENT_WRITE
executor: WORKER
arguments_schema: {type: object, required: [ref], properties: {ref: {type: string}}}
identity: {key_template: "charge:{ref}", occurrence: NOBODY, entity: {type: card, id: "{ref}"}}
exclusive: {group: cards}
permit: {duration: 1s, greatest_age: 60s, stall_allowance: 1s}
retry: {initial_backoff: 0.05s, max_backoff: 0.1s, max_attempts: 3}
policy: {loosen_reason: A test.}
provider:
  name: bank
  idempotency_key: {supported: true, header: Idempotency-Key, retention: 86400s}
  longest_flight: 0.1s
`

// ledger starts a server with the tools and a loop of due work.
func ledger(t *testing.T) *servertest.Client {
	t.Helper()
	w := servertest.SQLite(t)
	c := w.Serve()
	c.Apply(tools)
	w.Dispatch()
	return c
}

// working runs a worker until the test ends or the returned function is called, which waits for its end.
func working(t *testing.T, conn grpc.ClientConnInterface, config worker.Config) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- worker.Run(ctx, conn, config) }()
	stop = sync.OnceValue(func() error {
		cancel()
		return <-done
	})
	t.Cleanup(func() { _ = stop() })
	return stop
}

// proposed enqueues an operation.
func proposed(t *testing.T, c *servertest.Client, tool, ref string) string {
	t.Helper()
	m := c.Propose(tool, `{"ref":"`+ref+`"}`)
	if m.Decision != pb.Decision_DECISION_ENQUEUED {
		t.Fatalf("got %v: %s", m.Decision, m.Result.ModelMessage)
	}
	return m.Result.OperationId
}

// ended waits for an operation's end.
func ended(t *testing.T, c *servertest.Client, id string, want pb.Operation_State) *pb.Operation {
	t.Helper()
	m, err := c.GetOperation(t.Context(), &pb.GetOperationRequest{OperationId: id, Wait: durationpb.New(25 * time.Second)})
	if err != nil {
		t.Fatal(err)
	}
	if m.Operation.State != want {
		t.Fatalf("%s is %v, want %v", id, m.Operation.State, want)
	}
	return m.Operation
}

// TestAWorkerActsAndReports, with everything in its hands that acting takes, and nobody acts twice.
func TestAWorkerActsAndReports(t *testing.T) {
	c := ledger(t)
	var acted atomic.Int32
	act := func(ctx context.Context, a *worker.Attempt) (worker.Outcome, error) {
		key, header, _ := a.VendorKey()
		switch {
		case a.Number() != 1 || string(a.Arguments()) == "" || a.TimeLeft() <= 0:
			return worker.Outcome{}, fmt.Errorf("%v lacks something", a)
		case a.Tool() == "mail.send" && a.ClientReference() == "":
			return worker.Outcome{}, errors.New("no client reference")
		case a.Tool() == "card.charge" && (key == "" || header != "Idempotency-Key" || len(a.FencingNumbers()) != 1):
			return worker.Outcome{}, errors.New("no vendor key, or no fencing number")
		}
		if err := a.Send(ctx); err != nil {
			return worker.Outcome{}, err
		}
		if err := a.Send(ctx); !errors.Is(err, worker.ErrSent) {
			return worker.Outcome{}, fmt.Errorf("a second request may leave: %w", err)
		}
		acted.Add(1)
		return worker.Succeeded(worker.Answer{ObjectID: "obj_" + a.ID(), ResultJSON: `{"done":true}`}), nil
	}
	stop := working(t, c.Conn, worker.Config{ID: "w1", Tools: map[string]worker.Tool{"mail.send": {Act: act}, "card.charge": {Act: act, Room: 4}}})
	const each = 10
	var ids []string
	for i := range each {
		ids = append(ids, proposed(t, c, "mail.send", fmt.Sprint("m", i)), proposed(t, c, "card.charge", fmt.Sprint("c", i)))
	}
	for _, id := range ids {
		o := ended(t, c, id, pb.Operation_STATE_COMPLETED_SUCCESS)
		if len(o.Attempts) != 1 || o.Result.ResultJson != `{"done":true}` {
			t.Errorf("%s: %v", id, o)
		}
	}
	if n := acted.Load(); n != 2*each {
		t.Errorf("%d acts for %d operations", n, 2*each)
	}
	if err := stop(); err != nil {
		t.Errorf("a worker that drains ends well: %v", err)
	}
}

// TestNoMoreThanTheRoom runs at a time, and all of it is used.
func TestNoMoreThanTheRoom(t *testing.T) {
	c := ledger(t)
	const room = 3
	var running atomic.Int32
	together, open := make(chan struct{}, room), make(chan struct{})
	act := func(ctx context.Context, a *worker.Attempt) (worker.Outcome, error) {
		if n := running.Add(1); n > room {
			t.Errorf("%d run at once", n)
		}
		defer running.Add(-1)
		select {
		case together <- struct{}{}:
		default:
		}
		<-open
		if err := a.Send(ctx); err != nil {
			return worker.Outcome{}, err
		}
		return worker.Succeeded(worker.Answer{}), nil
	}
	working(t, c.Conn, worker.Config{ID: "w1", Tools: map[string]worker.Tool{"mail.send": {Act: act, Room: room}}})
	var ids []string
	for i := range 3 * room {
		ids = append(ids, proposed(t, c, "mail.send", fmt.Sprint("m", i)))
	}
	for range room {
		<-together
	}
	close(open)
	for _, id := range ids {
		ended(t, c, id, pb.Operation_STATE_COMPLETED_SUCCESS)
	}
}

// TestHeartbeats keep a permit of a second alive for as long as its handler runs, before and after its begin.
func TestHeartbeats(t *testing.T) {
	c := ledger(t)
	act := func(ctx context.Context, a *worker.Attempt) (worker.Outcome, error) {
		extended := func(times int) error {
			for n := 0; n < times; {
				m, err := c.GetOperation(ctx, &pb.GetOperationRequest{OperationId: a.OperationID()})
				if err != nil {
					return err
				}
				at := m.Operation.Attempts[0]
				n = int(at.DeadlineTime.AsTime().Sub(at.GrantTime.AsTime()) / time.Second) // each moves it by less than a second
			}
			return nil
		}
		if err := extended(2); err != nil {
			return worker.Outcome{}, err
		}
		if err := a.Send(ctx); err != nil {
			return worker.Outcome{}, err
		}
		if err := extended(3); err != nil {
			return worker.Outcome{}, err
		}
		return worker.Succeeded(worker.Answer{}), nil
	}
	working(t, c.Conn, worker.Config{ID: "w1", Tools: map[string]worker.Tool{"mail.send": {Act: act}}})
	o := ended(t, c, proposed(t, c, "mail.send", "m"), pb.Operation_STATE_COMPLETED_SUCCESS)
	if len(o.Attempts) != 1 {
		t.Fatalf("one attempt does: %v", o.Attempts)
	}
}

const (
	unknown   = pb.Operation_STATE_UNKNOWN_OUTCOME
	retryable = pb.Operation_STATE_FAILED_RETRYABLE
)

// TestWhatAHandlerLeavesOpenIsAmbiguous: errors and panics after the gate may have come after the effect. Before it, where a
// begin is required, nothing was sent.
func TestWhatAHandlerLeavesOpenIsAmbiguous(t *testing.T) {
	for name, c := range map[string]struct {
		tool   string
		passes bool
		fail   func() (worker.Outcome, error)
		then   pb.Operation_State
	}{
		"an error after the gate":    {"mail.send", true, func() (worker.Outcome, error) { return worker.Outcome{}, errors.New("broken") }, unknown},
		"a panic after the gate":     {"mail.send", true, func() (worker.Outcome, error) { panic("broken") }, unknown},
		"nothing said":               {"mail.send", true, func() (worker.Outcome, error) { return worker.Outcome{}, nil }, unknown},
		"an error before the gate":   {"mail.send", false, func() (worker.Outcome, error) { return worker.Outcome{}, errors.New("broken") }, retryable},
		"a panic before the gate":    {"mail.send", false, func() (worker.Outcome, error) { panic("broken") }, retryable},
		"a gate that was forgotten":  {"card.charge", false, func() (worker.Outcome, error) { panic("broken") }, unknown},
		"not sent, as the dial said": {"mail.send", true, func() (worker.Outcome, error) { return worker.NotSent("connection_refused"), nil }, retryable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := ledger(t)
			act := func(ctx context.Context, a *worker.Attempt) (worker.Outcome, error) {
				if a.Number() > 1 {
					<-ctx.Done() // the first report is what is looked at
					return worker.Outcome{}, ctx.Err()
				}
				if c.passes {
					if err := a.Send(ctx); err != nil {
						return worker.Outcome{}, err
					}
				}
				return c.fail()
			}
			working(t, l.Conn, worker.Config{ID: "w1", DrainTimeout: time.Millisecond, Tools: map[string]worker.Tool{c.tool: {Act: act}}})
			id := proposed(t, l, c.tool, "r")
			stream, err := l.WatchOperation(t.Context(), &pb.WatchOperationRequest{OperationId: id})
			if err != nil {
				t.Fatal(err)
			}
			for {
				if _, err := stream.Recv(); err != nil {
					t.Fatal(err)
				}
				for _, e := range l.Events(id) {
					if e.Type == pb.OperationEventType_OPERATION_EVENT_TYPE_STATE_CHANGED && e.FromState == pb.Operation_STATE_DISPATCHED {
						if e.ToState != c.then {
							t.Fatalf("it became %v", e.ToState)
						}
						return
					}
				}
			}
		})
	}
}

// TestALostAnswerIsAskedForAgain: the permits of a poll whose answer never came are not lost.
func TestALostAnswerIsAskedForAgain(t *testing.T) {
	c := ledger(t)
	lossy := &lossyConn{ClientConnInterface: c.Conn, lose: map[string]int{"PollWork": 2, "BeginAttempt": 1, "ReportAttempt": 2, "ExtendWork": 1}}
	act := func(ctx context.Context, a *worker.Attempt) (worker.Outcome, error) {
		if err := a.Send(ctx); err != nil {
			return worker.Outcome{}, err
		}
		return worker.Succeeded(worker.Answer{}), nil
	}
	id := proposed(t, c, "mail.send", "m") // before the worker: its first answer bears the permit
	working(t, lossy, worker.Config{ID: "w1", Tools: map[string]worker.Tool{"mail.send": {Act: act}}})
	o := ended(t, c, id, pb.Operation_STATE_COMPLETED_SUCCESS)
	if len(o.Attempts) != 1 || !o.Attempts[0].HandedAgain {
		t.Fatalf("one attempt, which was handed out again: %v", o.Attempts)
	}
}

// lossyConn loses the answers of calls after the server has carried them out.
type lossyConn struct {
	grpc.ClientConnInterface
	mu   sync.Mutex
	lose map[string]int
}

func (l *lossyConn) Invoke(ctx context.Context, method string, args, reply any, opts ...grpc.CallOption) error {
	err := l.ClientConnInterface.Invoke(ctx, method, args, reply, opts...)
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, n := range l.lose {
		if n > 0 && err == nil && method == "/opledger.v1."+service(name)+"/"+name {
			l.lose[name]--
			return status.Error(codes.Unavailable, "the answer was lost")
		}
	}
	return err
}

func service(method string) string {
	if method == "PollWork" || method == "ExtendWork" {
		return "WorkService"
	}
	return "OperationService"
}
