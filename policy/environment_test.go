package policy

import (
	"strings"
	"testing"

	"cel.dev/cel-go/common/types"
)

// TestTheEnvironmentIsWhatItSays holds the list that documentation shows against what expressions can name.
func TestTheEnvironmentIsWhatItSays(t *testing.T) {
	documented := map[string]bool{}
	for _, n := range Environment() {
		documented[n.Name] = true
		expression := n.Name + " == " + n.Name
		if strings.Contains(n.Type, "->") {
			expression = map[string]string{"count": `count("1h") > 1`, "sum": `sum(1, "x", "1h") > 1`}[n.Name]
		}
		if got := CheckRule(Config{Tools: []Tool{refundTool(ToolRules{})}}, Rule{ID: "r", Guard: &Guard{Condition: expression}}); len(got) > 0 {
			t.Errorf("%s is listed: %v", n.Name, got)
		}
		for field := range fixedTypes()[n.Type] {
			if !strings.Contains(n.Doc, field) {
				t.Errorf("%s.%s is not documented", n.Name, field)
			}
		}
	}
	env, err := environment(&Shape{Kind: ShapeAny})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range env.Variables() {
		if name := v.Name(); !documented[name] && !strings.HasPrefix(name, "@") && v.Type().Kind() != types.TypeKind {
			t.Errorf("%s can be named and is not listed", name)
		}
	}
}

// TestFieldsThatNobodyDeclaredAreNone: though the schema may admit them; only an object that declares nothing may have any.
func TestFieldsThatNobodyDeclaredAreNone(t *testing.T) {
	tool := refundTool(ToolRules{})
	tool.Arguments.Fields["open"] = &Shape{Kind: ShapeObject, Open: true, Fields: map[string]*Shape{"known": text}}
	tool.Arguments.Fields["closed"] = &Shape{Kind: ShapeObject}
	for when, accepted := range map[string]bool{
		`args.meta.other == "x"`: true, `args.open.known == "x"`: true, `args.open.other == "x"`: false, `args.closed.other == "x"`: false,
	} {
		if got := CheckRule(Config{Tools: []Tool{tool}}, Rule{ID: "r", Guard: &Guard{Condition: when}}); (len(got) == 0) != accepted {
			t.Errorf("%s: %v", when, got)
		}
	}
}

// TestAFieldsNameMayHoldAPoint: "a.b" is another field than b of a, and each keeps its own type.
func TestAFieldsNameMayHoldAPoint(t *testing.T) {
	object := func(name string, s *Shape) *Shape {
		return &Shape{Kind: ShapeObject, Fields: map[string]*Shape{name: s}}
	}
	tool := refundTool(ToolRules{})
	for _, name := range []string{"a", "x"} {
		tool.Arguments.Fields[name] = object("b", object("n", integer))
		tool.Arguments.Fields[name+".b"] = object("s", text)
	}
	for when, accepted := range map[string]bool{
		"args.a.b.n == 1 && args.`a.b`.s == 's' && args.x.b.n == 1 && args.`x.b`.s == 's'": true,
		"args.a.b.s == 's'": false, "args.`a.b`.n == 1": false, "args.x.b.s == 's'": false, "args.`x.b`.n == 1": false,
	} {
		if got := CheckRule(Config{Tools: []Tool{tool}}, Rule{ID: "r", Guard: &Guard{Condition: when}}); (len(got) == 0) != accepted {
			t.Errorf("%s: %v", when, got)
		}
	}
}
