package worker

import (
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// Outcome is what is known of an attempt. The zero value says that nothing is, as Ambiguous does.
type Outcome struct {
	set func(*pb.ReportAttemptRequest)
	// Answer is what the provider answered, as far as it is known.
	Answer Answer
	// Message is what happened, in your words, without secrets.
	Message string
	// StillRunning says that something that the handler started may still send. The attempt then stays open until its
	// deadline.
	StillRunning bool
}

// Answer is what a provider answered. What is not known stays empty.
type Answer struct {
	ResultJSON string // what a replay answers
	ObjectID   string // the provider's id of what was created or changed; it makes a report a receipt
	RequestID  string // the provider's id of the request
	EffectID   string // of the change, where the tool says that it is not the object's
	Account    string // that was used, where it is not the tool's
	RawStatus  string // as it came, such as "201" or "card_declined"
	Replayed   *bool  // whether the provider said that it answered from its own idempotency record
}

// Ambiguity is why an outcome cannot be told. It changes nothing in how it is treated.
type Ambiguity = pb.AmbiguityKind

// The ambiguities.
const (
	Timeout         = pb.AmbiguityKind_AMBIGUITY_KIND_TIMEOUT
	ConnectionLost  = pb.AmbiguityKind_AMBIGUITY_KIND_CONNECTION_LOST
	MalformedAnswer = pb.AmbiguityKind_AMBIGUITY_KIND_MALFORMED_ANSWER
	ProviderError   = pb.AmbiguityKind_AMBIGUITY_KIND_PROVIDER_ERROR
	Exception       = pb.AmbiguityKind_AMBIGUITY_KIND_EXCEPTION
)

// Succeeded: it happened.
func Succeeded(a Answer) Outcome {
	return Outcome{Answer: a, set: func(r *pb.ReportAttemptRequest) {
		r.Outcome = &pb.ReportAttemptRequest_Succeeded{Succeeded: &pb.OutcomeSucceeded{}}
	}}
}

// Noop: it was already so; there was nothing to do.
func Noop(a Answer) Outcome {
	return Outcome{Answer: a, set: func(r *pb.ReportAttemptRequest) {
		r.Outcome = &pb.ReportAttemptRequest_Noop{Noop: &pb.OutcomeNoop{}}
	}}
}

// Acknowledged: the provider took it and will finish by itself within that time. Zero: the tool's own time.
func Acknowledged(within time.Duration, a Answer) Outcome {
	return Outcome{Answer: a, set: func(r *pb.ReportAttemptRequest) {
		r.Outcome = &pb.ReportAttemptRequest_Acknowledged{Acknowledged: &pb.OutcomeAcknowledged{FinishBy: span(within)}}
	}}
}

// NotSent: the try failed before anything left: no such host, connection refused. After the first byte it is never this.
func NotSent(code string) Outcome {
	return Outcome{set: func(r *pb.ReportAttemptRequest) {
		r.Outcome = &pb.ReportAttemptRequest_NotSent{NotSent: &pb.OutcomeNotSent{Code: code}}
	}}
}

// Rejected: the provider refused for good, by what was asked. "Already exists" is never this: it is Noop.
func Rejected(code string, a Answer) Outcome {
	return Outcome{Answer: a, set: func(r *pb.ReportAttemptRequest) {
		r.Outcome = &pb.ReportAttemptRequest_Rejected{Rejected: &pb.OutcomeRejected{Code: code}}
	}}
}

// RateLimited: the write itself was refused by a rate limit. Zero: the tool's backoff.
func RateLimited(retryAfter time.Duration, a Answer) Outcome {
	return Outcome{Answer: a, set: func(r *pb.ReportAttemptRequest) {
		r.Outcome = &pb.ReportAttemptRequest_RateLimited{RateLimited: &pb.OutcomeRateLimited{RetryAfter: span(retryAfter)}}
	}}
}

// Declined: the provider says that it did nothing and may later: SMTP 451, a 5xx that is known not to commit. Zero: the
// tool's backoff.
func Declined(code string, retryAfter time.Duration, a Answer) Outcome {
	return Outcome{Answer: a, set: func(r *pb.ReportAttemptRequest) {
		r.Outcome = &pb.ReportAttemptRequest_Declined{Declined: &pb.OutcomeDeclined{Code: code, RetryAfter: span(retryAfter)}}
	}}
}

// Ambiguous: it cannot be told whether it happened.
func Ambiguous(why Ambiguity, a Answer) Outcome {
	return Outcome{Answer: a, set: func(r *pb.ReportAttemptRequest) {
		r.Outcome = &pb.ReportAttemptRequest_Ambiguous{Ambiguous: &pb.OutcomeAmbiguous{Kind: why}}
	}}
}

// write writes the outcome into a report.
func (o Outcome) write(r *pb.ReportAttemptRequest) {
	if o.set == nil {
		o.set = Ambiguous(pb.AmbiguityKind_AMBIGUITY_KIND_UNSPECIFIED, Answer{}).set
	}
	o.set(r)
	r.Message, r.SenderReturned = bounded(o.Message, maxMessage), !o.StillRunning
	if o.Answer != (Answer{}) {
		r.Answer = o.Answer.proto()
	}
}

func (a Answer) proto() *pb.ProviderAnswer {
	return &pb.ProviderAnswer{
		ResultJson: a.ResultJSON, ProviderObjectId: a.ObjectID, ProviderRequestId: a.RequestID, EffectId: a.EffectID,
		ProviderAccount: a.Account, RawStatusCode: a.RawStatus, ProviderReplayed: a.Replayed,
	}
}

// span is a duration as a message, absent where it is zero.
func span(d time.Duration) *durationpb.Duration {
	if d <= 0 {
		return nil
	}
	return durationpb.New(d)
}

// The bounds of the API on what people write into a report.
const (
	maxMessage = 4000
	maxCode    = 128
)

// bounded cuts a text to a number of characters.
func bounded(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most])
	}
	return text
}
