package ledger_test

import (
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestWhoMayUseAGrant: the one whom it names, and never the one who gave it, be it the same principal or the same person
// behind another one. The occurrence that it names is the only one that it lets through.
func TestWhoMayUseAGrant(t *testing.T) {
	local := ledger.Actor{Principal: "local", Local: true}
	for name, test := range map[string]struct {
		given  func(*ledger.CreateGrant)
		caller func(*ledgertest.Call)
		usable bool
	}{
		"anybody":                          {func(*ledger.CreateGrant) {}, func(*ledgertest.Call) {}, true},
		"whom it names":                    {func(g *ledger.CreateGrant) { g.ForPrincipal = ledgertest.Agent }, func(*ledgertest.Call) {}, true},
		"not another one":                  {func(g *ledger.CreateGrant) { g.ForPrincipal = "other" }, func(*ledgertest.Call) {}, false},
		"not who gave it":                  {func(*ledger.CreateGrant) {}, func(c *ledgertest.Call) { c.Principal = "ann" }, false},
		"not its giver's agent":            {func(*ledger.CreateGrant) {}, func(c *ledgertest.Call) { c.Person = "ann@example.com" }, false},
		"not its giver as somebody else":   {func(*ledger.CreateGrant) {}, func(c *ledgertest.Call) { c.Principal, c.Person = "ann", "other@example.com" }, false},
		"the one caller of a local server": {func(g *ledger.CreateGrant) { g.Giver = local }, func(c *ledgertest.Call) { c.Principal, c.Local = "local", true }, true},
		"not for another occurrence":       {func(g *ledger.CreateGrant) { g.Occurrence = "third" }, func(*ledgertest.Call) {}, false},
	} {
		t.Run(name, func(t *testing.T) {
			c := configure(t)
			c.tool(capture.Tool.Name)
			call := capture
			call.Occurrence, call.RepeatGrant = "second", "gr_1"
			test.caller(&call)
			c.keeps(grant(func(g *ledger.CreateGrant) {
				g.Kind, g.Rule, g.Tool, g.Occurrence, g.Fingerprint = ledger.GrantRepeat, "", capture.Tool.Name, "second", c.Command(call).Forms[0].Fingerprint
				test.given(g)
			}))
			if !test.usable {
				refusedBy(t, c.World, proposed(c, call), ledger.ReasonGrantNotUsable)
				return
			}
			wantDecision(t, did[ledger.Answer](t, c.World, proposed(c, call)), ledger.DecisionExecute)
		})
	}
}

// TestAnOverrideIsForAnyOccurrence: it is bound to a fingerprint and a rule, and to no occurrence.
func TestAnOverrideIsForAnyOccurrence(t *testing.T) {
	c := configure(t)
	c.tool(capture.Tool.Name)
	call := capture
	call.Occurrence, call.Overrides = "second", []string{"gr_1"}
	p := c.Command(call)
	c.keeps(grant(func(g *ledger.CreateGrant) { g.Tool, g.Fingerprint = capture.Tool.Name, p.Forms[0].Fingerprint }))
	p.Epoch = c.Epoch(ledgertest.North)
	wantDecision(t, did[ledger.Answer](t, c.World, p), ledger.DecisionExecute)
}
