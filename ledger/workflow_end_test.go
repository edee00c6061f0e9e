package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// everyState makes operations of a workflow in every state that its end can meet.
func everyState(t *testing.T, w *tasks, id, run string) (retryable, unsent, sent, unknown *ledgertest.Holder) {
	t.Helper()
	retryable = w.Execute(in(capture, id, run))
	wantOK(t, retryable.Says(ledger.OutcomeNotSent))
	unsent = w.Execute(in(email, id, run))
	sent = w.Execute(in(revoke, id, run))
	wantOK(t, sent.Begin())
	second := email
	second.Key, second.Args = "email:other", `{"template":"other"}`
	unknown = w.Execute(in(second, id, run))
	wantOK(t, unknown.Begin())
	wantOK(t, unknown.Says(ledger.OutcomeAmbiguous))
	wantState(t, unknown.Now(), ledger.UnknownOutcome)
	return retryable, unsent, sent, unknown
}

func TestAnEndedWorkflowGivesUpWhatIsUndispatched(t *testing.T) {
	w := newTasks(t)
	s := w.new()
	id, run := s.Workflow.ID, s.RunID
	retryable, unsent, sent, unknown := everyState(t, w, id, run)
	ended := w.complete(id, run, leaving(retryable.Operation, unsent.Operation, sent.Operation, unknown.Operation))
	if len(ended.Operations) != 4 || ended.Workflow.State != ledger.WorkflowCompleted || ended.Workflow.Current() != "" {
		t.Fatalf("%+v", ended)
	}
	if o := retryable.Now(); o.State != ledger.FailedPermanent || o.Failure.Category != ledger.CategoryCancelled {
		t.Fatalf("what was not sent is %s", o.State)
	}
	wantRefusal(t, unsent.Begin(), ledger.ReasonWorkflowEnded)
	w.Advance(time.Hour)
	w.RunDue()
	if o := unsent.Now(); o.State != ledger.FailedPermanent || o.Failure.Category != ledger.CategoryCancelled {
		t.Fatalf("what was permitted and not begun is %s (%+v)", o.State, o.Failure)
	}
	wantState(t, unknown.Now(), ledger.UnknownOutcome) // it is found out all the same
	wantRefusal(t, sent.Says(ledger.OutcomeSucceeded, ledgertest.Effect("g_1")), ledger.ReasonStaleAttempt)
	wantState(t, sent.Now(), ledger.CompletedSuccess)

	refusedBy(t, w.World, w.Command(in(upsert, id, run)), ledger.ReasonWorkflowEnded)
	refusedBy(t, w.World, w.completion(id, run), ledger.ReasonWorkflowEnded)
	wantDecision(t, w.Propose(in(revoke, id, run)), ledger.DecisionReplayed)
	wantDecision(t, w.Propose(in(revoke, "wf_2", "run_9")), ledger.DecisionReplayed) // no end frees a key
	notices := 0
	for _, r := range w.Records(ledger.RecordNotice) {
		if n := r.(*ledger.Notice); n.NoticeKind == ledger.NoticeWorkflowEnded && n.Detail["workflow_id"] == id {
			notices++
		}
	}
	if notices != 1 {
		t.Fatalf("subscribers are told %d times", notices)
	}
}

func TestNothingComesAfterTheEndAlthoughDueWorkIsLate(t *testing.T) {
	w := newTasks(t)
	s := w.new()
	id, run := s.Workflow.ID, s.RunID
	retryable, unsent, _, unknown := everyState(t, w, id, run)
	w.complete(id, run) // which found nothing to give up
	w.Advance(2 * time.Minute)
	wantRefusal(t, unsent.Begin(), ledger.ReasonPermitExpired)
	for _, c := range []ledgertest.Call{in(capture, id, run), in(capture, "wf_2", "run_1")} {
		a := w.Propose(c)
		wantDecision(t, a, ledger.DecisionReplayed)
		if a.Operation.Failure.Category != ledger.CategoryCancelled {
			t.Fatalf("it is %+v", a.Operation.Failure)
		}
	}
	wantState(t, retryable.Now(), ledger.FailedPermanent)
	w.RunDue()
	wantState(t, unsent.Now(), ledger.FailedPermanent)
	did[ledger.WorkflowEnded](t, w.World, &ledger.SweepWorkflow{
		Namespace: ledgertest.North, WorkflowID: id, Done: true, Leftovers: ledger.Leftovers{Operations: []ledger.OperationID{unknown.Operation}},
	})
	if now := w.workflow(id); !now.SweepAt.IsZero() || unknown.Now().ClosedAt.IsZero() {
		t.Fatalf("the sweep is not over: %s", now.SweepAt)
	}
}

func TestASweepIsBoundedAndComesToAnEnd(t *testing.T) {
	w := newTasks(t)
	s := w.new()
	var all []ledger.OperationID
	for i := range 2*ledger.MaxClosedAtOnce + 3 {
		c := email
		c.Key, c.Args = fmt.Sprint("email:", i), fmt.Sprintf(`{"n":%d}`, i)
		h := w.Execute(in(c, s.Workflow.ID, s.RunID))
		wantOK(t, h.Says(ledger.OutcomeNotSent))
		all = append(all, h.Operation)
	}
	ended := w.complete(s.Workflow.ID, s.RunID, leaving(all...))
	if n := len(ended.Operations); n != ledger.MaxClosedAtOnce {
		t.Fatalf("%d operations changed in one transaction", n)
	}
	for rounds := 0; !w.workflow(s.Workflow.ID).SweepAt.IsZero(); rounds++ {
		w.Advance(w.workflow(s.Workflow.ID).SweepAt.Sub(w.Now)) // due work comes when it is due
		if rounds > 4 {
			t.Fatal("the sweep does not come to an end")
		}
		var left []ledger.OperationID
		for _, id := range all {
			if !w.Operation(ledgertest.North, id).State.Ended() {
				left = append(left, id)
			}
		}
		did[ledger.WorkflowEnded](t, w.World, &ledger.SweepWorkflow{Namespace: ledgertest.North, WorkflowID: s.Workflow.ID, Done: true, Leftovers: ledger.Leftovers{Operations: left}})
	}
	for _, id := range all {
		wantState(t, w.Operation(ledgertest.North, id), ledger.FailedPermanent)
	}
	open := w.new()
	did[ledger.WorkflowEnded](t, w.World, &ledger.SweepWorkflow{Namespace: ledgertest.North, WorkflowID: open.Workflow.ID, Done: true})
	if w.workflow(open.Workflow.ID).State != ledger.WorkflowOpen {
		t.Fatal("a sweep ended a workflow that is open")
	}
}

func TestWhoEndsAWorkflow(t *testing.T) {
	w := newTasks(t)
	s := w.new()
	id := s.Workflow.ID
	did[ledger.WorkflowResumed](t, w.World, w.resume(id, "run_2"))
	refusedBy(t, w.World, w.completion(id, s.RunID), ledger.ReasonRunSuperseded)
	refusedBy(t, w.World, w.completion(id, ""), ledger.ReasonPermissionDenied)
	refusedBy(t, w.World, w.completion(id, "run_2", func(c *ledger.CompleteWorkflow) { c.Etag = "v1" }), ledger.ReasonVersionSeenOutdated)
	refusedBy(t, w.World, w.completion("wf_none", "run_1"), ledger.ReasonWorkflowNotFound)
	c := w.completion(id, "", func(c *ledger.CompleteWorkflow) {
		c.Person, c.Cancelled, c.Reason, c.Etag = true, true, "nobody needs it", w.workflow(id).Etag()
	})
	for range 2 { // the second is its repeat
		e := did[ledger.WorkflowEnded](t, w.World, c)
		if e.Workflow.State != ledger.WorkflowCancelled || e.Workflow.EndReason != "nobody needs it" || e.Workflow.EndedAt != w.Now {
			t.Fatalf("%+v", e.Workflow)
		}
	}
}

func TestApprovalsOfWhatIsCancelledAreVoid(t *testing.T) {
	w := newTasks(t)
	s := w.new()
	w.Rules = newOffice(t, need()).Rules
	c := in(revoke, s.Workflow.ID, s.RunID)
	a := w.Propose(c)
	wantDecision(t, a, ledger.DecisionAwaitingApproval)
	w.complete(s.Workflow.ID, s.RunID, leaving(a.Operation.ID))
	wantState(t, w.Operation(ledgertest.North, a.Operation.ID), ledger.FailedPermanent)
	got := w.Record(ledger.ApprovalKey(ledgertest.North, a.Approvals[0].ID)).(*ledger.Approval)
	if got.State != ledger.ApprovalVoid {
		t.Fatalf("the approval is %s", got.State)
	}
}
