package server_test

import (
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// engineCases: durable engines and workers.
var engineCases = []fieldCase{
	{"FC-402", noHeartbeatSoItNeverBegan},
	{"FC-403", stepThatCannotEndInTime},
	{"FC-405", engineRestarts},
	{"FC-406", workflowIDIsFreeAgain},
}

// noHeartbeatSoItNeverBegan: the executor sends at once and dies before its first heartbeat. (A queued operation that was
// never handed out comes with the release that has workers.)
func noHeartbeatSoItNeverBegan(t *testing.T, w *servertest.World) {
	c := serve(w)
	p := c.Execute("email.send", mail)
	w.Pass(time.Minute)
	decided(t, c.Propose("email.send", mail), pb.Decision_DECISION_RECONCILING)
	inState(t, c.Operation(p.OperationId), pb.Operation_STATE_UNKNOWN_OUTCOME)

	// Only a begin that was required and never accepted is proof.
	const other = `{"template":"receipt","ref":"order_124","to":["kim@example.com"]}`
	unbegun := c.Propose("email.send", other)
	w.Pass(time.Minute)
	decided(t, c.Propose("email.send", other), pb.Decision_DECISION_RETRY_LATER)
	inState(t, c.Operation(unbegun.Permit.OperationId), pb.Operation_STATE_FAILED_RETRYABLE)
	// A tool that asks for no begin leaves no such proof.
	late := c.Propose("payment.capture", capture)
	w.Pass(time.Minute)
	decided(t, c.Propose("payment.capture", capture), pb.Decision_DECISION_RECONCILING)
	inState(t, c.Operation(late.Permit.OperationId), pb.Operation_STATE_UNKNOWN_OUTCOME)
}

// stepThatCannotEndInTime: each executor sends after 5 minutes and is killed at 14, with 15 minutes of permit.
func stepThatCannotEndInTime(t *testing.T, w *servertest.World) {
	c := serve(w)
	d := fieldTool(t, "email.send")
	d.Permit = &pb.PermitTerms{Duration: durationpb.New(15 * time.Minute)}
	c.ApplyDefinition(d)
	mails := 0
	var operation string
	for range 3 {
		if m := c.Propose("email.send", mail); m.Permit != nil {
			c.Begin(m.Permit)
			mails++
			operation = m.Permit.OperationId
		}
		w.Pass(15 * time.Minute)
	}
	decided(t, c.Propose("email.send", mail), pb.Decision_DECISION_RECONCILING)
	o := c.Operation(operation)
	inState(t, o, pb.Operation_STATE_UNKNOWN_OUTCOME)
	attempts(t, o, 1)
	if mails != 1 {
		t.Fatalf("%d mails went out", mails)
	}
}

// engineRestarts: every server is killed and started again while a permit is out. W2 proposes, since workers that poll
// come with a later release.
func engineRestarts(t *testing.T, w *servertest.World) {
	c := serve(w)
	w.Dispatch()()
	p := c.Execute("email.send", mail)
	c.Extend(p, 10*time.Minute)
	w.Pass(time.Minute)
	w.Restart()
	c = w.Serve()
	decided(t, c.Propose("email.send", mail, from("wf_1", "run_2")), pb.Decision_DECISION_IN_FLIGHT)
	if m := c.Extend(p, 10*time.Minute); m.Remaining.AsDuration() < 10*time.Minute-time.Second {
		t.Fatalf("the permit lives on: %v", m)
	}
	attempts(t, c.Operation(p.OperationId), 1)

	// The deadline passes while no server runs.
	w.Restart()
	w.Pass(11 * time.Minute)
	c = w.Serve()
	w.Dispatch()
	w.Dispatch()
	waitForState(t, c, p.OperationId, pb.Operation_STATE_UNKNOWN_OUTCOME)
	decided(t, c.Propose("email.send", mail), pb.Decision_DECISION_RECONCILING)
	ended := 0
	for _, e := range c.Events(p.OperationId) {
		if e.Type == pb.OperationEventType_OPERATION_EVENT_TYPE_PERMIT_ENDED {
			ended++
		}
	}
	if ended != 1 {
		t.Fatalf("the deadline was applied %d times", ended)
	}
}

// waitForState waits, by watching, until the operation is in the state.
func waitForState(t *testing.T, c *servertest.Client, id string, want pb.Operation_State) *pb.Operation {
	t.Helper()
	stream, err := c.WatchOperation(t.Context(), &pb.WatchOperationRequest{OperationId: id})
	if err != nil {
		t.Fatal(err)
	}
	for {
		m, err := stream.Recv()
		if err != nil {
			t.Fatalf("%s did not become %v: %v", id, want, err)
		}
		if m.Operation.State == want {
			return m.Operation
		}
	}
}

// workflowIDIsFreeAgain: another workflow on another day proposes the same. Completing workflows and archiving come with
// later releases; neither exists yet that could free a key.
func workflowIDIsFreeAgain(t *testing.T, w *servertest.World) {
	c := serve(w)
	p := c.Execute("payment.capture", capture)
	c.Reported(p, servertest.Succeeded("ch_1", `{"id":"ch_1"}`))
	for _, later := range []time.Duration{24 * time.Hour, 400 * 24 * time.Hour} {
		w.Pass(later)
		w.Restart()
		c = w.Serve()
		m := c.Propose("payment.capture", capture, from("wf_2", "run_7"))
		decided(t, m, pb.Decision_DECISION_REPLAYED)
		sameOperation(t, p.OperationId, m.Result.OperationId)
	}
}
