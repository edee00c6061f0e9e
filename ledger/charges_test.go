package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
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
