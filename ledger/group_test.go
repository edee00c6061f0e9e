package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// inGroup is a call of the group "money" on one order, under a key of its own.
func inGroup(c ledgertest.Call, key string) ledgertest.Call {
	c.Tool = c.Tool.With(func(t *ledger.Terms) { t.Group = "money" })
	c.Key, c.Order = key, "order_123"
	return c
}

// TestGroupIsHeldUntilTheEnd: an open operation of the group blocks the others, whatever their tool and key.
func TestGroupIsHeldUntilTheEnd(t *testing.T) {
	one, other := inGroup(email, "a"), inGroup(capture, "b")
	for name, tc := range map[string]struct {
		outcome ledger.Outcome
		want    ledger.DecisionKind
	}{
		"unknown":      {ledger.OutcomeAmbiguous, ledger.DecisionBlocked},
		"acknowledged": {ledger.OutcomeAcknowledge, ledger.DecisionBlocked},
		"retryable":    {ledger.OutcomeNotSent, ledger.DecisionBlocked},
		"rejected":     {ledger.OutcomeRejected, ledger.DecisionExecute},
		"succeeded":    {ledger.OutcomeSucceeded, ledger.DecisionExecute},
		"noop":         {ledger.OutcomeNoop, ledger.DecisionExecute},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := w.Execute(one)
			wantOK(t, h.Begin())
			wantOK(t, h.Says(tc.outcome))
			a := w.Propose(other)
			wantDecision(t, a, tc.want)
			if tc.want == ledger.DecisionBlocked {
				if a.Holder == nil || a.Holder.OperationID != h.Operation || a.Told.NextAction != ledger.NextWait {
					t.Fatalf("%+v", a)
				}
				return
			}
			if f := a.Permit.Attempt.Fences; len(f) != 1 || f[0].Number != 2 || f[0].Scope != "group/money" {
				t.Fatalf("the fencing numbers are %+v", f)
			}
		})
	}
}

// TestGroupRejoined: an operation that is reopened rejoins its group and gets no permit while another is open there.
func TestGroupRejoined(t *testing.T) {
	w := ledgertest.New(t)
	one, other := inGroup(capture, "a"), inGroup(capture, "b")
	other.Args = `{"other":true}`
	ended := rejected(t, w, one)
	open := w.Execute(other)
	wantOK(t, open.Says(ledger.OutcomeNotSent))

	wantRefusal(t, ended.Says(ledger.OutcomeAcknowledge), ledger.ReasonStaleAttempt) // it may have happened after all
	wantState(t, ended.Now(), ledger.UnknownOutcome)
	rejoined := false
	for _, e := range w.Events(ledgertest.North, ended.Operation) {
		rejoined = rejoined || e.Type == ledger.EventGroupRejoined
	}
	if !rejoined {
		t.Fatal("it did not say that it rejoined its group")
	}
	w.Advance(time.Hour)
	wantDecision(t, w.Propose(one), ledger.DecisionReconciling) // a resend would be allowed, were it alone
	second := w.Execute(other)                                  // which holds since before, and waits for nobody
	third := inGroup(capture, "c")
	wantDecision(t, w.Propose(third), ledger.DecisionBlocked)

	wantOK(t, second.Says(ledger.OutcomeSucceeded, ledgertest.Effect("re_1")))
	wantDecision(t, w.Propose(third), ledger.DecisionBlocked) // by the reopened one now
	wantDecision(t, w.Propose(one), ledger.DecisionExecute)
}

// TestGroupOfAnEntity: another entity, and a tool without an entity, know nothing of each other.
func TestGroupOfAnEntity(t *testing.T) {
	w := ledgertest.New(t)
	one := inGroup(capture, "a")
	w.Execute(one)
	elsewhere := inGroup(capture, "b")
	elsewhere.Order = "order_9"
	w.Execute(elsewhere)
	nowhere := inGroup(capture, "c")
	nowhere.Order = ""
	w.Execute(nowhere)
	south := inGroup(capture, "a")
	south.Namespace = "south"
	w.Execute(south)
}

// TestGroupOfARevisionWhosePredecessorEndsWithIt: the command that ends the predecessor by its age also makes its
// successor, which holds the group in its place.
func TestGroupOfARevisionWhosePredecessorEndsWithIt(t *testing.T) {
	for order, fence := range map[string]int64{"order_123": 2, "order_9": 1} { // the corrected arguments may name another
		t.Run(order, func(t *testing.T) {
			w := ledgertest.New(t)
			c := inGroup(email, "a")
			h := w.Execute(c)
			wantOK(t, h.Says(ledger.OutcomeNotSent))
			w.Advance(c.Tool.Terms.RetryMaxAge) // and no due work has run
			next := revising(c, h)
			next.Order = order
			second := w.Execute(next)
			wantState(t, h.Now(), ledger.FailedPermanent)
			other := inGroup(capture, "b")
			other.Order = order
			wantDecision(t, w.Propose(other), ledger.DecisionBlocked)
			if f := second.Now().Attempts[0].Fences; len(f) != 1 || f[0].Number != fence {
				t.Fatalf("the fencing numbers are %+v", f)
			}
		})
	}
}

// TestGroupOfACorrectedEntityIsJudged: a revision that names another entity is judged by that one's group.
func TestGroupOfACorrectedEntityIsJudged(t *testing.T) {
	w := ledgertest.New(t)
	busy := inGroup(capture, "b")
	busy.Order = "order_9"
	w.Execute(busy)
	c := inGroup(email, "a")
	h := w.Execute(c)
	wantOK(t, h.Says(ledger.OutcomeNotSent))
	w.Advance(30 * time.Second) // the other one's permit is still out
	next := revising(c, h)
	next.Order = "order_9"
	_, err := w.Do(w.Command(next)) // not ended yet
	wantRefusal(t, err, ledger.ReasonRevisionNotAllowed)
	w.Advance(c.Tool.Terms.RetryMaxAge) // ended by this command; the other is unknown by now
	wantDecision(t, w.Propose(next), ledger.DecisionBlocked)
}

// TestWhoeverKeepsOthersWaitingIsNotedOnce: from the first time on at which it keeps another from the entity, until it lets
// go; a plan keeps nobody, and is kept from nothing.
func TestWhoeverKeepsOthersWaitingIsNotedOnce(t *testing.T) {
	one, other := inGroup(email, "a"), inGroup(capture, "b")
	w := ledgertest.New(t)
	h := w.Execute(one)
	wantOK(t, h.Begin())
	wantOK(t, h.Says(ledger.OutcomeAmbiguous))
	noted := func() (kept []string) {
		for _, e := range w.Events(h.Namespace, h.Operation) {
			if e.Type == ledger.EventBlocking {
				kept = append(kept, e.Detail["kept"])
			}
		}
		return kept
	}
	plan := other
	plan.PlanOnly = true
	wantDecision(t, w.Propose(plan), ledger.DecisionPlanned)
	if o := h.Now(); !o.BlockingSince.IsZero() || len(noted()) != 0 {
		t.Fatalf("a plan was kept waiting since %s, %v", o.BlockingSince, noted())
	}
	w.Advance(time.Minute)
	since := w.Now
	for range 3 {
		wantDecision(t, w.Propose(other), ledger.DecisionBlocked)
		w.Advance(time.Second)
	}
	if o := h.Now(); !o.BlockingSince.Equal(since) || len(noted()) != 1 || noted()[0] != "b" {
		t.Fatalf("it keeps others waiting since %s, %v; want %s, once, b", o.BlockingSince, noted(), since)
	}
	w.Found(h.Now(), "msg_1")
	wantState(t, h.Now(), ledger.CompletedSuccess)
	if since := h.Now().BlockingSince; !since.IsZero() {
		t.Errorf("it has ended, and keeps others waiting since %s", since)
	}
	wantDecision(t, w.Propose(other), ledger.DecisionExecute)
}
