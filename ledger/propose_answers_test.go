package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
)

// elsewhere is the call with other arguments, which give another key.
func elsewhere(c ledgertest.Call) ledgertest.Call {
	c.Key, c.Args = c.Key+":other", `{"other":true}`
	return c
}

// undoneThenRevised leaves a capture that was undone, done afresh by another person's grant, and then shows another effect.
func undoneThenRevised(t *testing.T) (*ledgertest.World, ledgertest.Call) {
	c := configure(t)
	call := capture
	call.Order = "order_123"
	c.tool(call.Tool.Name)
	o := captured(t, c.World)
	did[ledger.Compensation](t, c.World, undo(c.World, o.ID, "ch_1", undoStep("refund")))
	ran(t, c.World)
	carryOut(t, c.World, rowsOf(t, c.World, o.ID)[0], ledger.OutcomeSucceeded)
	ran(t, c.World)
	next := elsewhere(call)
	next.Revise, next.ReviseGrant = o.ID, "gr_1"
	did[ledger.GrantKept](t, c.World, grant(func(g *ledger.CreateGrant) {
		g.Kind, g.Rule, g.Tool, g.OperationID, g.Fingerprint = ledger.GrantRevise, "", call.Tool.Name, o.ID, c.Command(next).Forms[0].Fingerprint
	}))
	c.Execute(next)
	c.Tell(c.Statement(o, ledger.SourceWebhook, ledger.SaysHappened, func(s *ledger.Statement) {
		s.ClientReference, s.EffectID = o.ClientReference, "ch_2"
	}))
	wantState(t, c.Operation(o.Namespace, o.ID), ledger.Compensating)
	return c.World, call
}

// TestWhenALookupIsOffered: whoever is told that the outcome is being found out may look for it, whichever revision it is of;
// not where the server looks, where a compensation finds it out, or where only a plan was asked for.
func TestWhenALookupIsOffered(t *testing.T) {
	for name, c := range map[string]struct {
		play    func() *ledger.Answer
		want    ledger.DecisionKind
		offered bool
	}{
		"its outcome is unknown": {func() *ledger.Answer {
			w := ledgertest.New(t)
			ambiguously(t, w, email)
			return w.Propose(email)
		}, ledger.DecisionReconciling, true},
		"that of an earlier revision, by now": {func() *ledger.Answer {
			w := ledgertest.New(t)
			first := rejected(t, w, email)
			w.Execute(revising(elsewhere(email), first))
			wantRefusal(t, first.Says(ledger.OutcomeAcknowledge), ledger.ReasonStaleAttempt)
			wantState(t, first.Now(), ledger.UnknownOutcome)
			return w.Propose(email)
		}, ledger.DecisionReconciling, true},
		"an earlier revision is being undone": {func() *ledger.Answer {
			w, call := undoneThenRevised(t)
			return w.Propose(call)
		}, ledger.DecisionReconciling, false},
		"the server looks": {func() *ledger.Answer {
			w := ledgertest.New(t)
			wantOK(t, w.Dispatch(enqueue(t, w, queued(capture))).Says(ledger.OutcomeAmbiguous))
			return w.Propose(queued(capture))
		}, ledger.DecisionReconciling, false},
		"a plan": {func() *ledger.Answer {
			w := ledgertest.New(t)
			ambiguously(t, w, email)
			plan := email
			plan.PlanOnly = true
			return w.Propose(plan)
		}, ledger.DecisionPlanned, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := c.play()
			wantDecision(t, a, c.want)
			if (a.Lookup != nil) != c.offered {
				t.Errorf("a lookup is offered: %t (%s, %s)", a.Lookup != nil, a.Operation.State, a.Because)
			}
		})
	}
}

// proposed proposes a tool that admits occurrences by grant only.
func proposed(c *configured, call ledgertest.Call) *ledger.Propose {
	p := c.Command(call)
	p.RepeatNeeded = true
	return p
}

// TestWhichOccurrenceNeedsAGrant: where a tool admits occurrences by grant only, one that is named needs one of its own. What
// has no occurrence needs none, nor has a step of a compensation, whose occurrence the ledger gives.
func TestWhichOccurrenceNeedsAGrant(t *testing.T) {
	c := configure(t)
	c.tool(capture.Tool.Name)
	wantDecision(t, did[ledger.Answer](t, c.World, proposed(c, capture)), ledger.DecisionExecute)

	second := elsewhere(capture)
	second.Occurrence = "second"
	refusedBy(t, c.World, proposed(c, second), ledger.ReasonOccurrenceRefused)
	second.RepeatGrant = "gr_1"
	refusedBy(t, c.World, proposed(c, second), ledger.ReasonGrantNotUsable) // none is given yet
	c.keeps(grant(func(g *ledger.CreateGrant) {
		g.Kind, g.Rule, g.Tool, g.Occurrence, g.Fingerprint = ledger.GrantRepeat, "", capture.Tool.Name, "second", c.Command(second).Forms[0].Fingerprint
	}))
	a := did[ledger.Answer](t, c.World, proposed(c, second))
	wantDecision(t, a, ledger.DecisionExecute)
	used := c.Record(ledger.GrantKey(ledgertest.North, "gr_1")).(*ledger.Grant)
	if used.UsedBy != a.Operation.ID {
		t.Errorf("the grant is used by %q, want %s", used.UsedBy, a.Operation.ID)
	}
	again := second
	again.Key += ":again"
	refusedBy(t, c.World, proposed(c, again), ledger.ReasonGrantNotUsable)

	w := ledgertest.New(t)
	o := captured(t, w)
	did[ledger.Compensation](t, w, undo(w, o.ID, "ch_1", undoStep("refund")))
	step := proposeStep(w, rowsOf(t, w, o.ID)[0])
	step.RepeatNeeded = true
	wantDecision(t, did[ledger.Answer](t, w, step), ledger.DecisionEnqueued)
}

// TestWhichReadAnswersAnother: one of the same tool and version, with the same arguments; whatever its key.
func TestWhichReadAnswersAnother(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*ledgertest.Call)
		want   ledger.DecisionKind
	}{
		"the same":        {func(*ledgertest.Call) {}, ledger.DecisionReplayed},
		"other arguments": {func(c *ledgertest.Call) { c.Args = `{"order_id":"other"}` }, ledger.DecisionExecute},
		"another version": {func(c *ledgertest.Call) { c.Tool.Version++ }, ledger.DecisionExecute},
		"another tool":    {func(c *ledgertest.Call) { c.Tool.Name = "order.list" }, ledger.DecisionExecute},
	} {
		w := ledgertest.New(t)
		call := cached(read, time.Minute)
		hasRead(t, w.Execute(call), `{}`)
		c.change(&call)
		if a := w.Propose(call); a.Decision != c.want {
			t.Errorf("%s: it is answered %s, want %s", name, a.Decision, c.want)
		}
	}
}

// TestAPlanOfAReadEarnsNothing: a plan that bears the request of a read is told what a proposal would be answered.
func TestAPlanOfAReadEarnsNothing(t *testing.T) {
	w := ledgertest.New(t)
	call := read
	call.Request = "req_1"
	h := w.Execute(call)
	call.PlanOnly = true
	a := w.Propose(call)
	wantDecision(t, a, ledger.DecisionPlanned)
	if a.Operation != nil && a.Operation.ID == h.Operation {
		t.Errorf("it is answered from the read that the request earned: %s", a.Because)
	}
}

// TestADecisionNamesItsOperation, also that of a read, which has no row of its own yet. One that makes no operation names none.
func TestADecisionNamesItsOperation(t *testing.T) {
	never := policy.Rule{ID: "never", Scope: policy.Scope{Classes: []string{"PURE_READ", "EXTERNAL_IDEMPOTENT_WRITE"}}, Deny: &policy.Deny{When: "true", Explanation: "stopped"}}
	shadowed := never
	shadowed.Shadow = true
	for name, c := range map[string]struct {
		call  ledgertest.Call
		rule  policy.Rule
		named bool
	}{
		"a change":           {capture, shadowed, true},
		"a read":             {read, shadowed, true},
		"a change, denied":   {capture, never, false},
		"a read, denied":     {read, never, false},
		"a read with a row":  {queued(read), shadowed, true},
		"a change of others": {queued(capture), shadowed, true},
	} {
		w := ledgertest.New(t)
		w.Policy([]policy.Rule{c.rule})
		a := w.Propose(c.call)
		d := w.Decisions()
		if len(d) != 1 || (a.Operation != nil) != c.named || c.named && d[0].OperationID != a.Operation.ID || !c.named && d[0].OperationID != "" {
			t.Errorf("%s, answered %s: %+v", name, a.Decision, d)
		}
	}
}
