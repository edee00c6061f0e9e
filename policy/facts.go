package policy

import (
	"time"

	"github.com/opledger/opledger/locks"
)

// Facts are what rules know of a proposal, or of an operation that is judged again. None of it comes from the words of
// whom the rules restrain, beyond the canonical arguments.
type Facts struct {
	Tool        string
	OperationID string // of the operation that is, or would be, made
	// Root is the operation's first revision. An operation and its revisions count once, and never against themselves.
	Root        string
	Revision    int64 // from 1
	Key         string
	Fingerprint string
	Occurrence  string
	Intent      string
	Entity      locks.Entity // zero: none
	Touches     []locks.Entity
	Canonical   []byte // canonical arguments, RFC 8785; sensitive ones as their keyed hashes

	Principal  string
	Person     string
	Roles      []string
	AnyRole    bool // who proposes stands for every role, as the one caller of a server without credentials does
	WorkflowID string
	RunID      string
}

// EntityState is what is known of an entity. The zero value: nothing was ever set.
type EntityState struct {
	State       string    `json:"state,omitempty"`
	Attributes  []byte    `json:"attributes,omitempty"` // a JSON object, canonical; empty: none
	UpdatedAt   time.Time `json:"updated_at,omitzero"`
	OperationID string    `json:"operation_id,omitempty"` // that changed it; empty: it was set from outside
	Principal   string    `json:"principal,omitempty"`    // that set it from outside
	Reason      string    `json:"reason,omitempty"`
}

// World is what a judgement reads beside the facts, all of it from one transaction's snapshot.
type World struct {
	Now           time.Time
	Entity        EntityState
	EntityVersion int64              // zero: never set
	Histories     map[string]History // by row id; one that is absent is empty
	// Overridden are rule ids that a one-use grant lets pass, each with the grant's id.
	Overridden map[string]string
	// Recheck: the operation is recorded already; it is weighed against earlier holders only.
	Recheck bool
}

// Outcome is what a verdict leads to.
type Outcome string

// The outcomes of a verdict. They are names of decisions.
const (
	Pass     Outcome = "PASS"
	Denied   Outcome = "DENIED"
	Suppress Outcome = "SUPPRESSED"
	Later    Outcome = "RETRY_LATER"
	Ask      Outcome = "AWAITING_APPROVAL"
)

// Verdict is what one rule said. It is stored with the decision.
type Verdict struct {
	Rule        string            `json:"rule"` // the rule's id, "tool/name" of a tool's own rule, or a built-in name
	RuleVersion int64             `json:"rule_version,omitempty"`
	Outcome     Outcome           `json:"outcome"`
	Because     string            `json:"because,omitempty"` // a sentence for people
	Inputs      map[string]string `json:"inputs,omitempty"`  // what it looked at; nothing sensitive
	Shadow      bool              `json:"shadow,omitempty"`  // it was let pass
	GrantID     string            `json:"grant_id,omitempty"`
	// RetryAfter is when a limit may let pass, or a window or conflict is over; zero: when an operation that is open has
	// ended.
	RetryAfter time.Duration `json:"retry_after_ns,omitempty"`
	// Earlier names the operation that suppresses or excludes, where there is one.
	Earlier   string    `json:"earlier,omitempty"`
	EarlierAt time.Time `json:"earlier_at,omitzero"`
	// Overridable: a one-use grant would let it pass.
	Overridable bool `json:"overridable,omitempty"`
	// Need, with Ask: who must approve.
	Need *ApprovalNeed `json:"-"`
}

// Stands reports whether the verdict stands in the way: it is no pass, not in shadow and not overridden.
func (v *Verdict) Stands() bool { return v.Outcome != Pass && !v.Shadow && v.GrantID == "" }
