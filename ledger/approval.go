package ledger

import (
	"time"

	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
)

// ApprovalState is where an approval stands. The words are the API's.
type ApprovalState string

// The states of an approval.
const (
	ApprovalOpen     ApprovalState = "open"     // persons are asked
	ApprovalGranted  ApprovalState = "granted"  // enough have approved; it is not used yet
	ApprovalReserved ApprovalState = "reserved" // a permit has reserved it
	ApprovalSpent    ApprovalState = "spent"    // used up
	ApprovalDenied   ApprovalState = "denied"   // a person said no
	ApprovalExpired  ApprovalState = "expired"  // nobody decided, or nobody used it, in time
	ApprovalVoid     ApprovalState = "void"     // what it was asked for is no longer so, or the operation has ended
)

// Ended reports whether nothing can come of the approval any more.
func (s ApprovalState) Ended() bool {
	switch s {
	case ApprovalSpent, ApprovalDenied, ApprovalExpired, ApprovalVoid:
		return true
	}
	return false
}

// Approval is a request to persons to let one operation run, bound to its exact canonical arguments and tool version.
type Approval struct {
	row
	State       ApprovalState `json:"state"`
	OperationID OperationID   `json:"operation_id"`
	// What persons are asked about: nothing else is covered.
	Tool             string       `json:"tool"`
	ToolVersion      int64        `json:"tool_version"`
	Fingerprint      Fingerprint  `json:"fingerprint"`
	Entity           locks.Entity `json:"entity,omitzero"`
	OperationVersion int64        `json:"operation_version"` // when they were asked
	EntityVersion    int64        `json:"entity_version,omitempty"`
	EntityState      string       `json:"entity_state,omitempty"`

	Rule        string              `json:"rule"` // that asks: a rule's id, or "tool/approval"
	RuleVersion int64               `json:"rule_version,omitempty"`
	Because     string              `json:"because,omitempty"`
	Need        policy.ApprovalNeed `json:"need"`
	Roles       []string            `json:"roles"` // who is asked now: the need's, or the next ones after its escalation
	Escalated   bool                `json:"escalated,omitempty"`

	Proposer       Principal      `json:"proposer"`
	ProposerPerson string         `json:"proposer_person,omitempty"`
	Requester      string         `json:"requester,omitempty"` // the person who asked for the workflow
	Words          []ApprovalWord `json:"words,omitempty"`     // what persons have decided, in order

	CreatedAt time.Time `json:"created_at"`
	// ExpiresAt is until when it can be decided; once granted, until when it can be used.
	ExpiresAt time.Time `json:"expires_at"`
	GrantedAt time.Time `json:"granted_at,omitzero"`
	EndedAt   time.Time `json:"ended_at,omitzero"`
	// Attempt is the number of the attempt that has reserved or spent it.
	Attempt    int64  `json:"attempt,omitempty"`
	StandingID string `json:"standing_id,omitempty"` // the standing approval that granted it
	Amount     int64  `json:"amount,omitempty"`      // by which that one was raised
	// Carried: that one counts the operation by another approval of it already, and was not raised by this one.
	Carried bool `json:"carried,omitempty"`

	Owner string `json:"owner,omitempty"` // who is to see to it: a role or an address
	Taken *Taken `json:"taken,omitempty"`
}

// ApprovalWord is one person's word on an approval.
type ApprovalWord struct {
	Principal Principal `json:"principal"`
	Person    string    `json:"person"`
	Role      string    `json:"role"` // by which it counts
	Approved  bool      `json:"approved"`
	Comment   string    `json:"comment,omitempty"`
	At        time.Time `json:"at"`
	// RequestID is the request that said it, so that its repeat is told from a second try to decide.
	RequestID RequestID `json:"request_id,omitempty"`
	// Local: it was said on a server without credentials, where every word is one person's.
	Local bool `json:"local,omitempty"`
}

// Taken says that a person has taken up what waits, which holds its escalation off until the stated time.
type Taken struct {
	By      Principal `json:"by"`
	Comment string    `json:"comment,omitempty"`
	At      time.Time `json:"at"`
	Until   time.Time `json:"until"`
	// RequestID is the request that took it up, so that its repeat finds what it did.
	RequestID RequestID `json:"request_id,omitempty"`
}

// ApprovalKey names an approval.
func ApprovalKey(ns Namespace, id string) RecordKey { return RecordKey{RecordApproval, ns, id} }

// Key names it.
func (a *Approval) Key() RecordKey { return a.key(RecordApproval) }

// Index lists approvals by state, operation and expiry.
func (a *Approval) Index() RecordIndex {
	entity := ""
	if !a.Entity.IsZero() {
		entity = a.Entity.String()
	}
	return RecordIndex{Status: string(a.State), Subject: string(a.OperationID), Tool: a.Tool, Entity: entity, At: a.ExpiresAt}
}

// Approved counts the persons who have approved.
func (a *Approval) Approved() int {
	n := 0
	for _, w := range a.Words {
		if w.Approved {
			n++
		}
	}
	return n
}

// ApprovalRef is what an operation knows of one of its approvals.
type ApprovalRef struct {
	ID   string `json:"id"`
	Rule string `json:"rule"` // that asked
	// Due is when the approval expires, so that the operation's due work is a function of the operation alone; zero: it
	// does not any more.
	Due time.Time `json:"due,omitzero"`
}
