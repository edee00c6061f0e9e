package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

func lifts(o *ledger.Operation, group string) *ledger.LiftExclusion {
	return &ledger.LiftExclusion{
		Namespace: o.Namespace, Actor: ledger.Actor{Principal: "kim"}, Entity: o.Entity, Group: group, OperationID: o.ID,
		SeenVersion: o.Version, Reason: "the mailer has lost it", Jitter: 0.5,
	}
}

// TestLiftLetsOthersPass: an unknown e-mail about an order blocks the next one, until a person has seen it and lets it pass.
func TestLiftLetsOthersPass(t *testing.T) {
	w := ledgertest.New(t)
	o := unknownOn(t, w, "wf_1", "a")
	next := email
	next.Order, next.Key = "a", "email:another"
	wantDecision(t, w.Propose(next), ledger.DecisionBlocked)

	seen := lifts(w.Operation(o.Namespace, o.ID), email.Tool.Terms.Group)
	old, elsewhere := *seen, *seen
	old.SeenVersion--
	refusedBy(t, w, &old, ledger.ReasonVersionSeenOutdated)
	elsewhere.Group = "money"
	refusedBy(t, w, &elsewhere, ledger.ReasonStateNotSuitable)
	stranger := *seen
	stranger.Namespace = "south"
	refusedBy(t, w, &stranger, ledger.ReasonOperationNotFound)

	for range 2 { // the second is a retry that sees its own write
		l := did[ledger.LiftedExclusion](t, w, seen)
		if l.Lifted.OperationID != o.ID || !l.Lifted.Begun || l.Lifted.Scope != "group/email.send" || l.Operation.Lifted.Reason != seen.Reason {
			t.Fatalf("%+v", l)
		}
	}
	o = w.Operation(o.Namespace, o.ID)
	wantState(t, o, ledger.UnknownOutcome)
	refusedBy(t, w, lifts(o, email.Tool.Terms.Group), ledger.ReasonStateNotSuitable)
	wantDecision(t, w.Propose(next), ledger.DecisionExecute)
}

// TestLiftEndsWhatCannotHaveBeenSent: to be sent it would have to hold the group again.
func TestLiftEndsWhatCannotHaveBeenSent(t *testing.T) {
	for name, hold := range map[string]func(*ledgertest.World, ledgertest.Call) *ledger.Operation{
		"not begun": func(w *ledgertest.World, c ledgertest.Call) *ledger.Operation { return w.Execute(c).Now() },
		"due for retry": func(w *ledgertest.World, c ledgertest.Call) *ledger.Operation {
			h := w.Execute(c)
			wantOK(t, h.Says(ledger.OutcomeNotSent))
			return h.Now()
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			c := email
			c.Order = "a"
			o := hold(w, c)
			lift := lifts(o, email.Tool.Terms.Group)
			for range 2 {
				wantState(t, did[ledger.LiftedExclusion](t, w, lift).Operation, ledger.FailedPermanent)
			}
			o = w.Operation(o.Namespace, o.ID)
			if o.Failure.Category != ledger.CategoryCancelled || o.Live != 0 {
				t.Fatalf("%+v", o.Failure)
			}
			c.Key = "email:another"
			wantDecision(t, w.Propose(c), ledger.DecisionExecute)
			granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
		})
	}
}

// TestLiftOfAPermitThatIsOut: nobody can take back what may have been sent; its bearer is let nothing more.
func TestLiftOfAPermitThatIsOut(t *testing.T) {
	w := ledgertest.New(t)
	c := email
	c.Order = "a"
	h := w.Execute(c)
	wantOK(t, h.Begin())
	l := did[ledger.LiftedExclusion](t, w, lifts(h.Now(), email.Tool.Terms.Group))
	wantState(t, l.Operation, ledger.Dispatched)
	if l.Lifted.Until.IsZero() {
		t.Error("until when it may be sent is told")
	}
	_, err := h.Extend(time.Minute)
	wantRefusal(t, err, ledger.ReasonPermitWithdrawn)
	withheld(t, w, acquire(w, "wf_2", "run_1", orders("a")...)) // the entity is kept all the same
	did[ledger.BrokenLease](t, w, breaks("a", "", h.Operation))
	granted(t, w, acquire(w, "wf_2", "run_1", orders("a")...))
	wantOK(t, h.Says(ledger.OutcomeAmbiguous))
	wantState(t, h.Now(), ledger.UnknownOutcome)
	c.Key = "email:another"
	c.Workflow = "wf_3"
	wantDecision(t, w.Propose(c), ledger.DecisionBlocked) // by the lease
}

// TestOnlyAHoldIsLifted: whoever keeps nobody up has none, and whoever waits in line has its own.
func TestOnlyAHoldIsLifted(t *testing.T) {
	group := ledgertest.AccessRevoke.Terms.Group
	o := newOffice(t, need())
	asks := o.now(o.waits(revoking("kim")))
	wantState(t, asks, ledger.Planned)
	refusedBy(t, o.World, lifts(asks, group), ledger.ReasonStateNotSuitable)

	w := ledgertest.New(t)
	group = email.Tool.Terms.Group
	c := email
	c.Order = "a"
	late := acting(t, c, w.Execute(c))
	wantOK(t, late.Says(ledger.OutcomeRejected))
	first, elsewhere := unknownOn(t, w, "wf_1", "a"), unknownOn(t, w, "wf_1", "b")
	lift := lifts(elsewhere, group)
	lift.Entity = first.Entity
	refusedBy(t, w, lift, ledger.ReasonStateNotSuitable)

	w.Advance(time.Minute)
	underWay(w, late.Now(), "msg_1") // it joins again, at the end of the line
	wantState(t, late.Now(), ledger.UnknownOutcome)
	if l := did[ledger.LiftedExclusion](t, w, lifts(late.Now(), group)); l.Lifted.OperationID != late.Operation || !l.Lifted.Since.Equal(w.Now) {
		t.Errorf("%+v", l.Lifted)
	}
}
