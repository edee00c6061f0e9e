package ledger_test

import (
	"fmt"
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
)

// TestWhatIsToBeSaved: whatever a decision changes is saved, however much of it there is and of how many kinds; only where
// there is nothing at all the transaction writes nothing.
func TestWhatIsToBeSaved(t *testing.T) {
	kinds := []func(*ledger.Changes){
		func(c *ledger.Changes) { c.Operations = append(c.Operations, &ledger.Operation{}) },
		func(c *ledger.Changes) { c.Events = append(c.Events, ledger.Event{}) },
		func(c *ledger.Changes) { c.Claims = append(c.Claims, ledger.Claim{}) },
		func(c *ledger.Changes) { c.Unclaims = append(c.Unclaims, ledger.ClaimID{}) },
		func(c *ledger.Changes) { c.Scopes = append(c.Scopes, locks.Scope{}) },
		func(c *ledger.Changes) { c.Decisions = append(c.Decisions, ledger.Decision{}) },
		func(c *ledger.Changes) { c.Tools = append(c.Tools, ledger.ToolHead{}) },
		func(c *ledger.Changes) { c.Versions = append(c.Versions, ledger.ToolVersion{}) },
		func(c *ledger.Changes) { c.Epochs = map[ledger.Namespace]int64{"north": 2} },
		func(c *ledger.Changes) { c.Records = append(c.Records, &ledger.Lease{}) },
	}
	if none := (*ledger.Changes)(nil); !none.Empty() || !(&ledger.Changes{}).Empty() {
		t.Error("there is something to save in no changes")
	}
	for i, one := range kinds {
		for j, other := range kinds[i:] {
			t.Run(fmt.Sprint(i, i+j), func(t *testing.T) {
				c := &ledger.Changes{}
				one(c)
				if c.Empty() {
					t.Error("there is nothing to save in one")
				}
				other(c)
				if c.Empty() {
					t.Error("there is nothing to save in two")
				}
			})
		}
	}
}
