package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
)

// TestRevokedStandingApproval: what it has approved and is begun goes on, and nothing else does: neither a permit that was
// not begun, nor an approval of it that was given back unused.
func TestRevokedStandingApproval(t *testing.T) {
	t.Run("a begun attempt is extended", func(t *testing.T) {
		w := newOffice(t, need())
		id := w.gives(person("ben", "lead"), within())
		h := w.Execute(refunding("o1", 10))
		wantOK(t, h.Begin())
		w.revokes(id)
		_, err := h.Extend(time.Minute)
		wantOK(t, err)
	})
	t.Run("a permit is not begun", func(t *testing.T) {
		w := newOffice(t, need())
		id := w.gives(person("ben", "lead"), within())
		h := w.Execute(refunding("o1", 10))
		w.revokes(id)
		wantRefusal(t, h.Begin(), ledger.ReasonPermitWithdrawn)
	})
	t.Run("an unused approval lets nothing pass", func(t *testing.T) {
		w := newOffice(t, need())
		id := w.gives(person("ben", "lead"), within())
		h := w.Execute(refunding("o1", 10))
		w.Advance(2 * time.Minute) // its permit ends unbegun
		w.RunDue()
		granted := h.Now().Approvals[0].ID
		w.wantApproval(granted, ledger.ApprovalGranted)
		w.revokes(id)
		w.Advance(time.Minute)
		w.waits(refunding("o1", 10)) // persons are asked
		w.wantApproval(granted, ledger.ApprovalVoid)
		w.wantUse(id, 0, 0)
	})
}
