package worker_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/worker"
)

// TestADrainingWorkerEndsWhatItHasBegun, and takes nothing more.
func TestADrainingWorkerEndsWhatItHasBegun(t *testing.T) {
	c := ledger(t)
	sent, end := make(chan struct{}), make(chan struct{})
	act := func(ctx context.Context, a *worker.Attempt) (worker.Outcome, error) {
		if err := a.Send(ctx); err != nil {
			return worker.Outcome{}, err
		}
		close(sent)
		<-end
		return worker.Succeeded(worker.Answer{}), ctx.Err()
	}
	stop := working(t, c.Conn, worker.Config{ID: "w1", Tools: map[string]worker.Tool{"mail.send": {Act: act}}})
	id := proposed(t, c, "mail.send", "m")
	<-sent
	ended := make(chan error, 1)
	go func() { ended <- stop() }()
	later := proposed(t, c, "mail.send", "later")
	close(end)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if s := c.Operation(id).State; s != pb.Operation_STATE_COMPLETED_SUCCESS {
		t.Errorf("what was begun is %v", s)
	}
	if s := c.Operation(later).State; s != pb.Operation_STATE_PENDING_DISPATCH {
		t.Errorf("what came later is %v", s)
	}
}

// TestAHandlerThatHangsHearsThatItMustEnd, and what it leaves open is told as such.
func TestAHandlerThatHangsHearsThatItMustEnd(t *testing.T) {
	c := ledger(t)
	sent := make(chan struct{})
	act := func(ctx context.Context, a *worker.Attempt) (worker.Outcome, error) {
		if err := a.Send(ctx); err != nil {
			return worker.Outcome{}, err
		}
		close(sent)
		<-ctx.Done()
		return worker.Outcome{}, ctx.Err()
	}
	stop := working(t, c.Conn, worker.Config{ID: "w1", DrainTimeout: time.Millisecond, Tools: map[string]worker.Tool{"mail.send": {Act: act}}})
	id := proposed(t, c, "mail.send", "m")
	<-sent
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	o := c.Operation(id)
	if o.State != pb.Operation_STATE_UNKNOWN_OUTCOME || o.Attempts[0].EndTime == nil {
		t.Fatalf("got %v: %v", o.State, o.Attempts)
	}
}

// TestRunSaysWhatMakesNoSense.
func TestRunSaysWhatMakesNoSense(t *testing.T) {
	c := ledger(t)
	act := func(context.Context, *worker.Attempt) (worker.Outcome, error) {
		return worker.Outcome{}, errors.New("nothing is handed out")
	}
	err := worker.Run(t.Context(), c.Conn, worker.Config{ID: "w1", Tools: map[string]worker.Tool{"mail.sent": {Act: act}}})
	if status.Code(err) != codes.InvalidArgument {
		t.Errorf("a tool that is not there: %v", err)
	}
	for _, bad := range []worker.Config{{}, {ID: "w1"}, {ID: "w1", Tools: map[string]worker.Tool{"mail.send": {}}}} {
		if err := worker.Run(t.Context(), c.Conn, bad); err == nil {
			t.Errorf("%v runs", bad)
		}
	}
}

// TestALookup is made by a worker, without anybody's asking, and settles what is not known.
func TestALookup(t *testing.T) {
	for name, find := range map[string]struct {
		answer func(l *worker.Lookup) (worker.Finding, error)
		state  pb.Operation_State
	}{
		"found": {func(l *worker.Lookup) (worker.Finding, error) {
			return worker.Happened(l.Questions[0], worker.Find{ClientReference: l.Questions[0].Value, Answer: worker.Answer{ObjectID: "msg_" + l.OperationID}}), nil
		}, pb.Operation_STATE_COMPLETED_SUCCESS},
	} {
		t.Run(name, func(t *testing.T) {
			c := ledger(t)
			act := func(ctx context.Context, a *worker.Attempt) (worker.Outcome, error) {
				if err := a.Send(ctx); err != nil {
					return worker.Outcome{}, err
				}
				return worker.Ambiguous(worker.Timeout, worker.Answer{}), nil
			}
			look := func(_ context.Context, l *worker.Lookup) (worker.Finding, error) {
				if l.Tool != "mail.send" || l.Questions[0].By != "client_reference" || string(l.Arguments) != `{"ref":"m"}` {
					t.Errorf("the question lacks something: %v", l)
				}
				return find.answer(l)
			}
			working(t, c.Conn, worker.Config{ID: "w1", Tools: map[string]worker.Tool{"mail.send": {Act: act, Lookup: look}}})
			o := ended(t, c, proposed(t, c, "mail.send", "m"), find.state)
			if len(o.Attempts) != 1 || len(o.Evidence) == 0 {
				t.Fatalf("one attempt and an answer: %v", o)
			}
		})
	}
}
