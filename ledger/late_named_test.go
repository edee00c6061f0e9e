package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// wantNothingLate fails the test if a row was read since the last look that its command had not named.
func wantNothingLate(t *testing.T, w *ledgertest.World) {
	t.Helper()
	for _, late := range w.Late() {
		t.Errorf("%s, which it did not name beforehand", late)
	}
}

// TestARenewalNamesItsWorkflow: a lease is renewed again and again for as long as its workflow may act, so that the renewals of
// many leases at once load all their workflows together.
func TestARenewalNamesItsWorkflow(t *testing.T) {
	w := ledgertest.New(t)
	l := granted(t, w, acquire(w, "wf_1", "run_1", orders("a")...))
	w.Advance(time.Second)
	w.Late()
	_, err := w.Do(renew(w, l))
	wantOK(t, err)
	wantNothingLate(t, w)
}

// TestAStatedVersionNamesItsEntity: what was reasoned from a version of its entity is judged by that row at its proposal, its
// begin and its extension, also where no rule reads it.
func TestAStatedVersionNamesItsEntity(t *testing.T) {
	w := ledgertest.New(t)
	state(t, w, "order_a", "paid")
	version := int64(1)
	c := email
	c.Order, c.EntityVersion = "order_a", &version
	h := w.Execute(c)
	wantOK(t, h.Begin())
	_, err := h.Extend(time.Minute)
	wantOK(t, err)
	wantNothingLate(t, w)

	other := email
	other.Key, other.Order, other.EntityVersion = "email:other", "order_b", &version
	wantDecision(t, w.Propose(other), ledger.DecisionDenied)
	for _, late := range w.Late() {
		if late.Read.Kind == ledger.ReadKind(ledger.RecordEntity) {
			t.Errorf("%s, which it did not name beforehand", late)
		}
	}
}
