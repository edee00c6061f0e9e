package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

func TestOnlyTheCurrentRunGetsAnythingNew(t *testing.T) {
	w := newTasks(t)
	s := w.new()
	id, first := s.Workflow.ID, s.RunID
	unbegun := w.Execute(in(email, id, first))
	begun := w.Execute(in(revoke, id, first))
	wantOK(t, begun.Begin())
	failed := w.Execute(in(capture, id, first))
	wantOK(t, failed.Says(ledger.OutcomeNotSent))
	w.Advance(time.Minute / 2)
	did[ledger.WorkflowResumed](t, w.World, w.resume(id, "run_2"))

	wantRefusal(t, unbegun.Begin(), ledger.ReasonRunSuperseded)
	if _, err := begun.Extend(time.Minute); err != nil {
		t.Fatalf("what may have been sent is let finish: %v", err)
	}
	refusedBy(t, w.World, w.Command(in(upsert, id, first)), ledger.ReasonRunSuperseded) // a new operation
	refusedBy(t, w.World, w.Command(in(upsert, id, "")), ledger.ReasonRunSuperseded)    // nobody's run is not the current one
	refusedBy(t, w.World, w.Command(in(capture, id, first)), ledger.ReasonRunSuperseded)
	wantDecision(t, w.Propose(in(revoke, id, first)), ledger.DecisionInFlight) // answered about what exists
	wantOK(t, begun.Says(ledger.OutcomeSucceeded, ledgertest.Effect("g_1")))
	wantDecision(t, w.Propose(in(revoke, id, first)), ledger.DecisionReplayed)

	wantDecision(t, w.Propose(in(capture, id, "run_2")), ledger.DecisionExecute)
	wantDecision(t, w.Propose(in(upsert, id, "run_2")), ledger.DecisionExecute)
	wantDecision(t, w.Propose(in(read, "wf_never_started", first)), ledger.DecisionExecute) // a name, and nothing more
}

func TestResume(t *testing.T) {
	w := newTasks(t)
	s := w.new()
	id := s.Workflow.ID
	c := w.resume(id, "run_2")
	for range 2 { // the second is its repeat
		if r := did[ledger.WorkflowResumed](t, w.World, c); r.RunID != "run_2" || r.Workflow.Current() != "run_2" || len(r.Workflow.Runs) != 2 {
			t.Fatalf("%+v", r)
		}
	}
	if r := did[ledger.WorkflowResumed](t, w.World, w.resume(id, "run_2")); len(r.Workflow.Runs) != 2 {
		t.Fatal("the current run may resume itself")
	}
	stranger := w.resume(id, "run_2")
	stranger.Principal = "somebody"
	refusedBy(t, w.World, stranger, ledger.ReasonInvalidRequest)
	refusedBy(t, w.World, w.resume(id, s.RunID), ledger.ReasonRunSuperseded)
	did[ledger.WorkflowResumed](t, w.World, w.resume(id, "run_3"))
	refusedBy(t, w.World, c, ledger.ReasonRunSuperseded) // its late repeat does not take the workflow back
	if w.workflow(id).Current() != "run_3" {
		t.Fatal("a superseded run took the workflow back")
	}
	refusedBy(t, w.World, w.resume("wf_none", "run_1"), ledger.ReasonWorkflowNotFound)
	w.complete(id, "run_3")
	refusedBy(t, w.World, w.resume(id, "run_4"), ledger.ReasonWorkflowEnded)
}

func TestLeasesAreTheCurrentRuns(t *testing.T) {
	w := newTasks(t)
	s := w.new()
	id := s.Workflow.ID
	held := granted(t, w.World, acquire(w.World, id, s.RunID, orders("a")...))
	did[ledger.WorkflowResumed](t, w.World, w.resume(id, "run_2"))
	refusedBy(t, w.World, renew(w.World, held), ledger.ReasonRunSuperseded)
	refusedBy(t, w.World, acquire(w.World, id, s.RunID, orders("b")...), ledger.ReasonRunSuperseded)
	taken := granted(t, w.World, acquire(w.World, id, "run_2", orders("a")...))
	ended := w.complete(id, "run_2", func(c *ledger.CompleteWorkflow) { c.Leftovers.Leases = []string{held.ID, taken.ID} })
	if len(ended.Leases) != 1 || ended.Leases[0].ID != taken.ID {
		t.Fatalf("given back: %+v", ended.Leases)
	}
	granted(t, w.World, acquire(w.World, "wf_other", "run_1", orders("a")...))
	refusedBy(t, w.World, acquire(w.World, id, "run_2", orders("b")...), ledger.ReasonWorkflowEnded)
}

func TestALeaseIsNotRenewedAfterTheEndAlthoughNobodyHasGivenItBack(t *testing.T) {
	w := newTasks(t)
	s := w.new()
	held := granted(t, w.World, acquire(w.World, s.Workflow.ID, s.RunID, orders("a")...))
	w.complete(s.Workflow.ID, s.RunID)
	refusedBy(t, w.World, renew(w.World, held), ledger.ReasonWorkflowEnded)
}

func TestAQueuedOperationIsTheWorkflowsAndNotItsRuns(t *testing.T) {
	w := newTasks(t)
	s := w.new()
	c := in(email, s.Workflow.ID, s.RunID)
	c.Tool = c.Tool.With(func(t *ledger.Terms) { t.Executor = registry.Worker })
	wantDecision(t, w.Propose(c), ledger.DecisionEnqueued)
	did[ledger.WorkflowResumed](t, w.World, w.resume(s.Workflow.ID, "run_2"))
	c.Run = "run_2"
	wantDecision(t, w.Propose(c), ledger.DecisionEnqueued)
	c.Run, c.Key, c.Args = s.RunID, "another", `{"template":"other"}`
	refusedBy(t, w.World, w.Command(c), ledger.ReasonRunSuperseded)
}

func TestTheRequesterOfAWorkflowIsThatOfItsOperations(t *testing.T) {
	w := newTasks(t)
	s := w.new(func(c *ledger.StartWorkflow) { c.Requester = "kim@example.com" })
	if o := w.Propose(in(email, s.Workflow.ID, s.RunID)).Operation; o.Requester != "kim@example.com" {
		t.Fatalf("the requester is %q", o.Requester)
	}
}
