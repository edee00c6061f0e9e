package policy_test

import (
	"fmt"
	"time"

	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
)

// A refund tool whose orders are refunded once, whose refunds above 30.00 need a person, and whose customers get two a
// day. The ledger compiles this once for each configuration, and asks it at every proposal, permit and begin.
func Example() {
	text := &policy.Shape{Kind: policy.ShapeString}
	set, problems := policy.Compile(policy.Config{
		Tools: []policy.Tool{{
			Name: "payment.refund", Version: 1, Class: "EXTERNAL_NON_IDEMPOTENT_WRITE", Mutates: true, Intent: "refund", EntityType: "order",
			Arguments: &policy.Shape{Kind: policy.ShapeObject,
				Fields:   map[string]*policy.Shape{"order_id": text, "customer_id": text, "amount": {Kind: policy.ShapeMoney}},
				Required: map[string]bool{"order_id": true, "customer_id": true, "amount": true}},
			Rules: policy.ToolRules{
				Guards:   []policy.Guard{{Name: "once", Condition: `entity.state != "refunded"`, Explanation: "The order is refunded already."}},
				Limits:   []policy.Limit{{Name: "daily", Per: "{args.customer_id}", Max: 2, Period: 24 * time.Hour}},
				Approval: &policy.ApprovalNeed{Roles: []string{"team-lead"}, When: "args.amount.minor > 3000"},
			},
		}},
	})
	if len(problems) > 0 {
		fmt.Println(problems)
		return
	}

	now := time.Date(2026, time.March, 3, 12, 0, 0, 0, time.UTC)
	histories := map[string]policy.History{}
	decide := func(op string, minor int, entity policy.EntityState) {
		c, err := set.For(policy.Facts{
			Tool: "payment.refund", OperationID: op, Root: op, Revision: 1, Entity: locks.Entity{Type: "order", ID: "order_7"},
			Canonical: fmt.Appendf(nil, `{"amount":{"currency":"EUR","minor":"%d"},"customer_id":"cus_1","order_id":"order_7"}`, minor),
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		if v := c.Judge(policy.World{Now: now, Entity: entity, Histories: histories})[0]; v.Stands() {
			fmt.Printf("%s: %s by %s: %s\n", op, v.Outcome, v.Rule, v.Because)
			return
		}
		fmt.Printf("%s: released\n", op)
		for _, charge := range c.Charges() {
			histories[charge.History] = histories[charge.History].Hold(charge, op, op, now, false)
		}
	}
	decide("op_1", 1000, policy.EntityState{})
	decide("op_2", 5000, policy.EntityState{})
	decide("op_3", 2000, policy.EntityState{})
	decide("op_4", 100, policy.EntityState{})
	decide("op_5", 100, policy.EntityState{State: "refunded"})
	// Output:
	// op_1: released
	// op_2: AWAITING_APPROVAL by payment.refund/approval: one person of the roles team-lead must approve
	// op_3: released
	// op_4: RETRY_LATER by payment.refund/daily: the limit payment.refund/daily of 2 within 1d is reached: 2 count, and this adds 1
	// op_5: DENIED by payment.refund/once: The order is refunded already.
}

// A rule that does not type-check is refused when it is applied, with its place.
func ExampleCheckRule() {
	for _, p := range policy.CheckRule(policy.Config{}, policy.Rule{ID: "night", Deny: &policy.Deny{
		When:        "entity.state == 'open' &&\n  now.getHours() > 'ten'",
		Explanation: "Nothing is paid at night.",
	}}) {
		fmt.Println(p.Error())
	}
	// Output:
	// night: deny.when:2:18: Found no matching overload for '_>_' applied to '(int, string)'. [does_not_type]
}
