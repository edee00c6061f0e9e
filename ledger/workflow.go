package ledger

import (
	"fmt"
	"slices"
	"time"
)

// Bounds of one workflow's row, which every proposal of the workflow reads.
const (
	// MaxSourceEvents bounds the events that a workflow lists: the first, whose time identities may bear, and the newest. All
	// of them stay known, each by its own record.
	MaxSourceEvents = 100
	// MaxRuns bounds the runs that a workflow lists, the newest; a run is superseded by all that came after it.
	MaxRuns = 200
	// MaxIntentFlags bounds the flags that a workflow lists, the newest.
	MaxIntentFlags = 50
)

// Workflow is an agent's task as the ledger keeps it: the runs that may act in it, the events that it came from, and what
// the user was told in the end. Its record's id is the workflow's. A workflow's id that was never started is a name and
// nothing more: whoever proposes under it is judged without a workflow.
type Workflow struct {
	row
	State             WorkflowState     `json:"state"`
	UserRequest       string            `json:"user_request,omitempty"`
	NormalizedIntent  string            `json:"normalized_intent,omitempty"`
	Requester         string            `json:"requester,omitempty"` // the person that asked
	CorrelationKey    string            `json:"correlation_key,omitempty"`
	CorrelationWindow time.Duration     `json:"correlation_window,omitempty"` // zero: no key
	Labels            map[string]string `json:"labels,omitempty"`
	Principal         Principal         `json:"principal"`        // that started it
	Events            []Arrival         `json:"events,omitempty"` // in order of arrival; see MaxSourceEvents
	Flags             []IntentFlag      `json:"flags,omitempty"`
	CreatedAt         time.Time         `json:"created_at"`
	UpdatedAt         time.Time         `json:"updated_at"`
	EndedAt           time.Time         `json:"ended_at,omitzero"`
	EndedBy           Principal         `json:"ended_by,omitempty"`
	EndReason         string            `json:"end_reason,omitempty"`
	Conclusion        *Conclusion       `json:"conclusion,omitempty"` // nil: it is open, or nothing was told
	// SweepAt is when due work looks for what an ended workflow still has to give up; zero: nothing.
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
	RequestID RequestID `json:"request_id,omitempty"` // that made it the current one, so that its repeat finds it
	StartedAt time.Time `json:"started_at"`
	EndedAt   time.Time `json:"ended_at,omitzero"`
}

// Arrival is an event that brought a request.
type Arrival struct {
	Source  string    `json:"source"`
	EventID string    `json:"event_id"`
	Time    time.Time `json:"time,omitzero"` // when the source sent it; zero: not known
}

// IntentFlag is a request that came under a workflow's correlation key and means something else.
type IntentFlag struct {
	Event            Arrival `json:"event,omitzero"`
	NormalizedIntent string  `json:"normalized_intent,omitempty"`
	WorkflowID       string  `json:"workflow_id,omitempty"` // that it started
}

// WorkflowKey names a workflow.
func WorkflowKey(ns Namespace, id string) RecordKey { return RecordKey{RecordWorkflow, ns, id} }

// Key names it.
func (w *Workflow) Key() RecordKey { return w.key(RecordWorkflow) }

// Index lists workflows by state, by correlation key (the subject) and by requester (the entity).
func (w *Workflow) Index() RecordIndex {
	index := RecordIndex{Status: string(w.State), At: w.CreatedAt, DueAt: w.SweepAt}
	if w.CorrelationKey != "" {
		index.Subject = CorrelationKey(w.Namespace, w.CorrelationKey).ID
	}
	if w.Requester != "" {
		index.Entity = RequesterIndex(w.Namespace, w.Requester)
	}
	return index
}

// RequesterIndex is a requester as the index of workflows has it: of a length that every engine takes.
func RequesterIndex(ns Namespace, requester string) string {
	return "per_" + derive("opledger-requester/1", ns, IdempotencyKey(requester), 0)
}

// Current is the run that may act; empty in a workflow that has ended.
func (w *Workflow) Current() string {
	if w.State != WorkflowOpen || len(w.Runs) == 0 {
		return ""
	}
	return w.Runs[len(w.Runs)-1].ID
}

// run finds a run by its id, or nil.
func (w *Workflow) run(id string) *WorkflowRun {
	i := slices.IndexFunc(w.Runs, func(r WorkflowRun) bool { return r.ID == id })
	if i < 0 {
		return nil
	}
	return &w.Runs[i]
}

// next is a copy to be changed, one version on.
func (w *Workflow) next(now time.Time) *Workflow {
	c := *w
	c.Version++
	c.UpdatedAt = now
	c.Events, c.Flags, c.Runs = slices.Clone(w.Events), slices.Clone(w.Flags), slices.Clone(w.Runs)
	return &c
}

// begin makes a run the current one.
func (w *Workflow) begin(r WorkflowRun) {
	if n := len(w.Runs); n > 0 {
		w.Runs[n-1].EndedAt = r.StartedAt
	}
	w.Runs = append(w.Runs, r)
	if over := len(w.Runs) - MaxRuns; over > 0 {
		w.Runs = slices.Delete(w.Runs, 0, over)
	}
}

// arrive adds an event. The first one stays.
func (w *Workflow) arrive(a Arrival) {
	w.Events = append(w.Events, a)
	if len(w.Events) > MaxSourceEvents {
		w.Events = slices.Delete(w.Events, 1, 2)
	}
}

// flag adds a request that means something else.
func (w *Workflow) flag(f IntentFlag) {
	w.Flags = append(w.Flags, f)
	if over := len(w.Flags) - MaxIntentFlags; over > 0 {
		w.Flags = slices.Delete(w.Flags, 0, over)
	}
}

// workflowOf finds a workflow that was started, or nil.
func workflowOf(v *View, ns Namespace, id string) *Workflow {
	if id == "" {
		return nil
	}
	w, found := recordOf[Workflow](v, WorkflowKey(ns, id))
	if !found {
		return nil
	}
	return w
}

// workflowNotFound refuses an id that nobody started.
func workflowNotFound(id string) *Refusal {
	return refuse(CodeNotFound, ReasonWorkflowNotFound, "no workflow %s was started in this namespace; start it first", id)
}

// ended refuses what an ended workflow gets no more.
func (w *Workflow) ended() *Refusal {
	return refuse(CodeFailedPrecondition, ReasonWorkflowEnded, "workflow %s is %s since %s: it gets no new operation or permit; start another",
		w.ID, w.State, w.EndedAt.Format(time.RFC3339)).with("workflow_id", w.ID)
}

// superseded refuses a run that is not the current one.
func (w *Workflow) superseded(run string) *Refusal {
	who := "run " + run
	if run == "" {
		who = "a caller that names no run"
	}
	return refuse(CodeFailedPrecondition, ReasonRunSuperseded, "%s is not the current run of workflow %s; stop, or resume the workflow", who, w.ID).
		with("workflow_id", w.ID, "current_run_id", w.Current())
}

// SourceEvent says which workflow an event belongs to: (source, event id) is unique in the namespace. A request that no
// event brought is its own event, so that its repeat finds what it started.
type SourceEvent struct {
	row
	Arrival
	WorkflowID string    `json:"workflow_id"`
	Principal  Principal `json:"principal"`        // of the request that brought it first
	RequestID  RequestID `json:"request_id"`       // of that request
	RunID      string    `json:"run_id,omitempty"` // that the request earned
	// United is by what that request was united with a workflow that was there; nil: it started its own.
	United     *United     `json:"united,omitempty"`
	Flag       *IntentFlag `json:"flag,omitempty"` // as it was answered
	ReceivedAt time.Time   `json:"received_at"`
}

// SourceEventKey names an event, in a form that every engine can keep.
func SourceEventKey(ns Namespace, source, eventID string) RecordKey {
	name := fmt.Sprintf("%d:%s%s", len(source), source, eventID)
	return RecordKey{RecordSourceEvent, ns, "sev_" + derive("opledger-source-event/1", ns, IdempotencyKey(name), 0)}
}

// Key names it.
func (e *SourceEvent) Key() RecordKey { return e.key(RecordSourceEvent) }

// Index is that of a kind which is found by its key alone.
func (e *SourceEvent) Index() RecordIndex {
	return RecordIndex{Subject: e.WorkflowID, At: e.ReceivedAt}
}
