package ledger_test

import (
	"errors"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
)

// queued is a call of the same tool, carried out by workers.
func queued(c ledgertest.Call) ledgertest.Call {
	c.Tool = c.Tool.ByWorker()
	return c
}

// compiled puts a policy into force.
func compiled(t *testing.T, c policy.Config) *policy.Set {
	t.Helper()
	set, problems := policy.Compile(c)
	if len(problems) > 0 {
		t.Fatalf("the policy does not compile: %v", problems)
	}
	return set
}

// enqueue proposes and expects that others carry it out.
func enqueue(t *testing.T, w *ledgertest.World, c ledgertest.Call) *ledger.Operation {
	t.Helper()
	a := w.Propose(c)
	wantDecision(t, a, ledger.DecisionEnqueued)
	return a.Operation
}

// wantWork fails the test unless this is what is to be done, so long from now; an empty kind: nothing is.
func wantWork(t *testing.T, w *ledgertest.World, o *ledger.Operation, kind ledger.WorkKind, in time.Duration) {
	t.Helper()
	work, there := w.Work(o)
	switch {
	case !there && kind == "":
	case !there || work.Kind != kind:
		t.Fatalf("the work is %+v (%t), want %q", work, there, kind)
	case work.At.Sub(w.Now) != in:
		t.Fatalf("the %s is due in %s, want %s", kind, work.At.Sub(w.Now), in)
	}
}

func TestWorkIsNobodysOfInlineTools(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Execute(capture)
	wantOK(t, h.Says(ledger.OutcomeNotSent))
	wantWork(t, w, h.Now(), "", 0)
}

func TestTakeGivesOnePermit(t *testing.T) {
	w := ledgertest.New(t)
	o := enqueue(t, w, queued(email))
	wantWork(t, w, o, ledger.WorkDispatch, 0)
	first, second := w.Take(o), w.Take(o)
	reply, err := w.Do(first)
	wantOK(t, err)
	handed := reply.(*ledger.Handed)
	a := handed.Permit.Attempt
	if a.Principal != ledgertest.Worker || a.WorkerID != "worker-1" || a.RunID != o.RunID || a.WorkflowID != o.WorkflowID {
		t.Errorf("the attempt is %+v", a)
	}
	again, err := w.Do(first)
	wantOK(t, err)
	if p := again.(*ledger.Handed).Permit; p == nil || p.Attempt.ID != a.ID {
		t.Errorf("a retry of the same command is answered %+v", p)
	}
	reply, err = w.Do(second)
	wantOK(t, err)
	if h := reply.(*ledger.Handed); h.Permit != nil || h.Because == "" {
		t.Errorf("stale work is answered %+v", h)
	}
	wantWork(t, w, o, "", 0)
	wantDecision(t, w.Propose(queued(email)), ledger.DecisionInFlight)
}

func TestTakeIsDecidedByOneConfiguration(t *testing.T) {
	w := ledgertest.New(t)
	o := enqueue(t, w, queued(email))
	take := w.Take(o)
	take.Epoch++
	_, err := w.Do(take)
	var moved *ledger.EpochMovedError
	if !errors.As(err, &moved) {
		t.Fatalf("the error is %v", err)
	}
	wantState(t, w.Operation(o.Namespace, o.ID), ledger.PendingDispatch)
}

func TestTakeIsNotBeforeItsTime(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Dispatch(enqueue(t, w, queued(email)))
	wantOK(t, h.Says(ledger.OutcomeRateLimited, func(r *ledger.Report) { r.RetryAfter = time.Minute }))
	wantWork(t, w, h.Now(), ledger.WorkDispatch, 61*time.Second)
	a := w.Propose(queued(email))
	wantDecision(t, a, ledger.DecisionEnqueued)
	if a.RetryAfter != 61*time.Second {
		t.Errorf("the proposal is to wait %s", a.RetryAfter)
	}
	if early := w.TakeUp(h.Now()); early.Permit != nil {
		t.Fatal("a permit before its time")
	}
	w.Advance(61 * time.Second)
	if second := w.Dispatch(h.Now()); second.Number != 2 {
		t.Errorf("it is attempt %d", second.Number)
	}
}

func TestTakeOfWhatIsCancelled(t *testing.T) {
	w := ledgertest.New(t)
	o := enqueue(t, w, queued(email))
	take := w.Take(o)
	_, err := w.Do(&ledger.CancelOperation{Namespace: o.Namespace, OperationID: o.ID})
	wantOK(t, err)
	reply, err := w.Do(take)
	wantOK(t, err)
	if reply.(*ledger.Handed).Permit != nil {
		t.Fatal("a permit of a cancelled operation")
	}
	wantWork(t, w, o, "", 0)
}

// TestTakeIsPostponedByARule: a "no" leaves the operation where it is, with the decision and the time of the next check.
func TestTakeIsPostponedByARule(t *testing.T) {
	w := ledgertest.New(t)
	o := enqueue(t, w, queued(email))
	pause := policy.Config{Switches: []policy.Switch{{Paused: true, Reason: "stop"}}}
	w.Rules = compiled(t, pause)
	h := w.TakeUp(o)
	if h.Permit != nil || h.Because == "" {
		t.Fatalf("it is answered %+v", h)
	}
	wantState(t, h.Operation, ledger.PendingDispatch)
	wantWork(t, w, o, ledger.WorkDispatch, 750*time.Millisecond)
	if all := w.Decisions(); len(all) != 1 || all[0].Kind != ledger.DecisionDenied || all[0].OperationID != o.ID {
		t.Errorf("the decisions are %+v", all)
	}
	var waits []time.Duration
	for range 10 {
		w.NextWork(o)
		w.TakeUp(o)
		work, _ := w.Work(o)
		waits = append(waits, work.At.Sub(w.Now))
	}
	if waits[0] != 1500*time.Millisecond || waits[9] != 45*time.Second {
		t.Errorf("it is checked again after %v", waits)
	}
	w.Rules = nil
	w.Tell(&ledger.Reconcile{Namespace: o.Namespace, OperationID: o.ID})
	wantWork(t, w, o, ledger.WorkDispatch, 0)
	w.Dispatch(o)
}

// TestTakeWaitsForPersons: where an approval is wanted again, persons are asked, and a yes makes the work due at once.
func TestTakeWaitsForPersons(t *testing.T) {
	w := newOffice(t, need())
	call := queued(revoking("u_1"))
	a := w.waits(call)
	wantWork(t, w.World, w.now(a), "", 0)
	w.approve(a.ID, "lea")
	o := w.now(a)
	wantState(t, o, ledger.PendingDispatch)
	w.upgrade() // the approval was for the version before
	if h := w.TakeUp(o); h.Permit != nil || len(h.Operation.Approvals) != 1 {
		t.Fatalf("it is answered %+v", h)
	}
	wantWork(t, w.World, o, ledger.WorkDispatch, time.Hour)
	w.approve(w.now(a).Approvals[0].ID, "lea")
	wantWork(t, w.World, o, ledger.WorkDispatch, 0)
	w.Dispatch(o)
}

// TestTakeActsForTheWorkflow: the proposal has proved its lease, so the workflow's lease needs no token any more, and its
// fencing number goes with the permit. Another workflow's lease holds the permit up.
func TestTakeActsForTheWorkflow(t *testing.T) {
	w := ledgertest.New(t)
	w.Rules = compiled(t, policy.Config{Tools: []policy.Tool{{Name: "email.send", Version: 1, Class: string(registry.ExternalNonIdempotentWrite), Mutates: true,
		Intent: "email.send", EntityType: "order", Arguments: &policy.Shape{Kind: policy.ShapeObject, Open: true}, Rules: policy.ToolRules{LeaseHeld: true}}}})
	lease := granted(t, w, acquire(w, "wf_1", "run_1", orders("order_1")...))
	call := queued(email)
	p := proof(lease)
	call.Order, call.Lease = "order_1", &p
	o := enqueue(t, w, call)

	w.Advance(2 * time.Minute) // the lease has expired
	if h := w.TakeUp(o); h.Permit != nil {
		t.Fatal("a permit without the lease that the tool needs")
	}
	other := granted(t, w, acquire(w, "wf_2", "run_9", orders("order_1")...))
	w.NextWork(o)
	if h := w.TakeUp(o); h.Permit != nil {
		t.Fatal("a permit under another workflow's lease")
	}
	give := &ledger.ReleaseLease{Namespace: ledgertest.North, Proof: proof(other)}
	_, err := w.Do(give)
	wantOK(t, err)
	next := granted(t, w, acquire(w, "wf_1", "run_2", orders("order_1")...))
	w.NextWork(o)
	h := w.Dispatch(o)
	a := h.Now().Attempts[0]
	fence := int64(0)
	for _, f := range a.Fences {
		if f.Scope == locks.LeaseName {
			fence = f.Number
		}
	}
	if a.LeaseID != next.ID || fence != next.Fence(orders("order_1")[0]) {
		t.Errorf("the permit is under lease %s with fence %d, want %s", a.LeaseID, fence, next.ID)
	}
	wantOK(t, h.Begin())
}

// TestTakeIsJudgedForTheProposer: rules ask about who proposed, not about the worker that carries it out, at the permit
// and at its begin.
func TestTakeIsJudgedForTheProposer(t *testing.T) {
	w := ledgertest.New(t)
	w.Rules = compiled(t, policy.Config{Tools: []policy.Tool{{Name: "email.send", Version: 1, Class: string(registry.ExternalNonIdempotentWrite), Mutates: true,
		Intent: "email.send", Arguments: &policy.Shape{Kind: policy.ShapeObject, Open: true}, Rules: policy.ToolRules{ProposerRoles: []string{"support"}}}}})
	call := queued(email)
	wantDecision(t, w.Propose(call), ledger.DecisionDenied)
	call.Teams = []string{"support"}
	h := w.Dispatch(enqueue(t, w, call))
	wantOK(t, h.Begin())
	_, err := h.Extend(time.Minute)
	wantOK(t, err)
}
