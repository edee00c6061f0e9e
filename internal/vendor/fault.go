package vendor

import "slices"

// Fault is what the provider does with one request.
type Fault string

// The faults. A request that meets none is carried out and answered.
const (
	TimeoutAfterCommit  Fault = "timeout_after_commit"  // makes the effect and never answers
	TimeoutBeforeCommit Fault = "timeout_before_commit" // never answers and makes nothing
	LateCommit          Fault = "late_commit"           // never answers, and makes the effect when told to (Process.CommitLate)
	ResetAfterCommit    Fault = "reset_after_commit"    // makes the effect and resets the connection
	ResetBeforeCommit   Fault = "reset_before_commit"   // resets the connection and makes nothing
	RateLimited         Fault = "rate_limited"          // 429 with Retry-After, nothing made
	ErrorCommitted      Fault = "error_committed"       // 500, and the effect is made and not shown until told (Process.Show)
	ErrorClean          Fault = "error_clean"           // 500, nothing made
	Unavailable         Fault = "unavailable"           // 503 with Retry-After, nothing made
	Malformed           Fault = "malformed"             // makes the effect and answers with cut JSON
	SlowBody            Fault = "slow_body"             // makes the effect and answers a byte now and then, for ever
	EndlessBody         Fault = "endless_body"          // makes the effect and never stops answering
	SaysError           Fault = "says_error"            // 200 with an error in its body, nothing made
	Redirects           Fault = "redirects"             // 307 to itself, nothing made
	Accepts             Fault = "accepts"               // 202; it is made when told to (Process.Finish)
	Refuses             Fault = "refuses"               // 422, nothing made
	Hides               Fault = "hides"                 // makes the effect, never answers, and does not show it until told (Process.Show)
)

// Planned is a fault that waits for its requests.
type Planned struct {
	Collection string `json:"collection"`
	Fault      Fault  `json:"fault"`
	// Reference restricts it to requests with that client reference or with that text in their body; empty: any.
	Reference string `json:"reference,omitempty"`
	Times     int    `json:"times"` // how many requests it meets
	// RetryAfterSeconds is what 429 and 503 say.
	RetryAfterSeconds int `json:"retry_after_seconds,omitempty"`
}

// plan is what is to go wrong, in order.
type plan []Planned

// take finds the fault of a request, and counts it.
func (p *plan) take(collection string, met func(reference string) bool) (Planned, bool) {
	for i, f := range *p {
		if f.Collection != collection || f.Reference != "" && !met(f.Reference) {
			continue
		}
		if (*p)[i].Times--; (*p)[i].Times <= 0 {
			*p = slices.Delete(*p, i, i+1)
		}
		return f, true
	}
	return Planned{}, false
}
