package main

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

func toolScope(name string) *pb.SwitchScope {
	return &pb.SwitchScope{Part: &pb.SwitchScope_Tool{Tool: name}}
}

func TestPartsArePausedAndResumed(t *testing.T) {
	class := &pb.SwitchScope{Part: &pb.SwitchScope_ToolClass{ToolClass: pb.ToolClass_TOOL_CLASS_IRREVERSIBLE}}
	pause := &pb.Pause{Scope: class, Principal: "ann", Reason: "incident 4711", Time: at9, Etag: "1"}
	c := answering(t, map[string]proto.Message{
		"PauseScope":  &pb.PauseScopeResponse{Pause: pause},
		"ResumeScope": &pb.ResumeScopeResponse{Pause: pause},
		"ListPauses":  &pb.ListPausesResponse{Pauses: []*pb.Pause{pause}},
	})
	has(t, "pause", c.ok(t, "policy", "pause", "--class", "irreversible", "--reason", "incident 4711"), "the class irreversible")
	same(t, request[*pb.PauseScopeRequest](t, c, "PauseScope"), &pb.PauseScopeRequest{Scope: class, Reason: "incident 4711"})
	has(t, "resume", c.ok(t, "policy", "resume", "--namespace", "--reason", "closed", "--etag", "1"), "incident 4711")
	same(t, request[*pb.ResumeScopeRequest](t, c, "ResumeScope"), &pb.ResumeScopeRequest{
		Scope: &pb.SwitchScope{Part: &pb.SwitchScope_WholeNamespace{WholeNamespace: &pb.WholeNamespace{}}}, Reason: "closed", Etag: "1",
	})
	has(t, "pauses", c.ok(t, "policy", "pauses"), "the class irreversible", "incident 4711", "ann")
	for name, args := range map[string][]string{
		"no part":          {"--reason", "x"},
		"two parts":        {"--namespace", "--tool", "a", "--reason", "x"},
		"no reason":        {"--namespace"},
		"an unknown class": {"--class", "harmless", "--reason", "x"},
		"no namespace":     {"--namespace=false", "--reason", "x"},
	} {
		if got := c.at(t, "", append([]string{"policy", "pause"}, args...)...); got.status != exitUsage {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestShadowIsSwitched(t *testing.T) {
	c := answering(t, map[string]proto.Message{"SetShadow": &pb.SetShadowResponse{Scope: toolScope("refund.create"), Shadow: false}})
	has(t, "off", c.ok(t, "policy", "shadow", "off", "--tool", "refund.create", "--reason", "they fit"), "the tool refund.create are in force")
	same(t, request[*pb.SetShadowRequest](t, c, "SetShadow"), &pb.SetShadowRequest{Scope: toolScope("refund.create"), Shadow: new(false), Reason: "they fit"})
}

func TestRulesAreListedAndRemoved(t *testing.T) {
	rule := &pb.AppliedRule{Version: 3, AppliedBy: "ann", ApplyTime: at9, Etag: "3", Rule: &pb.PolicyRule{
		RuleId: "refunds-per-day", Scope: &pb.RuleScope{Tools: []string{"refund.*"}, EntityTypes: []string{"order"}}, Shadow: true,
		Kind: &pb.PolicyRule_Limit{Limit: &pb.Limit{Name: "l", Max: new(int64(3)), Period: durationpb.New(time.Hour)}},
	}}
	everywhere := &pb.AppliedRule{Version: 1, Rule: &pb.PolicyRule{RuleId: "x", Kind: &pb.PolicyRule_Deny{Deny: &pb.DenyRule{}}}, RemoveTime: at10}
	c := answering(t, map[string]proto.Message{
		"ListRules":  &pb.ListRulesResponse{Rules: []*pb.AppliedRule{rule, everywhere}},
		"RemoveRule": &pb.RemoveRuleResponse{Rule: rule},
	})
	has(t, "list", c.ok(t, "policy", "list", "--removed", "--shadow=false", "--tool", "refund.create"),
		"refunds-per-day", "limit", "tools=refund.* entities=order", "in shadow", "all that mutate", "removed 2026-03-02 10:00:00Z")
	same(t, request[*pb.ListRulesRequest](t, c, "ListRules"), &pb.ListRulesRequest{PageSize: 50, Tool: "refund.create", Shadow: new(false), IncludeRemoved: true})
	has(t, "completion", do(t, "__complete", "policy", "remove", "--server", c.address, "refu").out, "refunds-per-day")
	has(t, "remove", c.ok(t, "policy", "remove", "refunds-per-day", "--reason", "no more refunds", "--etag", "3"), "ended with version 3")
	same(t, request[*pb.RemoveRuleRequest](t, c, "RemoveRule"), &pb.RemoveRuleRequest{RuleId: "refunds-per-day", Reason: "no more refunds", Etag: "3"})
}

func TestFiguresAndDecisionsAreSeen(t *testing.T) {
	verdict := &pb.RuleVerdict{
		RuleId: "refunds-per-day", RuleVersion: 3, Decision: pb.Decision_DECISION_RETRY_LATER, Explanation: "three refunds a day",
		Inputs: map[string]string{"count": "3", "customer": "c_1"}, OverrideHint: "ask the lead",
	}
	d := &pb.PolicyDecision{
		DecisionId: "dec_1", Time: at9, Tool: "refund.create", ToolVersion: 2, Decision: pb.Decision_DECISION_RETRY_LATER, Principal: "agent",
		Verdicts: []*pb.RuleVerdict{verdict, {RuleId: "office-hours", Decision: pb.Decision_DECISION_DENIED, Shadow: true}}, Entity: order1, Fingerprint: "sha256:ab",
	}
	c := answering(t, map[string]proto.Message{
		"GetPolicyStats": &pb.GetPolicyStatsResponse{Rules: []*pb.RuleStats{{RuleId: "refunds-per-day", RuleVersion: 3, Evaluations: 200, Refusals: 5, ShadowRefusals: 1}, {RuleId: "exclusive_group"}}},
		"ListDecisions":  &pb.ListDecisionsResponse{Decisions: []*pb.PolicyDecision{d}},
		"GetDecision":    &pb.GetDecisionResponse{Decision: d},
		"CreateGrant":    &pb.CreateGrantResponse{Grant: &pb.Grant{GrantId: "gr_1", Kind: pb.GrantKind_GRANT_KIND_OVERRIDE}},
	})
	has(t, "stats", c.ok(t, "policy", "stats", "--period", "1h", "--rule", "refunds-per-day"), "200", "2.5%", "0.5%", "built in")
	same(t, request[*pb.GetPolicyStatsRequest](t, c, "GetPolicyStats"), &pb.GetPolicyStatsRequest{Period: durationpb.New(time.Hour), RuleId: "refunds-per-day"})
	has(t, "list", c.ok(t, "policy", "decisions", "list", "--decision", "retry_later,denied", "--entity", "order/1", "--from", "2026-03-02T09:00:00Z"), "dec_1", "three refunds a day")
	same(t, request[*pb.ListDecisionsRequest](t, c, "ListDecisions"), &pb.ListDecisionsRequest{
		PageSize: 50, Entity: order1, TimeFrom: at9, Decisions: []pb.Decision{pb.Decision_DECISION_RETRY_LATER, pb.Decision_DECISION_DENIED},
	})
	has(t, "show", c.ok(t, "policy", "decisions", "show", "dec_1"), "refunds-per-day v3", "count=3, customer=c_1", "denied (in shadow: let pass)", "ask the lead")

	c.ok(t, "grants", "create", "--kind", "override", "--decision", "dec_1", "--reason", "the customer asked")
	same(t, request[*pb.CreateGrantRequest](t, c, "CreateGrant"), &pb.CreateGrantRequest{
		Kind: pb.GrantKind_GRANT_KIND_OVERRIDE, Tool: "refund.create", Fingerprint: "sha256:ab", RuleId: "refunds-per-day", Reason: "the customer asked",
	})
	if got := c.at(t, "", "policy", "decisions", "list", "--from", "yesterday"); got.status != exitUsage || !strings.Contains(got.err, "24h") {
		t.Errorf("no time: %+v", got)
	}
}

func TestGrantsAreGivenSeenAndRevoked(t *testing.T) {
	grant := &pb.Grant{
		GrantId: "gr_1", Kind: pb.GrantKind_GRANT_KIND_REPEAT, Tool: "refund.create", Fingerprint: "sha256:ab", Occurrence: "item_2", GivenBy: "ann",
		Reason: "two items", CreateTime: at9, ExpireTime: at10, UsedByOperationId: "op_9", UseTime: at9,
	}
	c := answering(t, map[string]proto.Message{
		"CreateGrant": &pb.CreateGrantResponse{Grant: grant},
		"GetGrant":    &pb.GetGrantResponse{Grant: grant},
		"ListGrants":  &pb.ListGrantsResponse{Grants: []*pb.Grant{grant}},
		"RevokeGrant": &pb.RevokeGrantResponse{Grant: grant},
	})
	has(t, "create", c.ok(t, "grants", "create", "--kind", "repeat", "--tool", "refund.create", "--fingerprint", "sha256:ab", "--occurrence", "item_2",
		"--for", "agent", "--expires-after", "2h", "--reason", "two items"), "gr_1", "repeat")
	same(t, request[*pb.CreateGrantRequest](t, c, "CreateGrant"), &pb.CreateGrantRequest{
		Kind: pb.GrantKind_GRANT_KIND_REPEAT, Tool: "refund.create", Fingerprint: "sha256:ab", Occurrence: "item_2", ForPrincipal: "agent",
		ExpiresAfter: durationpb.New(2 * time.Hour), Reason: "two items",
	})
	has(t, "show", c.ok(t, "grants", "show", "gr_1"), "used", "op_9", "item_2")
	has(t, "list", c.ok(t, "grants", "list", "--usable=false"), "gr_1", "item_2", "used")
	has(t, "revoke", c.ok(t, "grants", "revoke", "gr_1", "--reason", "not needed"), "gr_1 is revoked")
	has(t, "completion", do(t, "__complete", "grants", "create", "--kind", "re").out, "repeat", "revise")
	for name, args := range map[string][]string{
		"an unknown kind": {"--kind", "anything", "--fingerprint", "x", "--reason", "y"},
		"no fingerprint":  {"--kind", "repeat", "--reason", "y"},
	} {
		if got := c.at(t, "", append([]string{"grants", "create"}, args...)...); got.status != exitUsage {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestAWorldIsMadeUp(t *testing.T) {
	c := answering(t, map[string]proto.Message{"EvaluatePolicy": &pb.EvaluatePolicyResponse{
		Plan:   &pb.Plan{Decision: pb.Decision_DECISION_DENIED, IdempotencyKey: "k", Verdicts: []*pb.RuleVerdict{{RuleId: "not-refunded", Decision: pb.Decision_DECISION_DENIED, Explanation: "it is refunded"}}},
		Result: &pb.ToolResult{SafeUserMessage: "It cannot be done.", ModelMessage: "Stop."},
	}})
	out := c.ok(t, "policy", "eval", "refund.create", "--arguments", refund, "--at", "2026-03-02T09:00:00Z", "--entity-state", "refunded",
		"--entity-attributes", `{"vip":true}`, "--role", "lead", "--counter", "refunds-per-day=2", "--counter", "refund.create/max=0", "--as", "agent", "--entity-version", "0")
	has(t, "eval", out, "denied", "not-refunded", "it is refunded", "a new one", "Stop.")
	same(t, request[*pb.EvaluatePolicyRequest](t, c, "EvaluatePolicy"), &pb.EvaluatePolicyRequest{
		Tool: "refund.create", Arguments: &pb.EvaluatePolicyRequest_ArgumentsJson{ArgumentsJson: refund}, AsPrincipal: "agent", EntityVersion: new(int64(0)),
		World: &pb.ExampleWorld{
			Time: at9, EntityState: new("refunded"), EntityAttributesJson: `{"vip":true}`, Roles: []string{"lead"},
			Counters: map[string]int64{"refunds-per-day": 2, "refund.create/max": 0},
		},
	})
	if got := c.at(t, "", "policy", "eval", "x", "--counter", "a=b"); got.status != exitUsage {
		t.Errorf("no number: %+v", got)
	}
	real := answering(t, map[string]proto.Message{"EvaluatePolicy": &pb.EvaluatePolicyResponse{}})
	real.ok(t, "policy", "eval", "x")
	if request[*pb.EvaluatePolicyRequest](t, real, "EvaluatePolicy").World != nil {
		t.Error("a world was made up")
	}
}

func TestAHoldIsLiftedAsItWasSeen(t *testing.T) {
	c := answering(t, map[string]proto.Message{
		"GetOperation":  &pb.GetOperationResponse{Operation: &pb.Operation{OperationId: "op_1", Version: 8, State: pb.Operation_STATE_UNKNOWN_OUTCOME}},
		"LiftExclusion": &pb.LiftExclusionResponse{Lifted: aKeeper(true)},
	})
	got := asPerson(t, "y\n", "policy", "lift", "order/1", "--group", "refund.create", "--operation", "op_1", "--reason", "the bank says so", "--server", c.address)
	has(t, "what the person sees", got.err, "unknown_outcome", "Let others of the group refund.create pass")
	has(t, "the answer", got.out, "no longer holds order/1", "its effect may still come")
	same(t, request[*pb.LiftExclusionRequest](t, c, "LiftExclusion"), &pb.LiftExclusionRequest{
		Entity: order1, Group: "refund.create", OperationId: "op_1", SeenOperationVersion: 8, Reason: "the bank says so",
	})
}

func TestTimesAreReadAsInstantsOrAsAgo(t *testing.T) {
	before := time.Now()
	ago, err := parseTime("from", "2h")
	if err != nil || ago.AsTime().Before(before.Add(-2*time.Hour-time.Minute)) || ago.AsTime().After(time.Now().Add(-2*time.Hour)) {
		t.Errorf("ago: %v, %v", ago, err)
	}
	if fixed, err := parseTime("from", "2026-03-02T10:00:00+01:00"); err != nil || !proto.Equal(fixed, timestamppb.New(at9.AsTime())) {
		t.Errorf("an instant: %v, %v", fixed, err)
	}
	if none, err := parseTime("from", ""); none != nil || err != nil {
		t.Errorf("none: %v, %v", none, err)
	}
	if _, err := parseTime("from", "-2h"); err == nil {
		t.Error("the future was taken for the past")
	}
}
