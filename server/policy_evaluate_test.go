package server_test

import (
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

func (c *policyClient) tryEvaluate(change ...func(*pb.EvaluatePolicyRequest)) (*pb.EvaluatePolicyResponse, error) {
	req := &pb.EvaluatePolicyRequest{
		Tool: "refund.create", Arguments: &pb.EvaluatePolicyRequest_ArgumentsJson{ArgumentsJson: refund}, WorkflowId: "wf_1", RunId: "run_1",
	}
	for _, f := range change {
		f(req)
	}
	return c.EvaluatePolicy(c.TB.Context(), req)
}

// evaluated expects what the refund would be answered, and by which rule; none where it is empty.
func (c *policyClient) evaluated(want pb.Decision, rule string, change ...func(*pb.EvaluatePolicyRequest)) *pb.EvaluatePolicyResponse {
	c.TB.Helper()
	m, err := c.tryEvaluate(change...)
	if err != nil {
		c.TB.Fatal(err)
	}
	if m.Plan.Decision != want {
		c.TB.Fatalf("got %v, want %v: %v", m.Plan.Decision, want, m)
	}
	if rule != "" && (len(m.Plan.Verdicts) == 0 || m.Plan.Verdicts[0].RuleId != rule) {
		c.TB.Fatalf("the first verdict is not of %s: %v", rule, m.Plan.Verdicts)
	}
	return m
}

// TestEvaluatePolicy: it answers as a proposal would be, in the real world and in made-up ones, and nothing is kept of it.
func TestEvaluatePolicy(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := policyOf(serve(w))
		m := c.evaluated(pb.Decision_DECISION_EXECUTE, "")
		if m.Plan.IdempotencyKey == "" || m.Plan.Fingerprint == "" || m.Plan.Entity.GetId() != "order_123" || m.Result.GetModelMessage() == "" {
			t.Fatalf("got %v", m)
		}
		guard := &pb.PolicyRule{RuleId: "open", Scope: &pb.RuleScope{Tools: []string{"refund.create"}}, Kind: &pb.PolicyRule_Guard{Guard: &pb.Guard{
			Name: "open", Condition: `entity.state != "refunded"`,
		}}}
		hours := denying("refund.create", `now.getHours("UTC") < 8`)
		twice := &pb.PolicyRule{RuleId: "twice", Scope: &pb.RuleScope{Tools: []string{"refund.create"}}, Kind: &pb.PolicyRule_Limit{Limit: &pb.Limit{
			Name: "twice", Per: "{args.order_id}", Max: new(int64(2)), Period: durationpb.New(time.Hour),
		}}}
		leads := denying("refund.create", `!("lead" in principal.roles)`)
		leads.RuleId = "leads"
		world := func(set func(*pb.ExampleWorld)) func(*pb.EvaluatePolicyRequest) {
			return func(r *pb.EvaluatePolicyRequest) {
				r.World = &pb.ExampleWorld{Time: timestamppb.New(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)), Roles: []string{"lead"}}
				set(r.World)
			}
		}
		asCandidates := func(r *pb.EvaluatePolicyRequest) { r.CandidateRules = []*pb.PolicyRule{guard, hours, twice, leads} }
		hold := func(change ...func(*pb.EvaluatePolicyRequest)) {
			t.Helper()
			in := func(want pb.Decision, rule string, set func(*pb.ExampleWorld)) {
				t.Helper()
				c.evaluated(want, rule, append([]func(*pb.EvaluatePolicyRequest){world(set)}, change...)...)
			}
			in(pb.Decision_DECISION_EXECUTE, "", func(*pb.ExampleWorld) {})
			in(pb.Decision_DECISION_DENIED, "open", func(w *pb.ExampleWorld) { w.EntityState = new("refunded") })
			in(pb.Decision_DECISION_DENIED, "test.deny", func(w *pb.ExampleWorld) {
				w.Time = timestamppb.New(time.Date(2026, 3, 1, 7, 59, 0, 0, time.UTC))
			})
			in(pb.Decision_DECISION_EXECUTE, "", func(w *pb.ExampleWorld) { w.Counters = map[string]int64{"twice": 1} })
			in(pb.Decision_DECISION_RETRY_LATER, "twice", func(w *pb.ExampleWorld) { w.Counters = map[string]int64{"twice": 2} })
			in(pb.Decision_DECISION_DENIED, "leads", func(w *pb.ExampleWorld) { w.Roles = []string{"clerk"} })
		}
		hold(asCandidates)
		for _, r := range []*pb.PolicyRule{guard, hours, twice, leads} {
			c.rule(r)
		}
		hold()
		// A candidate takes the place of the rule of its id.
		milder := denying("refund.create", "false")
		milder.RuleId = "leads"
		c.evaluated(pb.Decision_DECISION_EXECUTE, "", world(func(w *pb.ExampleWorld) { w.Roles = []string{"clerk"} }), func(r *pb.EvaluatePolicyRequest) {
			r.CandidateRules = []*pb.PolicyRule{milder}
		})

		if n := len(c.Operations()); n != 0 {
			t.Fatalf("%d operations were made", n)
		}
		decisions, err := c.ListDecisions(t.Context(), &pb.ListDecisionsRequest{})
		if err != nil || len(decisions.Decisions) != 0 {
			t.Fatalf("got %v, %v", decisions, err)
		}
		if s := c.stats(""); s != nil {
			t.Fatalf("it was counted: %v", s)
		}
	})
}

// TestEvaluateWhatExists: a proposal that has its operation is answered by where that one stands, and moves it nowhere.
func TestEvaluateWhatExists(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := policyOf(serve(w))
		p := c.Execute("refund.create", refund)
		before, events := c.Operation(p.OperationId), len(c.Events(p.OperationId))
		m := c.evaluated(pb.Decision_DECISION_IN_FLIGHT, "")
		if m.Plan.OperationId != p.OperationId {
			t.Fatalf("got %v", m)
		}
		m = c.evaluated(pb.Decision_DECISION_BLOCKED, "", func(r *pb.EvaluatePolicyRequest) {
			r.Arguments = &pb.EvaluatePolicyRequest_ArgumentsJson{ArgumentsJson: `{"order_id":"order_123","amount":"9.99","currency":"USD"}`}
		})
		if m.Holder.GetOperationId() != p.OperationId {
			t.Fatalf("got %v", m)
		}
		if after := c.Operation(p.OperationId); after.Version != before.Version {
			t.Fatalf("it went from version %d to %d", before.Version, after.Version)
		}
		if n := len(c.Events(p.OperationId)); n != events {
			t.Fatalf("its history went from %d events to %d", events, n)
		}
	})
}

// TestBadEvaluations: what cannot be evaluated, and who may not.
func TestBadEvaluations(t *testing.T) {
	w := servertest.SQLite(t)
	people := newPeople(t, "shop agent propose,execute,read", "shop admin administer,read")
	anyone := w.Serve(servertest.WithCallers(people))
	admin, agent := policyOf(anyone.As(people.token("admin"))), policyOf(anyone.As(people.token("agent")))
	admin.Apply(fieldTools)
	candidate := func(rules ...*pb.PolicyRule) func(*pb.EvaluatePolicyRequest) {
		return func(r *pb.EvaluatePolicyRequest) { r.CandidateRules = rules }
	}
	for name, bad := range map[string]struct {
		change func(*pb.EvaluatePolicyRequest)
		reason string
		fields []string
	}{
		"unknown tool":      {func(r *pb.EvaluatePolicyRequest) { r.Tool = "no.such" }, "UNKNOWN_TOOL", []string{"tool"}},
		"bad arguments":     {func(r *pb.EvaluatePolicyRequest) { r.Arguments = nil }, "INVALID_ARGUMENTS", nil},
		"a bad candidate":   {candidate(denying("refund.create", "false"), &pb.PolicyRule{RuleId: "b", Kind: &pb.PolicyRule_Deny{Deny: &pb.DenyRule{When: "args.x.y.z ==", Explanation: "no"}}}), "INVALID_RULE", []string{"candidate_rules[1].deny.when"}},
		"a candidate twice": {candidate(denying("refund.create", "false"), denying("refund.create", "true")), "INVALID_RULE", []string{"candidate_rules[1]"}},
		"bad attributes":    {func(r *pb.EvaluatePolicyRequest) { r.World = &pb.ExampleWorld{EntityAttributesJson: "[]"} }, "INVALID_REQUEST", []string{"world.entity_attributes_json"}},
		"a bad time": {func(r *pb.EvaluatePolicyRequest) {
			r.World = &pb.ExampleWorld{Time: &timestamppb.Timestamp{Seconds: 1 << 60}}
		}, "INVALID_REQUEST", []string{"world.time"}},
		"a counter of none": {func(r *pb.EvaluatePolicyRequest) { r.World = &pb.ExampleWorld{Counters: map[string]int64{"none": 1}} }, "INVALID_REQUEST", nil},
		"a state of nothing": {func(r *pb.EvaluatePolicyRequest) {
			r.Tool, r.Arguments, r.World = "record.write", nil, &pb.ExampleWorld{EntityState: new("x")}
		}, "INVALID_REQUEST", nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := agent.tryEvaluate(bad.change)
			refused(t, err, codes.InvalidArgument, bad.reason, bad.fields...)
		})
	}
	as := func(r *pb.EvaluatePolicyRequest) { r.AsPrincipal = "other" }
	_, err := agent.tryEvaluate(as)
	refused(t, err, codes.PermissionDenied, "PERMISSION_DENIED")
	admin.rule(denying("refund.create", `principal.id == "other"`))
	admin.evaluated(pb.Decision_DECISION_EXECUTE, "")
	admin.evaluated(pb.Decision_DECISION_DENIED, "test.deny", as)
}
