package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
)

// TestTwoOfThreeApprove: with the last yes that is needed the operation is released, and its proposer gets the one permit.
func TestTwoOfThreeApprove(t *testing.T) {
	w := newOffice(t, need(of(2)))
	a := w.waits(revoking("u_7"))
	if a.ToolVersion != 1 || a.Rule != revokeRule || a.Proposer != ledgertest.Agent || a.ProposerPerson != "ann" || a.OperationVersion != 1 || a.Owner != "lead" {
		t.Fatalf("asked as %+v", a)
	}
	wantState(t, w.now(a), ledger.Planned)
	w.approve(a.ID, "ben")
	w.wantApproval(a.ID, ledger.ApprovalOpen)
	wantDecision(t, w.Propose(revoking("u_7")), ledger.DecisionAwaitingApproval)
	w.approve(a.ID, "cleo")
	granted := w.wantApproval(a.ID, ledger.ApprovalGranted)
	if granted.Approved() != 2 || granted.Words[0].Person != "ben" || granted.Words[1].Role != "lead" {
		t.Fatalf("the words are %+v", granted.Words)
	}
	wantState(t, w.now(a), ledger.PendingDispatch)
	wantRefusal(t, w.says(person("dora", "lead"), a.ID, true), ledger.ReasonApprovalNotOpen)
	w.Execute(revoking("u_7"))
	wantDecision(t, w.Propose(revoking("u_7")), ledger.DecisionInFlight)
	if n := w.notices(ledger.NoticeApprovalWaiting); n != 1 {
		t.Fatalf("persons were paged %d times", n)
	}
}

// TestWhoMayNotDecide: dual control compares persons, not credentials.
func TestWhoMayNotDecide(t *testing.T) {
	w := newOffice(t, need(of(2)))
	asked := w.Command(revoking("u_7"))
	asked.Requester = "rita"
	if _, err := w.Do(asked); err != nil {
		t.Fatal(err)
	}
	a := w.waits(revoking("u_7"))
	w.approve(a.ID, "ben")
	twice := person("ben", "lead")
	twice.Principal = "cred/ben/phone"
	same := ledger.Actor{Principal: "cred/ben", Person: "benjamin", Teams: []string{"lead"}}
	for name, c := range map[string]struct {
		who  ledger.Actor
		want ledger.Reason
	}{
		"the proposer's person, by another credential": {person("ann", "lead"), ledger.ReasonRolesNotApart},
		"the proposer's credential, as another person": {ledger.Actor{Principal: ledgertest.Agent, Person: "zoe", Teams: []string{"lead"}}, ledger.ReasonRolesNotApart},
		"the workflow's requester":                     {person("rita", "lead"), ledger.ReasonRolesNotApart},
		"the same person, by another credential":       {twice, ledger.ReasonRolesNotApart},
		"the same credential, as another person":       {same, ledger.ReasonRolesNotApart},
		"another team":                                 {person("finn", "finance"), ledger.ReasonPermissionDenied},
		"no team":                                      {person("finn"), ledger.ReasonPermissionDenied},
	} {
		for _, yes := range []bool{true, false} {
			before := w.Dump()
			if wantRefusal(t, w.says(c.who, a.ID, yes), c.want); w.Dump() != before {
				t.Fatalf("%s: a refused word changed something", name)
			}
		}
	}
	if still := w.wantApproval(a.ID, ledger.ApprovalOpen); still.Approved() != 1 {
		t.Fatalf("%d words count", still.Approved())
	}
}

// TestApproverDoesNotCarryOut: whoever approved would be alone if the permit were theirs.
func TestApproverDoesNotCarryOut(t *testing.T) {
	w := newOffice(t, need())
	a := w.waits(revoking("u_7"))
	w.approve(a.ID, "ben")
	own := revoking("u_7")
	own.Principal, own.Person = "bens-agent", "ben"
	wantDecision(t, w.Propose(own), ledger.DecisionDenied)
	w.wantApproval(a.ID, ledger.ApprovalGranted)
	w.Execute(revoking("u_7"))
}

// TestLocalCaller: the one person of a server without credentials decides what one person can decide, and no more.
func TestLocalCaller(t *testing.T) {
	local := ledger.Actor{Principal: ledgertest.Agent, Local: true}
	one := newOffice(t, need())
	call := revoking("u_7")
	call.Person = ""
	a := one.waits(call)
	wantOK(t, one.says(local, a.ID, true))
	if words := one.wantApproval(a.ID, ledger.ApprovalGranted).Words; !words[0].Local {
		t.Fatal("the word is not marked as that of a server without credentials")
	}
	one.Execute(call)

	two := newOffice(t, need(of(2)))
	a = two.waits(call)
	wantRefusal(t, two.says(local, a.ID, true), ledger.ReasonRolesNotApart)
}

// TestWordsOnWhatWasSeen: nobody decides what they have not seen, and nothing is decided twice.
func TestWordsOnWhatWasSeen(t *testing.T) {
	w := newOffice(t, need(of(2)))
	a := w.waits(revoking("u_7"))
	stale := w.word(person("cleo", "lead"), a.ID, true)
	first := w.word(person("ben", "lead"), a.ID, true)
	if _, err := w.Do(first); err != nil {
		t.Fatal(err)
	}
	_, err := w.Do(stale)
	wantRefusal(t, err, ledger.ReasonVersionSeenOutdated)

	// The same request again is a repeat, although the approval has changed by its own word.
	before := w.Dump()
	reply, err := w.Do(first)
	wantOK(t, err)
	if again := reply.(*ledger.ApprovalDecided).Approval; w.Dump() != before || again.Etag() != w.approval(a.ID).Etag() {
		t.Fatalf("a repeat changed something, or names another version than is stored: %s", again.Etag())
	}
	opposite := w.word(person("ben", "lead"), a.ID, false)
	_, err = w.Do(opposite)
	wantRefusal(t, err, ledger.ReasonRolesNotApart)

	unknown := w.word(person("cleo", "lead"), a.ID, true)
	unknown.ApprovalID = "apr_none"
	_, err = w.Do(unknown)
	wantRefusal(t, err, ledger.ReasonApprovalNotFound)
	foreign := w.word(person("cleo", "lead"), a.ID, true)
	foreign.Namespace = "south"
	_, err = w.Do(foreign)
	wantRefusal(t, err, ledger.ReasonApprovalNotFound)
}

// TestReservedSpentGivenBack: reserved at the permit, spent at the begin, given back when it is known unbegun.
func TestReservedSpentGivenBack(t *testing.T) {
	w := newOffice(t, need(func(n *policy.ApprovalNeed) { n.ExpiresAfter = 24 * time.Hour }))
	a := w.waits(revoking("u_7"))
	w.approve(a.ID, "ben")
	first := w.Execute(revoking("u_7"))
	if r := w.wantApproval(a.ID, ledger.ApprovalReserved); r.Attempt != 1 {
		t.Fatalf("reserved for the attempt %d", r.Attempt)
	}
	w.Advance(2 * time.Minute)
	w.RunDue()
	wantState(t, w.now(a), ledger.FailedRetryable)
	w.wantApproval(a.ID, ledger.ApprovalGranted)
	wantRefusal(t, first.Begin(), ledger.ReasonPermitExpired)

	w.Advance(time.Minute)
	second := w.Execute(revoking("u_7"))
	wantOK(t, second.Begin())
	if s := w.wantApproval(a.ID, ledger.ApprovalSpent); s.Attempt != 2 {
		t.Fatalf("spent for the attempt %d", s.Attempt)
	}
	_, err := second.Extend(time.Minute)
	wantOK(t, err)
	wantOK(t, second.Says(ledger.OutcomeSucceeded, ledgertest.Effect("rev_1")))
	w.wantApproval(a.ID, ledger.ApprovalSpent)
}

// TestBegunAttemptKeepsItsApproval: whatever a begun attempt reports, the next one needs an approval of its own.
func TestBegunAttemptKeepsItsApproval(t *testing.T) {
	w := newOffice(t, need())
	a := w.waits(revoking("u_7"))
	w.approve(a.ID, "ben")
	first := w.Execute(revoking("u_7"))
	wantOK(t, first.Begin())
	wantOK(t, first.Says(ledger.OutcomeNotSent))
	wantState(t, w.now(a), ledger.FailedRetryable)
	w.wantApproval(a.ID, ledger.ApprovalSpent)

	w.Advance(time.Minute)
	next := w.waits(revoking("u_7"))
	if next.ID == a.ID || next.OperationID != a.OperationID {
		t.Fatalf("the second attempt asks by %s of %s", next.ID, next.OperationID)
	}
	wantState(t, w.now(a), ledger.FailedRetryable)
	w.approve(next.ID, "ben")
	wantOK(t, w.Execute(revoking("u_7")).Begin())
	w.wantApproval(next.ID, ledger.ApprovalSpent)
}

// TestSpentAtThePermit: where no begin is required the permit itself may be acted on at once.
func TestSpentAtThePermit(t *testing.T) {
	w := newOffice(t, need())
	c := revoking("u_7")
	c.Tool = c.Tool.With(func(t *ledger.Terms) { t.BeginRequired = false })
	a := w.waits(c)
	w.approve(a.ID, "ben")
	h := w.Execute(c)
	w.wantApproval(a.ID, ledger.ApprovalSpent)
	wantOK(t, h.Says(ledger.OutcomeNotSent))
	w.wantApproval(a.ID, ledger.ApprovalGranted)
	w.Advance(time.Minute)
	w.Execute(c)
	w.wantApproval(a.ID, ledger.ApprovalSpent)
}

// TestReportWithoutBegin: a permit that was acted on without a word of its begin has used its approval all the same.
func TestReportWithoutBegin(t *testing.T) {
	w := newOffice(t, need())
	a := w.waits(revoking("u_7"))
	w.approve(a.ID, "ben")
	h := w.Execute(revoking("u_7"))
	wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("rev_1")))
	wantState(t, h.Now(), ledger.UnknownOutcome) // nobody speaks for an attempt that never began
	w.wantApproval(a.ID, ledger.ApprovalReserved)
	w.Person(h.Now(), ledger.SaysHappened)
	wantState(t, h.Now(), ledger.CompletedSuccess)
	w.wantApproval(a.ID, ledger.ApprovalSpent)
}

// TestToolMovesOn: consent is to one act under one version of the tool. (FC-111 in the core.)
func TestToolMovesOn(t *testing.T) {
	t.Run("while persons are asked", func(t *testing.T) {
		w := newOffice(t, need())
		a := w.waits(revoking("u_7"))
		w.upgrade()
		wantRefusal(t, w.says(person("ben", "lead"), a.ID, true), ledger.ReasonApprovalNotOpen)
		w.wantApproval(a.ID, ledger.ApprovalVoid)
		next := w.waits(revoking("u_7"))
		if next.ToolVersion != 2 || next.OperationID != a.OperationID || w.notices(ledger.NoticeApprovalWaiting) != 2 {
			t.Fatalf("asked anew as %+v", next)
		}
		w.approve(next.ID, "ben")
		w.Execute(revoking("u_7"))
	})
	t.Run("and nobody proposes again", func(t *testing.T) {
		w := newOffice(t, need())
		a := w.waits(revoking("u_7"))
		w.upgrade()
		wantRefusal(t, w.says(person("ben", "lead"), a.ID, true), ledger.ReasonApprovalNotOpen)
		w.Advance(2 * time.Hour)
		w.RunDue()
		wantState(t, w.now(a), ledger.FailedPermanent)
	})
	t.Run("after it was granted", func(t *testing.T) {
		w := newOffice(t, need())
		a := w.waits(revoking("u_7"))
		w.approve(a.ID, "ben")
		w.upgrade()
		next := w.waits(revoking("u_7"))
		w.wantApproval(a.ID, ledger.ApprovalVoid)
		w.approve(next.ID, "ben")
		w.Execute(revoking("u_7"))
	})
	t.Run("between permit and begin", func(t *testing.T) {
		w := newOffice(t, need())
		a := w.waits(revoking("u_7"))
		w.approve(a.ID, "ben")
		h := w.Execute(revoking("u_7"))
		w.upgrade()
		wantRefusal(t, h.Begin(), ledger.ReasonPermitWithdrawn)
		if h.Now().Attempts[0].Begun() {
			t.Fatal("it has begun")
		}
	})
	t.Run("and asks other persons", func(t *testing.T) {
		w := newOffice(t, need())
		open, granted := w.waits(revoking("u_7")), w.waits(revoking("u_8"))
		w.approve(granted.ID, "ben")
		w.Config.Tools[0].Rules.Approval.Roles = []string{"finance"}
		w.compile()
		for user, old := range map[string]*ledger.Approval{"u_7": open, "u_8": granted} {
			next := w.waits(revoking(user))
			w.wantApproval(old.ID, ledger.ApprovalVoid)
			wantRefusal(t, w.says(person("cleo", "lead"), next.ID, true), ledger.ReasonPermissionDenied)
			wantOK(t, w.says(person("finn", "finance"), next.ID, true))
			w.Execute(revoking(user))
		}
	})
}

// TestNothingGoesPastWhoWaits: while a person decides about a large one, a smaller one of the group that would need
// nobody is no way round it; elsewhere it runs.
func TestNothingGoesPastWhoWaits(t *testing.T) {
	w := ledgertest.New(t)
	w.Policy([]policy.Rule{{ID: "large", Approval: &policy.ApprovalNeed{
		Count: 1, Roles: []string{"lead"}, When: "args.amount >= 250", ExpiresAfter: time.Hour, OnExpiry: policy.ExpiryDeny,
	}}})
	call := func(key string, amount int) ledgertest.Call {
		c := inGroup(pay(key, "kim", amount), key)
		return c
	}
	large := w.Propose(call("large", 480))
	wantDecision(t, large, ledger.DecisionAwaitingApproval)
	a := w.Propose(call("small", 160))
	wantDecision(t, a, ledger.DecisionBlocked)
	if a.Holder == nil || a.Holder.OperationID != large.Operation.ID {
		t.Fatalf("it does not name who waits: %+v", a.Holder)
	}
	elsewhere := call("elsewhere", 160)
	elsewhere.Order = "order_9"
	wantDecision(t, w.Propose(elsewhere), ledger.DecisionExecute)
	w.Advance(2 * time.Hour)
	w.RunDue()
	wantDecision(t, w.Propose(call("small", 160)), ledger.DecisionExecute) // nobody decided, and the group is free
}
