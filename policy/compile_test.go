package policy

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// wrong is a problem as a test expects it.
type wrong struct {
	rule, path   string
	line, column int
	code         Code
	says         string
}

func expectProblems(t *testing.T, got []Problem, want ...wrong) {
	t.Helper()
	for i, p := range got {
		if i >= len(want) {
			t.Errorf("unexpected: %v", p)
			continue
		}
		w := want[i]
		if p.Rule != w.rule || p.Path != w.path || p.Line != w.line || p.Column != w.column || p.Code != w.code || !strings.Contains(p.Message, w.says) {
			t.Errorf("%v\nwant %+v", p, w)
		}
		if !strings.HasSuffix(p.Message, ".") {
			t.Errorf("no sentence: %q", p.Message)
		}
	}
	for _, w := range want[min(len(got), len(want)):] {
		t.Errorf("not found: %+v", w)
	}
}

func TestExpressionsThatAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		when         string
		line, column int
		code         Code
		says         string
	}{
		"syntax":                {"args.amount.minor >", 1, 20, CodeSyntax, "Syntax error"},
		"unknown field":         {"true ||\n  args.ammount.minor > 1", 2, 7, CodeType, "Undefined field 'ammount'"},
		"unknown variable":      {"foo == 1", 1, 1, CodeType, "Undeclared reference to 'foo'"},
		"unknown function":      {"exec('rm') == 1", 1, 5, CodeType, "Undeclared reference to 'exec'"},
		"money is an object":    {"args.amount > 100", 1, 13, CodeType, "no matching overload"},
		"not a condition":       {"args.amount.minor", 1, 1, CodeType, "of type int"},
		"field of a text":       {"args.order_id.x == 1", 1, 14, CodeType, "does not support field selection"},
		"struct":                {"Money{minor: 1} == args.amount", 1, 6, CodeType, "cannot be made"},
		"window, no constant":   {"count(args.customer_id) > 1", 1, 11, CodeWindow, "must be a constant"},
		"window, computed":      {"count('x', '2' + '4h') > 1", 1, 16, CodeWindow, "must be a constant"},
		"window, too long":      {"count('401d') > 1", 1, 7, CodeWindow, "from 1s to 400d"},
		"window, too short":     {"count('10ms') > 1", 1, 7, CodeWindow, "from 1s to 400d"},
		"window, below zero":    {"count('-1h') > 1", 1, 7, CodeWindow, "from 1s to 400d"},
		"window, no time":       {"count('soon') > 1", 1, 7, CodeWindow, "from 1s to 400d"},
		"per reads the state":   {"count(entity.state, '1h') > 1", 1, 7, CodeNotPure, "only type and id"},
		"per reads attributes":  {"count(string(entity.attributes.x), '1h') > 1", 1, 14, CodeNotPure, "only type and id"},
		"per reads the time":    {"count(string(now), '1h') > 1", 1, 14, CodeNotPure, "now cannot be read"},
		"amount reads the time": {"sum(now.getHours(), 'x', '1h') > 1", 1, 5, CodeNotPure, "now cannot be read"},
		"nested":                {"count(count('1h'), '1h') > 1", 1, 12, CodeNotPure, "do not nest"},
		"in a loop":             {"args.lines.exists(l, count(l.sku, '1h') > 1)", 1, 27, CodeNotPure, "within a loop"},
		"too many":              {"count('1s')+count('2s')+count('3s')+count('4s')+count('5s') > 1", 1, 54, CodeBounds, "at most 4"},
		"loops within loops":    {"args.lines.all(a, args.lines.all(b, args.lines.all(c, a.sku != b.sku || b.sku != c.sku)))", 1, 1, CodeCost, "too long"},
	} {
		t.Run(name, func(t *testing.T) {
			rule := Rule{ID: "r", Deny: &Deny{When: c.when, Explanation: "x"}}
			got := CheckRule(Config{Tools: []Tool{refundTool(ToolRules{})}}, rule)
			expectProblems(t, got, wrong{"r", "deny.when", c.line, c.column, c.code, c.says})
		})
	}
}

func TestExpressionsThatCompile(t *testing.T) {
	for _, when := range []string{
		`has(args.note) && args.note.matches("^a+$")`,
		`has(args.lines) && args.lines.exists(l, l.count > 3 && l.sku.startsWith("x"))`,
		`args.meta.free == 7 || args.anything.what.ever`,
		`"lead" in principal.roles && principal.person != "" && workflow.id == "wf_1" && workflow.run_id != ""`,
		`tool.name == "payment.refund" && tool.version > 1 && tool.class == "IRREVERSIBLE"`,
		`proposal.revision == 1 && proposal.touches.size() == 0 && proposal.entity == "order/o1" && proposal.occurrence == "" && proposal.intent == "refund"`,
		`entity.type == "order" && entity.id != "" && entity.version > 0 && has(entity.attributes.vip) && entity.attributes.vip == true`,
		`now.getHours("Europe/Berlin") < 8 && now - timestamp("2026-01-01T00:00:00Z") > duration("1h")`,
		`count("1h") + count(args.customer_id, "7d") + count(args.amount.minor, "90m") + sum(args.amount.minor, entity.id, "1h30m") > 100`,
		`count(args.lines.map(l, l.sku)[0], "1h") > 2`,
		`entity.state == "a" && count(entity.id, "1h") > 1`,
	} {
		if got := CheckRule(Config{Tools: []Tool{refundTool(ToolRules{})}}, Rule{ID: "r", Deny: &Deny{When: when, Explanation: "x"}}); len(got) > 0 {
			t.Errorf("%s: %v", when, got)
		}
	}
}

func TestRulesThatAreRefused(t *testing.T) {
	hour := time.Hour
	for name, c := range map[string]struct {
		rule Rule
		want wrong
	}{
		"says nothing":       {Rule{ID: "r"}, wrong{"r", "", 0, 0, CodeOneKind, "exactly one thing"}},
		"says two things":    {Rule{ID: "r", Guard: &Guard{Condition: "true"}, Limit: &Limit{Period: hour}}, wrong{"r", "", 0, 0, CodeOneKind, "exactly one thing"}},
		"no id":              {Rule{Guard: &Guard{Condition: "true"}}, wrong{"", "rule_id", 0, 0, CodeRequired, "id"}},
		"scope, tool":        {Rule{ID: "r", Scope: Scope{Tools: []string{"pay*"}}, Guard: &Guard{Condition: "true"}}, wrong{"r", "scope.tools[0]", 0, 0, CodeScope, "pay*"}},
		"scope, class":       {Rule{ID: "r", Scope: Scope{Classes: []string{"RISKY"}}, Guard: &Guard{Condition: "true"}}, wrong{"r", "scope.tool_classes[0]", 0, 0, CodeUnknown, "RISKY"}},
		"no condition":       {Rule{ID: "r", Guard: &Guard{}}, wrong{"r", "guard.condition", 0, 0, CodeRequired, "condition"}},
		"no explanation":     {Rule{ID: "r", Deny: &Deny{When: "true"}}, wrong{"r", "deny.explanation", 0, 0, CodeRequired, "why"}},
		"period too short":   {Rule{ID: "r", Limit: &Limit{Period: hour / 10000}}, wrong{"r", "limit.period", 0, 0, CodeBounds, "400 days"}},
		"period too long":    {Rule{ID: "r", Window: &DedupeWindow{KeyTemplate: "{entity}", Period: 401 * day}}, wrong{"r", "dedupe_window.period", 0, 0, CodeBounds, "400 days"}},
		"max below zero":     {Rule{ID: "r", Limit: &Limit{Max: -1, Period: hour}}, wrong{"r", "limit.max", 0, 0, CodeBounds, "zero or more"}},
		"zone of hours":      {Rule{ID: "r", Limit: &Limit{Period: hour, Fixed: true, Zone: "Europe/Berlin"}}, wrong{"r", "limit.zone", 0, 0, CodeUnusable, "whole days"}},
		"zone of sliding":    {Rule{ID: "r", Limit: &Limit{Period: day, Zone: "Europe/Berlin"}}, wrong{"r", "limit.zone", 0, 0, CodeUnusable, "whole days"}},
		"unknown zone":       {Rule{ID: "r", Limit: &Limit{Period: day, Fixed: true, Zone: "Mars/Base"}}, wrong{"r", "limit.zone", 0, 0, CodeZone, "IANA"}},
		"the machine's zone": {Rule{ID: "r", Limit: &Limit{Period: day, Fixed: true, Zone: "Local"}}, wrong{"r", "limit.zone", 0, 0, CodeZone, "IANA"}},
		"sum of a text":      {Rule{ID: "r", Limit: &Limit{Period: hour, SumOf: "/order_id"}}, wrong{"r", "limit.sum_of", 0, 0, CodePointer, "/order_id is a string"}},
		"sum of nothing":     {Rule{ID: "r", Limit: &Limit{Period: hour, SumOf: "/amuont"}}, wrong{"r", "limit.sum_of", 0, 0, CodePointer, "has no amuont"}},
		"sum of an array":    {Rule{ID: "r", Limit: &Limit{Period: hour, SumOf: "/lines/x/count"}}, wrong{"r", "limit.sum_of", 0, 0, CodePointer, "an array"}},
		"no pointer":         {Rule{ID: "r", Limit: &Limit{Period: hour, SumOf: "amount"}}, wrong{"r", "limit.sum_of", 0, 0, CodePointer, "cannot be read"}},
		"impure condition":   {Rule{ID: "r", Limit: &Limit{Period: hour, When: "entity.state == 'x'"}}, wrong{"r", "limit.when", 1, 1, CodeNotPure, "only type and id"}},
		"condition counts":   {Rule{ID: "r", Limit: &Limit{Period: hour, When: "count('1h') > 1"}}, wrong{"r", "limit.when", 1, 1, CodeNotPure, "count(...)"}},
		"template":           {Rule{ID: "r", Limit: &Limit{Period: hour, Per: "{args.order_id}{args.oder_id}"}}, wrong{"r", "limit.per", 1, 16, CodeTemplate, "no field oder_id"}},
		"no key":             {Rule{ID: "r", Window: &DedupeWindow{Period: hour}}, wrong{"r", "dedupe_window.key_template", 0, 0, CodeRequired, "equivalent"}},
		"conflict with none": {Rule{ID: "r", Conflict: &Conflict{Period: hour}}, wrong{"r", "conflict", 0, 0, CodeRequired, "at least one"}},
		"no roles":           {Rule{ID: "r", Approval: &ApprovalNeed{}}, wrong{"r", "approval.roles", 0, 0, CodeRequired, "who"}},
		"too many persons":   {Rule{ID: "r", Approval: &ApprovalNeed{Count: 11, Roles: []string{"a"}}}, wrong{"r", "approval.count", 0, 0, CodeBounds, "10"}},
		"open too long":      {Rule{ID: "r", Approval: &ApprovalNeed{ExpiresAfter: 31 * day, Roles: []string{"a"}}}, wrong{"r", "approval.expires_after", 0, 0, CodeBounds, "30 days"}},
		"escalates to none":  {Rule{ID: "r", Approval: &ApprovalNeed{OnExpiry: ExpiryEscalate, Roles: []string{"a"}}}, wrong{"r", "approval.escalate_roles", 0, 0, CodeRequired, "next"}},
		"escalates never":    {Rule{ID: "r", Approval: &ApprovalNeed{EscalateRoles: []string{"b"}, Roles: []string{"a"}}}, wrong{"r", "approval.escalate_roles", 0, 0, CodeUnusable, "ESCALATE"}},
		"unknown expiry":     {Rule{ID: "r", Approval: &ApprovalNeed{OnExpiry: "SHRUG", Roles: []string{"a"}}}, wrong{"r", "approval.on_expiry", 0, 0, CodeUnknown, "SHRUG"}},
	} {
		t.Run(name, func(t *testing.T) {
			config := Config{Tools: []Tool{refundTool(ToolRules{})}}
			expectProblems(t, CheckRule(config, c.rule), c.want)
			// The whole policy finds the same, and has no part of the rule.
			config.Rules = []Rule{c.rule}
			set, problems := Compile(config)
			expectProblems(t, problems, c.want)
			if kase, err := set.For(refund("op_1", 1)); err != nil || !kase.Empty() && c.rule.Conflict == nil && c.want.code != CodeScope && c.want.path != "deny.explanation" && c.want.path != "rule_id" {
				t.Errorf("the faulty rule applies: %v", err)
			}
		})
	}
}

func TestToolsOwnRulesThatAreRefused(t *testing.T) {
	bare := refundTool(ToolRules{
		Guards:          []Guard{{Name: "a", Condition: `entity.state == ""`}, {Name: "a", Condition: "true"}, {Condition: "true"}, {Name: "approval", Condition: "true"}},
		Windows:         []DedupeWindow{{Name: "w", KeyTemplate: "{entity}", Period: time.Hour}},
		Conflicts:       []Conflict{{Name: "c", Tools: []string{"x"}, Period: time.Hour}},
		SetsEntityState: "done",
	})
	bare.EntityType = ""
	expectProblems(t, CheckTool(Config{}, bare),
		wrong{"payment.refund", "policy.sets_entity_state", 0, 0, CodeNoEntity, "names no entity"},
		wrong{"payment.refund/", "policy.guards[2].name", 0, 0, CodeRequired, "needs a name"},
		wrong{"payment.refund/a", "policy.guards[0].condition", 0, 0, CodeNoEntity, "names none"},
		wrong{"payment.refund/a", "policy.guards[1].name", 0, 0, CodeTwice, "choose another"},
		wrong{"payment.refund/approval", "policy.guards[3].name", 0, 0, CodeTwice, "choose another"},
		wrong{"payment.refund/c", "policy.conflicts[0]", 0, 0, CodeNoEntity, "names none"},
		wrong{"payment.refund/w", "policy.dedupe_windows[0].key_template", 1, 1, CodeTemplate, "names none"},
	)
	expectProblems(t, CheckTool(Config{}, refundTool(ToolRules{SetsEntityState: "{result.sttus}"})),
		wrong{"payment.refund", "policy.sets_entity_state", 1, 1, CodeTemplate, "result has no field sttus"})
}

func TestAToolIsHeldAgainstTheRulesThatItComesIntoTheScopeOf(t *testing.T) {
	rule := Rule{ID: "payments", Scope: Scope{Tools: []string{"payment.*"}}, Deny: &Deny{When: "args.amount.minor > 1", Explanation: "x"}}
	config := Config{Tools: []Tool{refundTool(ToolRules{})}, Rules: []Rule{rule}}
	other := goodwillTool(ToolRules{})
	expectProblems(t, CheckTool(config, other))
	other.Name = "payment.voucher"
	expectProblems(t, CheckTool(config, other), wrong{"payments", "deny.when", 1, 5, CodeType, "Undefined field 'amount'"})
	changed := refundTool(ToolRules{})
	changed.Arguments = other.Arguments
	expectProblems(t, CheckTool(config, changed), wrong{"payments", "deny.when", 1, 5, CodeType, "Undefined field 'amount'"})
}

func TestARuleWithoutToolsIsCheckedAllTheSame(t *testing.T) {
	expectProblems(t, CheckRule(Config{}, Rule{ID: "r", Deny: &Deny{When: "args.x.y > 1 && entity.state == 7", Explanation: "x"}}),
		wrong{"r", "deny.when", 1, 30, CodeType, "no matching overload"})
	if got := CheckRule(Config{}, Rule{ID: "r", Limit: &Limit{Per: "{args.x.y}/{entity}", SumOf: "/z", Max: 1, Period: time.Hour}}); len(got) > 0 {
		t.Errorf("what a tool to come may have is no problem: %v", got)
	}
}

func TestScopes(t *testing.T) {
	tools := []Tool{refundTool(ToolRules{}), goodwillTool(ToolRules{}), lookupTool()}
	for name, c := range map[string]struct {
		scope Scope
		want  []string
	}{
		"nothing: what mutates":   {Scope{}, []string{"payment.refund", "voucher.grant"}},
		"prefix: what mutates":    {Scope{Tools: []string{"payment.*"}}, []string{"payment.refund"}},
		"by name, whatever it is": {Scope{Tools: []string{"payment.lookup"}}, []string{"payment.lookup"}},
		"by class":                {Scope{Classes: []string{"PURE_READ"}}, []string{"payment.lookup"}},
		"by intent":               {Scope{Intents: []string{"goodwill"}}, []string{"voucher.grant"}},
		"by entity":               {Scope{EntityTypes: []string{"order"}}, []string{"payment.refund", "voucher.grant"}},
		"every part holds":        {Scope{Tools: []string{"payment.*"}, Intents: []string{"goodwill"}}, nil},
		"a prefix ends at a dot":  {Scope{Tools: []string{"pay.*"}}, nil},
	} {
		var got []string
		for i := range tools {
			if c.scope.covers(&tools[i]) {
				got = append(got, tools[i].Name)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
