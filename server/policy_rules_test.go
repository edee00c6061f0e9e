package server_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// TestRules holds a rule's whole life against what proposals meet.
func TestRules(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := policyOf(serve(w))
		rule := denying("refund.create", `args.amount.minor > 500`)

		only := c.rule(rule, func(r *pb.ApplyRuleRequest) { r.ValidateOnly = true })
		if !only.Created || only.Rule != nil || len(c.rules()) != 0 {
			t.Fatalf("what is only checked is not stored: %v, %v", only, c.rules())
		}
		decided(t, c.Propose("refund.create", `{"order_id":"order_0","amount":"10.00","currency":"USD"}`), pb.Decision_DECISION_EXECUTE)

		first := c.rule(rule)
		sameMessage(t, first.Rule.Rule, rule)
		if !first.Created || first.Rule.Version != 1 || first.Rule.AppliedBy != "local" || first.Rule.Etag == "" {
			t.Fatalf("got %v", first)
		}
		no := c.Propose("refund.create", refund)
		decided(t, no, pb.Decision_DECISION_DENIED)
		if no.DecidedBy.GetRuleId() != "test.deny" || no.DecidedBy.GetRuleVersion() != 1 {
			t.Fatalf("decided by %v", no.DecidedBy)
		}
		says(t, no.DecidedBy.Explanation, "the test says no")
		if again := c.rule(rule); again.Created || again.Rule.Etag != first.Rule.Etag {
			t.Fatalf("the same rule is no new version: %v", again)
		}

		// The next version holds from the moment that its application returns.
		milder := denying("refund.create", `args.amount.minor > 5000`)
		stale := func(r *pb.ApplyRuleRequest) { r.Etag = "v9" }
		_, err := c.tryRule(milder, stale)
		refused(t, err, codes.Aborted, "ETAG_MISMATCH")
		second := c.rule(milder, func(r *pb.ApplyRuleRequest) { r.Etag = first.Rule.Etag })
		decided(t, c.Propose("refund.create", refund), pb.Decision_DECISION_EXECUTE)
		if repeated := c.rule(milder, func(r *pb.ApplyRuleRequest) { r.Etag = first.Rule.Etag }); repeated.Created || repeated.Rule.Version != 2 {
			t.Fatalf("a repeat of a lost answer is answered: %v", repeated)
		}

		// Every version stays readable.
		read := func(version *int32) *pb.AppliedRule {
			t.Helper()
			m, err := c.GetRule(t.Context(), &pb.GetRuleRequest{RuleId: "test.deny", RuleVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			return m.Rule
		}
		sameMessage(t, read(nil), second.Rule)
		if old := read(new(int32(1))); old.Version != 1 || old.Rule.GetDeny().GetWhen() != `args.amount.minor > 500` || old.RemoveTime == nil || old.Etag != second.Rule.Etag {
			t.Fatalf("the first version is %v", old)
		}
		for _, unknown := range []*pb.GetRuleRequest{{RuleId: "none"}, {RuleId: "test.deny", RuleVersion: new(int32(3))}} {
			_, err = c.GetRule(t.Context(), unknown)
			refused(t, err, codes.NotFound, "POLICY_OBJECT_NOT_FOUND")
		}

		remove := &pb.RemoveRuleRequest{RequestId: uuid.NewString(), RuleId: "test.deny", Reason: "done", Etag: first.Rule.Etag}
		_, err = c.RemoveRule(t.Context(), remove)
		refused(t, err, codes.Aborted, "ETAG_MISMATCH")
		remove.Etag = second.Rule.Etag
		removed, err := c.RemoveRule(t.Context(), remove)
		if err != nil || removed.Rule.RemoveTime == nil || removed.Rule.Version != 2 {
			t.Fatalf("got %v, %v", removed, err)
		}
		if again, err := c.RemoveRule(t.Context(), remove); err != nil || again.Rule.Etag != removed.Rule.Etag {
			t.Fatalf("a repeat of a lost answer is answered: %v, %v", again, err)
		}
		_, err = c.RemoveRule(t.Context(), &pb.RemoveRuleRequest{RequestId: uuid.NewString(), RuleId: "test.deny", Reason: "another"})
		refused(t, err, codes.NotFound, "POLICY_OBJECT_NOT_FOUND")
		_, err = c.RemoveRule(t.Context(), &pb.RemoveRuleRequest{RequestId: uuid.NewString(), RuleId: "none", Reason: "a test"})
		refused(t, err, codes.NotFound, "POLICY_OBJECT_NOT_FOUND")
		decided(t, c.Propose("refund.create", `{"order_id":"order_9","amount":"99.00","currency":"USD"}`), pb.Decision_DECISION_EXECUTE)
		if len(c.rules()) != 0 || len(c.rules(func(r *pb.ListRulesRequest) { r.IncludeRemoved = true })) != 1 {
			t.Fatal("a removed rule is listed where it is asked for")
		}
		if back := c.rule(milder); !back.Created || back.Rule.Version != 3 {
			t.Fatalf("its versions go on: %v", back)
		}
		if late, err := c.RemoveRule(t.Context(), remove); err != nil || late.Rule.Version != 3 || len(c.rules()) != 1 {
			t.Fatalf("a late repeat of the removal removes nothing: %v, %v", late, err)
		}
	})
}

// TestBadRules: each rule that could not be kept is refused where it is applied, and by its place.
func TestBadRules(t *testing.T) {
	c := policyOf(serve(servertest.SQLite(t)))
	limit := func(change func(*pb.Limit)) *pb.PolicyRule {
		l := &pb.Limit{Name: "l", Max: new(int64(1)), Period: durationpb.New(time.Hour)}
		change(l)
		return &pb.PolicyRule{RuleId: "test.limit", Scope: &pb.RuleScope{Tools: []string{"refund.create"}}, Kind: &pb.PolicyRule_Limit{Limit: l}}
	}
	later := denying("refund.create", "true")
	later.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 900, protowire.VarintType), 1))
	deeper := denying("refund.create", "true")
	deeper.Scope.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 900, protowire.VarintType), 1))
	for name, bad := range map[string]struct {
		rule         *pb.PolicyRule
		reason       string
		field        string
		line, column int32
	}{
		"no CEL":             {denying("refund.create", "args.amount.minor >"), "INVALID_RULE", "rule.deny.when", 1, 20},
		"unknown field":      {denying("refund.create", "true &&\n  args.amonut.minor > 5"), "INVALID_RULE", "rule.deny.when", 2, 7},
		"unknown name":       {denying("refund.create", "order.total > 5"), "INVALID_RULE", "rule.deny.when", 1, 1},
		"no condition":       {denying("refund.create", "args.amount.minor + 5"), "INVALID_RULE", "rule.deny.when", 1, 1},
		"unknown pointer":    {limit(func(l *pb.Limit) { l.SumOf = "/amonut" }), "INVALID_RULE", "rule.limit.sum_of", 0, 0},
		"no greatest value":  {limit(func(l *pb.Limit) { l.Max = nil }), "INVALID_REQUEST", "rule.limit.max", 0, 0},
		"a later kind":       {&pb.PolicyRule{RuleId: "test.none"}, "INVALID_REQUEST", "rule.kind", 0, 0},
		"a later field":      {later, "INVALID_RULE", "rule", 0, 0},
		"a later inner part": {deeper, "INVALID_RULE", "rule.scope", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.tryRule(bad.rule)
			refused(t, err, codes.InvalidArgument, bad.reason, bad.field)
			fault := servertest.DetailOf[*pb.RuleFaultDetail](err)
			if fault.GetLine() != bad.line || fault.GetColumn() != bad.column || bad.line > 0 && (fault.Field != bad.field || fault.Description == "") {
				t.Fatalf("the fault is at line %d, column %d: %v, %v", fault.GetLine(), fault.GetColumn(), fault, err)
			}
		})
	}
	if len(c.rules()) != 0 {
		t.Fatalf("refused rules are stored: %v", c.rules())
	}
}

// TestToolAgainstRules: no version of a tool is applied under which a rule that holds could not be asked, nor one whose
// own rules could not.
func TestToolAgainstRules(t *testing.T) {
	c := policyOf(serve(servertest.SQLite(t)))
	note := fieldTool(t, "record.write")
	note.Name = "refund.note"
	note.Schema = &pb.ToolDefinition_ArgumentsSchemaJson{ArgumentsSchemaJson: `{"type":"object","additionalProperties":false,"properties":{"text":{"type":"string"}}}`}
	c.rule(denying("refund.*", `args.order_id == "order_1"`))
	_, err := c.TryApply(note)
	refused(t, err, codes.InvalidArgument, "INVALID_RULE", "definition")
	says(t, err.Error(), "test.deny", "line 1, column")
	if _, err := c.GetTool(t.Context(), &pb.GetToolRequest{Tool: note.Name}); status.Code(err) != codes.NotFound {
		t.Fatalf("it was stored: %v", err)
	}
	c.rule(denying("refund.create", `args.order_id == "order_1"`))
	c.ApplyDefinition(note)
	_, err = c.tryRule(denying("refund.*", `args.order_id == "order_1"`))
	refused(t, err, codes.InvalidArgument, "INVALID_RULE", "rule.deny.when")

	note.Policy = &pb.ToolPolicy{Guards: []*pb.Guard{{Name: "short", Condition: "size(args.txet) < 9"}}}
	_, err = c.TryApply(note)
	refused(t, err, codes.InvalidArgument, "INVALID_TOOL_DEFINITION", "definition.policy.guards[0].condition")
	says(t, err.Error(), "refund.note/short", "line 1, column 10")
	note.Policy.Guards[0].Condition = "!has(args.text) || size(args.text) < 9"
	c.ApplyDefinition(note)
	decided(t, c.Propose("refund.note", `{"text":"a long text"}`), pb.Decision_DECISION_DENIED)
	decided(t, c.Propose("refund.note", `{"text":"short"}`), pb.Decision_DECISION_EXECUTE)

	note.Policy.ProtoReflect().SetUnknown(protowire.AppendVarint(protowire.AppendTag(nil, 900, protowire.VarintType), 1))
	_, err = c.TryApply(note)
	refused(t, err, codes.InvalidArgument, "INVALID_TOOL_DEFINITION", "definition.policy")
}

// TestListRules filters and pages.
func TestListRules(t *testing.T) {
	servertest.On(t, func(t *testing.T, w *servertest.World) {
		c := policyOf(serve(w))
		for _, id := range []string{"c", "a", "b"} {
			r := denying("refund.*", "false")
			r.RuleId, r.Shadow = id, id == "b"
			c.rule(r)
		}
		mails := denying("email.send", "false")
		mails.RuleId = "d"
		c.rule(mails)
		for name, one := range map[string]struct {
			change func(*pb.ListRulesRequest)
			want   []string
		}{
			"all":              {func(*pb.ListRulesRequest) {}, []string{"a", "b", "c", "d"}},
			"of a tool":        {func(r *pb.ListRulesRequest) { r.Tool = "refund.create" }, []string{"a", "b", "c"}},
			"of a tool's name": {func(r *pb.ListRulesRequest) { r.Tool = "refund.later" }, []string{"a", "b", "c"}},
			"in shadow":        {func(r *pb.ListRulesRequest) { r.Shadow = new(true) }, []string{"b"}},
			"in force":         {func(r *pb.ListRulesRequest) { r.Shadow = new(false) }, []string{"a", "c", "d"}},
		} {
			if got := c.rules(one.change); !slices.Equal(got, one.want) {
				t.Errorf("%s: %v, want %v", name, got, one.want)
			}
		}
		var paged []string
		for token := ""; ; {
			m, err := c.ListRules(t.Context(), &pb.ListRulesRequest{PageSize: 3, PageToken: token})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range m.Rules {
				paged = append(paged, r.Rule.RuleId)
			}
			if token = m.NextPageToken; token == "" {
				break
			}
		}
		if !slices.Equal(paged, []string{"a", "b", "c", "d"}) {
			t.Fatalf("page by page: %v", paged)
		}
	})
}
