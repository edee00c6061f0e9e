package ledger

import "time"

// StartWorkflow starts a task, or answers with the one that its event, its own id or its correlation key belongs to.
type StartWorkflow struct {
	Request
	// NewWorkflow and NewRun are the ids that it may earn. Own: the workflow's is the caller's, and names one that may be
	// there already.
	NewWorkflow, NewRun string
	Own                 bool

	UserRequest, NormalizedIntent, Requester string
	Event                                    *Arrival // nil: no event brought the request
	CorrelationKey                           string
	CorrelationWindow                        time.Duration // zero: DefaultCorrelationWindow
	Labels                                   map[string]string
}

// United is by what a request was united with a workflow that was there. Exactly one is set.
type United struct {
	Event          *Arrival `json:"event,omitempty"`
	CorrelationKey string   `json:"correlation_key,omitempty"`
	WorkflowID     string   `json:"workflow_id,omitempty"` // the caller's own id
}

// WorkflowStarted is the reply.
type WorkflowStarted struct {
	Workflow *Workflow
	// RunID is the run that the caller may act as. Empty: the request was united with another's, or another run has taken
	// over since.
	RunID  string
	United *United     // nil: it started its own
	Flag   *IntentFlag // of another workflow under the same key that means something else
}

// eventKey names the event that brought the request. One that no event brought is its own.
func (c *StartWorkflow) eventKey() RecordKey {
	if c.Event != nil {
		return SourceEventKey(c.Namespace, c.Event.Source, c.Event.EventID)
	}
	return SourceEventKey(c.Namespace, "", RequestValue(c.Principal, c.ID)) // no source is empty
}

// Reads are the event, the key, the caller's own id, and the workflows that they lead to.
func (c *StartWorkflow) Reads(v *View) []Read {
	reads := []Read{c.eventKey().Read(), WorkflowKey(c.Namespace, c.NewWorkflow).Read()}
	if e, known := v.records[reads[0]].(*SourceEvent); known {
		reads = append(reads, WorkflowKey(c.Namespace, e.WorkflowID).Read())
	}
	if c.CorrelationKey == "" {
		return reads
	}
	key := CorrelationKey(c.Namespace, c.CorrelationKey).Read()
	reads = append(reads, key)
	if row, known := v.records[key].(*Correlation); known {
		for _, e := range row.Entries {
			reads = append(reads, WorkflowKey(c.Namespace, e.WorkflowID).Read())
		}
	}
	return reads
}

// Decide answers with the workflow that the request belongs to. One event makes one workflow, however often and at however
// many servers it comes: its record is made in the same transaction.
func (c *StartWorkflow) Decide(v *View, _ Env) Decided {
	if _, no := c.repeated(v); no != nil {
		return Decided{Err: no}
	}
	if e, came := recordOf[SourceEvent](v, c.eventKey()); came {
		return Decided{Reply: c.cameBefore(workflowOf(v, c.Namespace, e.WorkflowID), e), Changes: c.kept(&Changes{})}
	}
	if w := workflowOf(v, c.Namespace, c.NewWorkflow); w != nil {
		if !c.Own {
			return Decided{Err: invalid("the workflow id %s was made twice; ask again", c.NewWorkflow)}
		}
		if known := (Correlated{Intent: w.NormalizedIntent}); !known.means(c.NormalizedIntent) {
			return Decided{Err: refuse(CodeAlreadyExists, ReasonInvalidRequest,
				"workflow %s was started for another intent; start this one under an id of its own", w.ID).with("workflow_id", w.ID)}
		}
		return c.unite(v, w, &United{WorkflowID: w.ID})
	}
	if c.CorrelationKey == "" {
		return c.start(v, nil)
	}
	row, _ := recordOf[Correlation](v, CorrelationKey(c.Namespace, c.CorrelationKey))
	held := row.held(v)
	for _, e := range held {
		if e.means(c.NormalizedIntent) {
			return c.unite(v, workflowOf(v, c.Namespace, e.WorkflowID), &United{CorrelationKey: c.CorrelationKey})
		}
	}
	if len(held) >= MaxCorrelated {
		return Decided{Err: refuse(CodeFailedPrecondition, ReasonStateNotSuitable,
			"%d workflows with different intents are open under this correlation key; a key stands for one request, so start this one under another key", MaxCorrelated)}
	}
	return c.start(v, held)
}

// cameBefore answers a request whose event came before. This very request, asked again after a lost answer, is answered
// as it was; any other is united by the event.
func (c *StartWorkflow) cameBefore(w *Workflow, e *SourceEvent) *WorkflowStarted {
	if e.Principal != c.Principal || e.RequestID != c.ID {
		event := e.Arrival
		return &WorkflowStarted{Workflow: w, United: &United{Event: &event}}
	}
	reply := &WorkflowStarted{Workflow: w, United: e.United, Flag: e.Flag}
	if e.RunID != "" && e.RunID == w.Current() {
		reply.RunID = e.RunID
	}
	return reply
}

// event is the record of the event that brought the request.
func (c *StartWorkflow) event(v *View, workflow string) *SourceEvent {
	key := c.eventKey()
	e := &SourceEvent{
		row: row{Namespace: key.Namespace, ID: key.ID, Version: 1}, WorkflowID: workflow, Principal: c.Principal, RequestID: c.ID, ReceivedAt: v.Now,
	}
	if c.Event != nil {
		e.Arrival = *c.Event
	}
	return e
}

// correlated moves the key's window on, or puts a new workflow under the key.
func (c *StartWorkflow) correlated(v *View, w *Workflow, changes *Changes) {
	if c.CorrelationKey == "" || w.CorrelationKey != c.CorrelationKey {
		return
	}
	row, _ := recordOf[Correlation](v, CorrelationKey(c.Namespace, c.CorrelationKey))
	changes.Records = append(changes.Records, row.with(v, Correlated{
		WorkflowID: w.ID, Intent: w.NormalizedIntent, LastAt: v.Now, Window: w.CorrelationWindow,
	}))
}

// unite adds the request's event to a workflow that is there. Its run acts, and nobody else.
func (c *StartWorkflow) unite(v *View, w *Workflow, by *United) Decided {
	e := c.event(v, w.ID)
	e.United = by
	changes := &Changes{Records: []Record{e}}
	if c.Event != nil {
		w = w.next(v.Now)
		w.arrive(*c.Event)
		changes.Records = append(changes.Records, w)
	}
	c.correlated(v, w, changes)
	return Decided{Reply: &WorkflowStarted{Workflow: w, United: by}, Changes: c.kept(changes)}
}

// start makes the workflow with its first run. Others are the workflows under the same key that mean something else: both
// sides are told, and a person should look.
func (c *StartWorkflow) start(v *View, others []Correlated) Decided {
	w := &Workflow{
		row: row{Namespace: c.Namespace, ID: c.NewWorkflow}, State: WorkflowOpen, UserRequest: c.UserRequest,
		NormalizedIntent: c.NormalizedIntent, Requester: c.Requester, Labels: c.Labels, Principal: c.Principal, CreatedAt: v.Now,
	}
	w = w.next(v.Now)
	if c.CorrelationKey != "" {
		w.CorrelationKey, w.CorrelationWindow = c.CorrelationKey, c.CorrelationWindow
		if w.CorrelationWindow == 0 {
			w.CorrelationWindow = DefaultCorrelationWindow
		}
	}
	if c.Event != nil {
		w.arrive(*c.Event)
	}
	w.begin(WorkflowRun{ID: c.NewRun, Principal: c.Principal, RequestID: c.ID, StartedAt: v.Now})
	e := c.event(v, w.ID)
	e.RunID = c.NewRun
	changes := &Changes{Records: []Record{w, e}}
	for _, other := range others {
		o := workflowOf(v, c.Namespace, other.WorkflowID).next(v.Now)
		o.flag(IntentFlag{Event: e.Arrival, NormalizedIntent: c.NormalizedIntent, WorkflowID: w.ID})
		changes.Records = append(changes.Records, o)
		e.Flag = &IntentFlag{NormalizedIntent: o.NormalizedIntent, WorkflowID: o.ID}
		if len(o.Events) > 0 {
			e.Flag.Event = o.Events[0]
		}
	}
	c.correlated(v, w, changes)
	return Decided{Reply: &WorkflowStarted{Workflow: w, RunID: c.NewRun, Flag: e.Flag}, Changes: c.kept(changes)}
}
