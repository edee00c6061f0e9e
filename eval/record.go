package eval

import (
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry"
)

// Arm is what stands between the agent and the provider.
type Arm string

// The arms.
const (
	Naive      Arm = "naive"       // a loop that calls again when in doubt
	VendorKeys Arm = "vendor_keys" // the same loop with the provider's own idempotency keys, one per call site
	Opledger   Arm = "opledger"
)

// Record is everything that is known of one business intent when its run is over: what was wanted, what the provider
// really did, what the ledger says and what agents were told.
type Record struct {
	Run     uint64         `json:"run"` // the run's seed
	Arm     Arm            `json:"arm"`
	Class   registry.Class `json:"class"`
	Tool    string         `json:"tool"`
	Agent   string         `json:"agent"` // "retry_loop", "replay", "two_channels", "rephraser", "two_runs", "liar", "repeats"
	Key     string         `json:"key"`   // the business key, as the provider counts by it
	Faults  []Fault        `json:"faults,omitempty"`
	Started time.Time      `json:"started"`
	Ended   time.Time      `json:"ended"`
	// Wanted is how many effects the user wants: 1, or more where a repetition is meant.
	Wanted int `json:"wanted"`
	// Refusable: the provider refuses for good, so that no effect is the right end.
	Refusable bool `json:"refusable,omitempty"`
	// Effects are the provider's own count, undone ones included.
	Effects []Effect `json:"effects,omitempty"`
	// Operations are those of the key, whole, as they stand at the end; Events are their histories, by operation id.
	Operations []*pb.Operation                 `json:"-"`
	Events     map[string][]*pb.OperationEvent `json:"-"`
	// Calls are the calls of agents and executors, in the order of their beginning.
	Calls []Call `json:"-"`
	// Accounts are projections of the record's workflow, read at the end, once more with nothing in between.
	Accounts []*pb.Projection `json:"-"`
	// Secrets are values that no sentence may name: sensitive arguments, credentials.
	Secrets []string `json:"-"`
	// Heard: a report, a webhook or a lookup that tells of each effect has reached the ledger. A duplicate that it has
	// heard of must be an incident; one that it never hears of is only counted.
	Heard bool `json:"heard"`
	// Steps is the run's history in words.
	Steps []string `json:"steps,omitempty"`
}

// Effect is something that the provider has really done.
type Effect struct {
	ID        string    `json:"id"`
	Key       string    `json:"key"` // business key
	VendorKey string    `json:"vendor_key,omitempty"`
	Reference string    `json:"client_reference,omitempty"`
	At        time.Time `json:"at"`
	Undone    bool      `json:"undone,omitempty"`
}

// Call is one call of an agent or executor and its answer; times are the world's.
type Call struct {
	By       string    `json:"by"`
	Method   string    `json:"method"` // "propose", "begin", "report", "extend", "reconcile", "acquire", "release", "send", "lookup"
	Began    time.Time `json:"began"`
	Ended    time.Time `json:"ended"`
	Sequence int       `json:"sequence"` // of its beginning; EndSequence of its end: order where times are equal
	EndSeq   int       `json:"end_sequence"`
	// Lost: the answer did not reach the caller; it may have been carried out or not.
	Lost  bool   `json:"lost,omitempty"`
	Error string `json:"error,omitempty"` // the stable reason
	// Request is the request message, of whatever method; nil for a provider call.
	Request any `json:"request,omitempty"`
	// Answer is the response message, of whatever method; nil for an error or a provider call.
	Answer any `json:"answer,omitempty"`
	// Told are the sentences that the answer brought for the customer and the model.
	Told []string `json:"told,omitempty"`
}
