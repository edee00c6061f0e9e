package canon

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func mustCompile(t testing.TB, rules Rules) *Normalizer {
	t.Helper()
	n, faults := Compile(rules)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return n
}

func mustNormalize(t testing.TB, n *Normalizer, text string) *Normalized {
	t.Helper()
	out, faults := n.Normalize(mustParse(t, text), testHasher)
	if len(faults) > 0 {
		t.Fatalf("%s: %v", text, faults)
	}
	return out
}

func testHasher(pointer string, canonical []byte) string {
	return "test:" + Fingerprint([]byte(pointer + string(canonical)))[7:15]
}

// one normalizes a single value under a single rule, and gives its canonical form or the reason of its refusal.
func one(t testing.TB, rule Rule, value string) string {
	t.Helper()
	n := mustCompile(t, Rules{Fields: map[string]Rule{"/v": rule}})
	out, faults := n.Normalize(mustParse(t, `{"v":`+value+`}`), nil)
	if len(faults) > 0 {
		if faults[0].Pointer != "/v" {
			t.Errorf("%s: the fault names %q", value, faults[0].Pointer)
		}
		return string(faults[0].Reason)
	}
	got, _ := out.Identity.Lookup("/v")
	return string(got.Canonical())
}

func TestKinds(t *testing.T) {
	usd := Rule{Kind: RuleMoney, Form: FormMajor, Currency: "USD"}
	cents := Rule{Kind: RuleMoney, Form: FormMinor, Currency: "USD"}
	amount := func(minor, currency string) string { return `{"currency":"` + currency + `","minor":"` + minor + `"}` }
	us := Rule{Kind: RulePhone, Region: "US"}
	de := Rule{Kind: RulePhone, Region: "DE"}
	mail := Rule{Kind: RuleEmail}
	milli := Rule{Kind: RuleTimestamp, Precision: PrecisionMilli}
	for _, c := range []struct {
		rule  Rule
		value string
		want  string
	}{
		{usd, `"-0.00"`, amount("0", "USD")}, {usd, `-1.50`, amount("-150", "USD")}, {usd, `1e2`, amount("10000", "USD")},
		{usd, `"007.10"`, amount("710", "USD")}, {usd, `"1e2"`, "MALFORMED"}, {usd, `".5"`, "MALFORMED"}, {usd, `"5."`, "MALFORMED"},
		{usd, `"+5"`, "MALFORMED"}, {usd, `"$5"`, "MALFORMED"}, {usd, `" 5"`, "MALFORMED"}, {usd, `"5\n"`, "MALFORMED"}, {usd, `""`, "MALFORMED"},
		{usd, `"NaN"`, "MALFORMED"}, {usd, `"٥"`, "MALFORMED"}, {usd, `true`, "WRONG_TYPE"}, {usd, `null`, `null`}, {usd, `1e-300`, "TOO_FINE"},
		{usd, `"9999999999999999.99"`, amount("999999999999999999", "USD")}, {usd, `"10000000000000000.00"`, "TOO_LARGE"}, {usd, `1e300`, "TOO_LARGE"},
		{cents, `"4900"`, amount("4900", "USD")}, {cents, `"4900.00"`, "MALFORMED"}, {cents, `4.9e3`, amount("4900", "USD")}, {cents, `-1`, amount("-1", "USD")},
		{Rule{Kind: RuleMoney, Form: FormMajor, Currency: "CLF"}, `"0.0001"`, amount("1", "CLF")},

		{milli, `"2026-03-01t09:00:00z"`, `"2026-03-01T09:00:00.000Z"`}, {milli, `"2026-03-01 09:00:00Z"`, "MALFORMED"},
		{milli, `"2026-03-01T24:00:00Z"`, "NO_SUCH_TIME"}, {milli, `"2026-02-29T00:00:00Z"`, "NO_SUCH_TIME"}, {milli, `"2026-03-01T09:00:60Z"`, "NO_SUCH_TIME"},
		{milli, `"2026-03-01T09:00:00+24:00"`, "MALFORMED"}, {milli, `"2026-03-01T09:00:00"`, "NO_OFFSET"}, {milli, `"2026-03-01T09:00:00,5Z"`, "MALFORMED"},
		{milli, `"2026-03-01T09:00:00.0000000000001Z"`, "TOO_FINE"}, {milli, `"2026-03-01T09:00:00.0000000000000Z"`, `"2026-03-01T09:00:00.000Z"`},
		{milli, `"0001-01-01T00:00:00+01:00"`, "NO_SUCH_TIME"}, {milli, `1772355600`, "WRONG_TYPE"},
		{Rule{Kind: RuleTimestamp, Precision: PrecisionSecond, Excess: ExcessTruncate}, `"1969-12-31T23:59:59.9Z"`, `"1969-12-31T23:59:59Z"`},
		{Rule{Kind: RuleTimestamp, Precision: PrecisionNano}, `"2026-03-01T09:00:00.123456789Z"`, `"2026-03-01T09:00:00.123456789Z"`},
		{Rule{Kind: RuleDate}, `"2024-02-29"`, `"2024-02-29"`}, {Rule{Kind: RuleDate}, `"2026-2-1"`, "MALFORMED"}, {Rule{Kind: RuleDate}, `"2026-00-10"`, "NO_SUCH_TIME"},

		{Rule{Kind: RuleIdentifier, Trim: true, Case: CaseUpper}, `"\u00a0aé "`, `"Aé"`}, {Rule{Kind: RuleIdentifier}, `""`, "EMPTY"}, {Rule{Kind: RuleIdentifier}, `" x"`, `" x"`},
		{Rule{Kind: RuleIdentifier, Case: CaseLower}, `"\u0130I\u212a"`, `"` + "\u0130i\u212a" + `"`}, // no locale, and no Kelvin sign made a k
		{Rule{Kind: RuleText, Whitespace: WhitespaceCollapse}, `"\u2003a\r\n\tb\u3000"`, `"a b"`}, {Rule{Kind: RuleText, Newlines: NewlinesLF}, `"a\r\rb\r\n"`, `"a\n\nb\n"`},
		{Rule{Kind: RuleNumber}, `"1"`, "WRONG_TYPE"}, {Rule{Kind: RuleList}, `{}`, "WRONG_TYPE"}, {Rule{Kind: RuleSet}, `[3,1,"1",1.0]`, `["1",1,3]`},

		{mail, `"Kim@BÜCHER.example"`, `"Kim@xn--bcher-kva.example"`}, {mail, `"kim@xn--bcher-kva.example"`, `"kim@xn--bcher-kva.example"`},
		{mail, `"Kim Roe <kim@example.com>"`, "DISPLAY_NAME"}, {mail, `"kim"`, "MALFORMED"}, {mail, `"@example.com"`, "MALFORMED"}, {mail, `"kim@"`, "MALFORMED"},
		{mail, `"a@b@example.com"`, "MALFORMED"}, {mail, `"a@example.com,b@example.com"`, "MALFORMED"}, {mail, `"a b@example.com"`, "MALFORMED"},
		{mail, `"a@exa mple.com"`, "MALFORMED"}, {mail, `"a@example.com."`, "MALFORMED"}, {mail, `"a@[192.0.2.1]"`, "MALFORMED"}, {mail, `"a@-x.example"`, "MALFORMED"},
		{mail, `"a.b+c@Straße.example"`, `"a.b+c@xn--strae-oqa.example"`}, // non-transitional: ß is a letter of its own

		{us, `"+1 (234) 567-8901"`, `"+12345678901"`}, {us, `"1-234-567-8901"`, `"+12345678901"`}, {us, `"234.567.8901 ext. 012"`, `"+12345678901;ext=012"`},
		{us, `"2345678901x12"`, `"+12345678901;ext=12"`}, {us, `"011 49 30 123456"`, `"+4930123456"`}, {us, `"567-8901"`, "MALFORMED"}, {us, `"1234567890"`, "MALFORMED"},
		{us, `"0234567890"`, "MALFORMED"}, {us, `"1-800-FLOWERS"`, "MALFORMED"}, {us, `""`, "MALFORMED"}, {us, `"+"`, "MALFORMED"}, {us, `"٢345678901"`, "MALFORMED"},
		{de, `"030 / 123 456"`, `"+4930123456"`}, {de, `"0049 30 123456"`, `"+4930123456"`}, {de, `"+49 (0) 30 123456"`, "MALFORMED"}, {de, `"+49 030 123456"`, "MALFORMED"},
		{de, `"30 123456"`, "MALFORMED"}, {de, `"4930123456"`, "MALFORMED"}, {Rule{Kind: RulePhone}, `"030 123456"`, "NO_REGION"},
		{Rule{Kind: RulePhone, Region: "IN"}, `"98765 43210"`, `"+919876543210"`}, {Rule{Kind: RulePhone, Region: "IN"}, `"919876543210"`, "MALFORMED"},
		{Rule{Kind: RulePhone}, `"+1234567890123456"`, "MALFORMED"},
	} {
		if got := one(t, c.rule, c.value); got != c.want {
			t.Errorf("%s %s: got %s, want %s", c.rule.Kind, c.value, got, c.want)
		}
	}
}

// Buckets cut time without a gap and without an overlap, also where clocks change by half an hour, in the middle of an
// hour, or at midnight; and no zone file of the machine has a say.
func TestBuckets(t *testing.T) {
	for _, zone := range []string{"UTC", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Sao_Paulo", "Pacific/Apia", "Africa/Monrovia"} {
		location, known := loadZone(zone)
		if !known {
			t.Fatal(zone)
		}
		for _, from := range []time.Time{
			time.Date(2026, 3, 7, 0, 0, 0, 0, time.UTC), time.Date(2026, 4, 4, 0, 0, 0, 0, time.UTC), time.Date(2026, 10, 31, 0, 0, 0, 0, time.UTC),
			time.Date(2018, 11, 3, 0, 0, 0, 0, time.UTC), time.Date(2011, 12, 29, 0, 0, 0, 0, time.UTC), time.Date(1972, 1, 6, 0, 0, 0, 0, time.UTC),
		} {
			last := startOfHour(from, location)
			for m := range 72 * 60 {
				at := from.Add(time.Duration(m) * time.Minute)
				start := startOfHour(at, location)
				if start.After(at) || start.Before(last) || start.In(location).Minute() != 0 {
					t.Fatalf("%s: %s lies in the hour that begins at %s, after one that begins at %s", zone, at, start.In(location), last)
				}
				if local := at.In(location); local.Minute() == 0 && local.Second() == 0 && !start.Equal(at) {
					t.Fatalf("%s: a full hour, %s, begins no bucket", zone, local)
				}
				last = start
			}
		}
	}
	newYork, _ := loadZone("America/New_York")
	berlin, _ := loadZone("Europe/Berlin")
	for _, c := range []struct {
		text string
		unit Unit
		zone *time.Location
		want string
	}{
		{"2026-11-01T01:30:00-04:00", UnitHour, newYork, "2026-11-01T05:00:00Z"},
		{"2026-11-01T01:30:00-05:00", UnitHour, newYork, "2026-11-01T06:00:00Z"},
		{"2026-11-01T23:59:59.999-05:00", UnitDay, newYork, "2026-11-01"},
		{"2026-03-01T09:59:59.999999999Z", UnitHour, berlin, "2026-03-01T09:00:00Z"},
		{"2026-03-01T22:59:58Z", UnitDay, berlin, "2026-03-01"},
		{"2026-03-01T23:00:02Z", UnitDay, berlin, "2026-03-02"},
	} {
		if got, wrong := bucket(c.text, c.unit, c.zone); wrong != nil || got != c.want {
			t.Errorf("%s: %s, %v, want %s", c.text, got, wrong, c.want)
		}
	}
}

func TestNormalizedShowsWhatHappened(t *testing.T) {
	n := mustCompile(t, Rules{
		Fields: map[string]Rule{
			"/lines/*/price":    {Kind: RuleMoney, Form: FormMajor, CurrencyField: "/lines/*/currency"},
			"/lines/*/currency": {Kind: RuleEnum, Values: []string{"usd", "jpy"}, Case: CaseFold},
			"/lines/*/note":     {Kind: RuleIgnore},
			"/ctx":              {Kind: RuleIgnore},
			"/ref":              {Kind: RuleText},
			"/to":               {Kind: RuleSet, Of: &Rule{Kind: RuleEmail}},
			"/card":             {Kind: RuleIdentifier, Trim: true},
		},
		Null:      NullAbsent,
		Defaults:  map[string]*Value{"/capture": Bool(true), "/lines/*/currency": String("USD")},
		Sensitive: []string{"/card", "/ctx/ip", "/to/*", "/pin"},
	})
	out := mustNormalize(t, n, `{"lines":[{"price":"49.00","note":"gift"},{"price":500.0,"currency":"JPY"}],"ref":"cafe\u0301","memo":null,
		"to":["b@X.com","a@x.com","b@x.com"],"card":" 4111 ","ctx":{"ip":"192.0.2.1","at":1},"n":1.0,"pin":""}`)

	var got []string
	for _, c := range out.Changes {
		got = append(got, fmt.Sprintf("%s %s %s -> %s", c.Pointer, c.Rule, c.Before, c.After))
	}
	card, to := testHasher("/card", []byte(`"4111"`)), []string{testHasher("/to/*", []byte(`"b@x.com"`)), testHasher("/to/*", []byte(`"a@x.com"`))}
	ip := testHasher("/ctx/ip", []byte(`"192.0.2.1"`))
	sorted := slices.Sorted(slices.Values(to))
	want := []string{
		`/memo null null -> (absent)`,
		`/capture default (absent) -> true`,
		`/lines/0/currency default (absent) -> "USD"`,
		`/card sensitive (sensitive) -> "` + card + `"`,
		`/ctx ignore {"at":1,"ip":"` + ip + `"} -> (absent)`,
		`/lines/0/currency enum "USD" -> "usd"`,
		`/lines/0/note ignore "gift" -> (absent)`,
		`/lines/0/price money "49.00" -> {"currency":"USD","minor":"4900"}`,
		`/lines/1/currency enum "JPY" -> "jpy"`,
		`/lines/1/price money 500.0 -> {"currency":"JPY","minor":"500"}`,
		`/n rfc8785 1.0 -> 1`,
		`/ref text "cafe\u0301" -> "caf\u00e9"`,
		`/to/0 sensitive (sensitive) -> "` + to[0] + `"`,
		`/to/1 sensitive (sensitive) -> "` + to[1] + `"`,
		`/to/2 sensitive (sensitive) -> "` + to[0] + `"`,
		`/to set ["` + to[0] + `","` + to[1] + `","` + to[0] + `"] -> ["` + sorted[0] + `","` + sorted[1] + `"]`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("changes\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if fmt.Sprint(out.Money) != "map[/lines/0/price:{4900 USD} /lines/1/price:{500 JPY}]" {
		t.Errorf("money %v", out.Money)
	}
	if fmt.Sprint(out.Ignored) != `[{/ctx {"at":1,"ip":"`+ip+`"}} {/lines/0/note "gift"}]` {
		t.Errorf("ignored %v", out.Ignored)
	}
	all := string(out.Canonical()) + fmt.Sprint(out.Changes, out.Ignored)
	for _, secret := range []string{"4111", "192.0.2.1", "x.com", "X.com"} {
		if strings.Contains(all, secret) {
			t.Errorf("%s is shown", secret)
		}
	}
	if pin, _ := out.Identity.Lookup("/pin"); string(pin.Canonical()) != `""` {
		t.Error("an empty sensitive value is hashed, so a key would take it for a value")
	}
	if _, faults := n.Normalize(Object(nil), nil); len(faults) != 1 || faults[0].Reason != ReasonNoHasher {
		t.Errorf("without a hasher: %v", faults)
	}
}

func TestMoneyNeedsItsCurrency(t *testing.T) {
	n := mustCompile(t, Rules{Fields: map[string]Rule{
		"/amount": {Kind: RuleMoney, Form: FormMajor, CurrencyField: "/currency"}, "/currency": {Kind: RuleIdentifier, Trim: true},
	}})
	if got := mustNormalize(t, n, `{"amount":"1.5","currency":" kwd "}`).Money["/amount"]; got != (Amount{1500, "KWD"}) {
		t.Errorf("got %v", got)
	}
	for _, text := range []string{`{"amount":1}`, `{"amount":1,"currency":null}`, `{"amount":1,"currency":"XXX"}`, `{"amount":1,"currency":" "}`} {
		_, faults := n.Normalize(mustParse(t, text), nil)
		if len(faults) == 0 || faults[0].Pointer != "/amount" || faults[0].Reason != ReasonUnknownCurrency {
			t.Errorf("%s: %v", text, faults)
		}
	}
}

// TestAnAmountsFaultTellsWhatToSend: who sends minor units is not told to send major ones, nor the other way about.
func TestAnAmountsFaultTellsWhatToSend(t *testing.T) {
	for _, c := range []struct {
		form         Form
		value, words string
	}{
		{FormMinor, `"49.00"`, "whole number of minor units"}, {FormMajor, `"49,00"`, "decimal in major units"},
		{FormMinor, `4900.5`, "whole number of minor units"}, {FormMajor, `"49.005"`, "finer than the smallest unit of USD"},
	} {
		n := mustCompile(t, Rules{Fields: map[string]Rule{"/a": {Kind: RuleMoney, Form: c.form, Currency: "USD"}}})
		if _, faults := n.Normalize(mustParse(t, `{"a":`+c.value+`}`), nil); len(faults) != 1 || !strings.Contains(faults[0].Message, c.words) {
			t.Errorf("%s of %s units: %v, want %q", c.value, c.form, faults, c.words)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	usd := Rule{Kind: RuleMoney, Form: FormMajor, Currency: "USD"}
	fields := func(list ...any) map[string]Rule {
		m := map[string]Rule{}
		for i := 0; i < len(list); i += 2 {
			m[list[i].(string)] = list[i+1].(Rule)
		}
		return m
	}
	for name, c := range map[string]struct {
		rules   Rules
		pointer string
		reason  Reason
	}{
		"a pointer without slash": {Rules{Fields: fields("a", Rule{Kind: RuleText})}, "a", ReasonBadPointer},
		"a bad escape":            {Rules{Sensitive: []string{"/a~2"}}, "/a~2", ReasonBadPointer},
		"the whole document":      {Rules{Fields: fields("", Rule{Kind: RuleText})}, "", ReasonBadPointer},
		"an unknown kind":         {Rules{Fields: fields("/a", Rule{Kind: "url"})}, "/a", ReasonBadRule},
		"an option astray":        {Rules{Fields: fields("/a", Rule{Kind: RuleText, Zone: "UTC"})}, "/a", ReasonBadRule},
		"an unknown null option":  {Rules{Null: "maybe"}, "", ReasonBadRule},
		"money without form":      {Rules{Fields: fields("/a", Rule{Kind: RuleMoney, Currency: "USD"})}, "/a", ReasonBadRule},
		"money without currency":  {Rules{Fields: fields("/a", Rule{Kind: RuleMoney, Form: FormMajor})}, "/a", ReasonBadRule},
		"an unknown currency":     {Rules{Fields: fields("/a", Rule{Kind: RuleMoney, Form: FormMajor, Currency: "usd"})}, "/a", ReasonUnknownCurrency},
		"a currency without rule": {Rules{Fields: fields("/a", Rule{Kind: RuleMoney, Form: FormMajor, CurrencyField: "/c"})}, "/a", ReasonConflict},
		"a currency ignored":      {Rules{Fields: fields("/a", Rule{Kind: RuleMoney, Form: FormMajor, CurrencyField: "/c"}, "/c", Rule{Kind: RuleIgnore})}, "/a", ReasonConflict},
		"an enum of no currency":  {Rules{Fields: fields("/a", Rule{Kind: RuleMoney, Form: FormMajor, CurrencyField: "/c"}, "/c", Rule{Kind: RuleEnum, Values: []string{"USD", "XAU"}})}, "/c", ReasonUnknownCurrency},
		"currencies of other items": {Rules{Fields: fields("/a", Rule{Kind: RuleMoney, Form: FormMajor, CurrencyField: "/l/*/c"},
			"/l/*/c", Rule{Kind: RuleIdentifier})}, "/a", ReasonConflict},
		"no precision":               {Rules{Fields: fields("/a", Rule{Kind: RuleTimestamp})}, "/a", ReasonBadRule},
		"an unknown zone":            {Rules{Fields: fields("/a", Rule{Kind: RuleBucket, Unit: UnitDay, Zone: "Local"})}, "/a", ReasonUnknownZone},
		"no zone":                    {Rules{Fields: fields("/a", Rule{Kind: RuleBucket, Unit: UnitDay})}, "/a", ReasonUnknownZone},
		"an unknown unit":            {Rules{Fields: fields("/a", Rule{Kind: RuleBucket, Unit: "week", Zone: "UTC"})}, "/a", ReasonBadRule},
		"an enum without values":     {Rules{Fields: fields("/a", Rule{Kind: RuleEnum})}, "/a", ReasonBadRule},
		"two words that fold alike":  {Rules{Fields: fields("/a", Rule{Kind: RuleEnum, Case: CaseFold, Values: []string{"a", "A"}})}, "/a", ReasonConflict},
		"an alias to nothing":        {Rules{Fields: fields("/a", Rule{Kind: RuleEnum, Values: []string{"a"}, Aliases: map[string]string{"b": "c"}})}, "/a", ReasonBadRule},
		"an unknown region":          {Rules{Fields: fields("/a", Rule{Kind: RulePhone, Region: "us"})}, "/a", ReasonBadRule},
		"items ignored":              {Rules{Fields: fields("/a/*", Rule{Kind: RuleIgnore})}, "/a/*", ReasonBadRule},
		"a bad rule of items":        {Rules{Fields: fields("/a", Rule{Kind: RuleSet, Of: &Rule{Kind: RuleIgnore}})}, "/a", ReasonBadRule},
		"two rules for items":        {Rules{Fields: fields("/a", Rule{Kind: RuleSet, Of: &Rule{Kind: RuleText}}, "/a/*", Rule{Kind: RuleText})}, "/a/*", ReasonConflict},
		"two rules on one item":      {Rules{Fields: fields("/a/*/x", Rule{Kind: RuleText}, "/a/0/x", Rule{Kind: RuleDate})}, "/a/0/x", ReasonConflict},
		"an index into a set":        {Rules{Fields: fields("/a", Rule{Kind: RuleSet}, "/a/0", Rule{Kind: RuleText})}, "/a/0", ReasonConflict},
		"a rule beneath a scalar":    {Rules{Fields: fields("/a", usd, "/a/b", Rule{Kind: RuleText})}, "/a/b", ReasonConflict},
		"a rule beneath nothing":     {Rules{Fields: fields("/a", Rule{Kind: RuleIgnore}, "/a/b/c", Rule{Kind: RuleText})}, "/a/b/c", ReasonConflict},
		"one seal twice":             {Rules{Sensitive: []string{"/a", "/a"}}, "/a", ReasonConflict},
		"a default for an item":      {Rules{Defaults: map[string]*Value{"/a/*": Null()}}, "/a/*", ReasonBadRule},
		"a default of null":          {Rules{Null: NullAbsent, Defaults: map[string]*Value{"/a": Null()}}, "/a", ReasonConflict},
		"a default ignored":          {Rules{Fields: fields("/a", Rule{Kind: RuleIgnore}), Defaults: map[string]*Value{"/a": Int(1)}}, "/a", ReasonConflict},
		"a default refused":          {Rules{Fields: fields("/a", usd), Defaults: map[string]*Value{"/a": String("1.005")}}, "/a", ReasonTooFine},
		"an item's default refused":  {Rules{Fields: fields("/a/*/d", Rule{Kind: RuleDate}), Defaults: map[string]*Value{"/a/*/d": String("x")}}, "/a/*/d", ReasonMalformed},
		"one item's default refused": {Rules{Fields: fields("/a/7/d", Rule{Kind: RuleDate}), Defaults: map[string]*Value{"/a/*/d": String("x")}}, "/a/*/d", ReasonMalformed},
		"a default that is no JSON":  {Rules{Defaults: map[string]*Value{"/a": String("\xff")}}, "/a", ReasonBadRule},
	} {
		n, faults := Compile(c.rules)
		if n != nil || len(faults) == 0 {
			t.Errorf("%s is accepted", name)
			continue
		}
		if f := faults[0]; f.Pointer != c.pointer || f.Reason != c.reason {
			t.Errorf("%s: %v, want %s at %s", name, faults, c.reason, c.pointer)
		}
	}
}

func TestDefaultsFillParentsFirst(t *testing.T) {
	n := mustCompile(t, Rules{Defaults: map[string]*Value{"/ship/speed": String("standard"), "/ship": Object(nil), "/l/*/q": Int(1)}})
	if got := string(mustNormalize(t, n, `{"l":[{},{"q":2},3,[]]}`).Canonical()); got != `{"l":[{"q":1},{"q":2},3,[]],"ship":{"speed":"standard"}}` {
		t.Error(got)
	}
	n = mustCompile(t, Rules{Defaults: map[string]*Value{"/a/b/c": Int(1), "/a/0": Int(2)}})
	for _, text := range []string{`{"a":5}`, `{"a":"x"}`, `{"a":null}`, `{"a":[]}`, `{"a":[5,{}]}`, `{}`} {
		if got := string(mustNormalize(t, n, text).Canonical()); got != text {
			t.Errorf("where no object stands, nothing is filled in: %s became %s", text, got)
		}
	}
	if got := string(mustNormalize(t, n, `{"a":{"b":{}}}`).Canonical()); got != `{"a":{"0":2,"b":{"c":1}}}` {
		t.Error(got)
	}
}

// Every currency of the table has three capital letters, and those that are often got wrong have their exponent.
func TestCurrencies(t *testing.T) {
	for code := range currencyExponents {
		if len(code) != 3 || asciiUpper(code) != code {
			t.Errorf("%q is no code", code)
		}
	}
	for code, want := range map[string]int{"USD": 2, "EUR": 2, "JPY": 0, "KRW": 0, "KWD": 3, "BHD": 3, "CLF": 4, "ISK": 0, "UGX": 0, "MGA": 2, "HUF": 2, "TND": 3} {
		if got, known := CurrencyExponent(code); !known || got != want {
			t.Errorf("%s: %d, %v", code, got, known)
		}
	}
	for _, code := range []string{"XAU", "XXX", "XTS", "BTC", "usd", ""} {
		if _, known := CurrencyExponent(code); known {
			t.Errorf("%q is known", code)
		}
	}
}
