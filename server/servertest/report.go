package servertest

import (
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// Nonce is the nonce of the test's process.
var Nonce = []byte("a nonce born in this process")

// BeginRequest makes the begin of a permit.
func BeginRequest(p *pb.Permit, nonce []byte) *pb.BeginAttemptRequest {
	return &pb.BeginAttemptRequest{OperationId: p.OperationId, AttemptId: p.AttemptId, AttemptToken: p.AttemptToken, BeginNonce: nonce}
}

// Begin begins a permit where it must be begun.
func (c *Client) Begin(p *pb.Permit) {
	c.TB.Helper()
	if !p.GetBeginRequired() {
		return
	}
	if _, err := c.BeginAttempt(c.TB.Context(), BeginRequest(p, Nonce)); err != nil {
		c.TB.Fatalf("begin: %v", err)
	}
}

// ExtendRequest makes a heartbeat of a permit.
func ExtendRequest(p *pb.Permit, by time.Duration) *pb.ExtendAttemptRequest {
	r := &pb.ExtendAttemptRequest{
		OperationId: p.OperationId, AttemptId: p.AttemptId, AttemptToken: p.AttemptToken, RequestId: uuid.NewString(), ExtendBy: durationpb.New(by),
	}
	if p.BeginRequired {
		r.BeginNonce = Nonce
	}
	return r
}

// Extend sends a heartbeat.
func (c *Client) Extend(p *pb.Permit, by time.Duration) *pb.ExtendAttemptResponse {
	c.TB.Helper()
	m, err := c.ExtendAttempt(c.TB.Context(), ExtendRequest(p, by))
	if err != nil {
		c.TB.Fatalf("extend: %v", err)
	}
	return m
}

// Report makes a report of a sender that has returned. The outcome is set by the caller's function.
func Report(p *pb.Permit, outcome func(*pb.ReportAttemptRequest)) *pb.ReportAttemptRequest {
	r := &pb.ReportAttemptRequest{
		OperationId: p.OperationId, AttemptId: p.AttemptId, AttemptToken: p.AttemptToken, ReportId: uuid.NewString(), SenderReturned: true,
	}
	if p.BeginRequired {
		r.BeginNonce = Nonce
	}
	outcome(r)
	return r
}

// Reported reports, and fails the test where the report is refused.
func (c *Client) Reported(p *pb.Permit, outcome func(*pb.ReportAttemptRequest)) *pb.ReportAttemptResponse {
	c.TB.Helper()
	m, err := c.ReportAttempt(c.TB.Context(), Report(p, outcome))
	if err != nil {
		c.TB.Fatalf("report: %v", err)
	}
	return m
}

// Succeeded reports success with the provider's id and a result.
func Succeeded(effectID, result string) func(*pb.ReportAttemptRequest) {
	return func(r *pb.ReportAttemptRequest) {
		r.Outcome = &pb.ReportAttemptRequest_Succeeded{Succeeded: &pb.OutcomeSucceeded{}}
		r.Answer = &pb.ProviderAnswer{EffectId: effectID, ProviderObjectId: effectID, ResultJson: result, RawStatusCode: "201"}
	}
}

// Ambiguous reports a time-out after sending.
func Ambiguous() func(*pb.ReportAttemptRequest) {
	return func(r *pb.ReportAttemptRequest) {
		r.Outcome = &pb.ReportAttemptRequest_Ambiguous{Ambiguous: &pb.OutcomeAmbiguous{Kind: pb.AmbiguityKind_AMBIGUITY_KIND_TIMEOUT}}
	}
}

// Rejected reports the provider's refusal.
func Rejected(code string) func(*pb.ReportAttemptRequest) {
	return func(r *pb.ReportAttemptRequest) {
		r.Outcome = &pb.ReportAttemptRequest_Rejected{Rejected: &pb.OutcomeRejected{Code: code}}
	}
}

// NotSent reports that nothing left.
func NotSent() func(*pb.ReportAttemptRequest) {
	return func(r *pb.ReportAttemptRequest) {
		r.Outcome = &pb.ReportAttemptRequest_NotSent{NotSent: &pb.OutcomeNotSent{Code: "connection_refused"}}
	}
}

// RateLimited reports the provider's rate limit.
func RateLimited(after time.Duration) func(*pb.ReportAttemptRequest) {
	return func(r *pb.ReportAttemptRequest) {
		r.Outcome = &pb.ReportAttemptRequest_RateLimited{RateLimited: &pb.OutcomeRateLimited{RetryAfter: durationpb.New(after)}}
	}
}
