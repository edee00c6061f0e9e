package canon

import (
	"fmt"
	"strings"
	"testing"
)

// TestSensitiveFieldsAreShownByNothing: whatever rule holds for a field in or under a sensitive one, the record of what was
// changed names the outermost sensitive field alone, once.
func TestSensitiveFieldsAreShownByNothing(t *testing.T) {
	for name, c := range map[string]struct {
		rules     Rules
		arguments string
		want      string // pointers and rules of the changes
	}{
		"a number's spelling":    {Rules{Sensitive: []string{"/pin"}}, `{"pin":411.0}`, "/pin sensitive"},
		"a number beneath":       {Rules{Sensitive: []string{"/ctx"}}, `{"ctx":{"pin":411.0}}`, "/ctx sensitive"},
		"a rule of its own":      {Rules{Sensitive: []string{"/pin"}, Fields: map[string]Rule{"/pin": {Kind: RuleIdentifier, Trim: true}}}, `{"pin":" 411 "}`, "/pin sensitive"},
		"a rule beneath":         {Rules{Sensitive: []string{"/ctx"}, Fields: map[string]Rule{"/ctx/pin": {Kind: RuleIdentifier, Trim: true}}}, `{"ctx":{"pin":" 411 "}}`, "/ctx sensitive"},
		"an ignored one":         {Rules{Sensitive: []string{"/ctx"}, Fields: map[string]Rule{"/ctx/pin": {Kind: RuleIgnore}}}, `{"ctx":{"pin":"411","a":1}}`, "/ctx sensitive"},
		"one within another":     {Rules{Sensitive: []string{"/ctx", "/ctx/pin"}}, `{"ctx":{"pin":"411"}}`, "/ctx sensitive"},
		"items of an array":      {Rules{Sensitive: []string{"/l/*"}}, `{"l":["411",411.0]}`, "/l/0 sensitive /l/1 sensitive"},
		"null is no secret":      {Rules{Sensitive: []string{"/pin"}}, `{"pin":null}`, ""},
		"nothing is no secret":   {Rules{Sensitive: []string{"/pin", "/l", "/o"}}, `{"pin":"","l":[],"o":{}}`, ""},
		"outside it all is told": {Rules{Sensitive: []string{"/pin"}}, `{"pin":null,"n":411.0}`, "/n rfc8785"},
	} {
		out := mustNormalize(t, mustCompile(t, c.rules), c.arguments)
		var got []string
		for _, change := range out.Changes {
			got = append(got, change.Pointer, change.Rule)
			if change.Pointer != "/n" && strings.Contains(change.Before+change.After, "411") {
				t.Errorf("%s: it is shown in %+v", name, change)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: told are %q, want %q", name, strings.Join(got, " "), c.want)
		}
		if c.want != "" && c.want != "/n rfc8785" && strings.Contains(string(out.Canonical()), "411") {
			t.Errorf("%s: the identity holds it: %s", name, out.Canonical())
		}
	}
}

// TestANullMemberIsAbsentAtEveryDepth, and a null item is not.
func TestANullMemberIsAbsentAtEveryDepth(t *testing.T) {
	n := mustCompile(t, Rules{Null: NullAbsent})
	out := mustNormalize(t, n, `{"a":null,"b":{"c":null},"d":[null,{"e":null,"f":1}]}`)
	if got := string(out.Canonical()); got != `{"b":{},"d":[null,{"f":1}]}` {
		t.Error(got)
	}
	var told []string
	for _, change := range out.Changes {
		told = append(told, change.Pointer)
	}
	if got := fmt.Sprint(told); got != "[/a /b/c /d/1/e]" {
		t.Errorf("told are %s", got)
	}
	if got := string(mustNormalize(t, mustCompile(t, Rules{}), `{"a":null}`).Canonical()); got != `{"a":null}` {
		t.Errorf("without the option: %s", got)
	}
}

// TestASensitiveAmountStandsInNoKey: its minor units are known, for limits, but the key holds the hash.
func TestASensitiveAmountStandsInNoKey(t *testing.T) {
	n := mustCompile(t, Rules{Fields: map[string]Rule{"/a": {Kind: RuleMoney, Form: FormMinor, Currency: "USD"}}, Sensitive: []string{"/a"}})
	arguments := mustNormalize(t, n, `{"a":4900,"o":{"x":1}}`)
	key, _, faults := mustTemplate(t, "p:{a}").Render(Parts{Arguments: arguments, Version: 1})
	if len(faults) > 0 || strings.Contains(string(key), "4900") || arguments.Money["/a"].Minor != 4900 {
		t.Errorf("%s %v", key, faults)
	}
	if key, _, faults := mustTemplate(t, "p:{o}").Render(Parts{Arguments: arguments, Version: 1}); len(faults) > 0 || key != `p:{"x"%3A1}:v1` {
		t.Errorf("an object that is no amount: %s %v", key, faults)
	}
}
