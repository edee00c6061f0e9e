package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

func TestAnEffectIsUndoneStepByStep(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	c := did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1", undoStep("refund"), undoStep("notify")))
	wantState(t, c.Operation, ledger.Compensating)
	if len(c.Steps) != 2 {
		t.Fatalf("%d steps", len(c.Steps))
	}
	ran(t, w)
	wantSteps(t, w, o.ID, "open planned")
	rows := rowsOf(t, w, o.ID)
	first := w.Operation(ledgertest.North, rows[0].OperationID)
	wantState(t, first, ledger.PendingDispatch)
	if first.Undoes == nil || first.Undoes.Original != o.ID || first.Proposer != kim.Principal {
		t.Fatalf("the step is not linked: %+v by %s", first.Undoes, first.Proposer)
	}
	carryOut(t, w, rows[0], ledger.OutcomeSucceeded)
	wantState(t, w.Operation(ledgertest.North, o.ID), ledger.Compensating)
	ran(t, w)
	wantSteps(t, w, o.ID, "done open")
	carryOut(t, w, rowsOf(t, w, o.ID)[1], ledger.OutcomeNoop) // it was so already: undone all the same
	ran(t, w)
	wantSteps(t, w, o.ID, "done done")
	now := w.Operation(ledgertest.North, o.ID)
	wantState(t, now, ledger.Compensated)
	if now.UndoneAt("ch_1").IsZero() || len(now.StandingEffects()) != 0 || now.Human != nil {
		t.Errorf("%+v", now.Undoing)
	}
}

func TestARepeatAnswersWithTheSameStepsWhateverThePlaybookIs(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1", undoStep("refund")))
	ran(t, w)
	for _, again := range []*ledger.Compensate{undo(w, o.ID, "ch_1", undoStep("other"), undoStep("more")), undo(w, o.ID, "", undoStep("refund"))} {
		again.Plan, again.Etag = nil, "v1"
		c := did[ledger.Compensation](t, w, again)
		if len(c.Steps) != 1 || c.Steps[0].Name != "refund" {
			t.Errorf("%+v", c.Steps)
		}
	}
	ran(t, w)
	if n := len(w.Operations()); n != 2 {
		t.Errorf("there are %d operations, want the original and one step", n)
	}
	carryOut(t, w, rowsOf(t, w, o.ID)[0], ledger.OutcomeSucceeded)
	ran(t, w)
	wantState(t, did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1", undoStep("other"))).Operation, ledger.Compensated)
	if dueStep(w) != nil || len(w.Operations()) != 2 {
		t.Error("a repeat began something")
	}
}

func TestWhatCannotBeCompensatedIsRefused(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Execute(capture)
	refusedBy(t, w, undo(w, h.Operation, "", undoStep("refund")), ledger.ReasonNotCompensable) // not known to have happened
	wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
	refusedBy(t, w, undo(w, h.Operation, "ch_9", undoStep("refund")), ledger.ReasonNotCompensable)
	outdated := undo(w, h.Operation, "ch_1", undoStep("refund"))
	outdated.Etag = "v1"
	refusedBy(t, w, outdated, ledger.ReasonVersionSeenOutdated)
	unknown := undo(w, h.Operation, "ch_1", undoStep("refund"))
	unknown.OperationID = "op_none"
	refusedBy(t, w, unknown, ledger.ReasonOperationNotFound)
	wantState(t, h.Now(), ledger.CompletedSuccess)
	if len(w.Records(ledger.RecordStep)) != 0 {
		t.Error("a refusal left steps behind")
	}
	did[ledger.Compensation](t, w, undo(w, h.Operation, "ch_1", undoStep("refund")))
	ran(t, w)
	undoing := carryOut(t, w, rowsOf(t, w, h.Operation)[0], ledger.OutcomeSucceeded)
	refusedBy(t, w, undo(w, undoing.Operation, "", undoStep("undo-the-undo")), ledger.ReasonNotCompensable)
}

func TestAnAmbiguousStepKeepsTheOriginalCompensating(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	h := refunded(t, w, o.ID, "ch_1", ledger.OutcomeAmbiguous)
	wantState(t, h.Now(), ledger.UnknownOutcome)
	wantState(t, w.Operation(ledgertest.North, o.ID), ledger.Compensating)
	wantSteps(t, w, o.ID, "open")
	w.Advance(late)
	if _, err := w.Do(w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysHappened, func(s *ledger.Statement) {
		s.ClientReference = h.Now().ClientReference
	})); err != nil {
		t.Fatal(err)
	}
	ran(t, w)
	wantState(t, w.Operation(ledgertest.North, o.ID), ledger.Compensated)
}

func TestAFailedStepWaitsForAPersonWhoMayReviseIt(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	plan := undo(w, o.ID, "ch_1", undoStep("refund"), undoStep("notify"))
	plan.Plan.EscalateTo = "payments-oncall"
	did[ledger.Compensation](t, w, plan)
	ran(t, w)
	h := carryOut(t, w, rowsOf(t, w, o.ID)[0], ledger.OutcomeRejected)
	ran(t, w)
	wantSteps(t, w, o.ID, "failed planned")
	now := w.Operation(ledgertest.North, o.ID)
	wantState(t, now, ledger.Compensating)
	if now.Human == nil || now.Human.Reason != ledger.HumanCompensation || now.Human.Owner != "payments-oncall" {
		t.Fatalf("who is asked: %+v", now.Human)
	}
	call := stepCall(rowsOf(t, w, o.ID)[0])
	call.Revise, call.Args = h.Operation, `{"step":"corrected"}`
	next := w.Execute(call)
	ran(t, w)
	wantSteps(t, w, o.ID, "open planned")
	if s := rowsOf(t, w, o.ID)[0]; s.OperationID != next.Operation || next.Now().Undoes == nil {
		t.Fatalf("the successor %s did not take its place: %s", next.Operation, s.OperationID)
	}
	if now := w.Operation(ledgertest.North, o.ID); now.Human != nil {
		t.Errorf("still asked: %+v", now.Human)
	}
	wantOK(t, next.Begin())
	wantOK(t, next.Says(ledger.OutcomeSucceeded, ledgertest.Effect("re_2")))
	ran(t, w)
	wantSteps(t, w, o.ID, "done open")
}

func TestWhereEveryStepIsKnownWithoutEffectTheOriginalStands(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1", undoStep("refund"), undoStep("notify")))
	ran(t, w)
	carryOut(t, w, rowsOf(t, w, o.ID)[0], ledger.OutcomeRejected)
	ran(t, w)
	wantState(t, w.Operation(ledgertest.North, o.ID), ledger.Compensating)
	did[ledger.Cancelled](t, w, &ledger.CancelOperation{Namespace: ledgertest.North, Principal: "proposer", OperationID: o.ID})
	wantState(t, w.Operation(ledgertest.North, o.ID), ledger.Compensating) // not this one's to give up
	gaveUp(t, w, o.ID)
	wantSteps(t, w, o.ID, "failed given_up")
	now := w.Operation(ledgertest.North, o.ID)
	wantState(t, now, ledger.CompletedSuccess)
	if now.Human != nil || len(now.StandingEffects()) != 1 {
		t.Errorf("%+v", now)
	}
}

func TestACancelledStepGivesTheCompensationUp(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1", undoStep("refund"), undoStep("notify")))
	ran(t, w)
	refund := rowsOf(t, w, o.ID)[0].OperationID
	did[ledger.Cancelled](t, w, &ledger.CancelOperation{Namespace: ledgertest.North, Principal: "kim", OperationID: refund})
	ran(t, w)
	wantSteps(t, w, o.ID, "given_up given_up")
	wantState(t, w.Operation(ledgertest.North, o.ID), ledger.CompletedSuccess)
}

func TestHalfUndoneIsNeitherASuccessNorCompensated(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1", undoStep("refund"), undoStep("notify")))
	ran(t, w)
	carryOut(t, w, rowsOf(t, w, o.ID)[0], ledger.OutcomeSucceeded)
	gaveUp(t, w, o.ID)
	ran(t, w)
	wantSteps(t, w, o.ID, "done given_up")
	now := w.Operation(ledgertest.North, o.ID)
	wantState(t, now, ledger.Compensating)
	if now.Human == nil || now.Human.Reason != ledger.HumanCompensation {
		t.Fatalf("who is asked: %+v", now.Human)
	}
	did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1", undoStep("refund"))) // taken up again, with the steps that it had
	ran(t, w)
	wantSteps(t, w, o.ID, "done open")
	carryOut(t, w, rowsOf(t, w, o.ID)[1], ledger.OutcomeSucceeded)
	ran(t, w)
	wantState(t, w.Operation(ledgertest.North, o.ID), ledger.Compensated)
}

// twice leaves a capture of which two effects are known: a detected duplicate.
func twice(t *testing.T, w *ledgertest.World) *ledger.Operation {
	t.Helper()
	o := captured(t, w)
	showsToo(t, w, o, "ch_2")
	o = w.Operation(ledgertest.North, o.ID)
	if len(o.Effects) != 2 || o.Human == nil || o.Human.Reason != ledger.HumanDuplicate {
		t.Fatalf("no duplicate: %+v", o)
	}
	return o
}

func TestADuplicateIsUndoneAndTheOtherEffectStands(t *testing.T) {
	w := ledgertest.New(t)
	o := twice(t, w)
	refusedBy(t, w, undo(w, o.ID, "", undoStep("refund")), ledger.ReasonNotCompensable) // which one?
	refunded(t, w, o.ID, "ch_2", ledger.OutcomeSucceeded)
	now := w.Operation(ledgertest.North, o.ID)
	wantState(t, now, ledger.CompletedSuccess)
	if stands := now.StandingEffects(); len(stands) != 1 || stands[0] != "ch_1" || now.Human != nil {
		t.Fatalf("%v stand, asked: %+v", stands, now.Human)
	}
	did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1", undoStep("refund"))) // the other one, too
	ran(t, w)
	if n := len(rowsOf(t, w, o.ID)); n != 2 {
		t.Fatalf("%d rows: the same step of two effects is two", n)
	}
	carryOut(t, w, rowsOf(t, w, o.ID)[1], ledger.OutcomeSucceeded)
	ran(t, w)
	wantState(t, w.Operation(ledgertest.North, o.ID), ledger.Compensated)
}

func TestAnotherEffectShowsAfterItWasCompensated(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	refunded(t, w, o.ID, "ch_1", ledger.OutcomeSucceeded)
	wantState(t, w.Operation(ledgertest.North, o.ID), ledger.Compensated)
	showsToo(t, w, o, "ch_2")
	now := w.Operation(ledgertest.North, o.ID)
	wantState(t, now, ledger.Compensating)
	if now.Human == nil {
		t.Error("nobody is asked")
	}
	refunded(t, w, o.ID, "ch_2", ledger.OutcomeSucceeded)
	wantState(t, w.Operation(ledgertest.North, o.ID), ledger.Compensated)
}

func TestAStepThatTurnsOutToHaveHappenedAfterAll(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	h := refunded(t, w, o.ID, "ch_1", ledger.OutcomeRejected)
	gaveUp(t, w, o.ID)
	wantState(t, w.Operation(ledgertest.North, o.ID), ledger.CompletedSuccess)
	showsToo(t, w, h.Now(), "re_late")
	wantState(t, h.Now(), ledger.CompletedSuccess)
	ran(t, w)
	wantState(t, w.Operation(ledgertest.North, o.ID), ledger.Compensated)
}

func TestAStepThatIsNotLetStartWaitsAndAPersonIsAskedInTime(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	lease := granted(t, w, acquire(w, "wf_2", "run_9", orders("order_123")...)) // another workflow's lease stands in the way
	did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1", undoStep("refund")))
	ran(t, w)
	s := rowsOf(t, w, o.ID)[0]
	if s.Status != ledger.StepPlanned || s.WaitsFor == "" || !s.NextAt.After(w.Now) || len(w.Operations()) != 1 {
		t.Fatalf("%+v", s)
	}
	for w.Now.Sub(s.WaitsSince) < o.Terms.HumanAfter+5*time.Minute {
		w.Advance(20 * time.Second)
		lease = did[ledger.HeldLease](t, w, renew(w, lease)).Lease
		ran(t, w)
	}
	if now := w.Operation(ledgertest.North, o.ID); now.Human == nil || now.Human.Reason != ledger.HumanCompensation {
		t.Fatalf("nobody is asked: %+v", now.Human)
	}
	did[ledger.ReleasedLease](t, w, release(lease))
	w.Now = rowsOf(t, w, o.ID)[0].NextAt
	ran(t, w)
	wantSteps(t, w, o.ID, "open")
	if now := w.Operation(ledgertest.North, o.ID); now.Human != nil {
		t.Errorf("still asked: %+v", now.Human)
	}
	withheld(t, w, acquire(w, "wf_3", "run_1", orders("order_123")...)) // the entity is kept for what is being undone
	carryOut(t, w, rowsOf(t, w, o.ID)[0], ledger.OutcomeSucceeded)
	ran(t, w)
	granted(t, w, acquire(w, "wf_3", "run_1", orders("order_123")...))
}

func TestTheOwnWorkflowsLeaseNeedsNoProofOfAStep(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	granted(t, w, acquire(w, "wf_1", "run_1", orders("order_123")...))
	refunded(t, w, o.ID, "ch_1", ledger.OutcomeSucceeded)
	wantState(t, w.Operation(ledgertest.North, o.ID), ledger.Compensated)
}

func TestNobodyElseTakesTheOccurrenceOfAStep(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	c := undo(w, o.ID, "ch_1", undoStep("refund"))
	id := ledger.StepID(o.Namespace, o.ID, o.Revision, "ch_1", "refund")
	forged := ledgertest.Call{Tool: ledgertest.EmailSend, Key: "step", Args: `{"step":"refund"}`, Occurrence: ledger.UndoPrefix + id[len("cst_"):]}
	refusedBy(t, w, w.Command(forged), ledger.ReasonOccurrenceRefused)
	did[ledger.Compensation](t, w, c)
	refusedBy(t, w, w.Command(forged), ledger.ReasonOccurrenceRefused) // also while it waits to be proposed
	ran(t, w)
	wantSteps(t, w, o.ID, "open")
}

func TestAPlaybooksApprovalComesBeforeItsFirstStep(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	c := undo(w, o.ID, "ch_1", undoStep("refund"), undoStep("notify"))
	c.Plan.Steps[0].Skipped, c.Plan.Steps[0].Arguments = true, nil
	c.Plan.Approval = finance()
	did[ledger.Compensation](t, w, c)
	ran(t, w)
	wantSteps(t, w, o.ID, "skipped open")
	first := w.Operation(ledgertest.North, rowsOf(t, w, o.ID)[1].OperationID)
	wantState(t, first, ledger.Planned)
	a := w.Record(ledger.ApprovalKey(ledgertest.North, first.Approvals[0].ID)).(*ledger.Approval)
	decide := func(who ledger.Actor, yes bool) *ledger.DecideApproval {
		return &ledger.DecideApproval{Namespace: ledgertest.North, Actor: who, RequestID: ledger.RequestID(w.ID("request")), ApprovalID: a.ID, Approve: yes, Etag: a.Etag()}
	}
	own := kim
	own.Teams = []string{"finance"}
	refusedBy(t, w, decide(own, true), ledger.ReasonRolesNotApart) // who compensates does not approve it
	did[ledger.ApprovalDecided](t, w, decide(ledger.Actor{Principal: "ana", Teams: []string{"finance"}}, false))
	ran(t, w)
	wantState(t, w.Operation(ledgertest.North, first.ID), ledger.FailedPermanent)
	wantSteps(t, w, o.ID, "skipped given_up")
	wantState(t, w.Operation(ledgertest.North, o.ID), ledger.CompletedSuccess)
}

func TestAPlaybookOfWhichNoStepNeedsToRun(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	c := undo(w, o.ID, "ch_1", undoStep("refund"))
	c.Plan.Steps[0].Skipped = true
	wantState(t, did[ledger.Compensation](t, w, c).Operation, ledger.Compensated)
	wantSteps(t, w, o.ID, "skipped")
}

func TestACommandThatWasBuiltOnAnotherVersionIsBuiltAnew(t *testing.T) {
	w := ledgertest.New(t)
	o := captured(t, w)
	c := undo(w, o.ID, "ch_1", undoStep("refund"))
	c.PlannedAt--
	out := w.DoAll(c)[0]
	if _, moved := out.Err.(*ledger.OperationMovedError); !moved {
		t.Fatalf("%v", out.Err)
	}
}
