package ledger_test

import (
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestWhoeverMayLookIsToldWhenItCounts: a caller that can only look for the outcome is told after how long "not found"
// counts, not when the operation is due for somebody else.
func TestWhoeverMayLookIsToldWhenItCounts(t *testing.T) {
	w := ledgertest.New(t)
	ambiguously(t, w, email)
	a := w.Propose(email)
	wantDecision(t, a, ledger.DecisionReconciling)
	if a.RetryAfter != 0 || a.Lookup == nil || a.Lookup.CountsAfter <= 0 {
		t.Fatalf("after %s, lookup %+v", a.RetryAfter, a.Lookup)
	}
	if a.Told.NextAfter != a.Lookup.CountsAfter {
		t.Errorf("next after %s, and not found counts after %s", a.Told.NextAfter, a.Lookup.CountsAfter)
	}
}
