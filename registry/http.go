package registry

import "time"

// HTTPAdapter is the request by which the server acts for a tool, and how its answer is read.
type HTTPAdapter struct {
	Request      HTTPRequest
	Outcomes     []HTTPOutcomeRule // the first that matches decides
	Lookups      []HTTPLookup
	Replayed     *HTTPCondition // the provider says that it answered from its own idempotency record; nil: it never says so
	AllowedHosts []string       // exactly, or as "*.example.com"
}

// HTTPRequest is a request as templates.
type HTTPRequest struct {
	Method           string
	URL              string
	Headers          []HTTPHeader
	JSON             string // a JSON template; at most one of JSON, Form and Text is set
	Form             []HTTPField
	Text             string
	Timeout          time.Duration // of the whole exchange; zero: DefaultHTTPTimeout
	MaxResponseBytes int64         // zero: DefaultMaxResponseBytes
}

// The defaults of a request.
const (
	DefaultHTTPTimeout      = 30 * time.Second
	DefaultMaxResponseBytes = 1 << 20
)

// HTTPHeader is one header; its value is a template or a secret.
type HTTPHeader struct {
	Name   string
	Value  string
	Secret *SecretRef
}

// HTTPField is one field of a form; its value is a template.
type HTTPField struct{ Name, Value string }

// SecretRef names where the server finds a secret: exactly one of Environment and File is set.
type SecretRef struct {
	Environment string
	File        string
	Prefix      string // put before the secret, such as "Bearer "
}

// HTTPCondition is a condition on an answer: every part that is set holds.
type HTTPCondition struct {
	Status         []string // "200" or "2xx"; empty: any
	Header         string
	HeaderEquals   *string
	BodyPointer    string // JSON Pointer
	BodyEqualsJSON *string
}

// HTTPOutcome is what an answer means.
type HTTPOutcome string

// The outcomes of an answer.
const (
	HTTPSucceeded    HTTPOutcome = "SUCCEEDED"
	HTTPNoop         HTTPOutcome = "NOOP"
	HTTPAcknowledged HTTPOutcome = "ACKNOWLEDGED"
	HTTPRejected     HTTPOutcome = "REJECTED"
	HTTPRateLimited  HTTPOutcome = "RATE_LIMITED"
	HTTPDeclined     HTTPOutcome = "DECLINED"
	HTTPAmbiguous    HTTPOutcome = "AMBIGUOUS"
)

// HTTPOutcomeRule turns answers that meet a condition into an outcome.
type HTTPOutcomeRule struct {
	When    HTTPCondition
	Outcome HTTPOutcome
	Extract HTTPExtract
}

// HTTPExtract names what is read from an answer, by JSON Pointer into its body.
type HTTPExtract struct {
	ProviderObjectID        string
	EffectID                string
	ProviderRequestIDHeader string
	VendorKey               string
	ClientReference         string
	Code                    string
	Result                  string
}

// HTTPLookup is one way in which the server asks the provider for an effect.
type HTTPLookup struct {
	By           LookupBy
	Request      HTTPRequest
	Found        HTTPCondition
	NotFound     HTTPCondition
	InProgress   *HTTPCondition
	DidNotHappen *HTTPCondition
	Extract      HTTPExtract
	// Items is the JSON Pointer of the array, where the answer is a list; nil: the answer is the object. InProgress,
	// DidNotHappen and Extract read the item that is this operation's.
	Items *string
	// Complete says when the list is whole, so that none of its items being this operation's means "not found".
	Complete *HTTPCondition
}

// RateLimit is what a provider says of its rate limit.
type RateLimit struct {
	MaxRequests      int // zero: not known
	Period           time.Duration
	RetryAfterHeader string // empty: "Retry-After"
}
