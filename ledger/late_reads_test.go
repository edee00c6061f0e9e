package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
)

// Unwrap is the command that is checked, whose late reads are its own.
func (p pure) Unwrap() ledger.Command { return p.Command }

// TestOrdinaryCommandsNameWhatTheyRead: what an ordinary decision asks for was loaded beforehand, with the other rows of its
// batch. Whatever is named too late costs each such command one more round trip. What is read late on purpose, and why, is
// told in ledgertest; a World lets nothing else be late in any test.
func TestOrdinaryCommandsNameWhatTheyRead(t *testing.T) {
	for name, play := range ordinary {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			play(t, w)
			for _, late := range w.Late() {
				t.Errorf("%s, which it did not name beforehand", late)
			}
		})
	}
}

// about makes the call one about an order, in the group of those that change it, whose state it sets.
func about(c ledgertest.Call, order string) ledgertest.Call {
	c.Order = order
	c.Tool = c.Tool.With(func(t *ledger.Terms) { t.Group, t.SetsEntityState = "money", "changed" })
	return c
}

// ordinary are lives of operations in which nothing out of the ordinary comes up. None is part of a workflow that was
// started, except where that is said: whether one has ended is asked where it decides something.
var ordinary = map[string]func(*testing.T, *ledgertest.World){
	"a change, begun, extended and done": func(t *testing.T, w *ledgertest.World) {
		h := w.Execute(about(email, "a"))
		wantOK(t, h.Begin())
		_, err := h.Extend(time.Minute)
		wantOK(t, err)
		wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("msg_1")))
		wantDecision(t, w.Propose(about(email, "a")), ledger.DecisionReplayed)
	},
	"what is under way, and what it keeps waiting": func(t *testing.T, w *ledgertest.World) {
		h := w.Execute(about(email, "a"))
		wantDecision(t, w.Propose(about(email, "a")), ledger.DecisionInFlight)
		other := about(capture, "a")
		wantDecision(t, w.Propose(other), ledger.DecisionBlocked)
		wantDecision(t, w.Propose(other), ledger.DecisionBlocked)
		wantOK(t, h.Begin())
		wantOK(t, h.Says(ledger.OutcomeAcknowledge))
		wantDecision(t, w.Propose(other), ledger.DecisionBlocked)
	},
	"an outcome that is found out": func(t *testing.T, w *ledgertest.World) {
		h := ambiguously(t, w, about(capture, "a"))
		w.Ask(h.Now())
		wantDecision(t, w.Propose(about(capture, "a")), ledger.DecisionReconciling)
		w.Found(h.Now(), "ch_1")
		wantState(t, h.Now(), ledger.CompletedSuccess)
	},
	"a permit that ends in silence": func(t *testing.T, w *ledgertest.World) {
		h := w.Execute(about(email, "a"))
		wantOK(t, h.Begin())
		w.Advance(time.Hour)
		w.RunDue()
		wantState(t, h.Now(), ledger.UnknownOutcome)
	},
	"a wish to cancel": func(t *testing.T, w *ledgertest.World) {
		h := w.Execute(about(email, "a"))
		_, err := w.Do(&ledger.CancelOperation{Namespace: h.Namespace, OperationID: h.Operation})
		wantOK(t, err)
		wantRefusal(t, h.Begin(), ledger.ReasonCancelWished)
	},
	"the same request again": func(t *testing.T, w *ledgertest.World) {
		for _, c := range []ledgertest.Call{about(capture, "a"), read} {
			c.Request = "request " + c.Key
			w.Execute(c)
			wantDecision(t, w.Propose(c), ledger.DecisionExecute)
		}
	},
	"an occurrence": func(t *testing.T, w *ledgertest.World) {
		again := about(capture, "a")
		w.Execute(again)
		again.Key, again.Occurrence, again.Order = again.Key+":2", "2", "b"
		wantOK(t, w.Execute(again).Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_2")))
	},
	"under an earlier version's key too": func(t *testing.T, w *ledgertest.World) {
		old := w.Command(about(capture, "a")).Forms[0]
		h := w.Execute(about(capture, "a"))
		next := about(capture, "a")
		next.Key, next.Tool.Version, next.Earlier = "new:"+next.Key, 2, []ledger.Form{old}
		a := w.Propose(next)
		wantDecision(t, a, ledger.DecisionInFlight)
		if a.Operation.ID != h.Operation {
			t.Error("the operation under the earlier key is not met")
		}
	},
	"a plan": func(t *testing.T, w *ledgertest.World) {
		plan := about(capture, "a")
		plan.PlanOnly = true
		w.Propose(plan)
		w.Execute(about(capture, "a"))
		w.Propose(plan)
	},
	"a revision by id, and once more": func(t *testing.T, w *ledgertest.World) {
		o := rejected(t, w, capture)
		w.Late() // whether its workflow has ended decides here
		c := capture
		c.Revise, c.Args = o.Operation, `{"amount":1}`
		h := w.Execute(c)
		wantDecision(t, w.Propose(c), ledger.DecisionInFlight)
		wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
		wantDecision(t, w.Propose(capture), ledger.DecisionReplayed)
	},
	"a revision under another key": func(t *testing.T, w *ledgertest.World) {
		o := rejected(t, w, about(email, "a"))
		w.Late()
		c := about(email, "b")
		c.Revise, c.Key = o.Operation, "email:another"
		wantOK(t, w.Execute(c).Begin())
		wantDecision(t, w.Propose(about(email, "a")), ledger.DecisionReplayed)
	},
	"a revision by its number": func(t *testing.T, w *ledgertest.World) {
		rejected(t, w, about(email, "a"))
		w.Late()
		p := w.Command(about(email, "a"))
		p.Revise = &ledger.Revise{Number: 1, Reason: "on purpose"}
		wantDecision(t, did[ledger.Answer](t, w, p), ledger.DecisionExecute)
	},
	"under a lease": func(t *testing.T, w *ledgertest.World) {
		l := granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
		p := proof(l)
		c := about(email, "a")
		c.Lease = &p
		h := w.Execute(c)
		wantOK(t, h.Begin())
		_, err := h.Extend(time.Minute)
		wantOK(t, err)
		c = about(capture, "a")
		c.Workflow, c.Run = "wf_2", "run_2"
		wantDecision(t, w.Propose(c), ledger.DecisionBlocked)
		did[ledger.ReleasedLease](t, w, release(l))
	},
	"in a workflow": func(t *testing.T, w *ledgertest.World) {
		s := (&tasks{World: w, t: t}).new()
		c := in(about(email, "a"), s.Workflow.ID, s.RunID)
		h := w.Execute(c)
		wantOK(t, h.Begin())
		_, err := h.Extend(time.Minute)
		wantOK(t, err)
		wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("msg_1")))
		wantDecision(t, w.Propose(c), ledger.DecisionReplayed)
	},
	"a read": func(t *testing.T, w *ledgertest.World) {
		hasRead(t, w.Execute(read), `{}`)
		h := w.Execute(cached(read, time.Minute))
		hasRead(t, h, `{}`)
		wantDecision(t, w.Propose(cached(read, time.Minute)), ledger.DecisionReplayed)
	},
	"a plan of a read, which makes nothing, asked for again": func(t *testing.T, w *ledgertest.World) {
		plan := read
		plan.Request, plan.PlanOnly = "req_1", true
		for range 2 {
			wantDecision(t, w.Propose(plan), ledger.DecisionPlanned)
		}
	},
	"a read that others carry out": func(t *testing.T, w *ledgertest.World) {
		o := enqueue(t, w, queued(read))
		wantDecision(t, w.Propose(queued(read)), ledger.DecisionEnqueued)
		hasRead(t, w.Dispatch(o), `{}`)
	},
	"work that others carry out": func(t *testing.T, w *ledgertest.World) {
		c := bounded(about(capture, "a"), 1, func(t *ledger.Terms) { t.ToolSlots, t.ProviderSlots = 2, 2 })
		o := enqueue(t, w, c)
		wantDecision(t, w.Propose(c), ledger.DecisionEnqueued)
		h := w.Dispatch(o)
		wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
	},
	"an event": func(t *testing.T, w *ledgertest.World) {
		h := w.Execute(hooked(capture))
		w.Late() // its references are new
		w.Hear(w.Event(psp, "evt_1", ledger.SaysHappened, func(r *ledger.RecordEvent) { r.ClientReference = h.Now().ClientReference }))
		wantState(t, h.Now(), ledger.Dispatched)
	},
	"judged by rules": func(t *testing.T, w *ledgertest.World) {
		w.Policy([]policy.Rule{
			{ID: "few", Version: 1, Limit: &policy.Limit{Per: "{entity.id}", Max: 2, Period: 24 * time.Hour}},
			{ID: "open", Version: 1, Deny: &policy.Deny{When: `entity.state == "closed"`, Explanation: "It is closed."}},
		})
		h := w.Execute(about(email, "a"))
		wantOK(t, h.Begin())
		_, err := h.Extend(time.Minute)
		wantOK(t, err)
		wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("msg_1")))
	},
	"a step of a compensation": func(t *testing.T, w *ledgertest.World) {
		o := captured(t, w)
		did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1", undoStep("first"), undoStep("second")))
		w.Late() // the user may have been told that it is done
		ran(t, w)
		first := rowsOf(t, w, o.ID)[0]
		carryOut(t, w, first, ledger.OutcomeSucceeded)
	},
}
