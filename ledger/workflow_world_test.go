package ledger_test

import (
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// tasks are workflows in a world.
type tasks struct {
	*ledgertest.World
	t *testing.T
}

func newTasks(t *testing.T) *tasks {
	t.Helper()
	return &tasks{World: ledgertest.New(t), t: t}
}

func (w *tasks) request() ledger.Request {
	id := w.ID("uuid")
	return ledger.Request{Namespace: ledgertest.North, Principal: ledgertest.Agent, ID: ledger.RequestID(id), Hash: "of " + id}
}

// wish is a request to start a workflow.
func (w *tasks) wish(change ...func(*ledger.StartWorkflow)) *ledger.StartWorkflow {
	c := &ledger.StartWorkflow{Request: w.request(), NewWorkflow: w.ID("wf"), NewRun: w.ID("run")}
	for _, f := range change {
		f(c)
	}
	return c
}

func by(source, id string) func(*ledger.StartWorkflow) {
	return func(c *ledger.StartWorkflow) { c.Event = &ledger.Arrival{Source: source, EventID: id} }
}

func under(key string) func(*ledger.StartWorkflow) {
	return func(c *ledger.StartWorkflow) { c.CorrelationKey = key }
}

func meaning(intent string) func(*ledger.StartWorkflow) {
	return func(c *ledger.StartWorkflow) { c.NormalizedIntent = intent }
}

func (w *tasks) start(change ...func(*ledger.StartWorkflow)) *ledger.WorkflowStarted {
	w.t.Helper()
	return w.started(w.wish(change...))
}

func (w *tasks) started(c *ledger.StartWorkflow) *ledger.WorkflowStarted {
	w.t.Helper()
	return did[ledger.WorkflowStarted](w.t, w.World, c)
}

// new starts a workflow and expects that it is a new one.
func (w *tasks) new(change ...func(*ledger.StartWorkflow)) *ledger.WorkflowStarted {
	w.t.Helper()
	s := w.start(change...)
	if s.RunID == "" || s.United != nil {
		w.t.Fatalf("it was united: %+v", s)
	}
	return s
}

func (w *tasks) resume(id, run string) *ledger.ResumeWorkflow {
	return &ledger.ResumeWorkflow{Request: w.request(), WorkflowID: id, NewRun: run}
}

func (w *tasks) completion(id, run string, change ...func(*ledger.CompleteWorkflow)) *ledger.CompleteWorkflow {
	c := &ledger.CompleteWorkflow{Request: w.request(), WorkflowID: id, RunID: run}
	for _, f := range change {
		f(c)
	}
	return c
}

// telling claims one thing of one operation.
func telling(id ledger.OperationID, kind ledger.ClaimedKind) func(*ledger.CompleteWorkflow) {
	return func(c *ledger.CompleteWorkflow) {
		if c.Conclusion == nil {
			c.Conclusion = &ledger.Conclusion{UserMessage: "told"}
		}
		c.Conclusion.Claims = append(c.Conclusion.Claims, ledger.ToldUser{OperationID: id, Kind: kind})
	}
}

// leaving hands in what a look has found.
func leaving(ids ...ledger.OperationID) func(*ledger.CompleteWorkflow) {
	return func(c *ledger.CompleteWorkflow) { c.Leftovers.Operations = ids }
}

func (w *tasks) complete(id, run string, change ...func(*ledger.CompleteWorkflow)) *ledger.WorkflowEnded {
	w.t.Helper()
	return did[ledger.WorkflowEnded](w.t, w.World, w.completion(id, run, change...))
}

func (w *tasks) workflow(id string) *ledger.Workflow {
	w.t.Helper()
	r := w.Record(ledger.WorkflowKey(ledgertest.North, id))
	if r == nil {
		w.t.Fatalf("no workflow %s", id)
	}
	return r.(*ledger.Workflow)
}

func (w *tasks) workflows() int { return len(w.Records(ledger.RecordWorkflow)) }

// in puts a call into a run of a workflow.
func in(c ledgertest.Call, workflow, run string) ledgertest.Call {
	c.Workflow, c.Run = workflow, run
	return c
}
