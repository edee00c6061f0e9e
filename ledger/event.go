package ledger

import (
	"time"

	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
)

// EventType names what happened. The words are the API's and never renamed.
type EventType string

// The types of events.
const (
	EventCreated           EventType = "created"
	EventGranted           EventType = "permit_granted"
	EventHandedAgain       EventType = "permit_handed_again"
	EventBegun             EventType = "attempt_begun"
	EventExtended          EventType = "permit_extended"
	EventPermitEnded       EventType = "permit_ended" // at its deadline
	EventReported          EventType = "attempt_reported"
	EventEvidence          EventType = "evidence_kept"
	EventAttemptCleared    EventType = "attempt_cleared"  // known to be without effect, and why
	EventAttemptReopened   EventType = "attempt_reopened" // it counted as without effect, and may have one after all
	EventStateChanged      EventType = "state_changed"
	EventIncident          EventType = "incident"
	EventNeedsHuman        EventType = "needs_human"
	EventEscalated         EventType = "needs_human_escalated"
	EventCancelWished      EventType = "cancel_wished"
	EventRevised           EventType = "revised" // a successor was made
	EventGroupRejoined     EventType = "group_rejoined"
	EventEffectAttributed  EventType = "effect_attributed"
	EventAcknowledgeLapsed EventType = "acknowledgement_lapsed"
	EventApproval          EventType = "approval_changed" // its detail says how: requested, word, granted, used, escalated, ended
	EventOverridden        EventType = "rule_overridden"
	EventBlocking          EventType = "blocking" // another was kept from the entity by it for the first time
	EventLifted            EventType = "hold_lifted"
	EventEntityState       EventType = "entity_state_set"
	EventTaken             EventType = "needs_human_acknowledged" // a person has taken it up
	EventCompensation      EventType = "compensation_changed"     // its detail says how, and which step
	EventWorkflowEnded     EventType = "workflow_ended"           // it was open when its workflow ended
	EventPostponed         EventType = "dispatch_postponed"       // a recheck said no, with the rule and the time of the next one
	EventLookupHanded      EventType = "lookup_handed_out"        // somebody asks the provider about it
	EventLooked            EventType = "looked_before_dispatch"   // the look before the first dispatch is over, and how
	EventHurried           EventType = "next_step_hurried"        // somebody asked for the next check or question to be due at once
)

// Event is one entry of an operation's history, appended in the transaction that makes it true and never changed.
// (namespace, operation id, sequence) is its identity; the sequence counts from 1 without gaps.
type Event struct {
	Namespace   Namespace
	OperationID OperationID
	Sequence    int64
	Version     int64 // the operation's version after the change that it belongs to
	At          time.Time
	Type        EventType
	From, To    State             // set where the state changed
	Attempt     int64             // the attempt's number, or zero
	By          Principal         // who asked, or empty for due work
	Detail      map[string]string // small facts for people and machines; never arguments, tokens or secrets
}

// Decision is a recorded answer that made no operation, or a recheck that said no: a decision about now, which never
// becomes the answer of a key.
type Decision struct {
	Namespace   Namespace
	ID          DecisionID
	At          time.Time
	Principal   Principal
	Tool        string
	ToolVersion int64
	Key         IdempotencyKey
	OperationID OperationID // of a recheck; empty where no operation was made
	Kind        DecisionKind
	Rule        string            // the rule that decided: a rule's id, "tool/name", or a built-in name such as "exclusive_group"
	Inputs      map[string]string // what a built-in rule looked at
	Explanation string
	Entity      locks.Entity
	WorkflowID  string
	Fingerprint Fingerprint
	Verdicts    []policy.Verdict // what each rule said, the deciding one first
}
