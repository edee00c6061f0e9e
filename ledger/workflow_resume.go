package ledger

import "slices"

// ResumeWorkflow makes a run the current one. The run before it is superseded from then on.
type ResumeWorkflow struct {
	Request
	WorkflowID string
	NewRun     string // that becomes the current one
}

// WorkflowResumed is the reply.
type WorkflowResumed struct {
	Workflow *Workflow
	RunID    string
}

// Reads are the workflow.
func (c *ResumeWorkflow) Reads(*View) []Read {
	return []Read{WorkflowKey(c.Namespace, c.WorkflowID).Read()}
}

// Decide makes the run the current one. A run that was superseded never becomes it again: its process may still act on
// what it knew.
func (c *ResumeWorkflow) Decide(v *View, _ Env) Decided {
	w := workflowOf(v, c.Namespace, c.WorkflowID)
	if w == nil {
		return Decided{Err: workflowNotFound(c.WorkflowID)}
	}
	repeated, no := c.repeated(v)
	switch {
	case no != nil:
		return Decided{Err: no}
	case w.State != WorkflowOpen:
		return Decided{Err: w.ended()}
	case repeated:
		return c.again(w)
	}
	if known := w.run(c.NewRun); known != nil {
		switch {
		case known.ID != w.Current():
			return Decided{Err: w.superseded(known.ID)}
		case known.Principal != c.Principal:
			return Decided{Err: invalid("run %s is another principal's; resume under a run id of your own", known.ID)}
		}
		return Decided{Reply: &WorkflowResumed{Workflow: w, RunID: known.ID}, Changes: c.kept(&Changes{})}
	}
	w = w.next(v.Now)
	w.begin(WorkflowRun{ID: c.NewRun, Principal: c.Principal, RequestID: c.ID, StartedAt: v.Now})
	return Decided{Reply: &WorkflowResumed{Workflow: w, RunID: c.NewRun}, Changes: c.kept(&Changes{Records: []Record{w}})}
}

// again answers a repeat of the request with the run that it made the current one, while it still is.
func (c *ResumeWorkflow) again(w *Workflow) Decided {
	i := slices.IndexFunc(w.Runs, func(r WorkflowRun) bool {
		return r.RequestID == c.ID && r.Principal == c.Principal || r.ID == c.NewRun
	})
	if i < 0 || w.Runs[i].ID != w.Current() {
		earned := c.NewRun
		if i >= 0 {
			earned = w.Runs[i].ID
		}
		return Decided{Err: w.superseded(earned)}
	}
	return Decided{Reply: &WorkflowResumed{Workflow: w, RunID: w.Runs[i].ID}}
}
