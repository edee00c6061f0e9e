package ledger_test

import (
	"fmt"
	"slices"
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

// TestASweepTakesNothingBack of what goes on, is over, or has been given up: not of an operation, nor of a lease.
func TestASweepTakesNothingBack(t *testing.T) {
	w := newTasks(t)
	s, other := w.new(), w.new()
	id, run := s.Workflow.ID, s.RunID
	over := w.Execute(in(email, id, run))
	wantOK(t, over.Begin())
	wantOK(t, over.Says(ledger.OutcomeRejected))
	undone := w.Execute(in(capture, id, run))
	wantOK(t, undone.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
	did[ledger.Compensation](t, w.World, undo(w.World, undone.Operation, "ch_1", undoStep("refund")))
	ran(t, w.World)
	undoing := rowsOf(t, w.World, undone.Operation)[0].OperationID
	sent := w.Execute(in(revoke, id, run))
	wantOK(t, sent.Begin())
	released := granted(t, w.World, acquire(w.World, id, run, orders("o_1")...))
	did[ledger.ReleasedLease](t, w.World, release(released))
	held := granted(t, w.World, acquire(w.World, other.Workflow.ID, other.RunID, orders("o_2")...))
	w.complete(id, run, leaving(sent.Operation))
	closed := sent.Now().ClosedAt

	w.Advance(2 * time.Second)
	leases := []*ledger.Lease{leaseNow(w.World, released), leaseNow(w.World, held)}
	swept := did[ledger.WorkflowEnded](t, w.World, &ledger.SweepWorkflow{
		Namespace: ledgertest.North, WorkflowID: id, Done: true, Leftovers: ledger.Leftovers{
			Operations: []ledger.OperationID{over.Operation, undone.Operation, undoing, sent.Operation}, Leases: []string{released.ID, held.ID},
		},
	})
	if len(swept.Operations) != 0 || len(swept.Leases) != 0 {
		t.Errorf("it changed %d operations and %d leases", len(swept.Operations), len(swept.Leases))
	}
	for _, o := range []ledger.OperationID{over.Operation, undone.Operation, undoing} {
		if at := w.Operation(ledgertest.North, o).ClosedAt; !at.IsZero() {
			t.Errorf("%s was closed at %s", o, at)
		}
	}
	if at := sent.Now().ClosedAt; !at.Equal(closed) || closed.IsZero() {
		t.Errorf("what was closed at %s was closed again at %s", closed, at)
	}
	for _, was := range leases {
		if l := leaseNow(w.World, was); !l.EndedAt.Equal(was.EndedAt) || l.Version != was.Version {
			t.Errorf("the lease %s ended at %s, before at %s", l.ID, l.EndedAt, was.EndedAt)
		}
	}
}

// TestWhatUndoesGoesOnAfterTheEnd of its workflow: it is tried, and tried again.
func TestWhatUndoesGoesOnAfterTheEnd(t *testing.T) {
	w := newTasks(t)
	s := w.new()
	original := w.Execute(in(capture, s.Workflow.ID, s.RunID))
	wantOK(t, original.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
	did[ledger.Compensation](t, w.World, undo(w.World, original.Operation, "ch_1", undoStep("refund")))
	ran(t, w.World)
	step := rowsOf(t, w.World, original.Operation)[0]
	if of := w.Operation(ledgertest.North, step.OperationID).WorkflowID; of != s.Workflow.ID {
		t.Fatalf("the step is of workflow %s", of)
	}
	w.complete(s.Workflow.ID, s.RunID)
	h := carryOut(t, w.World, step, ledger.OutcomeNotSent)
	wantState(t, h.Now(), ledger.FailedRetryable)
	w.Advance(time.Hour)
	carryOut(t, w.World, step, ledger.OutcomeSucceeded)
	ran(t, w.World)
	wantState(t, original.Now(), ledger.Compensated)
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
	// Superseded, it is told which run was its own, while that one is in the list.
	for i := range ledger.MaxRuns + 1 {
		did[ledger.WorkflowResumed](t, w.World, w.resume(id, fmt.Sprint("run_more_", i)))
		_, err := w.Do(&again)
		wantRefusal(t, err, ledger.ReasonRunSuperseded)
		earned := "run run_drawn_anew"
		if slices.ContainsFunc(w.workflow(id).Runs, func(r ledger.WorkflowRun) bool { return r.ID == "run_2" }) {
			earned = "run run_2"
		}
		if !strings.Contains(err.Error(), earned) {
			t.Errorf("after %d more: %v", i+1, err)
		}
	}
	if w.workflow(id).Runs[0].ID == "run_2" {
		t.Error("its run is in the list all along")
	}
}

// TestARepeatedResumeOfTheFirstRun by itself is answered as the first time.
func TestARepeatedResumeOfTheFirstRun(t *testing.T) {
	w := newTasks(t)
	s := w.new()
	c := w.resume(s.Workflow.ID, s.RunID)
	for range 2 {
		if r := did[ledger.WorkflowResumed](t, w.World, c); r.RunID != s.RunID || len(r.Workflow.Runs) != 1 {
			t.Errorf("it is answered with %s, %d runs", r.RunID, len(r.Workflow.Runs))
		}
	}
}
