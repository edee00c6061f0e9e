package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

func breaks(entity string, etag string, seen ...ledger.OperationID) *ledger.BreakLease {
	return &ledger.BreakLease{
		Namespace: ledgertest.North, Actor: ledger.Actor{Principal: "kim", Person: "kim"}, Entity: orders(entity)[0],
		Reason: "the run is gone", Etag: etag, Seen: seen, Jitter: 0.5,
	}
}

// TestLeaseWaitsForWhatMayStillHappen: an entity is granted to a workflow only when no other workflow's operation about it
// may still have its effect, whatever has expired or been given back.
func TestLeaseWaitsForWhatMayStillHappen(t *testing.T) {
	w := ledgertest.New(t)
	o := unknownOn(t, w, "wf_1", "a")
	no := withheld(t, w, acquire(w, "wf_2", "run_1", orders("a")...))
	if h := no.Holders[0]; len(no.Holders) != 1 || h.OperationID != o.ID || h.WorkflowID != "wf_1" || h.Entity != orders("a")[0] || !h.Until.IsZero() {
		t.Fatalf("%+v", no.Holders)
	}
	own := granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
	r := did[ledger.ReleasedLease](t, w, release(own))
	if len(r.KeptBy) != 1 || r.KeptBy[0].OperationID != o.ID {
		t.Fatalf("what keeps the entity from others is told: %+v", r)
	}
	w.Advance(24 * time.Hour)
	withheld(t, w, acquire(w, "wf_2", "run_1", orders("a")...))
	w.Found(w.Operation(o.Namespace, o.ID), "msg_1")
	granted(t, w, acquire(w, "wf_2", "run_1", orders("a")...))
}

func TestBreakFreesWhatWasSeen(t *testing.T) {
	w := ledgertest.New(t)
	o := unknownOn(t, w, "wf_1", "a")
	l := granted(t, w, acquire(w, "wf_1", "run_1", orders("a", "b")...))
	for name, c := range map[string]*ledger.BreakLease{
		"the lease was not seen":    breaks("a", "", o.ID),
		"another lease was seen":    breaks("a", "v7", o.ID),
		"the keeper was not seen":   breaks("a", l.Etag()),
		"another keeper was seen":   breaks("a", l.Etag(), "op_99"),
		"a lease of nobody's":       breaks("c", "v1"),
		"a lease that nobody holds": breaks("d", l.Etag()),
	} {
		t.Run(name, func(t *testing.T) { refusedBy(t, w, c, ledger.ReasonVersionSeenOutdated) })
	}
	c := breaks("a", l.Etag(), o.ID)
	for range 2 { // the second is a retry that sees its own write
		b := did[ledger.BrokenLease](t, w, c)
		if b.Lease.ID != l.ID || b.Lease.BrokenBy != "kim" || b.Lease.BrokenFor != "the run is gone" ||
			len(b.Lifted) != 1 || b.Lifted[0].OperationID != o.ID || !b.Lifted[0].Begun {
			t.Fatalf("%+v", b)
		}
	}
	o = w.Operation(o.Namespace, o.ID)
	wantState(t, o, ledger.UnknownOutcome)
	if o.Lifted == nil || o.Lifted.By != "kim" || o.Lifted.Scope != "lease" {
		t.Fatalf("%+v", o.Lifted)
	}
	events := w.Events(o.Namespace, o.ID)
	if e := events[len(events)-1]; e.Type != ledger.EventLifted || e.By != "kim" || e.Detail["reason"] != "the run is gone" {
		t.Fatalf("%+v", e)
	}
	refusedBy(t, w, renew(w, l), ledger.ReasonLeaseLost)
	granted(t, w, acquire(w, "wf_2", "run_1", orders("a", "b")...)) // a lease ends whole
	refusedBy(t, w, c, ledger.ReasonVersionSeenOutdated)            // others hold it by now
}

func TestBreakOfNothing(t *testing.T) {
	w := ledgertest.New(t)
	refusedBy(t, w, breaks("a", ""), ledger.ReasonLeaseNotFound)
}

// TestBreakEndsWhatIsNotBegun: a permit that must be begun and was not ends, and the operation is judged by the lease of
// the day when its next permit is due; one that was begun, or needs no begin, stays with its bearer, who is let no more.
func TestBreakEndsWhatIsNotBegun(t *testing.T) {
	for name, c := range map[string]struct {
		call  ledgertest.Call
		begin bool
		want  ledger.State
	}{
		"not begun":      {email, false, ledger.FailedRetryable},
		"begun":          {email, true, ledger.Dispatched},
		"without begins": {unbegun, false, ledger.Dispatched},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			c.call.Order = "a"
			h := w.Execute(c.call)
			if c.begin {
				wantOK(t, h.Begin())
			}
			b := breaks("a", "", h.Operation)
			for range 2 {
				reply := did[ledger.BrokenLease](t, w, b)
				if reply.Lease != nil || len(reply.Lifted) != 1 || reply.Lifted[0].State != c.want {
					t.Fatalf("%+v", reply)
				}
			}
			o := h.Now()
			wantState(t, o, c.want)
			if (o.Lifted != nil) != (c.want == ledger.Dispatched) {
				t.Fatalf("lifted: %+v", o.Lifted)
			}
			granted(t, w, acquire(w, "wf_2", "run_1", orders("a")...))
			if c.want == ledger.Dispatched {
				if _, err := h.Extend(time.Minute); err == nil {
					t.Error("a lifted operation's permit was extended")
				}
				wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("msg_1")))
				wantState(t, h.Now(), ledger.CompletedSuccess)
				return
			}
			if h.Begin() == nil {
				t.Error("a permit that ended was begun")
			}
			w.Advance(30 * time.Second) // its backoff is over
			if a := w.Propose(c.call); a.Permit != nil || a.Decision != ledger.DecisionBlocked {
				t.Errorf("another workflow holds the entity: %s", a.Decision)
			}
		})
	}
}

func TestBreakLiftsEveryKeeperAtOnce(t *testing.T) {
	w := ledgertest.New(t)
	one, two := unknownOn(t, w, "wf_1", "a"), capture
	two.Order, two.Workflow = "a", "wf_3"
	h := w.Execute(two)
	b := did[ledger.BrokenLease](t, w, breaks("a", "", one.ID, h.Operation, "op_none"))
	if len(b.Lifted) != 2 || len(b.Operations) != 2 {
		t.Fatalf("%+v", b)
	}
	granted(t, w, acquire(w, "wf_2", "run_1", orders("a")...))
}
