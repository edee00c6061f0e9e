package ledger

import "fmt"

// State is where an operation stands. The words are the API's.
type State string

// The states of an operation.
const (
	Planned          State = "planned"           // recorded, not released
	PendingDispatch  State = "pending_dispatch"  // released and durable, no permit out
	Dispatched       State = "dispatched"        // a permit is out; the effect may happen
	Acknowledged     State = "acknowledged"      // the provider took it and will finish by a stated time
	CompletedSuccess State = "completed_success" // known: it happened
	CompletedNoop    State = "completed_noop"    // known: already so, nothing to do
	FailedRetryable  State = "failed_retryable"  // known: it did not happen; may be tried again
	FailedPermanent  State = "failed_permanent"  // known: it did not happen, and will not under this revision
	UnknownOutcome   State = "unknown_outcome"   // not known
	Compensating     State = "compensating"      // its effect is being undone by linked operations
	Compensated      State = "compensated"       // every known object of it is undone
)

// absent is the state of an operation that does not exist yet.
const absent State = ""

// transition is one row of the state table: where a state may go, and where only a contradiction may lead: somebody
// says that the effect exists after all, which always raises an incident.
type transition struct {
	to           []State
	contradicted []State
}

// transitions is the state table of the design, row by row. Every change of state is checked against it before it is
// handed to a store.
var transitions = map[State]transition{
	absent:           {to: []State{Planned, PendingDispatch}},
	Planned:          {to: []State{PendingDispatch, FailedPermanent}, contradicted: []State{CompletedSuccess, UnknownOutcome}},
	PendingDispatch:  {to: []State{Dispatched, CompletedNoop, FailedPermanent}, contradicted: []State{CompletedSuccess, UnknownOutcome}},
	Dispatched:       {to: []State{Acknowledged, CompletedSuccess, CompletedNoop, FailedRetryable, FailedPermanent, UnknownOutcome}},
	Acknowledged:     {to: []State{CompletedSuccess, CompletedNoop, FailedRetryable, FailedPermanent, UnknownOutcome}},
	CompletedSuccess: {to: []State{Compensating}},
	CompletedNoop:    {contradicted: []State{CompletedSuccess, UnknownOutcome}},
	FailedRetryable:  {to: []State{Dispatched, FailedPermanent}, contradicted: []State{CompletedSuccess, UnknownOutcome}},
	FailedPermanent:  {contradicted: []State{CompletedSuccess, UnknownOutcome}},
	UnknownOutcome:   {to: []State{Acknowledged, CompletedSuccess, CompletedNoop, FailedRetryable, FailedPermanent, Dispatched}},
	Compensating:     {to: []State{Compensated, CompletedSuccess}},
	Compensated:      {to: []State{Compensating}},
}

// States lists every state, in the order of the design's table.
var States = []State{
	Planned, PendingDispatch, Dispatched, Acknowledged, CompletedSuccess, CompletedNoop,
	FailedRetryable, FailedPermanent, UnknownOutcome, Compensating, Compensated,
}

// Ended reports whether the state is an answer: nothing more is expected to happen to the operation.
func (s State) Ended() bool {
	switch s {
	case CompletedSuccess, CompletedNoop, FailedPermanent, Compensated:
		return true
	}
	return false
}

// Released reports whether an operation in this state counts as open in its exclusive group: it has or may get a permit.
func (s State) Released() bool {
	switch s {
	case PendingDispatch, Dispatched, Acknowledged, FailedRetryable, UnknownOutcome:
		return true
	}
	return false
}

// MayGo reports whether the state table allows the step, and whether it is a contradiction.
func (s State) MayGo(to State) (allowed, contradicts bool) {
	row := transitions[s]
	for _, t := range row.to {
		if t == to {
			return true, false
		}
	}
	for _, t := range row.contradicted {
		if t == to {
			return true, true
		}
	}
	return false, false
}

// ImpossibleError says that the core was about to do what the state table forbids. It is a defect of the core: the one
// command fails loudly and changes nothing.
type ImpossibleError struct {
	Operation OperationID
	What      string
}

func (e *ImpossibleError) Error() string {
	return fmt.Sprintf("operation %s: impossible change refused: %s", e.Operation, e.What)
}
