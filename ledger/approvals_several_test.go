package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
)

// alsoCompliance asks a second rule's people about every revocation, for longer.
func (o *office) alsoCompliance(n policy.ApprovalNeed) {
	o.t.Helper()
	o.Config.Rules = []policy.Rule{{ID: "compliance", Version: 1, Scope: policy.Scope{Tools: []string{"access.revoke"}}, Approval: &n}}
	o.compile()
}

// both proposes, and answers the approvals of the tool's own rule and of compliance.
func (o *office) both(c ledgertest.Call) (own, compliance *ledger.Approval) {
	o.t.Helper()
	for _, a := range o.Propose(c).Approvals {
		if a.Rule == revokeRule {
			own = a
		} else {
			compliance = a
		}
	}
	if own == nil || compliance == nil {
		o.t.Fatalf("asked are %v and %v", own, compliance)
	}
	return own, compliance
}

// twoRules is an office in which two rules ask, the tool's own for one hour and compliance for two.
func twoRules(t *testing.T) *office {
	w := newOffice(t, need())
	w.alsoCompliance(need(func(n *policy.ApprovalNeed) { n.ExpiresAfter = 2 * time.Hour }))
	return w
}

// TestEveryRuleIsWaitedFor: the operation is released with the last yes, whoever gives it.
func TestEveryRuleIsWaitedFor(t *testing.T) {
	for _, ownFirst := range []bool{true, false} {
		w := twoRules(t)
		first, last := w.both(revoking("u_7"))
		if !ownFirst {
			first, last = last, first
		}
		if n := w.now(first).ApprovalCount; n != 2 {
			t.Errorf("%d were asked for", n)
		}
		w.approve(first.ID, "ben")
		wantState(t, w.now(first), ledger.Planned)
		wantDecision(t, w.Propose(revoking("u_7")), ledger.DecisionAwaitingApproval)
		w.approve(last.ID, "cleo")
		wantState(t, w.now(first), ledger.PendingDispatch)
		h := w.Execute(revoking("u_7"))
		for _, id := range []string{first.ID, last.ID} {
			if a := w.wantApproval(id, ledger.ApprovalReserved); !a.EndedAt.IsZero() {
				t.Errorf("a reserved approval ended at %s", a.EndedAt)
			}
		}
		w.Advance(time.Second)
		wantOK(t, h.Begin())
		for _, id := range []string{first.ID, last.ID} {
			if a := w.wantApproval(id, ledger.ApprovalSpent); !a.EndedAt.Equal(w.Now) {
				t.Errorf("a spent approval ended at %s", a.EndedAt)
			}
		}
	}
}

// TestARuleThatIsNew: what is asked for already does not stand for what another rule asks for by now.
func TestARuleThatIsNew(t *testing.T) {
	w := newOffice(t, need())
	own := w.waits(revoking("u_7"))
	w.alsoCompliance(need())
	same, compliance := w.both(revoking("u_7"))
	if same.ID != own.ID {
		t.Fatalf("the tool's own rule asked anew, by %s", same.ID)
	}
	w.approve(own.ID, "ben")
	wantState(t, w.now(own), ledger.Planned)
	w.approve(compliance.ID, "cleo")
	w.Execute(revoking("u_7"))
}

// TestEachApprovalHasItsTime: one that comes first in the list and has longer does not hold the others' end up.
func TestEachApprovalHasItsTime(t *testing.T) {
	for _, first := range []time.Duration{30 * time.Minute, 2 * time.Hour} {
		w := newOffice(t, need())
		w.alsoCompliance(need(func(n *policy.ApprovalNeed) { n.ExpiresAfter = first }))
		own, compliance := w.both(revoking("u_7"))
		w.Advance(min(first, time.Hour))
		w.RunDue()
		ended, left := own, compliance
		if first < time.Hour {
			ended, left = compliance, own
		}
		w.wantApproval(ended.ID, ledger.ApprovalExpired)
		w.wantApproval(left.ID, ledger.ApprovalVoid)
		wantEnd(t, w.now(own), ledger.CategoryExpired)
	}
}

// TestARuleThatIsGone: what a former attempt has spent stays spent when a later one gives its own approval back.
func TestARuleThatIsGone(t *testing.T) {
	w := twoRules(t)
	call := revoking("u_7")
	call.Tool = call.Tool.With(func(t *ledger.Terms) { t.MaxAttempts = 5 })
	own, compliance := w.both(call)
	w.approve(own.ID, "ben")
	w.approve(compliance.ID, "cleo")
	h := w.Execute(call)
	wantOK(t, h.Begin())
	wantOK(t, h.Says(ledger.OutcomeNotSent))
	w.Config.Rules = nil
	w.compile()
	w.Advance(time.Minute)
	next := w.waits(call)
	w.approve(next.ID, "ben")
	w.Execute(call)
	w.wantApproval(next.ID, ledger.ApprovalReserved)
	w.wantApproval(compliance.ID, ledger.ApprovalSpent)
	w.Advance(2 * time.Minute) // the permit runs out, and nothing has begun
	w.RunDue()
	w.wantApproval(next.ID, ledger.ApprovalGranted)
	if a := w.wantApproval(compliance.ID, ledger.ApprovalSpent); a.Attempt != 1 {
		t.Errorf("it is spent for the attempt %d", a.Attempt)
	}
	w.Advance(time.Minute)
	w.Execute(call)
}

// retries is an operation whose begun attempt has failed, and whose next one waits for a person.
func (o *office) retries(c ledgertest.Call) *ledger.Approval {
	o.t.Helper()
	first := o.waits(c)
	o.approve(first.ID, "ben")
	h := o.Execute(c)
	if err := h.Begin(); err != nil {
		o.t.Fatalf("begin: %v", err)
	}
	if err := h.Says(ledger.OutcomeNotSent); err != nil {
		o.t.Fatalf("report: %v", err)
	}
	o.Advance(time.Minute)
	return o.waits(c)
}

// TestNobodyDecidesAboutARetry: then there is none.
func TestNobodyDecidesAboutARetry(t *testing.T) {
	w := newOffice(t, need())
	a := w.retries(revoking("u_7"))
	wantState(t, w.now(a), ledger.FailedRetryable)
	w.Advance(time.Hour)
	w.RunDue()
	w.wantApproval(a.ID, ledger.ApprovalExpired)
	wantEnd(t, w.now(a), ledger.CategoryExpired)
}

// TestAPersonIsAskedForTheApprovalAlone: with the yes nobody is asked any more, also about a retry.
func TestAPersonIsAskedForTheApprovalAlone(t *testing.T) {
	w := newOffice(t, need(onExpiry(policy.ExpiryNeedsHuman)))
	a := w.retries(revoking("u_7"))
	w.Advance(time.Hour)
	w.RunDue()
	if h := w.now(a).Human; h == nil || h.Reason != ledger.HumanApproval {
		t.Fatalf("a person is to be asked: %+v", h)
	}
	w.approve(a.ID, "ben")
	if o := w.now(a); o.Human != nil || o.State != ledger.FailedRetryable {
		t.Fatalf("it is %s, and %+v is asked", o.State, o.Human)
	}
}

// TestWordsOfOneRequest: a word that was recorded already is answered with the approval as it stands by now.
func TestWordsOfOneRequest(t *testing.T) {
	w := newOffice(t, need(of(2)))
	a := w.waits(revoking("u_7"))
	word := w.word(person("ben", "lead"), a.ID, true)
	_, err := w.Do(word)
	wantOK(t, err)
	other := w.waits(revoking("u_8"))
	w.Advance(time.Hour) // both have run out, and the repeat is who notices
	reply, err := w.Do(word)
	wantOK(t, err)
	if got := reply.(*ledger.ApprovalDecided).Approval; got.ID != a.ID || got.State != ledger.ApprovalExpired {
		t.Errorf("answered with %s, %s", got.ID, got.State)
	}
	w.wantApproval(other.ID, ledger.ApprovalOpen)
}

// TestANoThatHoldsForNothing ends its operation, and the entity is free.
func TestANoThatHoldsForNothing(t *testing.T) {
	w := newOffice(t, need(func(n *policy.ApprovalNeed) { n.NoHoldsFor = 0 }))
	a := w.waits(revoking("u_7"))
	wantOK(t, w.says(person("ben", "lead"), a.ID, false))
	wantEnd(t, w.now(a), ledger.CategoryApprovalDenied)
	rephrased := revoking("u_7")
	rephrased.Key, rephrased.Args = "access:u_7:other", `{"user_id":"u_7","why":"rephrased"}`
	w.waits(rephrased)
}

// TestTheLocalPersonMayHaveAskedForTheWorkflow: on a server without credentials there is nobody else.
func TestTheLocalPersonMayHaveAskedForTheWorkflow(t *testing.T) {
	w := newOffice(t, need())
	a := w.waits(revoking("u_7"))
	asked := *a
	asked.Requester = "local"
	if _, refusal := asked.RoleOf(ledger.Actor{Principal: "local", Local: true}); refusal != nil {
		t.Errorf("refused: %v", refusal)
	}
	if _, refusal := asked.RoleOf(ledger.Actor{Principal: "local", Teams: []string{"lead"}}); refusal == nil {
		t.Error("who asked for the workflow has decided about it")
	}
}
