package reply

import (
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// Outcome is an outcome of an attempt that an executor tells apart, in the words of a history.
type Outcome string

// The outcomes.
const (
	Succeeded    Outcome = "succeeded"
	Acknowledged Outcome = "acknowledged"
	NotSent      Outcome = "not sent"
	Rejected     Outcome = "rejected"
	RateLimited  Outcome = "rate limited"
	Declined     Outcome = "declined"
	Ambiguous    Outcome = "ambiguous"
)

// Reply is what came back from a provider.
type Reply struct {
	Outcome Outcome
	Why     pb.AmbiguityKind // of an ambiguous one
	Code    string           // of one that says no
	Effect  string           // the provider's id
	Result  string           // JSON
	// Replayed: the provider said that it answered from its own idempotency record.
	Replayed bool
	// After is when to come back, where it says no for now. Zero: it was not said.
	After time.Duration
	// Took is the time until the reply came, or was waited for no longer.
	Took time.Duration
}

// Unsent is an executor's own statement that it has sent nothing, and why.
func Unsent(code string) Reply { return Reply{Outcome: NotSent, Code: code} }

// String is how a history names it.
func (r Reply) String() string {
	if r.Outcome == Ambiguous {
		return "an ambiguous outcome"
	}
	return string(r.Outcome)
}

// Write writes the reply into a report.
func (r Reply) Write(m *pb.ReportAttemptRequest) {
	var after *durationpb.Duration
	if r.After > 0 {
		after = durationpb.New(r.After)
	}
	switch r.Outcome {
	case Succeeded:
		m.Outcome = &pb.ReportAttemptRequest_Succeeded{Succeeded: &pb.OutcomeSucceeded{}}
	case Acknowledged:
		m.Outcome = &pb.ReportAttemptRequest_Acknowledged{Acknowledged: &pb.OutcomeAcknowledged{}}
	case NotSent:
		m.Outcome = &pb.ReportAttemptRequest_NotSent{NotSent: &pb.OutcomeNotSent{Code: r.Code}}
	case Rejected:
		m.Outcome = &pb.ReportAttemptRequest_Rejected{Rejected: &pb.OutcomeRejected{Code: r.Code}}
	case RateLimited:
		m.Outcome = &pb.ReportAttemptRequest_RateLimited{RateLimited: &pb.OutcomeRateLimited{RetryAfter: after}}
	case Declined:
		m.Outcome = &pb.ReportAttemptRequest_Declined{Declined: &pb.OutcomeDeclined{Code: r.Code, RetryAfter: after}}
	default:
		m.Outcome = &pb.ReportAttemptRequest_Ambiguous{Ambiguous: &pb.OutcomeAmbiguous{Kind: r.Why}}
	}
	if r.Effect != "" || r.Result != "" {
		m.Answer = &pb.ProviderAnswer{ProviderObjectId: r.Effect, ResultJson: r.Result}
		if r.Replayed {
			m.Answer.ProviderReplayed = &r.Replayed
		}
	}
}
