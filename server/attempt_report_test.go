package server_test

import (
	"testing"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// TestAttemptKeepsItsReport: each attempt shows what its own report said, code, words and times, also when later attempts
// have said other things: why the first of three tries failed is what somebody on call looks for.
func TestAttemptKeepsItsReport(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := w.Serve()
		c.Apply(fieldTools)
		const tool, order = "payment.capture", `{"order_id":"order_1","amount":"1.00","currency":"USD"}`
		try := func(outcome func(*pb.ReportAttemptRequest), message string) {
			t.Helper()
			p := c.Propose(tool, order)
			decided(t, p, pb.Decision_DECISION_EXECUTE)
			c.Begin(p.Permit)
			c.Reported(p.Permit, func(r *pb.ReportAttemptRequest) {
				outcome(r)
				r.Message = message
				r.Answer = &pb.ProviderAnswer{ProviderRequestId: "req_" + message, RawStatusCode: "429", ProviderAccount: "acct_1"}
			})
			w.Pass(time.Hour)
		}
		try(servertest.NotSent(), "no route")
		try(servertest.RateLimited(7*time.Second), "slow down")
		try(servertest.Rejected("card_declined"), "the card was declined")

		o, err := c.GetOperation(t.Context(), &pb.GetOperationRequest{OperationId: c.Propose(tool, order).Result.OperationId})
		if err != nil || len(o.Operation.Attempts) != 3 {
			t.Fatalf("the operation: %v, %v", o, err)
		}
		first, second, third := o.Operation.Attempts[0].Report, o.Operation.Attempts[1].Report, o.Operation.Attempts[2].Report
		if first.GetNotSent().GetCode() != "connection_refused" || first.Message != "no route" {
			t.Errorf("the first report is told as %v", first)
		}
		if second.GetRateLimited().GetRetryAfter().AsDuration() != 7*time.Second || second.Message != "slow down" {
			t.Errorf("the second report is told as %v", second)
		}
		if third.GetRejected().GetCode() != "card_declined" || third.Message != "the card was declined" {
			t.Errorf("the third report is told as %v", third)
		}
		if a := second.Answer; a.ProviderRequestId != "req_slow down" || a.RawStatusCode != "429" || a.ProviderAccount != "acct_1" {
			t.Errorf("the second answer is told as %v", a)
		}
	})
}

// TestAttemptKeepsItsAmbiguity: why an outcome could not be told stays readable after the operation is known.
func TestAttemptKeepsItsAmbiguity(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := w.Serve()
		c.Apply(fieldTools)
		p := c.Propose("payment.capture", `{"order_id":"order_1","amount":"1.00","currency":"USD"}`)
		c.Begin(p.Permit)
		told := c.Reported(p.Permit, servertest.Ambiguous())
		report := told.Operation.Attempts[0].Report
		if kind := report.GetAmbiguous().GetKind(); kind != pb.AmbiguityKind_AMBIGUITY_KIND_TIMEOUT {
			t.Errorf("the report is told as %v", report)
		}
	})
}
