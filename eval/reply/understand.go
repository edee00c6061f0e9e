package reply

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/opledger/opledger/eval/provider"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// Understand is what an executor that knows this provider makes of its answer. A 5xx may have committed, and an answer that
// did not come whole says nothing. Where the first request under the key is still under way this one did nothing, and the
// provider may be asked again after inFlight.
func Understand(a provider.Answer, inFlight time.Duration) Reply {
	r := Reply{Outcome: Ambiguous, Took: a.Took}
	var body struct {
		Status string
		Error  struct{ Code string }
	}
	readable := a.Whole() && json.Unmarshal(a.Body, &body) == nil
	r.Code = body.Error.Code
	switch {
	case a.Kind == provider.NoAnswer:
		r.Why = pb.AmbiguityKind_AMBIGUITY_KIND_TIMEOUT
	case a.Kind == provider.Reset:
		r.Why = pb.AmbiguityKind_AMBIGUITY_KIND_CONNECTION_LOST
	case a.Status == http.StatusTooManyRequests:
		r.Outcome, r.After = RateLimited, retryAfter(a.Header)
	case a.Status == http.StatusConflict && readable:
		r.Outcome, r.After = Declined, inFlight
	case a.Status >= http.StatusInternalServerError:
		r.Why = pb.AmbiguityKind_AMBIGUITY_KIND_PROVIDER_ERROR
	case !readable:
		r.Why = pb.AmbiguityKind_AMBIGUITY_KIND_MALFORMED_ANSWER
	case a.Status >= http.StatusBadRequest:
		r.Outcome = Rejected
	default:
		r.Outcome, r.Effect, r.Result, r.Replayed = Succeeded, a.EffectID, string(a.Body), a.Replayed()
		if body.Status == provider.Pending {
			r.Outcome = Acknowledged
		}
	}
	return r
}

// retryAfter is what a 429 says, in whole seconds; zero: it does not.
func retryAfter(h http.Header) time.Duration {
	n, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil {
		return 0
	}
	return time.Duration(n) * time.Second
}
