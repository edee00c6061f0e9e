package server_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server"
	"github.com/opledger/opledger/server/servertest"
)

// TestAFullQueueTakesNothingNew: what exists is answered as ever, other tools go on, and once the queue has drained the
// same proposal is taken.
func TestAFullQueueTakesNothingNew(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		tick := make(chan time.Time)
		c := w.Serve(func(c *server.Config) { c.QueueLimit, c.DepthTick = 2, tick })
		for _, name := range []string{"email.send", "payment.capture"} {
			d := fieldTool(t, name)
			d.Executor = pb.Executor_EXECUTOR_WORKER
			c.ApplyDefinition(d)
		}
		counted := func() { // the second tick is taken once the first is counted
			tick <- time.Time{}
			tick <- time.Time{}
		}
		mailTo := func(n int) string {
			return fmt.Sprintf(`{"template":"receipt","ref":"order_%d","to":["kim@example.com"]}`, n)
		}
		var first *pb.ProposeOperationResponse
		for n := range 2 {
			m := c.Propose("email.send", mailTo(n))
			if m.Decision != pb.Decision_DECISION_ENQUEUED {
				t.Fatalf("mail %d is answered %s", n, m.Decision)
			}
			if n == 0 {
				first = m
			}
		}
		counted()
		m := c.Propose("email.send", mailTo(2))
		if m.Decision != pb.Decision_DECISION_RETRY_LATER || m.GetResult().GetOperationId() != "" || m.GetRetryAfter().AsDuration() != 30*time.Second {
			t.Errorf("a new one is answered %v", m)
		}
		if m := c.Propose("email.send", mailTo(0)); m.GetResult().GetOperationId() != first.GetResult().GetOperationId() {
			t.Errorf("what exists is answered %v", m)
		}
		if m := c.Propose("payment.capture", capture); m.Decision != pb.Decision_DECISION_ENQUEUED {
			t.Errorf("another tool is answered %s", m.Decision)
		}
		if _, err := c.CancelOperation(t.Context(), &pb.CancelOperationRequest{RequestId: uuid.NewString(), OperationId: first.GetResult().GetOperationId(), Reason: "no longer wanted"}); err != nil {
			t.Fatal(err)
		}
		counted()
		if m := c.Propose("email.send", mailTo(2)); m.Decision != pb.Decision_DECISION_ENQUEUED {
			t.Errorf("with room it is answered %s", m.Decision)
		}
	})
}
