package ledger_test

import (
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/locks"
)

// TestNobodysRunIsNotTheCurrentOne, also where the operation is there already; an attempt that nobody's run was permitted,
// when the workflow was a name still, begins.
func TestNobodysRunIsNotTheCurrentOne(t *testing.T) {
	w := newTasks(t)
	nobodys := func(c ledgertest.Call, id string) *ledger.Propose {
		p := w.Command(in(c, id, "run_1"))
		p.RunID = ""
		return p
	}
	start := w.wish()
	before := w.HolderOf(did[ledger.Answer](t, w.World, nobodys(email, start.NewWorkflow)))
	s := w.started(start)
	wantOK(t, before.Begin())
	wantOK(t, w.Execute(in(capture, s.Workflow.ID, s.RunID)).Says(ledger.OutcomeNotSent))
	w.Advance(time.Minute)
	refusedBy(t, w.World, nobodys(capture, s.Workflow.ID), ledger.ReasonRunSuperseded)
	refusedBy(t, w.World, nobodys(upsert, s.Workflow.ID), ledger.ReasonRunSuperseded)
}

// TestNoWorkflowCarriesOnForOneThatHasEnded, although the provider could tell a second request from the first.
func TestNoWorkflowCarriesOnForOneThatHasEnded(t *testing.T) {
	w := newTasks(t)
	first, second := w.new(), w.new()
	wantOK(t, w.Execute(in(capture, first.Workflow.ID, first.RunID)).Says(ledger.OutcomeAmbiguous))
	w.complete(first.Workflow.ID, first.RunID)
	w.Advance(time.Minute)
	a := w.Propose(in(capture, second.Workflow.ID, second.RunID))
	wantDecision(t, a, ledger.DecisionReconciling)
	if a.Permit != nil || !strings.Contains(a.Because, first.Workflow.ID+" is completed") {
		t.Errorf("it is told %q", a.Because)
	}
}

// TestTheCurrentRunAloneRenews, within the bounds of a lease.
func TestTheCurrentRunAloneRenews(t *testing.T) {
	w := newTasks(t)
	s := w.new()
	l := granted(t, w.World, acquire(w.World, s.Workflow.ID, s.RunID, orders("a")...))
	for ttl, refused := range map[time.Duration]bool{
		locks.MinTTL - 1: true, locks.MinTTL: false, locks.MaxTTL: false, locks.MaxTTL + 1: true, -1: true,
	} {
		c := renew(w.World, l)
		c.TTL = ttl
		if refused {
			refusedBy(t, w.World, c, ledger.ReasonInvalidRequest)
		} else {
			did[ledger.HeldLease](t, w.World, c)
		}
	}
	did[ledger.WorkflowResumed](t, w.World, w.resume(s.Workflow.ID, "run_2"))
	refusedBy(t, w.World, renew(w.World, l), ledger.ReasonRunSuperseded)
}
