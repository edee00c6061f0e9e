package server_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// crew is what workers of a world do: they poll as one of its servers' clients.
type crew struct {
	*servertest.Client
	work pb.WorkServiceClient
}

// employ starts a server whose tests' tools are run by workers.
func employ(t *testing.T, w *servertest.World, tools ...string) crew {
	t.Helper()
	c := w.Serve()
	for _, name := range tools {
		d := fieldTool(t, name)
		d.Executor = pb.Executor_EXECUTOR_WORKER
		c.ApplyDefinition(d)
	}
	return crew{c, pb.NewWorkServiceClient(c.Conn)}
}

// beside is the same crew at another server of the world.
func (c crew) beside(w *servertest.World) crew {
	other := w.Twin()
	return crew{other, pb.NewWorkServiceClient(other.Conn)}
}

// wants makes a poll that takes dispatches and lookups of tools, so many of each.
func wants(worker string, room int32, tools ...string) *pb.PollWorkRequest {
	r := &pb.PollWorkRequest{RequestId: uuid.NewString(), WorkerId: worker}
	for _, tool := range tools {
		r.Credits = append(r.Credits, &pb.ToolCredit{Tool: tool, Dispatches: room, Lookups: room})
	}
	return r
}

// polled polls, and fails the test where the call is refused.
func (c crew) polled(t *testing.T, r *pb.PollWorkRequest) *pb.PollWorkResponse {
	t.Helper()
	m, err := c.work.PollWork(t.Context(), r)
	if err != nil {
		t.Fatalf("poll: %v", err)
	}
	return m
}

// permits are the permits of an answer.
func permits(m *pb.PollWorkResponse) (all []*pb.Permit) {
	for _, item := range m.Items {
		if p := item.GetDispatch(); p != nil {
			all = append(all, p)
		}
	}
	return all
}

// onePermit polls and expects exactly one.
func (c crew) onePermit(t *testing.T, r *pb.PollWorkRequest) *pb.Permit {
	t.Helper()
	m := c.polled(t, r)
	if len(m.Items) != 1 || m.Items[0].GetDispatch() == nil {
		t.Fatalf("one permit is wanted: %v", m)
	}
	return m.Items[0].GetDispatch()
}

// enqueued proposes and expects that a worker will run it.
func (c crew) enqueued(t *testing.T, tool, arguments string) string {
	t.Helper()
	m := c.Propose(tool, arguments)
	decided(t, m, pb.Decision_DECISION_ENQUEUED)
	return m.Result.OperationId
}

func mailTo(ref string) string {
	return `{"template":"receipt","ref":"` + ref + `","to":["kim@example.com"]}`
}

// TestAWorkersWholeWay: enqueued, handed out with everything that acting takes, begun, extended, reported; nobody else gets
// it meanwhile, at any server.
func TestAWorkersWholeWay(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := employ(t, w, "email.send")
		other := c.beside(w)
		id := c.enqueued(t, "email.send", mail)
		inState(t, c.Operation(id), pb.Operation_STATE_PENDING_DISPATCH)

		p := c.onePermit(t, wants("w1", 1, "email.send"))
		if p.OperationId != id || p.AttemptNumber != 1 || !p.BeginRequired || p.ClientReference == "" || p.DispatchArgumentsJson != `{"ref":"order_123","template":"receipt","to":["kim@example.com"]}` || p.Remaining.AsDuration() <= 0 {
			t.Fatalf("the permit lacks something: %v", p)
		}
		for _, at := range []crew{c, other} {
			if m := at.polled(t, wants("w2", 1, "email.send")); len(m.Items) > 0 {
				t.Fatalf("it was handed out twice: %v", m)
			}
		}
		decided(t, other.Propose("email.send", mail), pb.Decision_DECISION_IN_FLIGHT)
		other.Begin(p)
		e, err := other.work.ExtendWork(t.Context(), &pb.ExtendWorkRequest{WorkerId: "w1", Requests: []*pb.ExtendAttemptRequest{
			{OperationId: id, AttemptId: p.AttemptId, AttemptToken: p.AttemptToken, BeginNonce: servertest.Nonce, ExtendBy: duration(2 * time.Minute)},
			{OperationId: id, AttemptId: p.AttemptId, AttemptToken: "forged", BeginNonce: servertest.Nonce},
			{OperationId: "nonsense"},
		}})
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Items[0].GetResponse().GetRemaining().AsDuration(); got <= time.Minute {
			t.Errorf("extended to %v", got)
		}
		refused(t, status.ErrorProto(e.Items[1].GetError()), codes.PermissionDenied, "ATTEMPT_TOKEN_MISMATCH")
		refused(t, status.ErrorProto(e.Items[2].GetError()), codes.InvalidArgument, "INVALID_REQUEST")

		inState(t, c.Reported(p, servertest.Succeeded("msg_1", `{"id":"msg_1"}`)).Operation, pb.Operation_STATE_COMPLETED_SUCCESS)
		decided(t, c.Propose("email.send", mail), pb.Decision_DECISION_REPLAYED)
		if m := c.polled(t, wants("w1", 1, "email.send")); len(m.Items) > 0 {
			t.Fatalf("nothing is left: %v", m)
		}
	})
}

// TestAPollIsHandedNoMoreThanItsCredit: in all and for each tool, and no queue keeps another out.
func TestAPollIsHandedNoMoreThanItsCredit(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := employ(t, w, "email.send", "payment.capture")
		for i := range 12 {
			c.enqueued(t, "email.send", mailTo(fmt.Sprint("order_", i)))
		}
		c.enqueued(t, "payment.capture", capture)
		most := int32(4)
		r := wants("w1", 10, "email.send", "payment.capture")
		r.MaxItems = &most
		byTool := map[string]int{}
		for _, p := range permits(c.polled(t, r)) {
			byTool[p.Tool]++
		}
		if byTool["email.send"] != 3 || byTool["payment.capture"] != 1 {
			t.Fatalf("four in all, and the short queue has its turn: %v", byTool)
		}
		if n := len(permits(c.polled(t, wants("w1", 5, "email.send")))); n != 5 {
			t.Fatalf("got %d permits with a credit of 5", n)
		}
		if n := len(permits(c.polled(t, wants("w1", 100, "email.send")))); n != 4 {
			t.Fatalf("got %d of the 4 that are left", n)
		}
	})
}

// TestAPollWaitsForWork: the first piece ends the wait, whichever server takes the proposal; without any it ends empty, and
// the remaining time of the permit is not counted away by the wait.
func TestAPollWaitsForWork(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := employ(t, w, "email.send")
		other := c.beside(w)
		for n, proposer := range []crew{c, other} {
			answered := make(chan *pb.PollWorkResponse, 1)
			r := wants("w1", 1, "email.send")
			r.Wait = duration(time.Minute)
			go func() {
				m, err := c.work.PollWork(t.Context(), r)
				if err != nil {
					t.Errorf("poll: %v", err)
				}
				answered <- m
			}()
			id := proposer.enqueued(t, "email.send", mailTo(fmt.Sprint("order_", n)))
			if m := <-answered; len(permits(m)) != 1 || permits(m)[0].OperationId != id {
				t.Fatalf("the poll was not answered with the work: %v", m)
			}
		}
		r := wants("w1", 1, "email.send")
		r.Wait = duration(20 * time.Millisecond)
		if m := c.polled(t, r); len(m.Items) > 0 || m.PollAfter != nil {
			t.Fatalf("an empty answer is wanted: %v", m)
		}
	})
}

// TestAPollSaysHowLongItWaited, in database time, so that a permit's time counts from when it was given.
func TestAPollSaysHowLongItWaited(t *testing.T) {
	w := servertest.SQLite(t)
	c := employ(t, w, "email.send")
	r := wants("w1", 1, "email.send")
	r.Wait = duration(time.Minute)
	answered := make(chan *pb.PollWorkResponse, 1)
	go func() {
		m, err := c.work.PollWork(t.Context(), r)
		if err != nil {
			t.Errorf("poll: %v", err)
		}
		answered <- m
	}()
	begun := time.Now()
	time.AfterFunc(30*time.Millisecond, func() { c.enqueued(t, "email.send", mail) })
	m := <-answered
	if took := time.Since(begun); m.Waited.AsDuration() <= 0 || m.Waited.AsDuration() > took {
		t.Fatalf("it waited %v of %v", m.Waited.AsDuration(), took)
	}
}

// TestAPollsRepeat: after a lost answer the same request gets the same permits again, only where that is safe whoever asks,
// at any server, and on the record.
func TestAPollsRepeat(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := employ(t, w, "email.send", "payment.capture")
		other := c.beside(w)
		for _, ref := range []string{"a", "b", "c"} {
			c.enqueued(t, "email.send", mailTo(ref))
		}
		c.enqueued(t, "payment.capture", capture)
		r := wants("w1", 8, "email.send", "payment.capture")
		first := permits(c.polled(t, r))
		if len(first) != 4 {
			t.Fatalf("got %d permits", len(first))
		}
		var begun string
		for _, p := range first {
			if p.BeginRequired {
				c.Begin(p)
				begun = p.AttemptId
				break
			}
		}
		c.enqueued(t, "email.send", mailTo("new")) // no part of what the request has earned
		again := permits(other.polled(t, r))
		if len(again) != 3 {
			t.Fatalf("three of four come again, the begun one does not: %v", again)
		}
		for _, p := range again {
			if p.AttemptId == begun {
				t.Errorf("a begun permit was handed out again")
			}
			if o := c.Operation(p.OperationId); !o.Attempts[0].HandedAgain || len(o.Attempts) != 1 {
				t.Errorf("that it went out twice is recorded: %v", o.Attempts)
			}
		}
		other2 := wants("w2", 8, "email.send")
		other2.RequestId = r.RequestId
		_, err := c.work.PollWork(t.Context(), other2)
		refused(t, err, codes.FailedPrecondition, "REQUEST_ID_REUSED")
	})
}

// TestAPollWithoutAClientGrantsNothing: who has gone away while waiting gets no permit.
func TestAPollWithoutAClientGrantsNothing(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := employ(t, w, "email.send")
		ctx, gone := context.WithCancel(t.Context())
		r := wants("w1", 1, "email.send")
		r.Wait = duration(time.Minute)
		ended := make(chan error, 1)
		go func() {
			_, err := c.work.PollWork(ctx, r)
			ended <- err
		}()
		gone()
		if err := <-ended; status.Code(err) != codes.Canceled {
			t.Fatalf("got %v", err)
		}
		id := c.enqueued(t, "email.send", mail)
		if p := c.onePermit(t, wants("w2", 1, "email.send")); p.OperationId != id || p.AttemptNumber != 1 {
			t.Fatalf("it is the first attempt: %v", p)
		}
	})
}

// TestDrain: a poll that waits is answered, and the worker is told what it holds. It may start again under the same name.
func TestDrain(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := employ(t, w, "email.send")
		c.enqueued(t, "email.send", mailTo("held"))
		p := c.onePermit(t, wants("w1", 1, "email.send"))
		c.enqueued(t, "email.send", mailTo("others"))
		c.onePermit(t, wants("w2", 1, "email.send"))
		r := wants("w1", 1, "email.send")
		r.Wait = duration(time.Minute)
		answered := make(chan error, 1)
		go func() {
			m, err := c.work.PollWork(t.Context(), r)
			if err == nil && len(m.Items) > 0 {
				err = fmt.Errorf("it was handed %v", m)
			}
			answered <- err
		}()
		for done := false; !done; { // until the drain has met the poll
			m, err := c.work.DrainWorker(t.Context(), &pb.DrainWorkerRequest{RequestId: uuid.NewString(), WorkerId: "w1"})
			if err != nil || len(m.AttemptIds) != 1 || m.AttemptIds[0] != p.AttemptId {
				t.Fatalf("it holds one attempt: %v, %v", m, err)
			}
			select {
			case err := <-answered:
				if err != nil {
					t.Fatal(err)
				}
				done = true
			default:
			}
		}
		c.enqueued(t, "email.send", mailTo("after"))
		c.onePermit(t, wants("w1", 1, "email.send"))
	})
}

// TestAServerThatStopsAnswersPolls, and asks to be polled a little later.
func TestAServerThatStopsAnswersPolls(t *testing.T) {
	w := servertest.SQLite(t)
	c := employ(t, w, "email.send")
	answered := make(chan *pb.PollWorkResponse, 1)
	r := wants("w1", 1, "email.send")
	r.Wait = duration(time.Minute)
	go func() {
		m, err := c.work.PollWork(t.Context(), r)
		if err != nil && status.Code(err) != codes.Unavailable { // the server may have stopped before it came
			t.Errorf("poll: %v", err)
		}
		answered <- m
	}()
	c.polled(t, wants("w2", 1, "email.send"))
	w.Drain()
	if m := <-answered; m != nil && (len(m.Items) > 0 || m.PollAfter == nil) {
		t.Fatalf("got %v", m)
	}
}
