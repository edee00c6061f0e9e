package ledger

import (
	"time"

	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
)

// DecisionKind is the answer to a proposal. It is for people and models to read: who acts, acts on a permit that is
// present in the answer, never on the decision's name.
type DecisionKind string

// The decisions.
const (
	DecisionExecute          DecisionKind = "EXECUTE"
	DecisionEnqueued         DecisionKind = "ENQUEUED"
	DecisionReplayed         DecisionKind = "REPLAYED"
	DecisionInFlight         DecisionKind = "IN_FLIGHT"
	DecisionReconciling      DecisionKind = "RECONCILING"
	DecisionAwaitingApproval DecisionKind = "AWAITING_APPROVAL"
	DecisionBlocked          DecisionKind = "BLOCKED"
	DecisionRetryLater       DecisionKind = "RETRY_LATER"
	DecisionSuppressed       DecisionKind = "SUPPRESSED"
	DecisionDenied           DecisionKind = "DENIED"
	DecisionPlanned          DecisionKind = "PLANNED"
)

// Answer is the reply to a proposal.
type Answer struct {
	Decision  DecisionKind
	Operation *Operation // nil where none was made and none was met
	Permit    *Permit    // present only where the caller may act
	Lookup    *Lookup    // present with RECONCILING where the caller may look
	Holder    *Holder    // who keeps the caller from acting
	// RetryAfter is how long to wait before the next proposal; zero where waiting alone changes nothing.
	RetryAfter time.Duration
	// Unsure: RetryAfter is no more than a moment to ask again at, since what fills a limit is open.
	Unsure  bool
	Rule    string // what decided, for DENIED, BLOCKED and RETRY_LATER
	Because string // in a sentence
	// Planned is what a proposal would be answered, of a plan.
	Planned DecisionKind
	// Approvals are those that are waited for.
	Approvals []*Approval
	// Earlier is the operation that suppresses or excludes this one.
	Earlier *Operation
	// Stale says how the entity differs from what the proposal was reasoned from.
	Stale *EntityStale
	// Verdicts are what the rules said, the deciding one first.
	Verdicts []policy.Verdict
	// Recorded: the decision is stored under the identifier that came with the proposal.
	Recorded bool
	// Successor names the revision that succeeded the answered one.
	Successor OperationID
	// IgnoredDifferences are pointers of fields that identity leaves out and that differ from the recorded ones.
	IgnoredDifferences []string
	Created            bool      // the proposal made the operation
	At                 time.Time // the database's time of the decision; durations count from there
	Told               Told
}

// Permit is the right to run one attempt.
type Permit struct {
	Attempt         Attempt
	Remaining       time.Duration // counted by the executor from before it asked
	GreatestAge     time.Duration // of the permit with all its extensions, from now
	VendorKey       string
	ClientReference string
	Arguments       []byte
	BeginRequired   bool
}

// Lookup is what a caller may ask the provider, and with which references. The ticket proves to the ledger that the
// question was asked after it was issued.
type Lookup struct {
	Ways              []registry.Lookup
	Ticket            string
	VendorKey         string
	ClientReference   string
	ProviderRequestID string
	ProviderObjectID  string
	// CountsAfter is how long "not found" does not count yet; zero: it counts now.
	CountsAfter time.Duration
}

// Holder is who keeps an operation or an entity.
type Holder struct {
	OperationID OperationID
	AttemptID   AttemptID
	Principal   Principal
	WorkflowID  string
	RunID       string
	Entity      locks.Entity
	Scope       string
	Since       time.Time
	Until       time.Time // zero: until it ends
	State       State     // of the operation; absent where it is not known here
	Begun       bool
}

// After is the answer to one who waited: the same answer where the operation did not move, else what any later proposal
// would be answered by its state. It never holds a permit: who wants one proposes again.
func (a *Answer) After(o *Operation) *Answer {
	if o.Version == a.Operation.Version {
		return a
	}
	later := &Answer{Operation: o, At: o.UpdatedAt, IgnoredDifferences: a.IgnoredDifferences, Created: a.Created, Successor: o.SupersededBy}
	switch {
	case o.State == FailedPermanent && o.failureCategory() == CategoryApprovalDenied:
		later.Decision, later.Rule, later.Because = DecisionDenied, policy.RuleApprovalDenied, o.Failure.Message
	case o.State.Ended(), o.State == Compensating:
		later.Decision = DecisionReplayed
	case o.State == UnknownOutcome:
		later.Decision, later.Lookup, later.Because = DecisionReconciling, a.Lookup, "the outcome is not known yet"
	case o.State == Planned:
		later.Decision, later.Because, later.Approvals = DecisionAwaitingApproval, a.Because, a.Approvals
	case o.State == PendingDispatch && o.Terms.Executor == registry.Inline:
		later.Decision, later.Because = DecisionRetryLater, "it is released and nobody holds its permit; propose it again to get it"
	case o.State == PendingDispatch:
		later.Decision = DecisionEnqueued
	case o.State == FailedRetryable:
		later.Decision, later.RetryAfter, later.Because = DecisionRetryLater, max(0, o.RetryAt.Sub(o.UpdatedAt)), "the last try had no effect"
	default:
		later.Decision, later.Holder, later.Because = DecisionInFlight, a.Holder, a.Because
	}
	later.Told = tell(later, o.UpdatedAt)
	return later
}
