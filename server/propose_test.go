package server_test

import (
	"testing"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

func TestProposeReportReplay(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := w.Serve()
		c.Apply(fieldTools)
		first := c.Propose("payment.capture", capture)
		if first.Decision != pb.Decision_DECISION_EXECUTE || first.Permit == nil {
			t.Fatalf("first proposal: %v", first)
		}
		if again := c.Propose("payment.capture", capture); again.Decision != pb.Decision_DECISION_IN_FLIGHT || again.Permit != nil {
			t.Fatalf("while the permit is out: %v", again)
		}
		c.Begin(first.Permit)
		done := c.Reported(first.Permit, servertest.Succeeded("ch_1", `{"id":"ch_1"}`))
		if done.Operation.State != pb.Operation_STATE_COMPLETED_SUCCESS {
			t.Fatalf("after the report: %v", done.Operation.State)
		}
		replay := c.Propose("payment.capture", `{"currency":"usd","amount":49,"order_id":" order_123 "}`)
		if replay.Decision != pb.Decision_DECISION_REPLAYED || replay.Permit != nil || replay.Result.ResultJson != `{"id":"ch_1"}` {
			t.Fatalf("after the end: %v", replay)
		}
		t.Log(replay.Result.SafeUserMessage)
	})
}
