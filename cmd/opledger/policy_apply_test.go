package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// example is the path of an example of policy.
func example(name string) string { return filepath.Join("..", "..", "examples", "policy", name) }

func TestEveryRuleIsCheckedBeforeTheFirstIsStored(t *testing.T) {
	c := answering(t, map[string]proto.Message{"ApplyRule": &pb.ApplyRuleResponse{Created: true, Rule: &pb.AppliedRule{Version: 1}}})
	out := c.ok(t, "policy", "apply", example(""))
	has(t, "apply", out, "refund-or-credit is v1 now", "test.yaml holds cases and was left out")
	asked := c.asked["ApplyRule"]
	if len(asked) == 0 || len(asked)%2 != 0 {
		t.Fatalf("asked %d times", len(asked))
	}
	for i, m := range asked {
		if only := m.(*pb.ApplyRuleRequest).ValidateOnly; only != (i < len(asked)/2) {
			t.Errorf("request %d: validate_only is %v", i, only)
		}
	}
	checking := answering(t, map[string]proto.Message{"ApplyRule": &pb.ApplyRuleResponse{Created: true}})
	has(t, "check", checking.ok(t, "policy", "apply", "--check", example("refund-or-credit.yaml")), "would become a new version")
	if !request[*pb.ApplyRuleRequest](t, checking, "ApplyRule").ValidateOnly {
		t.Error("it was stored")
	}
}

func TestFaultsOfRulesAreToldByTheirPlace(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	c := answering(t, nil)
	misspelt := write("a.yaml", "rule_id: a\ndeny:\n  whne: \"true\"\n  explanation: x\n")
	got := c.at(t, "", "policy", "apply", misspelt)
	if got.status != exitFailed || c.calls("ApplyRule") != 0 {
		t.Errorf("a misspelt field: %+v", got)
	}
	has(t, "the fault", got.out, "error: "+misspelt+":3:3", "whne")

	deny := "rule_id: a\ndeny:\n  when: \"true\"\n  explanation: x\n"
	got = c.at(t, "", "policy", "apply", write("b.yaml", deny), write("c.yaml", deny))
	if got.status != exitFailed || c.calls("ApplyRule") != 0 {
		t.Errorf("the same rule twice: %+v", got)
	}
	has(t, "the same rule twice", got.out, "c.yaml:1", "b.yaml:1 already")

	only := write("test.yaml", "cases: []\n")
	if got = c.at(t, "", "policy", "apply", only); got.status != exitFailed || !strings.Contains(got.err, "policy test") {
		t.Errorf("cases only: %+v", got)
	}
	if got = c.at(t, "", "policy", "apply", "--etag", "1", write("d.yaml", deny+"---\n"+strings.Replace(deny, "rule_id: a", "rule_id: b", 1))); got.status != exitUsage {
		t.Errorf("one etag for two rules: %+v", got)
	}
}

// TestWhatTheServerFindsIsToldByItsPlaceInTheFile: the server knows the tools, the file knows the lines.
func TestWhatTheServerFindsIsToldByItsPlaceInTheFile(t *testing.T) {
	st, err := status.New(codes.InvalidArgument, "the rule a cannot be applied").WithDetails(
		&errdetails.ErrorInfo{Reason: "INVALID_RULE", Domain: "opledger"},
		&errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{
			{Field: "rule.deny.when", Description: "line 1, column 6: Undefined field 'ammount'."},
			{Field: "rule.scope", Description: "The scope names no tool."},
		}},
		&pb.RuleFaultDetail{Field: "rule.deny.when", Line: 1, Column: 6, Description: "Undefined field 'ammount'."},
	)
	if err != nil {
		t.Fatal(err)
	}
	c := answering(t, nil)
	c.failures = map[string]error{"ApplyRule": st.Err()}
	path := filepath.Join(t.TempDir(), "a.yaml")
	text := "rule_id: a\nscope:\n  tools: [x]\ndeny:\n  when: args.ammount > 1\n  explanation: x\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got := c.at(t, "", "policy", "apply", path)
	if got.status != exitFailed || c.calls("ApplyRule") != 1 {
		t.Fatalf("got %+v", got)
	}
	has(t, "the expression's fault", got.out, "error: "+path+":5:", "Undefined field 'ammount'")
	has(t, "the other fault", got.out, "error: "+path+":2:", "The scope names no tool")
	asked := parse(t, c.at(t, "", "policy", "apply", path, "--json").out)
	if errors, _ := asked["errors"].([]any); len(errors) != 2 {
		t.Errorf("as JSON: %v", asked)
	}

	c.failures = map[string]error{"ApplyRule": status.Error(codes.PermissionDenied, "you may not")}
	if got = c.at(t, "", "policy", "apply", path); got.status != exitFailed || !strings.Contains(got.err, path+":1: a: ") || !strings.Contains(got.err, "you may not") {
		t.Errorf("another error: %+v", got)
	}
}

func TestARuleIsShownAsAFileThatCanBeApplied(t *testing.T) {
	rule := &pb.PolicyRule{RuleId: "a", Kind: &pb.PolicyRule_Deny{Deny: &pb.DenyRule{When: "true", Explanation: "x"}}, Scope: &pb.RuleScope{ToolClasses: []pb.ToolClass{pb.ToolClass_TOOL_CLASS_IRREVERSIBLE}}}
	c := answering(t, map[string]proto.Message{
		"GetRule":   &pb.GetRuleResponse{Rule: &pb.AppliedRule{Rule: rule, Version: 3, AppliedBy: "ann", ApplyTime: at9, Etag: "3"}},
		"ApplyRule": &pb.ApplyRuleResponse{Rule: &pb.AppliedRule{Version: 3}},
	})
	shown := c.ok(t, "policy", "show", "a", "--version", "3")
	has(t, "show", shown, "version 3", "ann", "rule_id: a", "IRREVERSIBLE")
	same(t, request[*pb.GetRuleRequest](t, c, "GetRule"), &pb.GetRuleRequest{RuleId: "a", RuleVersion: new(int32(3))})
	if got := c.at(t, shown, "policy", "apply", "--check", "-"); got.status != exitOK {
		t.Fatalf("what is shown cannot be applied: %+v", got)
	}
	same(t, request[*pb.ApplyRuleRequest](t, c, "ApplyRule"), &pb.ApplyRuleRequest{Rule: rule, ValidateOnly: true})
}

func TestTheExamplesPassTheirTest(t *testing.T) {
	out := do(t, "policy", "test", example("test.yaml"))
	if out.status != exitOK || out.err != "" {
		t.Fatalf("got %+v", out)
	}
	has(t, "the summary", out.out, "ok    a small refund", "0 failed")
	if strings.Contains(out.out, "no case makes") {
		t.Errorf("a rule is not tested: %s", out.out)
	}
	got := parse(t, do(t, "policy", "test", example("test.yaml"), "--json").out)
	if reports, _ := got["reports"].([]any); len(reports) != 1 || reports[0].(map[string]any)["failed"] != 0.0 {
		t.Errorf("as JSON: %v", got)
	}
}

func TestACaseThatComesOutOtherwiseFails(t *testing.T) {
	data, err := os.ReadFile(example("test.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	folder, err := filepath.Abs(example(""))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(data), "  - ../tools", "  - "+filepath.Join(folder, "..", "tools"))
	text = strings.ReplaceAll(text, "  - tools/", "  - "+filepath.Join(folder, "tools")+"/")
	for _, name := range []string{"business-hours", "credits-per-customer", "one-mail-a-day", "refund-above-300", "refund-needs-paid", "refund-or-credit", "refunds-per-workflow"} {
		text = strings.Replace(text, "  - "+name+".yaml", "  - "+filepath.Join(folder, name+".yaml"), 1)
	}
	path := filepath.Join(t.TempDir(), "wrong.yaml")
	text = strings.Replace(text, "expect: {decision: PASS}", "expect: {decision: DENIED, rule: business-hours}", 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got := do(t, "policy", "test", path)
	if got.status != exitFailed || got.err != "" {
		t.Errorf("got %+v", got)
	}
	has(t, "the difference", got.out, "FAIL  a small refund of a paid order goes through ("+path+":", "the decision is PASS, not DENIED", "want DENIED by business-hours", "1 failed")
	if got := do(t, "policy", "test", "/nonexistent.yaml"); got.status != exitFailed || !strings.Contains(got.err, "/nonexistent.yaml") {
		t.Errorf("no file: %+v", got)
	}
}
