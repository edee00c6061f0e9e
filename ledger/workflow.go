package ledger

import "time"

// Workflow is an agent's task as the ledger keeps it: the runs that may act in it, the events that it came from, and what
// the user was told in the end. Its record's id is the workflow's.
type Workflow struct {
	row
	State            WorkflowState     `json:"state"`
	UserRequest      string            `json:"user_request,omitempty"`
	NormalizedIntent string            `json:"normalized_intent,omitempty"`
	Requester        string            `json:"requester,omitempty"` // the person that asked
	CorrelationKey   string            `json:"correlation_key,omitempty"`
	Labels           map[string]string `json:"labels,omitempty"`
	Principal        Principal         `json:"principal"` // that started it
	CreatedAt        time.Time         `json:"created_at"`
	UpdatedAt        time.Time         `json:"updated_at"`
	EndedAt          time.Time         `json:"ended_at,omitzero"`
	// SweepAt is when due work looks for operations of an ended workflow that are still to be cancelled; zero: none are.
	SweepAt time.Time     `json:"sweep_at,omitzero"`
	Runs    []WorkflowRun `json:"runs,omitempty"` // in order; the last is the current one
}

// WorkflowState is where a workflow stands.
type WorkflowState string

// The states of a workflow.
const (
	WorkflowOpen      WorkflowState = "open"
	WorkflowCompleted WorkflowState = "completed"
	WorkflowCancelled WorkflowState = "cancelled"
)

// WorkflowRun is one execution of a workflow.
type WorkflowRun struct {
	ID        string    `json:"id"`
	Principal Principal `json:"principal"`
	StartedAt time.Time `json:"started_at"`
	EndedAt   time.Time `json:"ended_at,omitzero"`
}

// WorkflowKey names a workflow.
func WorkflowKey(ns Namespace, id string) RecordKey { return RecordKey{RecordWorkflow, ns, id} }

// Key names it.
func (w *Workflow) Key() RecordKey { return w.key(RecordWorkflow) }

// Index lists workflows by state, by correlation key (the subject) and by requester (the entity).
func (w *Workflow) Index() RecordIndex {
	return RecordIndex{Status: string(w.State), Subject: w.CorrelationKey, Entity: w.Requester, At: w.CreatedAt, DueAt: w.SweepAt}
}

// SourceEvent says which workflow an event belongs to: (source, event id) is unique in the namespace.
type SourceEvent struct {
	row
	Source     string    `json:"source"`
	EventID    string    `json:"event_id"`
	WorkflowID string    `json:"workflow_id"`
	Time       time.Time `json:"time,omitzero"` // when the source sent it
	ReceivedAt time.Time `json:"received_at"`
}

// Key names it.
func (e *SourceEvent) Key() RecordKey { return e.key(RecordSourceEvent) }

// Index is that of a kind which is found by its key alone.
func (e *SourceEvent) Index() RecordIndex {
	return RecordIndex{Subject: e.WorkflowID, At: e.ReceivedAt}
}

// Correlation says which workflow a correlation key unites with by now.
type Correlation struct {
	row
	WorkflowID string    `json:"workflow_id"`
	LastAt     time.Time `json:"last_at"` // of the last event that was united
}

// Key names it.
func (c *Correlation) Key() RecordKey { return c.key(RecordCorrelation) }

// Index is that of a kind which is found by its key alone.
func (c *Correlation) Index() RecordIndex { return RecordIndex{Subject: c.WorkflowID, At: c.LastAt} }
