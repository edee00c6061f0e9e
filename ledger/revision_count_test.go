package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/policy"
)

// TestARevisionIsNotCountedAgainstItsFirst: what was done, undone and is done afresh is one, and somebody else's is another.
func TestARevisionIsNotCountedAgainstItsFirst(t *testing.T) {
	c := configure(t)
	call := capture
	call.Order = "order_123"
	c.tool(call.Tool.Name)
	c.Policy([]policy.Rule{{ID: "once-a-day", Version: 1, Limit: &policy.Limit{Per: "{tool}", Max: 1, Period: 24 * time.Hour}}})
	o := captured(t, c.World)
	did[ledger.Compensation](t, c.World, undo(c.World, o.ID, "ch_1", undoStep("refund")))
	ran(t, c.World)
	carryOut(t, c.World, rowsOf(t, c.World, o.ID)[0], ledger.OutcomeSucceeded)
	ran(t, c.World)
	wantState(t, c.Operation(o.Namespace, o.ID), ledger.Compensated)
	other := pay("another", "kim", 100)
	wantDecision(t, c.Propose(other), ledger.DecisionRetryLater)
	next := elsewhere(call)
	next.Revise, next.ReviseGrant = o.ID, "gr_1"
	did[ledger.GrantKept](t, c.World, grant(func(g *ledger.CreateGrant) {
		g.Kind, g.Rule, g.Tool, g.OperationID, g.Fingerprint = ledger.GrantRevise, "", call.Tool.Name, o.ID, c.Command(next).Forms[0].Fingerprint
	}))
	wantDecision(t, c.Propose(next), ledger.DecisionExecute)
}
