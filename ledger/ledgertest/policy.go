package ledgertest

import (
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
)

// Policy judges everything from now on by these rules. Tools whose own rules matter are given; the others are the tools
// of the class table, with arguments of any shape.
func (w *World) Policy(rules []policy.Rule, tools ...policy.Tool) {
	w.t.Helper()
	config := policy.Config{Rules: rules}
	for _, t := range Tools {
		config.Tools = append(config.Tools, PolicyTool(t))
	}
	for _, t := range tools {
		for i := range config.Tools {
			if config.Tools[i].Name == t.Name {
				config.Tools[i] = t
			}
		}
	}
	w.Configure(config)
}

// Configure makes a whole configuration the one that holds.
func (w *World) Configure(config policy.Config) {
	w.t.Helper()
	set, problems := policy.Compile(config)
	if len(problems) > 0 {
		w.t.Fatalf("the policy does not compile: %v", problems)
	}
	w.Rules = set
	for _, ns := range []ledger.Namespace{North} {
		w.rows.epochs[ns]++
	}
}

// PolicyTool is a tool as the policy sees it: about an order, with a customer, an amount and whatever else.
func PolicyTool(t Tool) policy.Tool {
	return policy.Tool{
		Name: t.Name, Version: t.Version, Class: string(t.Terms.Class), Mutates: t.Terms.Mutates(),
		Irreversible: t.Terms.Class == registry.Irreversible, Intent: t.Name, EntityType: "order",
		Arguments: &policy.Shape{Kind: policy.ShapeObject, Open: true, Fields: map[string]*policy.Shape{
			"customer": {Kind: policy.ShapeString}, "amount": {Kind: policy.ShapeInteger}, "to": {Kind: policy.ShapeString},
		}},
		Rules: policy.ToolRules{MaxRevisions: 3},
	}
}

// WithRules makes a variant of a tool, as the policy sees it.
func (t Tool) WithRules(change func(*policy.ToolRules)) policy.Tool {
	p := PolicyTool(t)
	change(&p.Rules)
	return p
}

// Needs asks one person of a team for approval.
func Needs(team string) *policy.ApprovalNeed {
	return &policy.ApprovalNeed{Count: 1, Roles: []string{team}, ExpiresAfter: 24 * time.Hour, OnExpiry: policy.ExpiryDeny, NoHoldsFor: 24 * time.Hour}
}
