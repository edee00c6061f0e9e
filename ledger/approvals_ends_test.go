package ledger_test

import (
	"slices"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
)

// onExpiry says what happens where nobody decides within the hour.
func onExpiry(e policy.Expiry, next ...string) func(*policy.ApprovalNeed) {
	return func(n *policy.ApprovalNeed) { n.OnExpiry, n.EscalateRoles = e, next }
}

// wantEnd fails the test unless the operation ended for good by the category.
func wantEnd(t *testing.T, o *ledger.Operation, want ledger.Category) {
	t.Helper()
	wantState(t, o, ledger.FailedPermanent)
	if o.Failure == nil || o.Failure.Category != want {
		t.Fatalf("it ended by %+v, want %s", o.Failure, want)
	}
}

// TestNobodyDecides: each expiry ends, however often the due work runs.
func TestNobodyDecides(t *testing.T) {
	t.Run("deny", func(t *testing.T) {
		w := newOffice(t, need())
		a := w.waits(revoking("u_7"))
		w.Advance(time.Hour - time.Second)
		if w.RunDue() != 0 {
			t.Fatal("something was due before the hour was over")
		}
		w.Advance(time.Second)
		w.RunDue()
		w.wantApproval(a.ID, ledger.ApprovalExpired)
		wantEnd(t, w.now(a), ledger.CategoryExpired)
		wantRefusal(t, w.says(person("ben", "lead"), a.ID, true), ledger.ReasonApprovalNotOpen)
		wantDecision(t, w.Propose(revoking("u_7")), ledger.DecisionReplayed)
	})
	t.Run("escalate, once", func(t *testing.T) {
		w := newOffice(t, need(of(2), onExpiry(policy.ExpiryEscalate, "director")))
		a := w.waits(revoking("u_7"))
		w.approve(a.ID, "ben")
		w.Advance(time.Hour)
		w.RunDue()
		next := w.wantApproval(a.ID, ledger.ApprovalOpen)
		if !slices.Equal(next.Roles, []string{"director"}) || next.Owner != "director" || w.notices(ledger.NoticeEscalated) != 1 {
			t.Fatalf("escalated to %+v", next)
		}
		wantRefusal(t, w.says(person("cleo", "lead"), a.ID, true), ledger.ReasonPermissionDenied)
		other := w.waits(revoking("u_8"))
		w.Advance(30 * time.Minute)
		wantOK(t, w.says(person("dan", "director"), a.ID, true)) // ben's yes of before still counts
		w.Execute(revoking("u_7"))

		w.Advance(30 * time.Minute)
		w.RunDue()
		w.Advance(time.Hour)
		w.RunDue()
		w.wantApproval(other.ID, ledger.ApprovalExpired)
		wantEnd(t, w.now(other), ledger.CategoryExpired)
	})
	t.Run("a person, within a bound", func(t *testing.T) {
		w := newOffice(t, need(onExpiry(policy.ExpiryNeedsHuman)))
		a, decided := w.waits(revoking("u_7")), w.waits(revoking("u_8"))
		w.Advance(time.Hour)
		w.RunDue()
		if h := w.now(a).Human; h == nil || h.Reason != ledger.HumanApproval {
			t.Fatalf("a person is to be asked: %+v", h)
		}
		w.approve(decided.ID, "ben")
		if h := w.now(decided).Human; h != nil {
			t.Fatalf("what is decided waits for nobody: %+v", h)
		}
		w.Advance(time.Hour)
		w.RunDue()
		w.wantApproval(a.ID, ledger.ApprovalExpired)
		wantEnd(t, w.now(a), ledger.CategoryExpired)
		if w.now(a).Human != nil {
			t.Fatal("what has ended waits for nobody")
		}
	})
	t.Run("granted and not used", func(t *testing.T) {
		w := newOffice(t, need())
		a := w.waits(revoking("u_7"))
		w.approve(a.ID, "ben")
		w.Advance(time.Hour)
		w.RunDue()
		w.wantApproval(a.ID, ledger.ApprovalExpired)
		wantState(t, w.now(a), ledger.PendingDispatch)
		next := w.waits(revoking("u_7"))
		w.Advance(time.Hour)
		w.RunDue()
		w.wantApproval(next.ID, ledger.ApprovalExpired)
		wantEnd(t, w.now(a), ledger.CategoryExpired) // it was asked for, and nobody decided
	})
}

// TestNoHoldsForGroupAndEntity: a no ends the operation and answers others of its group there, until it is over.
func TestNoHoldsForGroupAndEntity(t *testing.T) {
	w := newOffice(t, need())
	a := w.waits(revoking("u_7"))
	wantOK(t, w.says(person("ben", "lead"), a.ID, false))
	w.wantApproval(a.ID, ledger.ApprovalDenied)
	wantEnd(t, w.now(a), ledger.CategoryApprovalDenied)
	again := w.Propose(revoking("u_7"))
	wantDecision(t, again, ledger.DecisionDenied)
	if again.Rule != policy.RuleApprovalDenied {
		t.Fatalf("denied by %s", again.Rule)
	}
	rephrased := revoking("u_7")
	rephrased.Key, rephrased.Args = "access:u_7:other", `{"user_id":"u_7","why":"rephrased"}`
	held := w.Propose(rephrased)
	wantDecision(t, held, ledger.DecisionDenied)
	if held.Rule != policy.RuleApproverNo || held.Earlier == nil || held.Earlier.ID != a.OperationID || held.RetryAfter != 24*time.Hour {
		t.Fatalf("denied by %s, naming %v, for %s", held.Rule, held.Earlier, held.RetryAfter)
	}
	w.waits(revoking("u_8")) // another entity
	w.Advance(24 * time.Hour)
	w.waits(rephrased)
	wantDecision(t, w.Propose(revoking("u_7")), ledger.DecisionDenied) // what a person ended stays ended
}

// TestNoWithoutAnEntity ends the operation and holds for nothing else.
func TestNoWithoutAnEntity(t *testing.T) {
	w := newOffice(t, need())
	seven, eight := revoking("u_7"), revoking("u_8")
	seven.Order, eight.Order = "", ""
	a := w.waits(seven)
	b := w.waits(eight)
	wantOK(t, w.says(person("ben", "lead"), a.ID, false))
	w.approve(b.ID, "ben")
	w.Execute(eight)
	wantDecision(t, w.Propose(seven), ledger.DecisionDenied)
	for _, r := range w.Records(ledger.RecordEntity) {
		t.Fatalf("an approval without an entity has made %s", r.Key().ID)
	}
}

// TestNobodyIsAskedTwice: neither by the same call nor by another of the group on the entity.
func TestNobodyIsAskedTwice(t *testing.T) {
	w := newOffice(t, need())
	a := w.waits(revoking("u_7"))
	if again := w.waits(revoking("u_7")); again.ID != a.ID {
		t.Fatalf("asked again by %s", again.ID)
	}
	rephrased := revoking("u_7")
	rephrased.Key, rephrased.Args = "access:u_7:other", `{"user_id":"u_7","why":"rephrased"}`
	blocked := func(when string) {
		t.Helper()
		b := w.Propose(rephrased)
		wantDecision(t, b, ledger.DecisionBlocked)
		if b.Holder == nil || b.Holder.OperationID != a.OperationID || b.Operation != nil {
			t.Fatalf("%s: kept by %+v", when, b.Holder)
		}
	}
	blocked("while it waits")
	w.approve(a.ID, "ben")
	blocked("when it is released")
	h := w.Execute(revoking("u_7"))
	blocked("while its permit is out")
	wantOK(t, h.Begin())
	wantOK(t, h.Says(ledger.OutcomeAmbiguous))
	blocked("while its outcome is open")
	w.Person(h.Now(), ledger.SaysHappened)
	w.waits(rephrased)
	if n := w.notices(ledger.NoticeApprovalWaiting); n != 2 {
		t.Fatalf("persons were paged %d times", n)
	}
}

// TestTaskIsTakenUp: an acknowledgement holds the escalation off, and moves no end that denies by itself.
func TestTaskIsTakenUp(t *testing.T) {
	for _, c := range []struct {
		expiry policy.Expiry
		next   []string
		moves  bool
	}{{policy.ExpiryDeny, nil, false}, {policy.ExpiryEscalate, []string{"director"}, true}} {
		w := newOffice(t, need(onExpiry(c.expiry, c.next...)))
		a := w.waits(revoking("u_7"))
		take := &ledger.TakeTask{Namespace: ledgertest.North, Actor: person("ben", "lead"), RequestID: "take_1", ApprovalID: a.ID, Hold: 2 * time.Hour, Etag: a.Etag()}
		for range 2 { // the second is a repeat of the request
			reply, err := w.Do(take)
			wantOK(t, err)
			if got := reply.(*ledger.TaskTaken).Approval; got.Taken == nil || got.Taken.By != "cred/ben" || got.Etag() != w.approval(a.ID).Etag() {
				t.Fatalf("taken as %+v", got.Taken)
			}
		}
		other := *take
		other.RequestID = "take_2"
		_, err := w.Do(&other)
		wantRefusal(t, err, ledger.ReasonVersionSeenOutdated)
		if moved := w.approval(a.ID).ExpiresAt.After(a.ExpiresAt); moved != c.moves {
			t.Fatalf("%s: that its end was moved is %t", c.expiry, moved)
		}
		w.Advance(3 * time.Hour)
		w.RunDue()
		if c.moves && w.approval(a.ID).Taken != nil {
			t.Fatal("the next roles have taken nothing up yet")
		}
		w.Advance(time.Hour)
		w.RunDue()
		late := *take
		late.RequestID = "take_3"
		_, err = w.Do(&late)
		wantRefusal(t, err, ledger.ReasonStateNotSuitable)
	}
}

// TestLiftedBeforeItBegan: a permit that a person's word ended before its begin has used no approval.
func TestLiftedBeforeItBegan(t *testing.T) {
	w := newOffice(t, need())
	id := w.gives(person("ben", "lead"), within())
	h := w.Execute(refunding("o1", 10))
	o := h.Now()
	_, err := w.Do(&ledger.LiftExclusion{Namespace: ledgertest.North, Actor: person("cleo"), OperationID: o.ID, Entity: o.Entity, Group: "refund",
		SeenVersion: o.Version, Reason: "the run is gone"})
	wantOK(t, err)
	wantEnd(t, h.Now(), ledger.CategoryCancelled)
	w.wantApproval(o.Approvals[0].ID, ledger.ApprovalVoid)
	w.wantUse(id, 0, 0)
}
