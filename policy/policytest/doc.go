// Package policytest tests rules against example proposals, without a server and without a database: the rules and tools
// are compiled as a server compiles them, and each case is judged as a server would judge it in the world that the case
// describes. "opledger policy test" runs it in the user's own CI.
//
// A file of cases is YAML:
//
//	tools: [../tools/refund.create.yaml]     # paths from this file; definitions as "opledger tools apply" takes them
//	rules: [refunds-per-customer.yaml]       # paths, or rules written out here
//	now: 2026-03-02T09:00:00Z                # the time of the cases that state none
//	cases:
//	  - name: the third refund of a customer waits
//	    tool: refund.create
//	    arguments: {order_id: o_1, amount: "10.00", currency: EUR}
//	    principal: {id: agent, person: bob, roles: [support]}
//	    workflow: wf_1
//	    entity: {state: paid, attributes: {vip: true}, version: 3}
//	    counters: {refunds-per-customer: 2}
//	    expect: {decision: RETRY_LATER, rule: refunds-per-customer, because_contains: two refunds}
//
// Beside counters a case may list what happened before, so that windows and conflicts can be tested as well:
//
//	earlier:
//	  - {tool: credit.grant, arguments: {order_id: o_1, amount: "5.00", currency: EUR}, ago: 2h}
//
// Nothing in a result depends on when or where the cases are run.
package policytest
