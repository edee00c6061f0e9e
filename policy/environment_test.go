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
