package server_test

import (
	"testing"

	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// policyClient is a caller of PolicyService that is also one of the other services.
type policyClient struct {
	*servertest.Client
	pb.PolicyServiceClient
}

func policyOf(c *servertest.Client) *policyClient {
	return &policyClient{Client: c, PolicyServiceClient: pb.NewPolicyServiceClient(c.Conn)}
}

// denying is a rule that denies what it says, on a tool.
func denying(tool, when string) *pb.PolicyRule {
	return &pb.PolicyRule{
		RuleId: "test.deny", Scope: &pb.RuleScope{Tools: []string{tool}},
		Kind: &pb.PolicyRule_Deny{Deny: &pb.DenyRule{When: when, Explanation: "the test says no"}},
	}
}

// tryRule applies a rule.
func (c *policyClient) tryRule(r *pb.PolicyRule, change ...func(*pb.ApplyRuleRequest)) (*pb.ApplyRuleResponse, error) {
	req := &pb.ApplyRuleRequest{RequestId: uuid.NewString(), Rule: r}
	for _, f := range change {
		f(req)
	}
	return c.ApplyRule(c.TB.Context(), req)
}

// rule applies a rule, and fails the test where it is refused.
func (c *policyClient) rule(r *pb.PolicyRule, change ...func(*pb.ApplyRuleRequest)) *pb.ApplyRuleResponse {
	c.TB.Helper()
	m, err := c.tryRule(r, change...)
	if err != nil {
		c.TB.Fatalf("apply the rule %s: %v", r.GetRuleId(), err)
	}
	return m
}

// rules lists the rules that hold, by id.
func (c *policyClient) rules(change ...func(*pb.ListRulesRequest)) (ids []string) {
	c.TB.Helper()
	req := &pb.ListRulesRequest{}
	for _, f := range change {
		f(req)
	}
	m, err := c.ListRules(c.TB.Context(), req)
	if err != nil {
		c.TB.Fatal(err)
	}
	for _, r := range m.Rules {
		ids = append(ids, r.Rule.RuleId)
	}
	return ids
}

// sameMessage expects two messages to be equal.
func sameMessage(t *testing.T, got, want proto.Message) {
	t.Helper()
	if !proto.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
}

// The scopes of switches.
var wholeNamespace = &pb.SwitchScope{Part: &pb.SwitchScope_WholeNamespace{WholeNamespace: &pb.WholeNamespace{}}}

func toolScope(name string) *pb.SwitchScope {
	return &pb.SwitchScope{Part: &pb.SwitchScope_Tool{Tool: name}}
}

func classScope(class pb.ToolClass) *pb.SwitchScope {
	return &pb.SwitchScope{Part: &pb.SwitchScope_ToolClass{ToolClass: class}}
}
