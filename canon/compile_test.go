package canon

import (
	"fmt"
	"strings"
	"testing"
)

// texts gives so many fields a rule, beginning with a prefix.
func texts(prefix string, n int) map[string]Rule {
	fields := map[string]Rule{}
	for i := range n {
		fields[fmt.Sprint(prefix, i)] = Rule{Kind: RuleText}
	}
	return fields
}

func TestRulesDefaultsAndSensitiveFieldsAreBoundedTogether(t *testing.T) {
	const defaults, sensitive = 3, 5
	rules := func(fields int) Rules {
		r := Rules{Fields: texts("/f", fields), Defaults: map[string]*Value{}}
		for i := range defaults {
			r.Defaults[fmt.Sprint("/d", i)] = Int(1)
		}
		for i := range sensitive {
			r.Sensitive = append(r.Sensitive, fmt.Sprint("/s", i))
		}
		return r
	}
	if _, faults := Compile(rules(MaxRules - defaults - sensitive)); len(faults) > 0 {
		t.Errorf("as many as may be: %v", faults)
	}
	if _, faults := Compile(rules(MaxRules - defaults - sensitive + 1)); len(faults) != 1 || faults[0].Reason != ReasonTooLarge {
		t.Errorf("one too many: %v", faults)
	}
}

func TestARuleReachesAsDeepAsADocument(t *testing.T) {
	if _, faults := Compile(Rules{Fields: map[string]Rule{strings.Repeat("/d", MaxDepth): {Kind: RuleText}}}); len(faults) > 0 {
		t.Error(faults)
	}
	if _, faults := Compile(Rules{Fields: map[string]Rule{strings.Repeat("/d", MaxDepth+1): {Kind: RuleText}}}); len(faults) != 1 || faults[0].Reason != ReasonBadPointer {
		t.Error(faults)
	}
}

// TestRulesMeetOnItemsOnly: * stands for the items of an array; a member of an object that has another name is no item.
func TestRulesMeetOnItemsOnly(t *testing.T) {
	for _, c := range []struct {
		fields string
		meet   bool
	}{
		{"/a/*/n /a/0/n", true},
		{"/a/*/n /a/x/n", false},
		{"/a/*/n /a/0/m", false},
		{"/a/0/n /a/1/n", false},
		{"/a/0/n /a/x/n", false},
		{"/*/0/n /0/*/n", true},
		{"/*/x/n /0/*/n", false},
		{"/a/*/n /a/0 /a/1/n", true}, // the shorter one between them is passed over
	} {
		fields := map[string]Rule{}
		for _, pointer := range strings.Fields(c.fields) {
			fields[pointer] = Rule{Kind: RuleText}
		}
		_, faults := Compile(Rules{Fields: fields})
		if meet := strings.Contains(faults.Error(), "can meet"); meet != c.meet || (!c.meet && len(faults) > 0) {
			t.Errorf("%s: %v", c.fields, faults)
		}
	}
}

// TestNoRuleBeneathOneThatSpeaksOfAll: also where the two name the items by * and by index. An amount beneath an ignored
// field would otherwise be sent, and counted by no limit.
func TestNoRuleBeneathOneThatSpeaksOfAll(t *testing.T) {
	ignore, text, set, list := Rule{Kind: RuleIgnore}, Rule{Kind: RuleText}, Rule{Kind: RuleSet}, Rule{Kind: RuleList}
	of := Rule{Kind: RuleSet, Of: &Rule{Kind: RuleText}}
	for _, c := range []struct {
		upper   string
		rule    Rule
		lower   string
		refused bool
	}{
		{"/a/x", ignore, "/a/x/y", true},
		{"/a/*/x", ignore, "/a/0/x/amount", true},
		{"/a/0/x", ignore, "/a/*/x/amount", true},
		{"/a/0/x", ignore, "/a/1/x/amount", false},
		{"/a/*/x", ignore, "/a/b/x/amount", false},
		{"/a/*/x", ignore, "/a/0/y/amount", false},
		{"/a/*", text, "/a/0/x", true},
		{"/*/0", text, "/0/*/x", true},
		{"/a/*/s", set, "/a/0/s/0/x", true},
		{"/a/*/s", set, "/a/0/s/*/x", false},
		{"/a/0/s", set, "/a/*/s/b", true},
		{"/a/*/s", list, "/a/0/s/*/x", false},
		{"/a/*/s", list, "/a/0/s/0/x", true},
		{"/a/*/s", of, "/a/0/s/*/x", true},
	} {
		_, faults := Compile(Rules{Fields: map[string]Rule{c.upper: c.rule, c.lower: text}})
		if refused := len(faults) == 1 && faults[0].Pointer == c.lower && faults[0].Reason == ReasonConflict; refused != c.refused || !c.refused && len(faults) > 0 {
			t.Errorf("%s of %s above %s: %v", c.rule.Kind, c.upper, c.lower, faults)
		}
	}
}

// TestARuleIsRefusedOnce, by however many above it.
func TestARuleIsRefusedOnce(t *testing.T) {
	_, faults := Compile(Rules{Fields: map[string]Rule{"/a": {Kind: RuleIgnore}, "/a/x": {Kind: RuleIgnore}, "/a/x/y": {Kind: RuleText}}})
	told := map[string]int{}
	for _, f := range faults {
		told[f.Pointer]++
	}
	if told["/a/x"] != 1 || told["/a/x/y"] != 1 || len(told) != 2 {
		t.Errorf("%v", faults)
	}
}

// TestADefaultIsHeldAgainstEveryItem that keeps it, also behind one that ignores it.
func TestADefaultIsHeldAgainstEveryItem(t *testing.T) {
	_, faults := Compile(Rules{
		Fields:   map[string]Rule{"/a/0/x": {Kind: RuleIgnore}, "/a/1/x": {Kind: RuleDate}},
		Defaults: map[string]*Value{"/a/*/x": Int(1)},
	})
	if len(faults) != 1 {
		t.Errorf("%v", faults)
	}
}

// TestADefaultThatChangesNothing is refused; one that some item keeps is not.
func TestADefaultThatChangesNothing(t *testing.T) {
	for _, c := range []struct {
		ignored, filled string
		refused         bool
	}{
		{"/a", "/a/b", true},
		{"/a/*/x", "/a/0/x", true},
		{"/a/*/x", "/a/0/x/y", true},
		{"/a/0/x", "/a/*/x", false},
		{"/a/0/x", "/a/1/x", false},
		{"/a/*/x", "/a/b/x", false},
	} {
		_, faults := Compile(Rules{Fields: map[string]Rule{c.ignored: {Kind: RuleIgnore}}, Defaults: map[string]*Value{c.filled: Int(1)}})
		if len(faults) > 0 != c.refused {
			t.Errorf("%s ignored, %s filled in: %v", c.ignored, c.filled, faults)
		}
	}
}

func TestEveryAmountsCurrencyIsChecked(t *testing.T) {
	money := Rule{Kind: RuleMoney, Form: FormMajor, CurrencyField: "/none"}
	if _, faults := Compile(Rules{Fields: map[string]Rule{"/a": {Kind: RuleText}, "/b": money}}); len(faults) != 1 || faults[0].Pointer != "/b" {
		t.Errorf("an amount behind a field of another kind: %v", faults)
	}
	money.CurrencyField = "/l/*/m/*/c"
	_, faults := Compile(Rules{Fields: map[string]Rule{"/a": money, "/l/*/m/*/c": {Kind: RuleIdentifier}}})
	if len(faults) != 1 || faults[0].Pointer != "/a" || faults[0].Reason != ReasonConflict {
		t.Errorf("one fault is told once: %v", faults)
	}
}

// TestDefaultsAreFilledByDepth: what was filled in is told in the order in which it was done, the upper levels first.
func TestDefaultsAreFilledByDepth(t *testing.T) {
	n := mustCompile(t, Rules{Defaults: map[string]*Value{"/a/b": Int(1), "/a/c/d": Int(2), "/z": Int(3), "/a/c": Object(nil)}})
	var order []string
	for _, change := range mustNormalize(t, n, `{"a":{}}`).Changes {
		order = append(order, change.Pointer)
	}
	if got := strings.Join(order, " "); got != "/z /a/b /a/c /a/c/d" {
		t.Errorf("filled in the order %s", got)
	}
}
