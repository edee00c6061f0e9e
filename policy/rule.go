package policy

import "time"

// ToolRules is the part of a tool's contract that decides about now. Numbers that are absent take the defaults of
// registry.WithDefaults; expressions are CEL, compiled by Compile.
type ToolRules struct {
	Approval       *ApprovalNeed // who must approve; nil: nobody
	ApprovalWaived string        // why nobody is asked, where the class asks somebody
	Guards         []Guard
	Limits         []Limit
	Windows        []DedupeWindow
	Conflicts      []Conflict
	// LeaseHeld: the workflow must hold the lease on the entity and on all that is touched. Without it another
	// workflow's lease blocks all the same.
	LeaseHeld bool
	// SetsEntityState is the state that the entity gets when an operation succeeds: a template over canonical arguments
	// and result, such as "refunded" or "{args.new_state}". Empty: unchanged.
	SetsEntityState string
	Shadow          bool     // these rules are decided, recorded and let pass; never proposer roles, nor approvals of the irreversible class
	ProposerRoles   []string // a principal needs one of them to propose; empty: any role that may propose
	MaxRevisions    int      // how many revisions a proposer may make by itself
}

// Rule is a rule that is not a tool's own: it may span tools. Exactly one of the kinds is set.
type Rule struct {
	ID          string
	Version     int64 // from 1; zero for a candidate
	Description string
	Scope       Scope
	Shadow      bool

	Deny     *Deny
	Guard    *Guard
	Limit    *Limit
	Window   *DedupeWindow
	Conflict *Conflict
	Approval *ApprovalNeed
}

// Scope says which proposals a rule applies to; every part that is set must hold. The zero value: every mutating one. A
// tool that only reads is covered where the scope names its class, or the tool itself in full.
type Scope struct {
	Tools       []string // by name, or "payment.*" for a prefix
	Classes     []string // registry.Class
	Intents     []string
	EntityTypes []string
}

// Deny denies proposals for which its condition holds.
type Deny struct {
	When        string // CEL
	Explanation string
}

// Guard is a condition that must hold when a permit is granted, begun or extended.
type Guard struct {
	Name        string
	Condition   string // CEL, such as `entity.state != "refunded"`
	Explanation string // empty: the condition
	Shadow      bool
}

// Limit bounds a count or a sum within a period, exactly. A proposal that there is no room for is RETRY_LATER; one that is
// more than the limit by itself is DENIED, since waiting would be in vain, as is one whose amount is no whole number from
// zero. A limit whose amount is absent, where the schema lets it be, does not apply.
type Limit struct {
	Name        string
	Per         string        // a template such as "{args.customer_id}"; empty: one counter for all that the rule applies to
	SumOf       string        // JSON Pointer of a canonical whole number; empty: one for each operation
	Max         int64         // the greatest value that is let pass
	Period      time.Duration // 1 s to 400 days
	Fixed       bool          // periods that follow each other from a fixed start, instead of the one that ends now
	Zone        string        // IANA, for fixed periods of whole days; empty: UTC
	When        string        // CEL over the proposal alone; empty: always
	Shadow      bool
	Explanation string
}

// DedupeWindow suppresses an operation while an equivalent one lies within the period.
type DedupeWindow struct {
	Name        string
	KeyTemplate string // over canonical arguments and the entity
	Period      time.Duration
	Shadow      bool
	Explanation string
}

// Conflict names what excludes the operations of its scope on an entity within a period, in both directions.
type Conflict struct {
	Name        string
	Tools       []string
	Intents     []string
	Period      time.Duration
	Shadow      bool
	Explanation string
}

// Expiry is what happens when nobody decides an approval in time.
type Expiry string

// The expiries.
const (
	ExpiryDeny       Expiry = "DENY"        // the operation ends as expired
	ExpiryEscalate   Expiry = "ESCALATE"    // the next roles are asked, once
	ExpiryNeedsHuman Expiry = "NEEDS_HUMAN" // a person is asked what to do, for as long again
)

// ApprovalNeed is what an approval takes.
type ApprovalNeed struct {
	Count         int      // different persons; at least 1
	Roles         []string // whose bearers may approve; one is enough for a person
	When          string   // CEL; empty: always
	ExpiresAfter  time.Duration
	OnExpiry      Expiry
	EscalateRoles []string
	NoHoldsFor    time.Duration // how long an approver's no holds for group and entity
	Warning       string        // what cannot be undone
}

// StandingTerms are the bounds of a standing approval: operations that are approved ahead, one at a time.
type StandingTerms struct {
	ID            string
	Tool          string
	MaxCount      int64
	AmountPointer string // JSON Pointer of a canonical whole number; empty: amounts are not bounded
	MaxAmount     *int64 // of one operation
	MaxSum        *int64 // of all
	Currency      string // of the amounts, ISO 4217; empty: not money
	EntityType    string // with EntityID: only about this entity
	EntityID      string
	When          string // CEL over the proposal; empty: always
	Proposer      string // only this principal's; empty: anybody's but the giver's
	WorkflowID    string
	GivenBy       string // the principal that gave it
	GivenByPerson string
	ExpiresAt     time.Time
}

// Switch is a part of a namespace that is paused, or whose policy rules are in shadow. At most one of Class and Tool is
// set; none: the whole namespace.
type Switch struct {
	Class, Tool string
	Paused      bool
	Reason      string // of the pause
	Shadow      bool
}
