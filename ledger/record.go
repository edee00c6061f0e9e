package ledger

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
)

// RecordKind is a kind of row that the ledger keeps beside operations: one document each, found by its id. A store gives
// every kind a table of the same shape and knows nothing of what is in it.
type RecordKind string

// The kinds of records.
const (
	RecordLease        RecordKind = "lease"
	RecordEntity       RecordKind = "entity_state"
	RecordHistory      RecordKind = "history" // what counts under one value of one rule
	RecordApproval     RecordKind = "approval"
	RecordGrant        RecordKind = "grant"
	RecordStanding     RecordKind = "standing_approval"
	RecordRule         RecordKind = "rule"         // a rule at its newest version
	RecordRuleVersion  RecordKind = "rule_version" // one immutable version of a rule
	RecordSwitch       RecordKind = "switch"       // a pause, or shadow mode, of a part of a namespace
	RecordSubscription RecordKind = "subscription"
	RecordNotice       RecordKind = "notice" // what is to be told to subscribers
	RecordCredential   RecordKind = "credential"
	RecordWorkflow     RecordKind = "workflow"
	RecordSourceEvent  RecordKind = "source_event" // which workflow an event belongs to
	RecordCorrelation  RecordKind = "correlation"  // which workflow a correlation key unites with
	RecordInbound      RecordKind = "inbound_event"
	RecordAwaited      RecordKind = "awaited_reference" // inbound events that wait for an operation with that reference
	RecordStep         RecordKind = "compensation_step"
	RecordReading      RecordKind = "reading"     // a read that was permitted
	RecordCachedRead   RecordKind = "cached_read" // what a read may be answered with
)

// RecordKinds lists every kind.
var RecordKinds = []RecordKind{
	RecordLease, RecordEntity, RecordHistory, RecordApproval, RecordGrant, RecordStanding, RecordRule, RecordRuleVersion, RecordSwitch,
	RecordSubscription, RecordNotice, RecordCredential, RecordWorkflow, RecordSourceEvent, RecordCorrelation, RecordInbound,
	RecordAwaited, RecordStep, RecordReading, RecordCachedRead,
}

// Awaited reports whether rows of the kind are read before they exist, by everybody who acts on the same entity, under
// the same rule, or reads the same. A store then makes an empty row of version zero before it looks: a look at nothing
// would lock the place where everybody's next row may come to lie.
func (k RecordKind) Awaited() bool {
	return k == RecordEntity || k == RecordHistory || k == RecordCachedRead
}

// RecordKey names a record among those of all namespaces.
type RecordKey struct {
	Kind      RecordKind
	Namespace Namespace
	ID        string // at most 600 bytes
}

// Read is the read that finds the record.
func (k RecordKey) Read() Read { return ReadOf(ReadKind(k.Kind), k.Namespace, k.ID) }

// Record is a row that the ledger keeps as a document. It is a value: a decision copies it, changes the copy, raises its
// version by one, and hands it to the store.
type Record interface {
	Key() RecordKey
	// RowVersion is raised by one with every change; the stored version is one less than the first change made it.
	RowVersion() int64
	// Index is what lists of the kind are filtered and ordered by.
	Index() RecordIndex
	// place gives a decoded record its key and version.
	place(ns Namespace, id string, version int64)
}

// RecordIndex are the columns of a record beside its document. Empty ones do not matter to the kind's lists.
type RecordIndex struct {
	Status  string
	Subject string    // an operation id or a workflow id
	Tool    string    // a tool's name
	Entity  string    // "order/order_123"
	At      time.Time // the order of the kind's lists
	// DueAt is when due work must look at it; zero: never.
	DueAt time.Time
}

// row is what every record has. Its JSON form leaves it out: the store keeps it in columns.
type row struct {
	Namespace Namespace `json:"-"`
	ID        string    `json:"-"`
	Version   int64     `json:"-"`
}

func (r *row) RowVersion() int64 { return r.Version }

func (r *row) place(ns Namespace, id string, version int64) {
	r.Namespace, r.ID, r.Version = ns, id, version
}

func (r *row) key(kind RecordKind) RecordKey { return RecordKey{kind, r.Namespace, r.ID} }

// Etag is the record's version as a tag.
func (r *row) Etag() string { return fmt.Sprintf("v%d", r.Version) }

// NewRecord makes an empty record of a kind, for a store to decode into; nil for a kind that does not exist.
func NewRecord(kind RecordKind) Record {
	switch kind {
	case RecordLease:
		return &Lease{}
	case RecordEntity:
		return &Entity{}
	case RecordHistory:
		return &History{}
	case RecordApproval:
		return &Approval{}
	case RecordGrant:
		return &Grant{}
	case RecordStanding:
		return &Standing{}
	case RecordRule:
		return &Rule{}
	case RecordRuleVersion:
		return &RuleVersion{}
	case RecordSwitch:
		return &Switch{}
	case RecordSubscription:
		return &Subscription{}
	case RecordNotice:
		return &Notice{}
	case RecordCredential:
		return &Credential{}
	case RecordWorkflow:
		return &Workflow{}
	case RecordSourceEvent:
		return &SourceEvent{}
	case RecordCorrelation:
		return &Correlation{}
	case RecordInbound:
		return &InboundEvent{}
	case RecordAwaited:
		return &AwaitedReference{}
	case RecordStep:
		return &Step{}
	case RecordReading:
		return &Reading{}
	case RecordCachedRead:
		return &CachedRead{}
	}
	return nil
}

// DecodeRecord reads a record back from its row.
func DecodeRecord(key RecordKey, version int64, document []byte) (Record, error) {
	r := NewRecord(key.Kind)
	if r == nil {
		return nil, fmt.Errorf("there are no records of the kind %q", key.Kind)
	}
	if len(document) > 0 {
		if err := json.Unmarshal(document, r); err != nil {
			return nil, fmt.Errorf("%s %s cannot be read: %w", key.Kind, key.ID, err)
		}
	}
	r.place(key.Namespace, key.ID, version)
	return r, nil
}

// Lease is the right of one workflow to mutate entities, as the ledger keeps it.
type Lease struct {
	row
	locks.Lease
}

// Key names it.
func (l *Lease) Key() RecordKey { return l.key(RecordLease) }

// Index lists leases by workflow and acquisition.
func (l *Lease) Index() RecordIndex {
	status := "held"
	if !l.EndedAt.IsZero() {
		status = "ended"
	}
	return RecordIndex{Status: status, Subject: l.WorkflowID, At: l.AcquiredAt}
}

// Entity is what guards read of an entity. Its version is what a proposal may name.
type Entity struct {
	row
	policy.EntityState
}

// Key names it.
func (e *Entity) Key() RecordKey { return e.key(RecordEntity) }

// Index lists states by state and entity.
func (e *Entity) Index() RecordIndex {
	return RecordIndex{Status: e.State, Subject: e.OperationID, Entity: e.ID, At: e.UpdatedAt}
}

// HistoryKey names a row of history.
func HistoryKey(ns Namespace, id string) RecordKey { return RecordKey{RecordHistory, ns, id} }

// EntityKey names the state of an entity.
func EntityKey(ns Namespace, e locks.Entity) RecordKey {
	return RecordKey{RecordEntity, ns, e.String()}
}

// History is one row of history counters: of a rule, or of the permits of a tool or a provider.
type History struct {
	row
	policy.History
	Usage
}

// Key names it.
func (h *History) Key() RecordKey { return h.key(RecordHistory) }

// Index is empty: histories are never listed.
func (h *History) Index() RecordIndex { return RecordIndex{} }

// Rule is a rule's newest version, or that it was removed.
type Rule struct {
	row
	RuleVersion int64     `json:"rule_version"`
	Definition  []byte    `json:"definition"` // opaque to the core, as its edge package wrote it
	Digest      string    `json:"digest"`
	AppliedBy   Principal `json:"applied_by"`
	AppliedAt   time.Time `json:"applied_at"`
	RemovedAt   time.Time `json:"removed_at,omitzero"`
	RemovedBy   Principal `json:"removed_by,omitempty"`
	Reason      string    `json:"reason,omitempty"` // of the removal
}

// Key names it.
func (r *Rule) Key() RecordKey { return r.key(RecordRule) }

// Index lists rules by whether they hold.
func (r *Rule) Index() RecordIndex {
	status := "held"
	if !r.RemovedAt.IsZero() {
		status = "removed"
	}
	return RecordIndex{Status: status, At: r.AppliedAt}
}

// RuleVersion is one version of a rule; it never changes. Its id is the rule's, "@" and the number.
type RuleVersion struct {
	row
	RuleID     string    `json:"rule_id"`
	Number     int64     `json:"number"`
	Definition []byte    `json:"definition"`
	AppliedBy  Principal `json:"applied_by"`
	AppliedAt  time.Time `json:"applied_at"`
}

// Key names it.
func (r *RuleVersion) Key() RecordKey { return r.key(RecordRuleVersion) }

// Index lists versions by rule.
func (r *RuleVersion) Index() RecordIndex { return RecordIndex{Subject: r.RuleID, At: r.AppliedAt} }

// Switch is a standing pause or shadow mode of a part of a namespace. Its id is "namespace", "class/CLASS" or
// "tool/NAME".
type Switch struct {
	row
	Paused      bool      `json:"paused,omitempty"`
	PausedBy    Principal `json:"paused_by,omitempty"`
	PauseReason string    `json:"pause_reason,omitempty"`
	PausedAt    time.Time `json:"paused_at,omitzero"`
	// Who ended the last pause, and why; what it was stays above.
	ResumedBy    Principal `json:"resumed_by,omitempty"`
	ResumeReason string    `json:"resume_reason,omitempty"`

	Shadow       bool      `json:"shadow,omitempty"`
	ShadowBy     Principal `json:"shadow_by,omitempty"`
	ShadowReason string    `json:"shadow_reason,omitempty"`
	ShadowAt     time.Time `json:"shadow_at,omitzero"`

	// Wanted, of the row "notices" alone, are kinds of notices that a subscription has ever asked for.
	Wanted []NoticeKind `json:"wanted,omitempty"`
}

// Key names it.
func (s *Switch) Key() RecordKey { return s.key(RecordSwitch) }

// Index lists switches by whether they pause.
func (s *Switch) Index() RecordIndex {
	status := ""
	if s.Paused {
		status = "paused"
	}
	return RecordIndex{Status: status, At: s.PausedAt}
}
