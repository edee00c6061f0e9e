package ledger_test

import (
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestUnderWhatAWorkflowIsFound: its key and its requester, where it has them; nothing stands in their place.
func TestUnderWhatAWorkflowIsFound(t *testing.T) {
	w := newTasks(t)
	bare := w.new().Workflow.Index()
	if bare.Subject != "" || bare.Entity != "" {
		t.Errorf("without either: %+v", bare)
	}
	both := w.new(under("k"), func(c *ledger.StartWorkflow) { c.Requester = "kim@example.com" }).Workflow.Index()
	if both.Subject != ledger.CorrelationKey(ledgertest.North, "k").ID || both.Entity != ledger.RequesterIndex(ledgertest.North, "kim@example.com") {
		t.Errorf("with both: %+v", both)
	}
}

// TestHowLongAKeyUnites: for ten minutes, or for as long as its first request says.
func TestHowLongAKeyUnites(t *testing.T) {
	w := newTasks(t)
	if s := w.new(under("k")); s.Workflow.CorrelationWindow != 10*time.Minute {
		t.Errorf("it unites for %s", s.Workflow.CorrelationWindow)
	}
	if s := w.new(under("l"), func(c *ledger.StartWorkflow) { c.CorrelationWindow = time.Hour }); s.Workflow.CorrelationWindow != time.Hour {
		t.Errorf("it unites for %s", s.Workflow.CorrelationWindow)
	}
}

// TestWhenAnEndedWorkflowIsSwept: two seconds after its end, and as long as transactions of before may commit.
func TestWhenAnEndedWorkflowIsSwept(t *testing.T) {
	w := newTasks(t)
	s := w.new()
	end := w.complete(s.Workflow.ID, s.RunID).Workflow.EndedAt
	sweep := func(done bool) time.Duration {
		t.Helper()
		did[ledger.WorkflowEnded](t, w.World, &ledger.SweepWorkflow{Namespace: ledgertest.North, WorkflowID: s.Workflow.ID, Done: done})
		return w.workflow(s.Workflow.ID).SweepAt.Sub(end)
	}
	if at := w.workflow(s.Workflow.ID).SweepAt.Sub(end); at != 2*time.Second {
		t.Errorf("it is swept %s after its end", at)
	}
	w.Advance(2 * time.Second)
	if at := sweep(false); at != 2*time.Second {
		t.Errorf("what has more to give up is swept again after %s, want at once", at)
	}
	if at := sweep(true); at != 30*time.Second {
		t.Errorf("the last look is %s after its end", at)
	}
	w.Advance(28 * time.Second)
	sweep(true)
	if at := w.workflow(s.Workflow.ID).SweepAt; !at.IsZero() {
		t.Errorf("it is swept again at %s", at)
	}
	was := w.workflow(s.Workflow.ID)
	sweep(false)
	if now := w.workflow(s.Workflow.ID); now.Etag() != was.Etag() || !now.SweepAt.IsZero() {
		t.Errorf("what was over was swept again: %+v", now)
	}
	did[ledger.WorkflowEnded](t, w.World, &ledger.SweepWorkflow{Namespace: ledgertest.North, WorkflowID: "wf_none", Done: true})
}

// TestASweepPassesOverWhatIsNotToBeGivenUp: what is unknown, another workflow's or over keeps nothing behind it.
func TestASweepPassesOverWhatIsNotToBeGivenUp(t *testing.T) {
	w := newTasks(t)
	s, other := w.new(), w.new()
	waiting := func(key, workflow, run string) ledger.OperationID {
		c := email
		c.Key, c.Args = key, `{"key":"`+key+`"}`
		h := w.Execute(in(c, workflow, run))
		wantOK(t, h.Says(ledger.OutcomeNotSent))
		return h.Operation
	}
	others, own, late := waiting("a", other.Workflow.ID, other.RunID), waiting("b", s.Workflow.ID, s.RunID), waiting("c", s.Workflow.ID, s.RunID)
	w.complete(s.Workflow.ID, s.RunID, leaving(own))
	w.Advance(2 * time.Second)
	did[ledger.WorkflowEnded](t, w.World, &ledger.SweepWorkflow{
		Namespace: ledgertest.North, WorkflowID: s.Workflow.ID, Done: true,
		Leftovers: ledger.Leftovers{Operations: []ledger.OperationID{"op_none", others, own, late}, Leases: []string{"lease_none"}},
	})
	wantState(t, w.Operation(ledgertest.North, others), ledger.FailedRetryable)
	wantState(t, w.Operation(ledgertest.North, late), ledger.FailedPermanent)
}

// TestARepeatedResume is answered by the run that it made the current one, under whatever run id it comes again, and to
// nobody else.
func TestARepeatedResume(t *testing.T) {
	w := newTasks(t)
	id := w.new().Workflow.ID
	c := w.resume(id, "run_2")
	did[ledger.WorkflowResumed](t, w.World, c)
	again := *c
	again.NewRun = "run_drawn_anew"
	if r := did[ledger.WorkflowResumed](t, w.World, &again); r.RunID != "run_2" || len(r.Workflow.Runs) != 2 {
		t.Errorf("its repeat is answered with %s, %d runs", r.RunID, len(r.Workflow.Runs))
	}
	did[ledger.WorkflowResumed](t, w.World, w.resume(id, "run_3"))
	_, err := w.Do(&again)
	wantRefusal(t, err, ledger.ReasonRunSuperseded)
	if !strings.Contains(err.Error(), "run run_2") {
		t.Errorf("%v", err)
	}
	for i := range ledger.MaxRuns {
		did[ledger.WorkflowResumed](t, w.World, w.resume(id, "run_more_"+string(rune('a'+i%26))+string(rune('a'+i/26))))
	}
	_, err = w.Do(&again) // its run is in the list no more
	wantRefusal(t, err, ledger.ReasonRunSuperseded)
	if !strings.Contains(err.Error(), "run run_drawn_anew") {
		t.Errorf("%v", err)
	}
}
