package policy

import (
	"strings"
	"testing"
)

// TestTheOutcomeEnvironmentIsWhatItSays holds the list that documentation shows against what conditions can name.
func TestTheOutcomeEnvironmentIsWhatItSays(t *testing.T) {
	documented := map[string]bool{}
	for _, n := range OutcomeEnvironment() {
		documented[n.Name] = true
		if _, problems := CompileOutcome(&Shape{Kind: ShapeAny}, n.Name+" == "+n.Name); len(problems) > 0 {
			t.Errorf("%s is listed: %v", n.Name, problems)
		}
	}
	for _, field := range []string{"id", "provider", "account"} {
		if _, problems := CompileOutcome(nil, "effect."+field+` == "x"`); len(problems) > 0 {
			t.Errorf("effect.%s: %v", field, problems)
		}
	}
	for _, n := range Environment() {
		if documented[n.Name] || strings.Contains(n.Type, "->") {
			continue
		}
		if _, problems := CompileOutcome(nil, n.Name+" == "+n.Name); len(problems) == 0 {
			t.Errorf("%s is not listed and can be named", n.Name)
		}
	}
	for _, expression := range []string{`count("1h") > 1`, `sum(1, "x", "1h") > 1`} {
		if _, problems := CompileOutcome(nil, expression); len(problems) == 0 {
			t.Errorf("%s would read a history", expression)
		}
	}
}

func TestOutcomeConditions(t *testing.T) {
	args := &Shape{Kind: ShapeObject, Fields: map[string]*Shape{"amount": {Kind: ShapeMoney}}}
	h := Happened{
		Canonical: []byte(`{"amount":{"currency":"USD","minor":"4900"}}`), Result: []byte(`{"lines":[{"n":2}],"big":9007199254740993}`),
		EffectID: "ch_1", Provider: "pay",
	}
	for text, want := range map[string]bool{
		`args.amount.minor == 4900`: true, `result.lines.exists(l, l.n > 1)`: true, `effect.id == "ch_1" && effect.account == ""`: true,
		`result.big == 9007199254740993`: true, `has(result.none)`: false, `args.amount.currency == "EUR"`: false,
	} {
		c, problems := CompileOutcome(args, text)
		if len(problems) > 0 {
			t.Errorf("%s: %v", text, problems)
			continue
		}
		if got, err := c.Holds(h); got != want || err != nil {
			t.Errorf("%s: %t, %v", text, got, err)
		}
	}
	c, _ := CompileOutcome(args, "result.none > 1")
	if _, err := c.Holds(h); err == nil {
		t.Error("what is absent was compared")
	}
	if _, err := c.Holds(Happened{Canonical: []byte("[]")}); err == nil {
		t.Error("arguments that are no object were read")
	}
	if _, problems := CompileOutcome(args, `args.amount == "49.00"`); len(problems) != 1 || problems[0].Column != 13 {
		t.Errorf("%v", problems)
	}
}
