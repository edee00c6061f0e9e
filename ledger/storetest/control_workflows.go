package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
)

// starting asks for a workflow.
func (p *plane) starting(id string, change ...func(*ledger.StartWorkflow)) *ledger.StartWorkflow {
	c := &ledger.StartWorkflow{
		Request:     ledger.Request{Namespace: tenant, Principal: "agent", ID: ledger.RequestID("start-" + id), Hash: id},
		NewWorkflow: "wf_" + id, NewRun: "run_" + id,
	}
	for _, f := range change {
		f(c)
	}
	return c
}

// inWorkflow puts a proposal into a run of a workflow.
func inWorkflow(c *ledger.Propose, workflow, run string) *ledger.Propose {
	c.WorkflowID, c.RunID = workflow, run
	return c
}

// workflows are started, resumed and ended by commands that go from server to server, and by many at the same moment.
func workflows(t *testing.T, fresh Make) {
	t.Run("a workflow from its start to its end", func(t *testing.T) {
		p := controlled(t, fresh)
		s := does[ledger.WorkflowStarted](p, p.starting("1"))
		permit := p.decides(does[ledger.Answer](p, inWorkflow(p.refunding("kim", 1, 100), "wf_1", "run_1")), ledger.DecisionExecute)
		p.says(permit, ledger.OutcomeNotSent)
		does[ledger.WorkflowResumed](p, &ledger.ResumeWorkflow{Request: ledger.Request{Namespace: tenant, Principal: "agent", ID: "resume-1", Hash: "1"}, WorkflowID: "wf_1", NewRun: "run_2"})
		p.refusedAs(inWorkflow(p.refunding("kim", 2, 100), "wf_1", "run_1"), ledger.ReasonRunSuperseded)
		ended := does[ledger.WorkflowEnded](p, &ledger.CompleteWorkflow{
			Request: ledger.Request{Namespace: tenant, Principal: "agent", ID: "complete-1", Hash: "1"}, WorkflowID: "wf_1", RunID: "run_2",
			Leftovers: ledger.Leftovers{Operations: []ledger.OperationID{permit.Operation.ID}},
		})
		if ended.Workflow.State != ledger.WorkflowCompleted || len(ended.Operations) != 1 || ended.Operations[0].State != ledger.FailedPermanent || len(s.Workflow.Runs) != 1 {
			t.Fatalf("ended: %+v", ended)
		}
		p.refusedAs(inWorkflow(p.refunding("kim", 3, 100), "wf_1", "run_2"), ledger.ReasonWorkflowEnded)
		p.advance(time.Hour)
		due, err := p.engine.ClaimDueRecords(t.Context(), ledger.RecordWorkflow, "sweeper", 10, time.Minute)
		if err != nil || len(due) != 1 || due[0].ID != "wf_1" {
			t.Fatalf("due is %v, %v", due, err)
		}
		does[ledger.WorkflowEnded](p, &ledger.SweepWorkflow{Namespace: tenant, WorkflowID: "wf_1", Done: true})
		p.advance(time.Hour)
		if due, err = p.engine.ClaimDueRecords(t.Context(), ledger.RecordWorkflow, "sweeper", 10, time.Minute); err != nil || len(due) != 0 {
			t.Fatalf("a sweep does not end: %v, %v", due, err)
		}
	})
	t.Run("many starts at once, one workflow", func(t *testing.T) {
		p := controlled(t, fresh)
		for name, change := range map[string]func(i int) func(*ledger.StartWorkflow){
			"event": func(int) func(*ledger.StartWorkflow) {
				return func(c *ledger.StartWorkflow) { c.Event = &ledger.Arrival{Source: "chat", EventID: "ev_1"} }
			},
			"key": func(int) func(*ledger.StartWorkflow) {
				return func(c *ledger.StartWorkflow) { c.CorrelationKey = "k" }
			},
			"own": func(int) func(*ledger.StartWorkflow) {
				return func(c *ledger.StartWorkflow) { c.NewWorkflow, c.Own = "own", true }
			},
		} {
			replies, errs := p.atOnce(24, func(i int) ledger.Command { return p.starting(fmt.Sprint(name, i), change(i)) })
			runs, ids := 0, map[string]bool{}
			for i, reply := range replies {
				if errs[i] != nil {
					t.Fatalf("%s %d: %v", name, i, errs[i])
				}
				s := reply.(*ledger.WorkflowStarted)
				ids[s.Workflow.ID] = true
				if s.RunID != "" {
					runs++
				}
			}
			if runs != 1 || len(ids) != 1 {
				t.Fatalf("%s: %d runs of %d workflows", name, runs, len(ids))
			}
		}
	})
	t.Run("an end and proposals at once", func(t *testing.T) {
		p := controlled(t, fresh)
		for round := range 4 {
			name := fmt.Sprint("r", round)
			does[ledger.WorkflowStarted](p, p.starting(name))
			const proposals = 20
			replies, errs := p.atOnce(proposals+1, func(i int) ledger.Command {
				if i == proposals/2 {
					return &ledger.CompleteWorkflow{Request: ledger.Request{Namespace: tenant, Principal: "agent", ID: ledger.RequestID("end-" + name)}, WorkflowID: "wf_" + name, RunID: "run_" + name}
				}
				return inWorkflow(p.refunding(name, 1000*(round+1)+i, 100), "wf_"+name, "run_"+name)
			})
			permits := 0
			for i := range replies {
				if a, ok := replies[i].(*ledger.Answer); ok && errs[i] == nil && a.Permit != nil {
					permits++
				}
			}
			p.refusedAs(inWorkflow(p.refunding(name, 1000*(round+1)+500, 100), "wf_"+name, "run_"+name), ledger.ReasonWorkflowEnded)
			kept, err := p.engine.ListOperations(t.Context(), ledger.OperationQuery{Namespace: tenant, WorkflowID: "wf_" + name, Limit: 100})
			if err != nil || len(kept) != permits {
				t.Fatalf("%d permits, and %d operations: %v", permits, len(kept), err)
			}
		}
	})
	t.Run("names that nobody started stand in nobody's way", func(t *testing.T) {
		p := controlled(t, fresh)
		const many = 240
		before := p.retries.Load()
		_, errs := p.atOnce(many, func(i int) ledger.Command {
			if i%4 == 0 {
				return p.starting(fmt.Sprintf("%03d", i))
			}
			return inWorkflow(p.refunding(fmt.Sprint("customer", i), 10_000+i, 100), fmt.Sprintf("wf_%03d_name", i), "run_1")
		})
		for i, err := range errs {
			if err != nil {
				t.Fatalf("command %d: %v", i, err)
			}
		}
		t.Logf("%d commands at %d servers took %d tries more", many, len(p.servers), p.retries.Load()-before)
	})
}
