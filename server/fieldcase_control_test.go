package server_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// guarding is a rule that lets a tool pass in what state of the entity it says.
func guarding(tool, condition string) *pb.PolicyRule {
	return &pb.PolicyRule{
		RuleId: "test.guard", Scope: &pb.RuleScope{Tools: []string{tool}},
		Kind: &pb.PolicyRule_Guard{Guard: &pb.Guard{Name: "state", Condition: condition}},
	}
}

// said is what a rule said in a decision, or nil.
func said(d *pb.PolicyDecision, rule string) *pb.RuleVerdict {
	i := slices.IndexFunc(d.Verdicts, func(v *pb.RuleVerdict) bool { return v.RuleId == rule })
	if i < 0 {
		return nil
	}
	return d.Verdicts[i]
}

// comesTo sets an entity's state from outside.
func comesTo(t *testing.T, c *servertest.Client, id, state string) {
	t.Helper()
	if _, err := pb.NewEntityServiceClient(c.Conn).SetEntityState(t.Context(), stateRequest(id, toState(state))); err != nil {
		t.Fatal(err)
	}
}

// of are the arguments of a refund of an order.
func of(order, amount string) string {
	return fmt.Sprintf(`{"order_id":%q,"amount":%q,"currency":"USD"}`, order, amount)
}

// TestFC110ARefusalIsRemembered: no "no" about now becomes the answer of a key. The same proposal is judged anew, and what
// was decided before stays in the record beside it.
func TestFC110ARefusalIsRemembered(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := policyOf(serve(w))
		p := newProvider(t)
		decision := func(m *pb.ProposeOperationResponse) *pb.PolicyDecision {
			t.Helper()
			found, err := c.GetDecision(t.Context(), &pb.GetDecisionRequest{DecisionId: m.DecisionId})
			if err != nil {
				t.Fatalf("decision %q: %v", m.DecisionId, err)
			}
			return found.Decision
		}
		done := func(m *pb.ProposeOperationResponse) {
			t.Helper()
			decided(t, m, pb.Decision_DECISION_EXECUTE)
			c.Reported(m.Permit, servertest.Succeeded(p.did(m.Permit, 1_000), `{}`))
		}

		c.rule(guarding("refund.create", `entity.state == "verified"`))
		no := c.Propose("refund.create", of("order_9", "10.00"))
		decided(t, no, pb.Decision_DECISION_DENIED)
		comesTo(t, c.Client, "order_9", "verified")
		yes := c.Propose("refund.create", of("order_9", "10.00"))
		done(yes)
		if d := decision(no); d.Verdicts[0] != said(d, "test.guard") || d.Verdicts[0].RuleVersion != 1 || d.Verdicts[0].Inputs["entity.state"] != "" || d.OperationId != "" {
			t.Fatalf("the denial is recorded as %v", d)
		}
		listed, err := c.ListDecisions(t.Context(), &pb.ListDecisionsRequest{OperationId: yes.Permit.OperationId})
		if err != nil || len(listed.Decisions) != 1 || said(listed.Decisions[0], "test.guard").GetInputs()["entity.state"] != "verified" || listed.Decisions[0].Fingerprint != decision(no).Fingerprint {
			t.Fatalf("the permit's decision is recorded as %v, %v", listed, err)
		}

		// Held up by another operation on the entity.
		comesTo(t, c.Client, "order_8", "verified")
		open := c.Propose("refund.create", of("order_8", "9.99"))
		blocked := c.Propose("refund.create", of("order_8", "10.00"))
		decided(t, blocked, pb.Decision_DECISION_BLOCKED)
		done(open)
		done(c.Propose("refund.create", of("order_8", "10.00")))
		if d := decision(blocked); d.Decision != pb.Decision_DECISION_BLOCKED || d.OperationId != "" {
			t.Fatalf("being blocked is recorded as %v", d)
		}

		// Over a limit.
		limited := guarding("payment.capture", "true")
		limited.RuleId, limited.Kind = "test.limit", &pb.PolicyRule_Limit{Limit: limit(1, time.Hour, pb.PeriodKind_PERIOD_KIND_SLIDING, "")}
		limited.GetLimit().Per = "{entity}"
		c.rule(limited)
		done(c.Propose("payment.capture", of("order_7", "49.00")))
		later := c.Propose("payment.capture", of("order_7", "51.00"))
		decided(t, later, pb.Decision_DECISION_RETRY_LATER)
		w.Pass(later.RetryAfter.AsDuration())
		done(c.Propose("payment.capture", of("order_7", "51.00")))

		// Arguments that the tool did not take then.
		const francs = `{"order_id":"order_7","amount":"49.00","currency":"CHF"}`
		for range 2 {
			rejects(t, c.Client, "payment.capture", francs, "INVALID_ARGUMENTS", "arguments_json/amount", "arguments_json/currency")
		}
		d := fieldTool(t, "payment.capture")
		d.Identity.Fields["/currency"].GetEnum().Values = append(d.Identity.Fields["/currency"].GetEnum().Values, "CHF")
		d.Identity.Change = continues
		c.ApplyDefinition(d)
		w.Pass(2 * time.Hour)
		done(c.Propose("payment.capture", francs))
		p.counts(6)
	})
}

// TestFC208TwoEqualRefundsAreBothWanted: a window suspects a slip, and a person answers for it: once, and nobody for
// themselves.
func TestFC208TwoEqualRefundsAreBothWanted(t *testing.T) {
	t.Parallel() // most of it is waiting for disks
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		people := newPeople(t, "shop admin administer,read", "shop ann override,read ann@example.com", "shop agent propose,execute,read")
		anyone := w.Serve(servertest.WithCallers(people))
		as := func(who string) *policyClient { return policyOf(anyone.As(people.token(who))) }
		ann, agent := as("ann"), as("agent")
		as("admin").Apply(fieldTools)
		d := fieldTool(t, "refund.create")
		d.Policy = &pb.ToolPolicy{DedupeWindows: []*pb.DedupeWindow{{Name: "same-refund", KeyTemplate: "{args.order_id}:{args.amount.minor}", Period: duration(24 * time.Hour)}}}
		as("admin").ApplyDefinition(d)
		p := newProvider(t)
		item := func(n int, grants ...string) *pb.ProposeOperationRequest {
			return servertest.Proposal("refund.create", of("order_5", "10.00"), occurrence(fmt.Sprint("item_", n)), func(r *pb.ProposeOperationRequest) { r.OverrideGrantIds = grants })
		}
		propose := func(r *pb.ProposeOperationRequest) *pb.ProposeOperationResponse {
			t.Helper()
			m, err := agent.ProposeOperation(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		first := propose(item(1))
		agent.Reported(first.Permit, servertest.Succeeded(p.did(first.Permit, 1_000), `{}`))
		suppressed := propose(item(2))
		decided(t, suppressed, pb.Decision_DECISION_SUPPRESSED)
		if suppressed.Earlier.GetOperationId() != first.Permit.OperationId {
			t.Fatalf("it does not name the earlier one: %v", suppressed)
		}
		says(t, suppressed.DecidedBy.GetOverrideHint(), "override", "refund.create/same-refund", "grant")

		stored, err := ann.GetDecision(t.Context(), &pb.GetDecisionRequest{DecisionId: suppressed.DecisionId})
		if err != nil {
			t.Fatal(err)
		}
		wish := func(change ...func(*pb.CreateGrantRequest)) *pb.CreateGrantRequest {
			return grantRequest(append([]func(*pb.CreateGrantRequest){func(r *pb.CreateGrantRequest) {
				r.RuleId, r.Fingerprint = "refund.create/same-refund", stored.Decision.Fingerprint
			}}, change...)...)
		}
		_, err = agent.CreateGrant(t.Context(), wish()) // no credential has both roles: a file that gives them is not read
		refused(t, err, codes.PermissionDenied, "PERMISSION_DENIED")
		for name, id := range map[string]string{
			"self-made": "gr_of_my_own",
			"another's": grantOf(t, ann, wish(func(r *pb.CreateGrantRequest) { r.ForPrincipal = "another" })),
			"other arguments'": grantOf(t, ann, wish(func(r *pb.CreateGrantRequest) {
				r.Fingerprint = someFingerprint
			})),
		} {
			_, err := agent.ProposeOperation(t.Context(), item(2, id))
			if refused(t, err, codes.FailedPrecondition, "GRANT_NOT_USABLE"); t.Failed() {
				t.Fatal(name)
			}
		}
		grant := grantOf(t, ann, wish())
		// Held up for another reason, the grant is not spent.
		open := propose(servertest.Proposal("refund.create", of("order_5", "1.00")))
		decided(t, propose(item(2, grant)), pb.Decision_DECISION_BLOCKED)
		agent.Reported(open.Permit, servertest.Rejected("too_small"))
		second := propose(item(2, grant))
		decided(t, second, pb.Decision_DECISION_EXECUTE)
		agent.Reported(second.Permit, servertest.Succeeded(p.did(second.Permit, 1_000), `{}`))
		used, err := agent.GetGrant(t.Context(), &pb.GetGrantRequest{GrantId: grant})
		if err != nil || used.Grant.UsedByOperationId != second.Permit.OperationId || used.Grant.Reason == "" || used.Grant.GivenBy != "ann" {
			t.Fatalf("the record says %v, %v", used, err)
		}
		_, err = agent.ProposeOperation(t.Context(), item(3, grant))
		refused(t, err, codes.FailedPrecondition, "GRANT_NOT_USABLE")
		decided(t, propose(item(2, grant)), pb.Decision_DECISION_REPLAYED) // its own operation's repeat is no second use
		p.counts(2)

		// The provider has a window of its own: its refusal ends the operation, with its code, and is not tried again.
		third := propose(item(3, grantOf(t, ann, wish())))
		ended := agent.Reported(third.Permit, servertest.Rejected("duplicate_refund")).Operation
		inState(t, ended, pb.Operation_STATE_FAILED_PERMANENT)
		again := propose(item(3))
		decided(t, again, pb.Decision_DECISION_REPLAYED)
		if f := again.Result.Failure; f.GetCategory() != pb.FailureCategory_FAILURE_CATEGORY_PROVIDER_REJECTED || f.GetCode() != "duplicate_refund" {
			t.Fatalf("the failure is %v", f)
		}
		p.counts(2)
	})
}

// grantOf gives a grant, and answers its id.
func grantOf(t *testing.T, giver *policyClient, r *pb.CreateGrantRequest) string {
	t.Helper()
	m, err := giver.CreateGrant(t.Context(), r)
	if err != nil {
		t.Fatalf("grant: %v", err)
	}
	return m.Grant.GrantId
}
