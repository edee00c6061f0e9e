package canon

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestKindsToTheirEdges(t *testing.T) {
	milli, nano := Rule{Kind: RuleTimestamp, Precision: PrecisionMilli}, Rule{Kind: RuleTimestamp, Precision: PrecisionNano}
	usd, mail, anywhere := Rule{Kind: RuleMoney, Form: FormMajor, Currency: "USD"}, Rule{Kind: RuleEmail}, Rule{Kind: RulePhone}
	in := func(region string) Rule { return Rule{Kind: RulePhone, Region: region} }
	one := func(rule Rule, value string) string { return one(t, rule, value) }
	for _, c := range []struct {
		rule        Rule
		value, want string
	}{
		{milli, `"0001-01-01T00:00:00Z"`, `"0001-01-01T00:00:00.000Z"`}, {milli, `"9999-12-31T23:59:59Z"`, `"9999-12-31T23:59:59.000Z"`},
		{milli, `"9999-12-31T23:59:59-01:00"`, "NO_SUCH_TIME"}, {nano, `"2026-03-01T09:00:00.1234567890Z"`, `"2026-03-01T09:00:00.123456789Z"`},
		{nano, `"2026-03-01T09:00:00.1234567891Z"`, "TOO_FINE"}, {Rule{Kind: RuleTimestamp, Precision: PrecisionMicro}, `"2026-03-01T09:00:00.1234561Z"`, "TOO_FINE"},
		{Rule{Kind: RuleTimestamp, Precision: PrecisionSecond}, `"2026-03-01T09:00:00.000Z"`, `"2026-03-01T09:00:00Z"`},

		{usd, `"` + strings.Repeat("0", MaxNumberBytes-1) + `1"`, `{"currency":"USD","minor":"100"}`}, {usd, `"` + strings.Repeat("0", MaxNumberBytes) + `1"`, "MALFORMED"},
		{usd, `"0.01"`, `{"currency":"USD","minor":"1"}`}, {usd, `"0.001"`, "TOO_FINE"}, {usd, `"0.010"`, `{"currency":"USD","minor":"1"}`},
		{Rule{Kind: RuleMoney, Form: FormMinor, Currency: "USD"}, `1.5`, "TOO_FINE"}, {Rule{Kind: RuleMoney, Form: FormMinor, Currency: "JPY"}, `"999999999999999999"`, `{"currency":"JPY","minor":"999999999999999999"}`},
		{Rule{Kind: RuleMoney, Form: FormMinor, Currency: "JPY"}, `"1000000000000000000"`, "TOO_LARGE"},

		{mail, `"` + strings.Repeat("a", MaxEmailBytes-len("@example.com")) + `@example.com"`, `"` + strings.Repeat("a", MaxEmailBytes-len("@example.com")) + `@example.com"`},
		{mail, `"` + strings.Repeat("a", MaxEmailBytes-len("@example.com")+1) + `@example.com"`, "MALFORMED"},
		{mail, `"a\u007f@example.com"`, "MALFORMED"}, {mail, `"a\u0001@example.com"`, "MALFORMED"}, {mail, `"a\u00a0b@example.com"`, "MALFORMED"}, {mail, `"!~@example.com"`, `"!~@example.com"`},
		{mail, `" kim@example.com\t"`, `"kim@example.com"`}, {Rule{Kind: RuleEmail, Local: LocalLower}, `"AZaz@EXAMPLE.com"`, `"azaz@example.com"`},

		{anywhere, `"+1234567"`, `"+1234567"`}, {anywhere, `"+123456"`, "MALFORMED"}, {anywhere, `"+123456789012345"`, `"+123456789012345"`}, {anywhere, `"+0123456789"`, "MALFORMED"},
		{in("DE"), `"012345"`, `"+4912345"`}, {in("DE"), `"01234"`, "MALFORMED"}, {in("DE"), `"012345678901"`, `"+4912345678901"`}, {in("DE"), `"0123456789012"`, "MALFORMED"},
		{in("DE"), `"0012345"`, "MALFORMED"}, {in("JP"), `"0012345678"`, "MALFORMED"}, {in("CZ"), `"123 456 789"`, `"+420123456789"`}, {in("CZ"), `"012345678"`, `"+420012345678"`},
		{in("CZ"), `"00420123456789"`, `"+420123456789"`}, {in("TR"), `"2123456789"`, `"+902123456789"`}, {in("TR"), `"02123456789"`, `"+902123456789"`},
		{anywhere, `"+1 23456 (7) 89"`, `"+123456789"`}, {anywhere, `"+39 06 12345678"`, `"+390612345678"`}, // a nought that belongs to the number
		{anywhere, `"+420 012 345 678"`, `"+420012345678"`}, {anywhere, `"+45 01 23 45 67"`, `"+4501234567"`}, {anywhere, `"+49 01234567"`, "MALFORMED"}, // only where 0 is the trunk prefix
		{anywhere, `"+39 (0) 6 12345678"`, "MALFORMED"}, {anywhere, `"+39 ( 0 ) 6 12345678"`, "MALFORMED"},

		{Rule{Kind: RuleIdentifier, Case: CaseUpper}, "\"`az{@AZ[\"", "\"`AZ{@AZ[\""}, {Rule{Kind: RuleIdentifier, Case: CaseLower}, "\"`az{@AZ[\"", "\"`az{@az[\""},
		{Rule{Kind: RuleText, Whitespace: WhitespaceTrim}, `" a  b "`, `"a  b"`}, {Rule{Kind: RuleText}, `" a\r\n "`, `" a\r\n "`},
		{Rule{Kind: RuleList, Of: &Rule{Kind: RuleIdentifier, Trim: true}}, `[" b","a "]`, `["b","a"]`}, {Rule{Kind: RuleSet}, `null`, `null`}, {Rule{Kind: RuleNumber}, `null`, `null`},
		{Rule{Kind: RuleNumber}, `1.50`, `1.5`}, {Rule{Kind: RuleText}, `null`, `null`}, {Rule{Kind: RuleText}, `[]`, "WRONG_TYPE"}, {Rule{Kind: RuleSet}, `"a"`, "WRONG_TYPE"},
	} {
		if got := one(c.rule, c.value); got != c.want {
			t.Errorf("%s %s: got %s, want %s", c.rule.Kind, c.value, got, c.want)
		}
	}
}

func TestKeysToTheirEdges(t *testing.T) {
	n, words := mustCompile(t, Rules{}), func(n int) string { return strings.Repeat("w", n) }
	nothing := mustNormalize(t, n, `{}`)
	for _, c := range []struct {
		what  string
		text  string
		parts Parts
		fits  bool
	}{
		{"an intent", "p:{intent}", Parts{Intent: words(MaxWordBytes)}, true},
		{"an intent too long", "p:{intent}", Parts{Intent: words(MaxWordBytes + 1)}, false},
		{"an occurrence", "p:{occurrence}", Parts{Occurrence: words(MaxWordBytes)}, true},
		{"an entity", "p:{entity}", Parts{Entity: Entity{words(MaxWordBytes), words(MaxWordBytes)}}, true},
		{"an entity too long", "p:{entity}", Parts{Entity: Entity{words(MaxWordBytes), words(MaxWordBytes + 1)}}, false},
		{"half an entity", "p:{intent}:{entity}", Parts{Intent: "x", Entity: Entity{"", "id"}}, false},
	} {
		c.parts.Arguments, c.parts.Version = nothing, 1
		if key, _, faults := mustTemplate(t, c.text).Render(c.parts); (len(faults) == 0) != c.fits {
			t.Errorf("%s: %s %v", c.what, key, faults)
		}
	}
	if _, _, faults := CallerKey("t", words(MaxWordBytes), 1); len(faults) > 0 {
		t.Error(faults)
	}
	for _, tool := range []string{"", words(MaxWordBytes + 1)} {
		if _, _, faults := CallerKey(tool, "k", 1); len(faults) != 1 {
			t.Errorf("the tool %q: %v", tool, faults)
		}
	}
	for version, fits := range map[int64]bool{0: false, 1: true} {
		if _, _, faults := CallerKey("t", "k", version); (len(faults) == 0) != fits {
			t.Errorf("version %d: %v", version, faults)
		}
	}
	template := mustTemplate(t, "{a}")
	for length, whole := range map[int]bool{MaxKeyBytes - len(":v1"): true, MaxKeyBytes - len(":v1") + 1: false} {
		key, _, faults := template.Render(Parts{Arguments: mustNormalize(t, n, `{"a":"`+words(length)+`"}`), Version: 1})
		if len(faults) > 0 || len(key) != MaxKeyBytes || strings.Contains(string(key), shortened) == whole {
			t.Errorf("%d bytes give a key of %d: %v", length, len(key), faults)
		}
		if _, _, err := ParseKey(template, key); (err == nil) != whole {
			t.Errorf("read back: %v", err)
		}
	}
	if _, _, err := ParseKey(template, Key(words(MaxKeyBytes)+":v1")); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("a key that is too long: %v", err)
	}
	for length, fits := range map[int]bool{MaxWordBytes: true, MaxWordBytes + 1: false} {
		if got, faults := template.RenderID(mustNormalize(t, n, `{"a":"`+words(length)+`"}`)); (len(faults) == 0) != fits || (fits && len(got) != length) {
			t.Errorf("an id of %d bytes: %v", length, faults)
		}
	}
	if _, _, err := ParseKey(mustTemplate(t, "p:{a}:{b}"), "p::x:v1"); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("an empty component: %v", err)
	}
	for _, c := range [][2]string{{"a b!~", "a%20b!~"}, {"a\x7f", "a%7F"}, {"~", "'~"}} {
		key, _, _ := template.Render(Parts{Arguments: mustNormalize(t, n, fmt.Sprintf(`{"a":%s}`, String(c[0]).Canonical())), Version: 1})
		if string(key) != c[1]+":v1" {
			t.Errorf("%q is %s", c[0], key)
		}
	}
}

func TestTemplatesToTheirEdges(t *testing.T) {
	mustTemplate(t, strings.Repeat("x", MaxTemplateBytes-len(":{a}"))+":{a}")
	mustTemplate(t, strings.Repeat(":{a}", MaxTemplateComponents))
	mustTemplate(t, "!:{a}")
	for _, text := range []string{strings.Repeat("x", MaxTemplateBytes-len(":{a}")+1) + ":{a}", "p :{a}", "p\x7f:{a}", "p\n:{a}", "p %~:{a}"} {
		if _, faults := ParseTemplate(text); len(faults) != 1 || faults[0].Reason != ReasonBadTemplate {
			t.Errorf("%.20q: %v", text, faults)
		}
	}
	template := mustTemplate(t, "p:{bucket:@source_event:day:Europe/Berlin}")
	arguments := mustNormalize(t, mustCompile(t, Rules{}), `{}`)
	key, _, faults := template.Render(Parts{Arguments: arguments, Version: 1, EventTime: time.Date(2026, 3, 1, 23, 0, 0, 0, time.UTC)})
	if len(faults) > 0 || key != "p:2026-03-02:v1" {
		t.Errorf("%s %v", key, faults)
	}
	if _, _, faults := template.Render(Parts{Arguments: arguments, Version: 1}); len(faults) != 1 || faults[0].Reason != ReasonAbsentComponent {
		t.Errorf("an event without a time: %v", faults)
	}
	for text, want := range map[string]string{"p:{time}": "or write {/time}", "p:{trace_id}": "the operation."} {
		if _, faults := ParseTemplate(text); len(faults) != 1 || !strings.Contains(faults[0].Message, want) {
			t.Errorf("%s: %v", text, faults)
		}
	}
}

func TestNormalizeToItsEdges(t *testing.T) {
	lines := mustCompile(t, Rules{Fields: map[string]Rule{"/l/*": {Kind: RuleIdentifier, Trim: true}}, Defaults: map[string]*Value{"/m/1/q": Int(1)}})
	if got := string(mustNormalize(t, lines, `{"l":{"*":" a "},"m":[{},{},{}]}`).Canonical()); got != `{"l":{"*":" a "},"m":[{},{"q":1},{}]}` {
		t.Errorf("* stands for items, and a default for its own item: %s", got)
	}
	var numbers []string
	for i := range 2 * MaxFaults {
		numbers = append(numbers, fmt.Sprint(i))
	}
	if _, faults := lines.Normalize(mustParse(t, `{"l":[`+strings.Join(numbers, ",")+`]}`), nil); len(faults) != MaxFaults {
		t.Errorf("%d faults are named", len(faults))
	}
	trim := mustCompile(t, Rules{Fields: map[string]Rule{"/a": {Kind: RuleIdentifier, Trim: true}}})
	for length, want := range map[int]int{MaxShown: MaxShown, MaxShown + 1: MaxShown} {
		text := strings.Repeat("x", length-len(`" "`))
		changes := mustNormalize(t, trim, `{"a":"`+text+` "}`).Changes
		if len(changes) != 1 || len(changes[0].Before) != want || strings.HasSuffix(changes[0].Before, "...") != (length > MaxShown) {
			t.Errorf("of %d bytes, %d are shown", length, len(changes[0].Before))
		}
	}
	byIndex := mustCompile(t, Rules{Fields: map[string]Rule{"/l/0": {Kind: RuleIgnore}, "/l/2": {Kind: RuleDate}}})
	if _, faults := byIndex.Normalize(mustParse(t, `{"l":[1]}`), nil); len(faults) != 1 || faults[0].Reason != ReasonBadRule {
		t.Errorf("an item that is ignored by its index: %v", faults)
	}
	if _, faults := byIndex.Normalize(mustParse(t, `{"l":[1,2,"x"]}`), nil); len(faults) != 2 || faults[1].Pointer != "/l/2" {
		t.Errorf("the items behind it have their faults named too: %v", faults)
	}
	if got := string(mustNormalize(t, byIndex, `{"l":{"0":1,"1":2}}`).Canonical()); got != `{"l":{"1":2}}` {
		t.Errorf("a member of that name: %s", got)
	}
	number := mustCompile(t, Rules{Fields: map[string]Rule{"/n": {Kind: RuleNumber}}})
	if changes := mustNormalize(t, number, `{"n":1.50,"m":2.50}`).Changes; fmt.Sprint(changes) != `[{/m rfc8785 2.50 2.5} {/n number 1.50 1.5}]` {
		t.Errorf("%v", changes)
	}
}

func TestComparisonsSayWhy(t *testing.T) {
	n := mustCompile(t, Rules{Fields: map[string]Rule{"/note": {Kind: RuleIgnore}}})
	explained := func(template, arguments string) *Explanation {
		e, faults := Explain(n, mustTemplate(t, template), mustParse(t, arguments), Parts{Version: 1}, nil)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		return e
	}
	plain, noted := explained("p:{a}:{b}", `{"a":1,"b":2}`), explained("p:{a}:{b}", `{"a":1,"b":2,"note":"x"}`)
	if c := Compare(plain, plain); c.Verdict != SameOperation || strings.Contains(c.Why, "ignores") {
		t.Errorf("%+v", c)
	}
	if c := Compare(plain, noted); c.Verdict != SameOperation || !strings.Contains(c.Why, "ignores") {
		t.Errorf("%+v", c)
	}
	if c := Compare(plain, explained("p:{a}", `{"a":1}`)); c.Verdict != OtherOperation || fmt.Sprint(c.KeyDiffering) != "[b]" {
		t.Errorf("%+v", c)
	}
	var many []IgnoredField
	for i := range MaxDifferences + 1 {
		many = append(many, IgnoredField{Pointer: fmt.Sprintf("/%03d", i), Canonical: "1"})
	}
	if got := DiffIgnored(many, nil); len(got) != MaxDifferences || got[0] != "/000" {
		t.Errorf("%d differences are named", len(got))
	}
	other := []IgnoredField{{Pointer: "/000", Canonical: "2"}, {Pointer: "/001", Canonical: "1"}}
	if got := fmt.Sprint(DiffIgnored(many[:2], other)); got != "[/000]" {
		t.Error(got)
	}
}

// TestNoKeyHasAnEmptyComponent: whatever somebody offers as a key, what Render refuses is not read back either.
func TestNoKeyHasAnEmptyComponent(t *testing.T) {
	template := mustTemplate(t, "p:{a}")
	for _, key := range []Key{"p:':v1", "p:[]:v1", "p:{}:v1", "p::v1"} {
		if components, _, err := ParseKey(template, key); err == nil {
			t.Errorf("%s gives %v", key, shown(components))
		}
	}
	for _, key := range []Key{"p:null:v1", "p:'':v1", "p:[null]:v1", "p:0:v1", "p:false:v1"} {
		if _, _, err := ParseKey(template, key); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
}
