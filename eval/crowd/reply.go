package crowd

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/opledger/opledger/eval/provider"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// reply writes into a report what came back from the provider, as its sender understands it.
type reply func(*pb.ReportAttemptRequest)

func notSent(code string) reply {
	return func(m *pb.ReportAttemptRequest) {
		m.Outcome = &pb.ReportAttemptRequest_NotSent{NotSent: &pb.OutcomeNotSent{Code: code}}
	}
}

func ambiguous(kind pb.AmbiguityKind) reply {
	return func(m *pb.ReportAttemptRequest) {
		m.Outcome = &pb.ReportAttemptRequest_Ambiguous{Ambiguous: &pb.OutcomeAmbiguous{Kind: kind}}
	}
}

// understand is what a sender that knows this provider makes of its answer.
func understand(a provider.Answer) reply {
	var body struct{ Error struct{ Code string } }
	readable := a.Whole() && json.Unmarshal(a.Body, &body) == nil
	switch {
	case a.Kind == provider.NoAnswer:
		return ambiguous(pb.AmbiguityKind_AMBIGUITY_KIND_TIMEOUT)
	case a.Kind == provider.Reset:
		return ambiguous(pb.AmbiguityKind_AMBIGUITY_KIND_CONNECTION_LOST)
	case a.Status == http.StatusTooManyRequests:
		return func(m *pb.ReportAttemptRequest) {
			m.Outcome = &pb.ReportAttemptRequest_RateLimited{RateLimited: &pb.OutcomeRateLimited{RetryAfter: retryAfter(a.Header)}}
		}
	case a.Status == http.StatusConflict && readable: // the first request under the key is under way; this one did nothing
		return func(m *pb.ReportAttemptRequest) {
			m.Outcome = &pb.ReportAttemptRequest_Declined{Declined: &pb.OutcomeDeclined{Code: body.Error.Code, RetryAfter: durationpb.New(stated.InFlight)}}
		}
	case a.Status >= http.StatusInternalServerError:
		return ambiguous(pb.AmbiguityKind_AMBIGUITY_KIND_PROVIDER_ERROR)
	case !readable:
		return ambiguous(pb.AmbiguityKind_AMBIGUITY_KIND_MALFORMED_ANSWER)
	case a.Status >= http.StatusBadRequest:
		return func(m *pb.ReportAttemptRequest) {
			m.Outcome = &pb.ReportAttemptRequest_Rejected{Rejected: &pb.OutcomeRejected{Code: body.Error.Code}}
		}
	}
	return succeeded(a)
}

func succeeded(a provider.Answer) reply {
	if a.EffectID == "" {
		return ambiguous(pb.AmbiguityKind_AMBIGUITY_KIND_MALFORMED_ANSWER) // a good status over a page that is no answer
	}
	return func(m *pb.ReportAttemptRequest) {
		m.Outcome = &pb.ReportAttemptRequest_Succeeded{Succeeded: &pb.OutcomeSucceeded{}}
		m.Answer = &pb.ProviderAnswer{ProviderObjectId: a.EffectID, ResultJson: string(a.Body)}
		if replayed := a.Replayed(); replayed {
			m.Answer.ProviderReplayed = &replayed
		}
	}
}

// retryAfter is what a 429 says; nil: it does not.
func retryAfter(h http.Header) *durationpb.Duration {
	n, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil {
		return nil
	}
	return durationpb.New(time.Duration(n) * time.Second)
}
