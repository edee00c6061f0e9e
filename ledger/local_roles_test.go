package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/policy"
)

// TestLocalStandsForEveryRole: the one caller of a server without credentials proposes what is for bearers of a role, and
// begins and extends it; others do not.
func TestLocalStandsForEveryRole(t *testing.T) {
	w := newOffice(t, need())
	w.Config.Tools[1].Rules = policy.ToolRules{ProposerRoles: []string{"support"}}
	w.compile()
	call := refunding("o1", 10)
	if a := w.Propose(call); a.Decision != ledger.DecisionDenied || a.Rule != "refund/proposer_roles" {
		t.Fatalf("who bears no role is answered %s by %s", a.Decision, a.Rule)
	}
	call.Local = true
	h := w.Execute(call)
	wantOK(t, h.Begin())
	_, err := h.Extend(time.Minute)
	wantOK(t, err)
}
