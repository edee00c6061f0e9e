package ledger

import (
	"time"

	"github.com/opledger/opledger/locks"
)

// Actor is who asks, as the credential says.
type Actor struct {
	Principal Principal
	Person    string   // the human being behind it; empty: the principal stands for itself. Dual control compares persons
	Teams     []string // the names by which approvals and tools ask for people
	// Local: the one caller of a server without credentials, who holds every right and decides as one person.
	Local bool
}

// Human is the person behind the actor, or the principal where none is named.
func (a Actor) Human() string {
	if a.Person != "" {
		return a.Person
	}
	return string(a.Principal)
}

// Command is one request to the ledger. Its identifiers, tokens and data are chosen once, before its first try, and
// reused in every retry of its transaction, so that a retry after an ambiguous commit sees its own write and answers
// with it. A command holds no time: the transaction that runs it brings the database's.
type Command interface {
	// Claims are the identities that the command takes, assumed to be free. A store inserts them; those that it could
	// not insert are loaded with their holders before the decision.
	Claims() []Claim
	// Reads are the rows that the decision depends on, as far as the view shows already, so that they are loaded together.
	// It is called again after each load until it names nothing new. What a decision needs beyond them is loaded when it
	// asks for it.
	Reads(v *View) []Read
	// Decide is a pure function of the view. It changes nothing; what is to change is in what was decided.
	Decide(v *View, env Env) Decided
}

// Env is what a decision is given beside the view.
type Env struct {
	// ClockError is by how much two readings of the engine's clock may disagree (a cluster's nodes); added to deadlines
	// and delays.
	ClockError time.Duration
}

// Decided is what a command came to: a reply or an error, and what is to be saved with it in the same transaction. An
// error may come with changes: a stale report is refused and kept.
type Decided struct {
	Reply   any
	Err     error
	Changes *Changes
}

// Changes is what one or more decisions change. A store saves it whole or not at all.
type Changes struct {
	Operations []*Operation // each at its newest version
	Created    map[OperationKey]bool
	Events     []Event
	Claims     []Claim   // kept or changed claims
	Unclaims   []ClaimID // claims that were inserted for the command and are given back
	Scopes     []locks.Scope
	Decisions  []Decision
	Tools      []ToolHead
	Versions   []ToolVersion
	Epochs     map[Namespace]int64
	Records    []Record // each at its newest version
}

// Empty reports whether there is nothing to save.
func (c *Changes) Empty() bool {
	return c == nil || len(c.Operations)+len(c.Events)+len(c.Claims)+len(c.Unclaims)+len(c.Scopes)+
		len(c.Decisions)+len(c.Tools)+len(c.Versions)+len(c.Epochs)+len(c.Records) == 0
}

// Due is an operation's next occasion: the moment at which due work must look at it if nobody did before. Each operation
// has at most one, a function of its state, saved in the transaction that causes it.
type Due struct {
	Namespace   Namespace
	OperationID OperationID
	At          time.Time
	Kind        DueKind
	Stamp       int64 // the operation's version; due work with another stamp does nothing
	// Claimer is who holds the item for now, as it called itself; empty for what is not claimed.
	Claimer string
}

// DueKind says why an operation is due, for people and metrics. The command behind it looks at everything.
type DueKind string

// The kinds of due work.
const (
	DuePermitEnds      DueKind = "permit_ends"
	DueAcknowledgement DueKind = "acknowledgement_ends"
	DueExpiry          DueKind = "waiting_ends"
	DueHuman           DueKind = "needs_human"
	DueEscalation      DueKind = "escalation"
	DueApproval        DueKind = "approval_ends"
)
