package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
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

// TestAGrantIsNamedAgain: a retry may name the one that its operation has used already, and another one behind it for a rule
// that is new.
func TestAGrantIsNamedAgain(t *testing.T) {
	c := configure(t)
	call := capture
	c.tool(call.Tool.Name)
	no := func(id string) policy.Rule {
		return policy.Rule{ID: id, Version: 1, Deny: &policy.Deny{When: `principal.id == "agent"`, Explanation: "Not by an agent."}}
	}
	for _, rule := range []string{"first", "second"} {
		c.keeps(grant(func(g *ledger.CreateGrant) {
			g.ID, g.Rule, g.Tool, g.Fingerprint = "gr_"+rule, rule, call.Tool.Name, c.Command(call).Forms[0].Fingerprint
		}))
	}
	c.Policy([]policy.Rule{no("first")})
	call.Overrides = []string{"gr_first"}
	wantOK(t, c.Execute(call).Says(ledger.OutcomeNotSent))
	c.Advance(time.Minute)
	c.Policy([]policy.Rule{no("first"), no("second")})
	wantDecision(t, c.Propose(call), ledger.DecisionDenied)
	call.Overrides = []string{"gr_first", "gr_second"}
	c.Execute(call)
}
