package ledger

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
)

// Operation is one intended business effect with everything that is known of it. It is a value: a decision clones it,
// changes the clone and hands both to the store. Its JSON form is what the stores keep.
type Operation struct {
	Namespace Namespace   `json:"-"`
	ID        OperationID `json:"-"`
	Version   int64       `json:"-"` // raised by one with every change; the stamp of its due work and its etag
	State     State       `json:"-"`
	Sequence  int64       `json:"sequence"` // of its last event

	Tool        string         `json:"tool"`
	ToolVersion int64          `json:"tool_version"`
	Terms       Terms          `json:"terms"`
	Intent      string         `json:"intent,omitempty"`
	Entity      locks.Entity   `json:"entity,omitzero"`
	Touches     []locks.Entity `json:"touches,omitempty"`
	Occurrence  string         `json:"occurrence,omitempty"`

	Key         IdempotencyKey    `json:"key"`
	Keys        []KeyNumber       `json:"keys"` // every claimed key, Key first
	Revision    int64             `json:"revision"`
	Fingerprint Fingerprint       `json:"fingerprint"`
	Canonical   []byte            `json:"canonical"`           // what takes part in identity, RFC 8785
	Arguments   []byte            `json:"arguments"`           // what is dispatched: the same rendering on each resend
	Ignored     map[string]string `json:"ignored,omitempty"`   // pointer -> canonical value of what identity leaves out
	Sensitive   []string          `json:"sensitive,omitempty"` // pointers that are shown to nobody without the right

	// Root is the first revision: an operation and its revisions count once in windows and limits. Empty: itself.
	Root         OperationID `json:"root,omitempty"`
	Supersedes   OperationID `json:"supersedes,omitempty"`
	SupersededBy OperationID `json:"superseded_by,omitempty"`
	ReviseReason string      `json:"revise_reason,omitempty"`

	WorkflowID  string            `json:"workflow_id,omitempty"`
	RunID       string            `json:"run_id,omitempty"`
	Proposer    Principal         `json:"proposer"`
	Person      string            `json:"person,omitempty"`      // behind the proposer; dual control compares persons
	Requester   string            `json:"requester,omitempty"`   // the person who asked for the workflow
	IntentNote  string            `json:"intent_note,omitempty"` // what the caller calls it: recorded, part of nothing
	Correlation map[string]string `json:"correlation,omitempty"`
	// ProposerTeams and ProposedLocally are what rules ask of the proposer once somebody else carries the operation out.
	ProposerTeams   []string `json:"proposer_teams,omitempty"`
	ProposedLocally bool     `json:"proposed_locally,omitempty"`

	CreatedAt  time.Time `json:"created_at"`
	UpdatedAt  time.Time `json:"updated_at"`
	StateSince time.Time `json:"state_since"`
	EndedAt    time.Time `json:"ended_at,omitzero"`

	Attempts []Attempt `json:"attempts,omitempty"`
	// Live is the number of the attempt that holds the permit, or zero.
	Live int64 `json:"live,omitempty"`
	// PresenceSaid: somebody has said that the effect exists, attributable or not. From then on no permit, begin,
	// extension or revision is given.
	PresenceSaid bool     `json:"presence_said,omitempty"`
	Settled      *Settled `json:"settled,omitempty"` // a person's recorded word that it happened
	Effects      []Effect `json:"effects,omitempty"`

	VendorKey       string    `json:"vendor_key,omitempty"`
	VendorKeySince  time.Time `json:"vendor_key_since,omitzero"` // first dispatch under that key, in any revision
	ClientReference string    `json:"client_reference,omitempty"`

	Result        *Result    `json:"result,omitempty"`
	Failure       *Failure   `json:"failure,omitempty"`
	RetryAt       time.Time  `json:"retry_at,omitzero"`
	FinishBy      time.Time  `json:"finish_by,omitzero"`       // of an acknowledgement
	ExpectedBy    time.Time  `json:"expected_by,omitzero"`     // FinishBy as it was first stated, while it is neither known nor sent again
	ResendCleared bool       `json:"resend_cleared,omitempty"` // a lookup's answer permits a resend under the same key
	Cancel        *Cancel    `json:"cancel,omitempty"`
	Human         *Human     `json:"human,omitempty"`
	Evidence      []Evidence `json:"evidence,omitempty"`
	Incidents     []Incident `json:"incidents,omitempty"`

	// Charges are the operation's shares in the histories that rules count by.
	Charges []policy.Charge `json:"charges,omitempty"`
	// Approvals are those that its rules have asked for, the newest of each rule; ApprovalCount is how many there ever were.
	Approvals     []ApprovalRef `json:"approvals,omitempty"`
	ApprovalCount int64         `json:"approval_count,omitempty"`
	// Overrides are the rules that one-use grants let it pass, with the grants' ids.
	Overrides map[string]string `json:"overrides,omitempty"`
	// EntityVersion is the version of its entity that its newest proposal was reasoned from; nil: none was named.
	EntityVersion *int64 `json:"entity_version,omitempty"`
	// BlockingSince is since when it has kept another from its entity; zero: it keeps nobody.
	BlockingSince time.Time `json:"blocking_since,omitzero"`
	// Lifted: a permitted person has let others pass it while its effect may still come. It is never begun, extended or
	// sent again.
	Lifted *Lifted `json:"lifted,omitempty"`

	// ClosedAt is when its workflow's end was written down of it: it gets no further permit, and ends cancelled as soon as
	// it is known not to have happened. Zero: its workflow is open, or it had ended before.
	ClosedAt time.Time `json:"closed_at,omitzero"`

	// CheckAt is when an operation that its executor would take up is judged again after a "no"; zero: at once.
	CheckAt time.Time `json:"check_at,omitzero"`
	// Checks counts those rechecks that said no since its state began; their backoff grows by it.
	Checks int `json:"checks,omitempty"`
	// Looking is the search for its outcome, or the look before its first dispatch; nil: none has begun.
	Looking *Looking `json:"looking,omitempty"`
	// Looked: the look before the first dispatch has answered that the effect does not stand yet.
	Looked bool `json:"looked,omitempty"`

	// Undoes is the compensation step that the operation carries out; nil: it undoes nothing.
	Undoes *Undoes `json:"undoes,omitempty"`
	// Undoing are the effects that compensations have undone or are undoing.
	Undoing []Undoing `json:"undoing,omitempty"`
}

// Lifted records that a person lifted an operation's hold.
type Lifted struct {
	By     Principal `json:"by"`
	At     time.Time `json:"at"`
	Reason string    `json:"reason"`
	Scope  string    `json:"scope"` // "lease" or "group/" and a name
}

// root is the identity under which the operation counts.
func (o *Operation) root() string {
	if o.Root != "" {
		return string(o.Root)
	}
	return string(o.ID)
}

// entities are the entity that the operation is about and those that it touches, each once.
func (o *Operation) entities() []locks.Entity {
	var all []locks.Entity
	for _, e := range append([]locks.Entity{o.Entity}, o.Touches...) {
		if !e.IsZero() && !slices.Contains(all, e) {
			all = append(all, e)
		}
	}
	return all
}

// OperationKey names an operation among those of all namespaces.
type OperationKey struct {
	Namespace   Namespace
	OperationID OperationID
}

// RowKey is the operation's own. It is no idempotency key.
func (o *Operation) RowKey() OperationKey { return OperationKey{o.Namespace, o.ID} }

// KeyNumber is a claimed key and its revision number under that key. It is the value of the one unique constraint.
type KeyNumber struct {
	Key    IdempotencyKey `json:"key"`
	Number int64          `json:"number"`
}

// Verdict is what is known of an attempt's effect.
type Verdict string

// The verdicts.
const (
	VerdictOpen   Verdict = "open"   // it may have happened, or may still
	VerdictNone   Verdict = "none"   // known: no effect, and none can come of it any more
	VerdictEffect Verdict = "effect" // known: it had the effect
)

// Outcome is what a report says of an attempt.
type Outcome string

// The outcomes of an attempt.
const (
	OutcomeSucceeded   Outcome = "succeeded"
	OutcomeNoop        Outcome = "noop"
	OutcomeAcknowledge Outcome = "acknowledged"
	OutcomeNotSent     Outcome = "not_sent"
	OutcomeRejected    Outcome = "rejected"
	OutcomeRateLimited Outcome = "rate_limited"
	OutcomeDeclined    Outcome = "declined"
	OutcomeAmbiguous   Outcome = "ambiguous"
)

// No reports whether the outcome says that the attempt made no effect.
func (o Outcome) No() bool {
	switch o {
	case OutcomeNoop, OutcomeNotSent, OutcomeRejected, OutcomeRateLimited, OutcomeDeclined:
		return true
	}
	return false
}

// Attempt is one try at dispatching an operation.
type Attempt struct {
	ID        AttemptID `json:"id"`
	Number    int64     `json:"number"` // from 1
	Principal Principal `json:"principal"`
	RunID     string    `json:"run_id,omitempty"`
	// WorkflowID is whose run acts: another than the operation's where another workflow proposed the same.
	WorkflowID string    `json:"workflow_id,omitempty"`
	Person     string    `json:"person,omitempty"`    // behind the principal
	Teams      []string  `json:"teams,omitempty"`     // the principal's, when the permit was given
	Local      bool      `json:"local,omitempty"`     // the principal was the one caller of a server without credentials
	WorkerID   string    `json:"worker_id,omitempty"` // among the principal's workers; it proves nothing
	GrantedAt  time.Time `json:"granted_at"`
	Deadline   time.Time `json:"deadline"`
	// GreatestEnd bounds every extension.
	GreatestEnd time.Time `json:"greatest_end"`
	Resend      bool      `json:"resend,omitempty"` // the same request once more, under the same vendor key
	// HandedAgain: the same permit went out more than once, so that only an accepted begin tells who speaks for it.
	HandedAgain bool    `json:"handed_again,omitempty"`
	Fences      []Fence `json:"fences,omitempty"`
	LeaseID     string  `json:"lease_id,omitempty"` // under which it was granted; its fences are among Fences

	BegunAt   time.Time `json:"begun_at,omitzero"`
	NonceHash string    `json:"nonce_hash,omitempty"` // hex SHA-256 of the accepted begin's nonce
	Extension string    `json:"extension,omitempty"`  // the last extension command, so that its retry finds itself

	// Slots are the rows that count the permit while it is out.
	Slots []string `json:"slots,omitempty"`

	EndedAt         time.Time  `json:"ended_at,omitzero"` // when the permit ended, however
	ReportID        EvidenceID `json:"report_id,omitempty"`
	EarlierReportID EvidenceID `json:"earlier_report_id,omitempty"` // of the report that ReportID finished, of what the provider took on
	ReportedAt      time.Time  `json:"reported_at,omitzero"`        // its own first report, the sender having returned
	Outcome         Outcome    `json:"outcome,omitempty"`
	Said            *Said      `json:"said,omitempty"`         // beside its outcome, by the report that ReportID names; nil: nothing
	Acknowledged    bool       `json:"acknowledged,omitempty"` // for ever: absence never clears it
	Verdict         Verdict    `json:"verdict"`
	VerdictBecause  string     `json:"verdict_because,omitempty"`
	ProviderReplay  bool       `json:"provider_replayed,omitempty"`
	EffectID        string     `json:"effect_id,omitempty"`
}

// Begun reports whether a begin was accepted.
func (a *Attempt) Begun() bool { return !a.BegunAt.IsZero() }

// Fence is a fencing number that a permit carries, for the executor to hand on to the stores it writes to.
type Fence struct {
	Entity locks.Entity `json:"entity"`
	Scope  string       `json:"scope"`
	Number int64        `json:"number"`
}

// Effect is an object at a provider that is known to be this operation's. (provider, account, effect id) belongs to at
// most one operation.
type Effect struct {
	Provider string    `json:"provider"`
	Account  string    `json:"account,omitempty"`
	EffectID string    `json:"effect_id"`
	Attempt  int64     `json:"attempt,omitempty"` // zero: not known which
	SeenAt   time.Time `json:"seen_at"`
}

// Result is what an operation came to, as its provider and executor told it.
type Result struct {
	JSON              []byte     `json:"json,omitempty"`
	Provider          string     `json:"provider,omitempty"`
	Account           string     `json:"account,omitempty"`
	ProviderRequestID string     `json:"provider_request_id,omitempty"`
	ProviderObjectID  string     `json:"provider_object_id,omitempty"`
	RawStatusCode     string     `json:"raw_status_code,omitempty"`
	Artifacts         []Artifact `json:"artifacts,omitempty"`
	Grade             Grade      `json:"grade"`
	EffectAt          time.Time  `json:"effect_at,omitzero"` // when the ledger learned of it
}

// Artifact is a reference to something that the effect left behind: a receipt, a file.
type Artifact struct {
	Name      string `json:"name"`
	URI       string `json:"uri"`
	MediaType string `json:"media_type,omitempty"`
	SHA256    string `json:"sha256,omitempty"` // hex, of the artifact's bytes
}

// Category groups failures by what a caller can do about them.
type Category string

// The categories of failure.
const (
	CategoryValidation        Category = "validation"
	CategoryPolicyDenied      Category = "policy_denied"
	CategoryApprovalDenied    Category = "approval_denied"
	CategoryExpired           Category = "expired"
	CategoryCancelled         Category = "cancelled"
	CategoryNotSent           Category = "not_sent"
	CategoryRateLimited       Category = "rate_limited"
	CategoryProviderRejected  Category = "provider_rejected"
	CategoryProviderError     Category = "provider_error"
	CategoryTimeout           Category = "timeout"
	CategoryConnectionLost    Category = "connection_lost"
	CategoryCrash             Category = "crash"
	CategoryAttemptsExhausted Category = "attempts_exhausted"
	CategoryMalformedAnswer   Category = "malformed_answer"
)

// Failure says why an operation failed, or why its outcome is not known.
type Failure struct {
	Category Category `json:"category"`
	Code     string   `json:"code,omitempty"` // the provider's own code
	Message  string   `json:"message,omitempty"`
	// What the provider answered all the same: its status, and what it may be asked by.
	RawStatusCode     string `json:"raw_status_code,omitempty"`
	ProviderRequestID string `json:"provider_request_id,omitempty"`
	ProviderObjectID  string `json:"provider_object_id,omitempty"`
}

// Cancel is the wish to cancel. While a permit is out or the outcome is unknown it stands, and ends the operation as soon
// as it is known not to have happened.
type Cancel struct {
	By     Principal `json:"by"`
	At     time.Time `json:"at"`
	Reason string    `json:"reason,omitempty"`
}

// Human says that an operation waits for a person. It is not a state.
type Human struct {
	Reason     string    `json:"reason"`
	Owner      string    `json:"owner,omitempty"`
	Since      time.Time `json:"since"`
	Due        time.Time `json:"due,omitzero"`
	EscalateTo string    `json:"escalate_to,omitempty"`
	Escalated  bool      `json:"escalated,omitempty"`
	Taken      *Taken    `json:"taken,omitempty"` // who has taken it up
}

// Settled is an authorized person's recorded word that the effect exists.
type Settled struct {
	By   Principal `json:"by"`
	At   time.Time `json:"at"`
	Note string    `json:"note,omitempty"`
}

// Incident is something that must not happen and did: a contradiction, a detected duplicate.
type Incident struct {
	Kind   string    `json:"kind"`
	At     time.Time `json:"at"`
	Detail string    `json:"detail"`
}

// The kinds of incident.
const (
	IncidentContradiction     = "contradiction"
	IncidentDuplicate         = "duplicate_effect"
	IncidentPossibleDuplicate = "possible_duplicate" // the provider has taken on something beside what is known
	IncidentEffectElsewhere   = "effect_of_another_operation"
	IncidentAgainstSuccess    = "evidence_against_success"
	IncidentPresenceUnmatched = "presence_not_attributable"
	IncidentClaimContradicted = "claim_contradicted" // what the user was told has turned out to be untrue
)

// Clone copies the operation deeply enough that a change of the copy never shows in the original.
func (o *Operation) Clone() *Operation {
	c := *o
	c.Attempts = slices.Clone(o.Attempts)
	for i := range c.Attempts {
		c.Attempts[i].Fences = slices.Clone(o.Attempts[i].Fences)
		c.Attempts[i].Slots = slices.Clone(o.Attempts[i].Slots)
		c.Attempts[i].Said = clonePtr(o.Attempts[i].Said)
	}
	c.ProposerTeams = slices.Clone(o.ProposerTeams)
	c.Effects = slices.Clone(o.Effects)
	c.Evidence = slices.Clone(o.Evidence)
	c.Incidents = slices.Clone(o.Incidents)
	c.Result = clonePtr(o.Result)
	c.Failure = clonePtr(o.Failure)
	c.Cancel = clonePtr(o.Cancel)
	c.Human = clonePtr(o.Human)
	c.Settled = clonePtr(o.Settled)
	c.Charges = slices.Clone(o.Charges)
	c.Approvals = slices.Clone(o.Approvals)
	c.Overrides = maps.Clone(o.Overrides)
	c.EntityVersion = clonePtr(o.EntityVersion)
	c.Lifted = clonePtr(o.Lifted)
	c.Looking = clonePtr(o.Looking)
	c.Undoes = clonePtr(o.Undoes)
	c.Undoing = cloneUndoing(o.Undoing)
	return &c
}

func clonePtr[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}

// Etag is the operation's version as a tag.
func (o *Operation) Etag() string { return "v" + strconv.FormatInt(o.Version, 10) }

// ProviderIDs are the ids that the provider gave to the request and to the object, as far as anybody was told.
func (o *Operation) ProviderIDs() (request, object string) {
	if r := o.Result; r != nil {
		request, object = r.ProviderRequestID, r.ProviderObjectID
	}
	if f := o.Failure; f != nil {
		request, object = first(request, f.ProviderRequestID), first(object, f.ProviderObjectID)
	}
	return request, object
}

// Attempt finds an attempt by its id.
func (o *Operation) Attempt(id AttemptID) *Attempt {
	for i := range o.Attempts {
		if o.Attempts[i].ID == id {
			return &o.Attempts[i]
		}
	}
	return nil
}

// LiveAttempt is the attempt that holds the permit, or nil.
func (o *Operation) LiveAttempt() *Attempt {
	if o.Live == 0 {
		return nil
	}
	return &o.Attempts[o.Live-1]
}
