package canon

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// mustParse reads a text that is known to be good.
func mustParse(t testing.TB, text string) *Value {
	t.Helper()
	v, faults := Parse([]byte(text), Limits{})
	if len(faults) > 0 {
		t.Fatalf("%s: %v", text, faults)
	}
	return v
}

func TestParseRefuses(t *testing.T) {
	deep := func(n int) string {
		return strings.Repeat(`{"d":`, n-1) + `[]` + strings.Repeat(`}`, n-1)
	}
	for _, c := range []struct {
		text    string
		pointer string
		reason  Reason
	}{
		{``, "", ReasonSyntax},
		{"\ufeff{}", "", ReasonSyntax},
		{`{"a":NaN}`, "/a", ReasonSyntax},
		{`{"a":-Infinity}`, "/a", ReasonSyntax},
		{`{"a":nulL}`, "/a", ReasonSyntax},
		{`{"a":01}`, "/a", ReasonSyntax},
		{`{"a":-01}`, "/a", ReasonSyntax},
		{`{"a":1.}`, "/a", ReasonSyntax},
		{`{"a":.5}`, "/a", ReasonSyntax},
		{`{"a":+1}`, "/a", ReasonSyntax},
		{`{"a":1e}`, "/a", ReasonSyntax},
		{`{"a":1e+}`, "/a", ReasonSyntax},
		{`{"a":-}`, "/a", ReasonSyntax},
		{`{"a":0x10}`, "", ReasonSyntax},
		{`{"a":1,}`, "", ReasonSyntax},
		{`{"a" 1}`, "/a", ReasonSyntax},
		{`{a:1}`, "", ReasonSyntax},
		{`{"a":[1,]}`, "/a/1", ReasonSyntax},
		{`{"a":[1 2]}`, "/a", ReasonSyntax},
		{`{"a":'x'}`, "/a", ReasonSyntax},
		{`{"a":"x`, "/a", ReasonSyntax},
		{`{"a":"\x41"}`, "/a", ReasonSyntax},
		{`{"a":"\u12"}`, "/a", ReasonSyntax},
		{`{"a":"\u+123"}`, "/a", ReasonSyntax},
		{"{\"a\":\"x\ty\"}", "/a", ReasonSyntax},
		{"{\"a\":\"x\x00y\"}", "/a", ReasonSyntax},
		{`{"a":1} /* no */`, "", ReasonTrailingText},
		{`{"a":1}{"a":1}`, "", ReasonTrailingText},
		{`{"a":1,"a":2}`, "/a", ReasonDuplicateName},
		{`{"x":[{"a":1,"\u0061":1}]}`, "/x/0/a", ReasonDuplicateName},
		{`{"a/b~c":{"k":1,"k":1}}`, "/a~1b~0c/k", ReasonDuplicateName},
		{`{"a":"\ud83d"}`, "/a", ReasonLoneSurrogate},
		{`{"a":"\ude00"}`, "/a", ReasonLoneSurrogate},
		{`{"a":"\ud83d\u0041"}`, "/a", ReasonLoneSurrogate},
		{`{"a":"\ud83d\ud83d\ude00"}`, "/a", ReasonLoneSurrogate},
		{`{"a":"\ude00\ud83d"}`, "/a", ReasonLoneSurrogate},
		{`{"\ud83d":1}`, "/\ufffd", ReasonLoneSurrogate},
		{`{"a":"x\u0000"}`, "/a", ReasonNulCharacter},
		{`{"x\u0000":1}`, "/x\ufffd", ReasonNulCharacter},
		{"{\"a\":[\"caf\xe9\"]}", "/a/0", ReasonInvalidUTF8},
		{"{\"a\":\"\xed\xa0\x80\"}", "/a", ReasonInvalidUTF8}, // a surrogate in UTF-8
		{"{\"a\":\"\xc0\x80\"}", "/a", ReasonInvalidUTF8},     // an overlong NUL
		{`{"a":9007199254740993}`, "/a", ReasonNumberChanged},
		{`{"a":-9007199254740993}`, "/a", ReasonNumberChanged},
		{`{"a":9007199254740993.0}`, "/a", ReasonNumberChanged},
		{`{"a":900719925474099.3e1}`, "/a", ReasonNumberChanged},
		{`{"a":90071992547409930e-1}`, "/a", ReasonNumberChanged},
		{`{"a":9007199254740992.5}`, "/a", ReasonNumberChanged},
		{`{"a":1.00000000000000000001}`, "/a", ReasonNumberChanged},
		{`{"a":295147905179352825856}`, "/a", ReasonNumberChanged},
		{`{"a":2512292042121000001}`, "/a", ReasonNumberChanged},
		{`{"a":1e400}`, "/a", ReasonNumberOverflow},
		{`{"a":-1e309}`, "/a", ReasonNumberOverflow},
		{`{"a":1e99999999999999999999}`, "/a", ReasonNumberOverflow},
		{`{"a":1e-400}`, "/a", ReasonNumberUnderflow},
		{`{"a":1e-99999999999999999999}`, "/a", ReasonNumberUnderflow},
		{`{"a":` + strings.Repeat("1", MaxNumberBytes+1) + `}`, "/a", ReasonTooLarge},
		{`{"` + strings.Repeat("n", MaxNameBytes+1) + `":1}`, "", ReasonTooLarge},
		{deep(MaxDepth + 1), strings.Repeat("/d", MaxDepth), ReasonTooDeep},
		{strings.Repeat("[", 100_000), strings.Repeat("/0", MaxDepth), ReasonTooDeep},
		{`"` + strings.Repeat("x", MaxBytes) + `"`, "", ReasonTooLarge},
		{`[` + strings.Repeat("1,", MaxValues) + `1]`, "/" + fmt.Sprint(MaxValues-1), ReasonTooLarge},
	} {
		v, faults := Parse([]byte(c.text), Limits{})
		if v != nil || len(faults) == 0 {
			t.Errorf("%.60q is accepted", c.text)
			continue
		}
		if f := faults[0]; f.Pointer != c.pointer || f.Reason != c.reason || f.Message == "" {
			t.Errorf("%.60q: got %q %s (%s), want %q %s", c.text, f.Pointer, f.Reason, f.Message, c.pointer, c.reason)
		}
	}
	mustParse(t, deep(MaxDepth))
	mustParse(t, `{"a":[0e99999999999999999999,-0.0,5e-324,1.7976931348623157e308,2512292042121000000,9007199254740992]}`)
}

func TestParseNamesEveryFault(t *testing.T) {
	_, faults := Parse([]byte(`{"a":9007199254740993,"b":{"c":1,"c":2},"d":["\ud800"],"e":1e400}`), Limits{})
	var got []string
	for _, f := range faults {
		got = append(got, f.Pointer)
	}
	if strings.Join(got, " ") != "/a /b/c /d/0 /e" {
		t.Errorf("faults at %v", got)
	}
	many := `[` + strings.Repeat("1e400,", 100) + `1]`
	if _, faults := Parse([]byte(many), Limits{}); len(faults) != MaxFaults {
		t.Errorf("%d faults, want %d", len(faults), MaxFaults)
	}
}

// Messages may be logged, so none quotes what was sent.
func TestFaultsNeverQuoteValues(t *testing.T) {
	for _, text := range []string{`{"a":"S3CRET\ud800"}`, `{"a":8675309867530986753}`, `{"a":S3CRET}`, `{"a":"S3CRET` + "\x01" + `"}`} {
		if _, faults := Parse([]byte(text), Limits{}); strings.Contains(faults.Error(), "S3CRET") || strings.Contains(faults.Error(), "867530") {
			t.Errorf("%s: %v", text, faults)
		}
	}
	n, faults := Compile(Rules{Fields: map[string]Rule{
		"/money": {Kind: RuleMoney, Form: FormMajor, Currency: "USD"}, "/time": {Kind: RuleTimestamp, Precision: PrecisionSecond},
		"/date": {Kind: RuleDate}, "/enum": {Kind: RuleEnum, Values: []string{"a"}}, "/email": {Kind: RuleEmail},
		"/phone": {Kind: RulePhone}, "/number": {Kind: RuleNumber}, "/set": {Kind: RuleSet},
	}})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	members := map[string]*Value{}
	for _, name := range []string{"money", "time", "date", "enum", "email", "phone", "number", "set"} {
		members[name] = String("S3CRET")
	}
	_, faults = n.Normalize(Object(members), nil)
	if len(faults) != len(members) || strings.Contains(faults.Error(), "S3CRET") {
		t.Errorf("%d faults, want %d: %v", len(faults), len(members), faults)
	}
}

func TestFromStructNumber(t *testing.T) {
	for _, c := range []struct {
		f    float64
		text string
		ok   bool
	}{
		{1, "1", true}, {-0.5, "-0.5", true}, {math.Copysign(0, -1), "0", true}, {1e-7, "1e-7", true},
		{9007199254740991, "9007199254740991", true}, {-9007199254740991, "-9007199254740991", true},
		{9007199254740992, "", false}, {-9007199254740992, "", false}, {1e21, "", false},
		{math.NaN(), "", false}, {math.Inf(1), "", false}, {math.Inf(-1), "", false},
	} {
		v, faults := FromStructNumber("/contact_id", c.f)
		if ok := len(faults) == 0; ok != c.ok || (ok && string(v.Canonical()) != c.text) {
			t.Errorf("%v: %v, %v", c.f, v, faults)
		}
		if !c.ok && (len(faults) != 1 || faults[0].Pointer != "/contact_id") {
			t.Errorf("%v: the fault does not name the pointer: %v", c.f, faults)
		}
	}
}

func TestCheckFindsWhatParseRefuses(t *testing.T) {
	for reason, v := range map[Reason]*Value{
		ReasonNulCharacter:  String("a\x00"),
		ReasonInvalidUTF8:   Array(String("caf\xe9")),
		ReasonNumberChanged: Object(map[string]*Value{"n": Int(FirstUnsafe + 1)}),
	} {
		if faults := Check(v, Limits{}); len(faults) != 1 || faults[0].Reason != reason {
			t.Errorf("want %s, got %v", reason, faults)
		}
	}
	if faults := Check(Object(map[string]*Value{"n": Int(FirstUnsafe - 1), "s": String("é\n")}), Limits{}); len(faults) > 0 {
		t.Error(faults)
	}
}

func TestPointers(t *testing.T) {
	v := mustParse(t, `{"a/b":{"~":[{"x":1},{"x":2},{"y":3}]},"*":5,"01":6}`)
	for pointer, want := range map[string]string{
		"": string(v.Canonical()), "/a~1b/~0/1/x": "2", "/*": "5", "/01": "6",
	} {
		if got, ok := v.Lookup(pointer); !ok || string(got.Canonical()) != want {
			t.Errorf("%s: %v", pointer, got)
		}
	}
	for _, pointer := range []string{"a", "/a~1b/~0/01", "/a~1b/~0/-", "/a~1b/~0/3", "/none", "/a~2", "/a~", "/*/x"} {
		if got, ok := v.Lookup(pointer); ok {
			t.Errorf("%s finds %s", pointer, got.Canonical())
		}
	}
	for _, text := range []string{"a", "~0", "/~", "/~2", "/a~", "/a~2", "/~0~", "/~1~2", "/a/~/b"} {
		if p, err := ParsePointer(text); err == nil {
			t.Errorf("%s is read as %q", text, p)
		}
	}
	for text, want := range map[string]string{
		"/a~1b/~0/*/x": "[/a~1b/~0/0/x=1 /a~1b/~0/1/x=2]", "/a~1b/~0/1/x": "[/a~1b/~0/1/x=2]", "/01": "[/01=6]",
		"/*": "[]", "/01/*": "[]", "/a~1b/~0/3": "[]", "/a~1b/~0/x": "[]", // * stands for items only
	} {
		pattern, err := ParsePointer(text)
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, f := range v.Select(pattern) {
			got = append(got, f.Pointer.String()+"="+string(f.Value.Canonical()))
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s selects %v, want %s", text, got, want)
		}
	}
}
