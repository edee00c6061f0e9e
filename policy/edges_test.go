package policy

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestPeriodsAreWrittenAsAPersonWould(t *testing.T) {
	for d, want := range map[time.Duration]string{
		day: "1d", 7 * day: "7d", 36 * time.Hour: "36h", time.Hour: "1h", 90 * time.Minute: "90m", time.Minute: "1m", 90 * time.Second: "1m30s", 1500 * time.Millisecond: "1.5s",
	} {
		if got := written(d); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestEscapedValuesHoldNoSignThatSeparates(t *testing.T) {
	const plain = "abmyzABMYZ0189_.@:+-"
	if got := escape(plain); got != plain {
		t.Errorf("%s became %s", plain, got)
	}
	if got, want := escape("`{[/~;,*%\x00\xff"), "%60%7B%5B%2F%7E%3B%2C%2A%25%00%FF"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for length, whole := range map[int]bool{maxReadable: true, maxReadable + 1: false} {
		if got := readable(strings.Repeat("x", length)); (len(got) == length) != whole || strings.HasPrefix(got, "~sha256-") == whole {
			t.Errorf("%d bytes are held as %s", length, got)
		}
	}
	for length, whole := range map[int]bool{MaxHistoryID: true, MaxHistoryID + 1: false} {
		if got := historyID("kind", strings.Repeat("x", length-len("kind/"))); (len(got) == length) != whole || strings.Contains(got, "~") == whole || !strings.HasPrefix(got, "kind/") {
			t.Errorf("an id of %d bytes is %s", length, got)
		}
	}
}

func TestWholeNumbers(t *testing.T) {
	for value, want := range map[any]struct {
		n  int64
		ok bool
	}{
		json.Number("7"): {7, true}, json.Number("-7"): {-7, true}, json.Number("1e3"): {1000, true}, json.Number("1.5"): {0, false}, json.Number("1e21"): {0, false},
		json.Number("9.007199254740991e15"): {1<<53 - 1, true}, json.Number("9.007199254740992e15"): {0, false}, json.Number("-9.007199254740992e15"): {0, false},
		json.Number("9223372036854775807"): {1<<63 - 1, true}, "7": {7, true}, "-7": {-7, true}, "07": {0, false}, "+7": {0, false}, "-0": {0, false}, "x": {0, false}, true: {0, false}, nil: {0, false},
	} {
		if n, ok := wholeNumber(value); ok != want.ok || (ok && n != want.n) {
			t.Errorf("%v is %d: %t", value, n, ok)
		}
	}
}

// TestNumbersAreReadByTheirShape: a whole number is an int, unless the schema says number; a fraction is never cut.
func TestNumbersAreReadByTheirShape(t *testing.T) {
	for _, c := range []struct {
		literal json.Number
		kind    ShapeKind // empty: nothing is known
		want    any
	}{
		{"2", "", int64(2)}, {"2", ShapeInteger, int64(2)}, {"2", ShapeAny, int64(2)}, {"2", ShapeNumber, 2.0},
		{"1.5", "", 1.5}, {"1.5", ShapeInteger, 1.5}, {"1.5", ShapeAny, 1.5}, {"1.5", ShapeNumber, 1.5}, {"1e400", "", "1e400"},
	} {
		var shape *Shape
		if c.kind != "" {
			shape = &Shape{Kind: c.kind}
		}
		if got := typed(c.literal, shape); got != c.want {
			t.Errorf("%s as %q: %v (%T), want %v", c.literal, c.kind, got, got, c.want)
		}
	}
}

func TestProblemsAreToldInALine(t *testing.T) {
	for want, p := range map[string]Problem{
		"r: deny.when:2:7: No. [bad_expression]": {Rule: "r", Path: "deny.when", Line: 2, Column: 7, Code: CodeSyntax, Message: "No."},
		"r: limit.max: No. [out_of_bounds]":      {Rule: "r", Path: "limit.max", Code: CodeBounds, Message: "No."},
		"r: (rule): No. [exactly_one_kind]":      {Rule: "r", Code: CodeOneKind, Message: "No."},
	} {
		if got := p.Error(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestErrorsOfExpressionsAreKeptShort(t *testing.T) {
	for length, whole := range map[int]bool{200: true, 201: false} {
		text := strings.Repeat("x", length)
		if got := shortened(errors.New(text)); (got == text) != whole || (!whole && got != text[:200]+"…") {
			t.Errorf("%d bytes become %d", length, len(got))
		}
	}
	if got := shortened(errors.New(strings.Repeat("x", 199) + "é")); got != strings.Repeat("x", 199)+"…" {
		t.Errorf("half a character is left in %q", got)
	}
}

// TestASwitchIsFoundBehindOthers: each switch of a namespace is asked, whatever those before it are about.
func TestASwitchIsFoundBehindOthers(t *testing.T) {
	s, _ := Compile(Config{Tools: []Tool{refundTool(ToolRules{}), goodwillTool(ToolRules{})}, Switches: []Switch{
		{Class: "IRREVERSIBLE", Paused: true}, {Shadow: true}, {Tool: "voucher.grant", Paused: true}, {Tool: "payment.refund", Paused: true}}})
	for tool, want := range map[string]string{"payment.refund": "the tool payment.refund is paused", "voucher.grant": "the tool voucher.grant is paused", "payment.lookup": ""} {
		if because, paused := s.Paused(tool); because != want || paused != (want != "") {
			t.Errorf("%s: %q, %t", tool, because, paused)
		}
	}
	if s.ToolVersion("payment.refund") != 3 || s.ToolVersion("unknown") != 0 {
		t.Error("the set has another version of the tool")
	}
}

func TestStandingApprovalsAdmitToTheLastUnit(t *testing.T) {
	for amount, want := range map[int64]bool{0: true, 1: true, 3000: true, 3001: false} {
		b := newBench(t, Config{Tools: []Tool{refundTool(ToolRules{Approval: &ApprovalNeed{Roles: []string{"lead"}}})}, Standing: []StandingTerms{leash(nil)}})
		if uses := b.bind(refund("op_1", amount)).Standing("payment.refund/approval"); (len(uses) == 1) != want || (want && uses[0].Amount != amount) {
			t.Errorf("%d: %+v", amount, uses)
		}
	}
	sum := int64(3000)
	for amount, want := range map[int64]bool{3000: true, 3001: false} {
		terms := leash(func(s *StandingTerms) { s.MaxAmount, s.MaxSum = nil, &sum })
		b := newBench(t, Config{Tools: []Tool{refundTool(ToolRules{Approval: &ApprovalNeed{Roles: []string{"lead"}}})}, Standing: []StandingTerms{terms}})
		if uses := b.bind(refund("op_1", amount)).Standing("payment.refund/approval"); (len(uses) == 1) != want {
			t.Errorf("%d of all: %+v", amount, uses)
		}
	}
}

// TestTheFirstOfEqualLimitsDecides: the order of the rules is the order of the answer where nothing else tells them apart.
func TestTheFirstOfEqualLimitsDecides(t *testing.T) {
	b := newBench(t, Config{Tools: []Tool{refundTool(ToolRules{Limits: []Limit{{Name: "b", Max: 1, Period: time.Hour}, {Name: "a", Max: 1, Period: time.Hour}, {Name: "short", Max: 1, Period: time.Minute}}})}})
	first := refund("op_1", 1)
	b.release(first)
	b.succeed(first)
	if v := b.expect(refund("op_2", 1), Later); v.Rule != "payment.refund/b" {
		t.Errorf("%s decides", v.Rule)
	}
}

// TestTheLimitThatMakesWaitLongestDecides: wherever it stands among the others; and a limit that waiting does not help
// with decides before all of them.
func TestTheLimitThatMakesWaitLongestDecides(t *testing.T) {
	at := func(name string, most int64, period time.Duration) Limit {
		return Limit{Name: name, SumOf: "/amount", Max: most, Period: period}
	}
	short, middle, long := at("short", 3, time.Minute), at("middle", 3, time.Hour), at("long", 3, day)
	small, smaller := at("small", 2, time.Hour), at("smaller", 1, time.Hour)
	for want, limits := range map[string][]Limit{
		"long":    {short, middle, long},
		"middle":  {short, middle},
		"small":   {short, small, long},
		"smaller": {short, smaller, small, long},
	} {
		b := newBench(t, Config{Tools: []Tool{refundTool(ToolRules{Limits: limits})}})
		first := refund("op_1", 3)
		b.release(first)
		b.succeed(first)
		if v := b.decision(refund("op_2", 3)); v.Rule != "payment.refund/"+want || (v.Outcome == Denied) != strings.HasPrefix(want, "small") {
			t.Errorf("%s %s decides, want %s", v.Rule, v.Outcome, want)
		}
	}
}

func TestHowManyPersonsAreAsked(t *testing.T) {
	for count, want := range map[int]string{1: "one person of", 2: "2 persons of"} {
		b := newBench(t, Config{Tools: []Tool{refundTool(ToolRules{Approval: &ApprovalNeed{Count: count, Roles: []string{"lead", "chief"}}})}})
		if v := b.expect(refund("op_1", 1), Ask); !strings.HasPrefix(v.Because, want+" the roles lead, chief must approve") {
			t.Errorf("%d: %s", count, v.Because)
		}
	}
}

func TestAmountsAreFoundByTheirPointer(t *testing.T) {
	arguments := refundTool(ToolRules{}).Arguments
	for pointer, says := range map[string]string{
		"": "cannot be read", "amount": "cannot be read", "/amount": "", "/amount/minor": "", "/amount/currency": "no currency", "/amount/minor/x": "no minor",
		"/lines/0/count": "", "/lines/x/count": "an array", "/lines/0/sku": "a string", "/lines": "an array", "/lines/0": "an object", "/points": "", "/points/x": "no x",
		"/meta/any/thing": "", "/anything/what": "", "/address/city": "a string", "/address/zip": "no zip", "/order_id": "a string",
	} {
		amount, message := compileAmount(pointer, arguments)
		if (says == "") != (message == "") || !strings.Contains(message, says) || (amount == nil) == (says == "") {
			t.Errorf("%s: %v, %q, want %q", pointer, amount, message, says)
		}
	}
	// An object that may have other fields beside those that it declares is still asked for the declared ones alone.
	for what, c := range map[string]struct {
		shape *Shape
		says  string
	}{
		"open, nothing declared":   {&Shape{Kind: ShapeObject, Open: true}, ""},
		"open, another declared":   {&Shape{Kind: ShapeObject, Open: true, Fields: map[string]*Shape{"y": integer}}, "no x"},
		"closed, nothing declared": {&Shape{Kind: ShapeObject}, "no x"},
	} {
		if _, message := compileAmount("/x", c.shape); (c.says == "") != (message == "") || !strings.Contains(message, c.says) {
			t.Errorf("%s: %q, want %q", what, message, c.says)
		}
	}
	args, _ := parseObject([]byte(`{"lines":[{"count":1},{"count":7}]}`))
	for pointer, want := range map[string]int64{"/lines/0/count": 1, "/lines/1/count": 7, "/lines/2/count": -1, "/lines/-1/count": -1} {
		at, _ := compileAmount(pointer, arguments)
		if at == nil {
			t.Fatal(pointer)
		}
		if amount, there, wrong := at.of(args); wrong || there != (want >= 0) || (there && amount != want) {
			t.Errorf("%s: %d, %t", pointer, amount, there)
		}
	}
}
