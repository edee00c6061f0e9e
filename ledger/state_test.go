package ledger_test

import (
	"slices"
	"testing"

	"github.com/opledger/opledger/ledger"
)

// TestWhereOnlyAContradictionLeads: from what is known not to have happened, or was never sent, to an effect that is said to
// exist, and nowhere else. What merely is no contradiction is not allowed for that.
func TestWhereOnlyAContradictionLeads(t *testing.T) {
	denied := []ledger.State{ledger.Planned, ledger.PendingDispatch, ledger.CompletedNoop, ledger.FailedRetryable, ledger.FailedPermanent}
	exists := []ledger.State{ledger.CompletedSuccess, ledger.UnknownOutcome}
	for _, from := range ledger.States {
		for _, to := range ledger.States {
			want := slices.Contains(denied, from) && slices.Contains(exists, to)
			if allowed, contradicts := from.MayGo(to); contradicts != want || want && !allowed {
				t.Errorf("from %s to %s: allowed %t, a contradiction %t; want a contradiction: %t", from, to, allowed, contradicts, want)
			}
		}
	}
	for _, to := range []ledger.State{ledger.Planned, ledger.Dispatched, ledger.FailedRetryable, ledger.Compensating} {
		if allowed, _ := ledger.FailedPermanent.MayGo(to); allowed {
			t.Errorf("what failed for good may go to %s", to)
		}
	}
}
