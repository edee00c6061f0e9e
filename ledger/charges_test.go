package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
)

// TestWhatHappenedCountsFromItsPermit on, however late it was learned of.
func TestWhatHappenedCountsFromItsPermit(t *testing.T) {
	w := ledgertest.New(t)
	w.Policy([]policy.Rule{daily(1)})
	h := w.Execute(pay("a", "kim", 100))
	wantOK(t, h.Says(ledger.OutcomeAmbiguous))
	w.Advance(2 * time.Hour)
	w.Found(h.Now(), "ch_1")
	wantDecision(t, w.Propose(pay("b", "kim", 100)), ledger.DecisionRetryLater)
	w.Advance(22*time.Hour + 30*time.Minute) // a day and half an hour after the permit
	wantDecision(t, w.Propose(pay("b", "kim", 100)), ledger.DecisionExecute)
}

// TestWhatHappenedWithoutAPermitCounts from when that is known: somebody acted past the ledger, under its reference.
func TestWhatHappenedWithoutAPermitCounts(t *testing.T) {
	w := ledgertest.New(t)
	w.Policy([]policy.Rule{daily(1)})
	queued := pay("a", "kim", 100)
	queued.Tool = queued.Tool.With(func(t *ledger.Terms) { t.Executor = registry.Worker })
	o := w.Propose(queued).Operation
	wantState(t, o, ledger.PendingDispatch)
	w.Advance(time.Hour)
	showsToo(t, w, o, "ch_1")
	wantState(t, w.Operation(ledgertest.North, o.ID), ledger.CompletedSuccess)
	w.Advance(24*time.Hour - time.Minute)
	wantDecision(t, w.Propose(pay("b", "kim", 100)), ledger.DecisionRetryLater)
	w.Advance(30 * time.Minute)
	wantDecision(t, w.Propose(pay("b", "kim", 100)), ledger.DecisionExecute)
}

// TestTheStateOfAnEntityIsWorkedOutOfTheResult, and is nobody's where the operation has no entity.
func TestTheStateOfAnEntityIsWorkedOutOfTheResult(t *testing.T) {
	settled := func(order string) []ledger.Record {
		w := ledgertest.New(t)
		call := capture
		call.Order = order
		call.Tool = call.Tool.With(func(t *ledger.Terms) { t.SetsEntityState = "{result.status}" })
		h := w.Execute(call)
		wantOK(t, h.Says(ledger.OutcomeSucceeded, func(r *ledger.Report) { r.ResultJSON = []byte(`{"status":"captured"}`) }))
		return w.Records(ledger.RecordEntity)
	}
	if all := settled("order_123"); len(all) != 1 || all[0].(*ledger.Entity).State != "captured" {
		t.Errorf("%+v", all)
	}
	if all := settled(""); len(all) != 0 {
		t.Errorf("an entity without a name has a state: %+v", all[0])
	}
}

// TestAnOperationCountsByEachRule that charges it, and by one that came to apply after it was released.
func TestAnOperationCountsByEachRule(t *testing.T) {
	each := policy.Rule{ID: "one-a-customer", Limit: &policy.Limit{Per: "{args.customer}", Max: 1, Period: 24 * time.Hour}}
	sum := policy.Rule{ID: "sum-of-all", Limit: &policy.Limit{SumOf: "/amount", Max: 1000, Period: 24 * time.Hour}}
	for name, before := range map[string][]policy.Rule{"both from the first": {each, sum}, "the second came later": {each}} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			w.Policy(before)
			wantOK(t, w.Execute(pay("a", "kim", 600)).Says(ledger.OutcomeNotSent))
			w.Policy([]policy.Rule{each, sum})
			w.Advance(time.Hour)
			w.Execute(pay("a", "kim", 600))
			wantDecision(t, w.Propose(pay("b", "kim", 100)), ledger.DecisionRetryLater)
			wantDecision(t, w.Propose(pay("c", "ann", 401)), ledger.DecisionRetryLater)
			wantDecision(t, w.Propose(pay("d", "ann", 400)), ledger.DecisionExecute)
		})
	}
}

// TestWhatAwaitsApprovalStandsInAWindow: a second one is no way round the decision, until there is a no.
func TestWhatAwaitsApprovalStandsInAWindow(t *testing.T) {
	o := newOffice(t, need())
	o.Config.Rules = []policy.Rule{{ID: "one-a-team", Scope: policy.Scope{Tools: []string{"access.revoke"}}, Window: &policy.DedupeWindow{KeyTemplate: "{args.team}", Period: time.Hour}}}
	o.compile()
	of := func(user string) ledgertest.Call {
		c := revoking(user)
		c.Args = `{"team":"north","user_id":"` + user + `"}`
		return c
	}
	first := o.waits(of("u_1"))
	second := o.Propose(of("u_2"))
	wantDecision(t, second, ledger.DecisionSuppressed)
	if second.Earlier == nil || second.Earlier.ID != first.OperationID {
		t.Fatalf("it does not name the one that waits: %+v", second)
	}
	wantOK(t, o.says(person("lee", "lead"), first.ID, false))
	o.waits(of("u_2"))
}
