package ledger

import (
	"strings"
	"time"

	"github.com/opledger/opledger/policy"
)

// StepStatus is how far a step of a compensation is known to have come.
type StepStatus string

// The statuses of a step.
const (
	StepPlanned StepStatus = "planned"  // no operation carries it out yet
	StepOpen    StepStatus = "open"     // an operation carries it out, and its end is not known
	StepDone    StepStatus = "done"     // known: what it undoes is undone, or was so already
	StepSkipped StepStatus = "skipped"  // its precondition said that it need not run: it counts as undone
	StepFailed  StepStatus = "failed"   // known: its operation ended without effect, and nobody wished that
	StepGivenUp StepStatus = "given_up" // known: a person has decided that it is not done
)

// Settled reports whether what the step undoes is known to be undone.
func (s StepStatus) Settled() bool { return s == StepDone || s == StepSkipped }

// Step is one step of one compensation: a row unique by (original, revision, effect, step), which answers every repeat
// whatever the playbook is by then.
type Step struct {
	row
	Original  OperationID `json:"original"`
	Revision  int64       `json:"revision"` // of the original
	EffectID  string      `json:"effect_id,omitempty"`
	Name      string      `json:"name"`
	Number    int         `json:"number"` // within the playbook, from 1
	Tool      string      `json:"tool"`
	Arguments []byte      `json:"arguments,omitempty"` // canonical JSON; empty: the step was skipped
	// Approval is who must approve before this step: of the first one that runs, where the playbook asks for it.
	Approval    *policy.ApprovalNeed `json:"approval,omitempty"`
	Status      StepStatus           `json:"status"`
	OperationID OperationID          `json:"operation_id,omitempty"` // that carries it out, the newest revision; empty: none does yet
	CreatedAt   time.Time            `json:"created_at"`

	// What keeps it from being proposed: why, since when, and how often it was tried. Empty: nothing does.
	WaitsFor   string    `json:"waits_for,omitempty"`
	WaitsSince time.Time `json:"waits_since,omitzero"`
	Tries      int       `json:"tries,omitempty"`
	// NextAt is when due work must look at it; zero: never.
	NextAt time.Time `json:"next_at,omitzero"`
}

// StepKey names a step.
func StepKey(ns Namespace, id string) RecordKey { return RecordKey{RecordStep, ns, id} }

// StepID is the id of the row of a step: one and the same for (original, revision, effect, step), so that no two rows
// ever stand for one step.
func StepID(ns Namespace, original OperationID, revision int64, effectID, name string) string {
	what := strings.Join([]string{string(original), effectID, name}, "\x1f")
	return "cst_" + derive("opledger-compensation-step/1", ns, IdempotencyKey(what), revision)[:26]
}

// UndoPrefix begins the occurrences of steps. Nobody else's operation may have such a one.
const UndoPrefix = "undo:"

// Occurrence tells the step's operation apart from every other one of its tool.
func (s *Step) Occurrence() string { return UndoPrefix + s.ID[len("cst_"):] }

// Key names it.
func (s *Step) Key() RecordKey { return s.key(RecordStep) }

// Index lists steps by their original, in order.
func (s *Step) Index() RecordIndex {
	return RecordIndex{Status: string(s.Status), Subject: string(s.Original), Tool: s.Tool, At: s.CreatedAt, DueAt: s.NextAt}
}

// Undoes says what an operation undoes.
type Undoes struct {
	Original OperationID `json:"original"`
	StepID   string      `json:"step_id"` // of RecordStep
	// Approval is who must approve before it, beyond what its own rules ask; nil: nobody.
	Approval *policy.ApprovalNeed `json:"approval,omitempty"`
}

// Undoing is one effect that a compensation has undone or is undoing.
type Undoing struct {
	EffectID string `json:"effect_id,omitempty"`
	// In whose name the steps are proposed, as that one was let in.
	By     Principal `json:"by"`
	Person string    `json:"person,omitempty"`
	Teams  []string  `json:"teams,omitempty"`
	Local  bool      `json:"local,omitempty"`
	Reason string    `json:"reason"`
	At     time.Time `json:"at"`
	Steps  []string  `json:"steps"` // ids of RecordStep, in the playbook's order
	// SucceededAt is when the operation was first known to have happened: what is undone in reverse goes by it.
	SucceededAt time.Time `json:"succeeded_at,omitzero"`
	// Leaves are the effects that were known when it was asked for and that nobody asked to undo: they rightly stand.
	Leaves     []string `json:"leaves,omitempty"`
	EscalateTo string   `json:"escalate_to,omitempty"` // who is asked when it gets stuck; empty: the tool's human owner

	// UndoneAt is when every step was known to be done; LeftAt when every step was known to be without effect, so that the
	// effect stands. Both zero: it is under way.
	UndoneAt time.Time `json:"undone_at,omitzero"`
	LeftAt   time.Time `json:"left_at,omitzero"`
	// GivenUp: a person has decided that no further step is begun; nil: nobody has.
	GivenUp *Cancel `json:"given_up,omitempty"`
	// StuckSince is since when it cannot go on without a person; zero: it can.
	StuckSince time.Time `json:"stuck_since,omitzero"`
}

// actor is who asked for the compensation.
func (u *Undoing) actor() Actor {
	return Actor{Principal: u.By, Person: u.Person, Teams: u.Teams, Local: u.Local}
}

// underWay reports whether it is not known yet what comes of it.
func (u *Undoing) underWay() bool { return u.UndoneAt.IsZero() && u.LeftAt.IsZero() }
