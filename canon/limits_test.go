package canon

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestLimitsHoldToTheLastByte: what a limit names is accepted, and the next beyond it is refused.
func TestLimitsHoldToTheLastByte(t *testing.T) {
	for name, c := range map[string]struct {
		document func(n int) string
		limit    int
	}{
		"bytes":            {func(n int) string { return `"` + strings.Repeat("x", n-2) + `"` }, MaxBytes},
		"values":           {func(n int) string { return `[1` + strings.Repeat(",1", n-2) + `]` }, MaxValues},
		"bytes of a name":  {func(n int) string { return `{"` + strings.Repeat("n", n) + `":1}` }, MaxNameBytes},
		"digits":           {func(n int) string { return "1" + strings.Repeat("0", n-1) }, MaxNumberBytes},
		"depth of arrays":  {func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }, MaxDepth},
		"depth of objects": {func(n int) string { return strings.Repeat(`{"d":`, n) + "1" + strings.Repeat("}", n) }, MaxDepth},
	} {
		if _, faults := Parse([]byte(c.document(c.limit)), Limits{}); len(faults) > 0 {
			t.Errorf("%s, as many as may be: %v", name, faults)
		}
		if _, faults := Parse([]byte(c.document(c.limit+1)), Limits{}); len(faults) != 1 || (faults[0].Reason != ReasonTooLarge && faults[0].Reason != ReasonTooDeep) {
			t.Errorf("%s, one more: %v", name, faults)
		}
	}
	if _, faults := Parse([]byte(`[1,2,3]`), Limits{Values: 3}); len(faults) != 1 {
		t.Errorf("a limit of one's own: %v", faults)
	}
	if _, faults := Parse([]byte(`[1,2,3]`), Limits{Values: -1, Bytes: -1}); len(faults) > 0 {
		t.Errorf("a limit below zero is none: %v", faults)
	}
}

func TestStringsAreReadToTheEdges(t *testing.T) {
	for text, want := range map[string]string{
		`"\ud800\udc00"`: "\U00010000", `"\udbff\udfff"`: "\U0010ffff", `"\ud83d\udc00"`: "\U0001f400", `"\ud83d\udfff"`: "\U0001f7ff",
		"\"\ufffd\"": "\ufffd", "\" \"": " ", "\"\x7f\"": "\x7f", "\"\u0080\"": "\u0080", `"\u0001"`: "\x01", `"\uE000\ud7ff"`: "\ue000\ud7ff",
		`"\"\\\/\b\f\n\r\t"`: "\"\\/\b\f\n\r\t",
	} {
		if got, isText := mustParse(t, text).Text(); !isText || got != want {
			t.Errorf("%s is read as %+q", text, got)
		}
	}
	for text, reason := range map[string]Reason{
		`"\udc00\udc00"`: ReasonLoneSurrogate, `"\ud83d\ue000"`: ReasonLoneSurrogate, `"\ud83d\udbff"`: ReasonLoneSurrogate, `"\ud83dx"`: ReasonLoneSurrogate,
		"\"\x80\"": ReasonInvalidUTF8, "\"\xff\"": ReasonInvalidUTF8, "\"\x1f\"": ReasonSyntax, `"\ud83d\`: ReasonSyntax, `"\ud83d\u`: ReasonSyntax, `"\ud83d`: ReasonSyntax,
		`"\u123`: ReasonSyntax, `"\u1234`: ReasonSyntax, `"\`: ReasonSyntax, `"`: ReasonSyntax,
	} {
		if _, faults := Parse([]byte(text), Limits{}); len(faults) == 0 || faults[0].Reason != reason {
			t.Errorf("%s: %v, want %s", text, faults, reason)
		}
	}
}

// TestParseReadsNothingBehindItsText: what stands behind it in the same array is no part of the document.
func TestParseReadsNothingBehindItsText(t *testing.T) {
	for _, whole := range []string{`"\u1234"`, `"\ud83d\ude00"`, `"abc"`, `[1,2]`, `{"a":true}`, `-12.5e+10 `} {
		for n := range len(whole) {
			got, faults := Parse([]byte(whole)[:n], Limits{})
			want, alike := Parse(slices.Clip([]byte(whole[:n])), Limits{})
			if fmt.Sprint(faults) != fmt.Sprint(alike) || (got == nil) != (want == nil) || (got != nil && string(got.Canonical()) != string(want.Canonical())) {
				t.Errorf("%s is read as %v %v, want %v %v", whole[:n], got, faults, want, alike)
			}
		}
	}
}

// TestParseSaysWhatIsWrong: a text that was cut is told from one that is no JSON.
func TestParseSaysWhatIsWrong(t *testing.T) {
	for text, words := range map[string]string{
		``: "ends where a JSON value is due", `[`: "ends where a JSON value is due", `{"a":`: "ends where a JSON value is due",
		`nul`: "No JSON value begins here", `{"a":NaN}`: "No JSON value begins here", `['x']`: "No JSON value begins here",
		`"\u1234`: "ends inside a string", `"\u123`: "Four hexadecimal digits", `"\u123"`: "Four hexadecimal digits", `"\u12g4"`: "Four hexadecimal digits",
		`00`: "no leading zeros", `-00`: "no leading zeros", `05`: "no leading zeros", `09`: "no leading zeros", `[-01]`: "no leading zeros",
	} {
		if _, faults := Parse([]byte(text), Limits{}); len(faults) != 1 || faults[0].Reason != ReasonSyntax || !strings.Contains(faults[0].Message, words) {
			t.Errorf("%s: %v, want %q", text, faults, words)
		}
	}
}

// TestExponentsBeyondTheBoundAreOne: the exact form of a literal keeps an exponent up to exponentBound, on either side, and
// takes any beyond it for the bound.
func TestExponentsBeyondTheBoundAreOne(t *testing.T) {
	for literal, want := range map[string]int{
		"1e1048575": exponentBound - 1, "1e1048576": exponentBound, "1e+1048577": exponentBound, "1E99999999999999999999": exponentBound,
		"1e-1048575": 1 - exponentBound, "1e-1048576": -exponentBound, "1E-1048577": -exponentBound, "1e-99999999999999999999": -exponentBound,
	} {
		if got := decompose(literal); got != (decimal{digits: "1", exponent: want}) {
			t.Errorf("%s is %+v, want the exponent %d", literal, got, want)
		}
	}
}

func TestArrayIndexes(t *testing.T) {
	for token, want := range map[string]int{"0": 0, "9": 9, "10": 10, "123456789": 123456789} {
		if got, ok := arrayIndex(token); !ok || got != want {
			t.Errorf("%s is the index %d: %t", token, got, ok)
		}
	}
	for _, token := range []string{"", "00", "01", "1234567890", "-1", "+1", "1.0", "/", ":", "1/", "1:", "x", "*"} {
		if got, ok := arrayIndex(token); ok {
			t.Errorf("%s is the index %d", token, got)
		}
	}
}

func TestKindsHaveNames(t *testing.T) {
	for kind, want := range map[Kind]string{KindNull: "null", KindObject: "object", KindObject + 1: "kind " + strconv.Itoa(int(KindObject)+1)} {
		if kind.String() != want {
			t.Errorf("%d is %s", kind, kind)
		}
	}
}

func TestNumbersAndLiterals(t *testing.T) {
	if v, faults := Number("1.50"); len(faults) > 0 || v.Kind() != KindNumber {
		t.Error(faults)
	} else if literal, ok := v.Literal(); !ok || literal != "1.50" {
		t.Errorf("the literal is %s", literal)
	}
	for literal, reason := range map[string]Reason{`"1"`: ReasonWrongType, `true`: ReasonWrongType, `1 2`: ReasonTrailingText, `9007199254740993`: ReasonNumberChanged} {
		if v, faults := Number(literal); v != nil || len(faults) != 1 || faults[0].Reason != reason {
			t.Errorf("%s: %v", literal, faults)
		}
	}
	if _, ok := String("1").Literal(); ok {
		t.Error("a string has no literal")
	}
	if _, ok := Int(1).Text(); ok {
		t.Error("a number has no text")
	}
	if truth, ok := Bool(true).Bool(); !truth || !ok {
		t.Error("true is no truth")
	}
	if _, ok := Null().Bool(); ok || !Null().IsNull() || Int(0).IsNull() {
		t.Error("null is no truth")
	}
	if Array(Null(), Null()).Len() != 2 || Object(map[string]*Value{"a": Null()}).Len() != 1 || String("abc").Len() != 0 {
		t.Error("a length is wrong")
	}
}
