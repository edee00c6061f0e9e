package canon

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gowebpki/jcs"
	"pgregory.net/rapid"
)

// The samples of RFC 8785 appendix B: bits of a double, and its text.
func TestNumbersOfTheRFC(t *testing.T) {
	for bits, want := range map[uint64]string{
		0x0000000000000000: "0",
		0x8000000000000000: "0",
		0x0000000000000001: "5e-324",
		0x8000000000000001: "-5e-324",
		0x7fefffffffffffff: "1.7976931348623157e+308",
		0xffefffffffffffff: "-1.7976931348623157e+308",
		0x4340000000000000: "9007199254740992",
		0xc340000000000000: "-9007199254740992",
		0x4430000000000000: "295147905179352830000",
		0x44b52d02c7e14af5: "9.999999999999997e+22",
		0x44b52d02c7e14af6: "1e+23",
		0x44b52d02c7e14af7: "1.0000000000000001e+23",
		0x444b1ae4d6e2ef4e: "999999999999999700000",
		0x444b1ae4d6e2ef4f: "999999999999999900000",
		0x444b1ae4d6e2ef50: "1e+21",
		0x3eb0c6f7a0b5ed8c: "9.999999999999997e-7",
		0x3eb0c6f7a0b5ed8d: "0.000001",
		0x41b3de4355555553: "333333333.3333332",
		0x41b3de4355555554: "333333333.33333325",
		0x41b3de4355555555: "333333333.3333333",
		0x41b3de4355555556: "333333333.3333334",
		0x41b3de4355555557: "333333333.33333343",
		0xbecbf647612f3696: "-0.0000033333333333333333",
		0x43143ff3c1cb0959: "1424953923781206.2",
	} {
		if got := esNumber(math.Float64frombits(bits)); got != want {
			t.Errorf("%016x: %s, want %s", bits, got, want)
		}
	}
}

// The examples of RFC 8785 sections 3.2.2 (literals, strings, numbers) and 3.2.3 (the order of member names).
func TestTextsOfTheRFC(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"numbers\": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],\n" +
			"  \"string\": \"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\",\n  \"literals\": [null, true, false]\n}": "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27]," +
			"\"string\":\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}",
		"{\"\\u20ac\":\"Euro Sign\",\"\\r\":\"Carriage Return\",\"\\ufb33\":\"Hebrew Letter Dalet With Dagesh\",\"1\":\"One\"," +
			"\"\\ud83d\\ude00\":\"Emoji: Grinning Face\",\"\\u0080\":\"Control\",\"\\u00f6\":\"Latin Small Letter O With Diaeresis\"}": "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\",\"\u00f6\":\"Latin Small Letter O With Diaeresis\"," +
			"\"\u20ac\":\"Euro Sign\",\"\U0001f600\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}",
	} {
		if got := string(mustParse(t, text).Canonical()); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestASCII(t *testing.T) {
	v := mustParse(t, `{"éé":"cafe\u0301\u00a0\ud83d\ude00\u007f\uffff\n"}`)
	if got, want := v.ASCII(), `{"\u00e9\u00e9":"cafe\u0301\u00a0\ud83d\ude00\u007f\uffff\n"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Whatever another implementation of RFC 8785 makes of a document that we accept, we make of it too.
func TestAgreesWithAnotherImplementation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyValue(5).Draw(t, "value")
		ours := v.Canonical()
		theirs, err := jcs.Transform(append(append([]byte(`[`), ours...), ']'))
		if err != nil {
			t.Fatalf("%s: %v", ours, err)
		}
		if string(theirs) != "["+string(ours)+"]" {
			t.Fatalf("ours %s, theirs %s", ours, theirs)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		f := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		if math.IsNaN(f) || math.IsInf(f, 0) {
			t.Skip("JSON writes no such number")
		}
		theirs, err := jcs.NumberToJSON(f)
		if ours := esNumber(f); err != nil || ours != theirs {
			t.Fatalf("%v: ours %s, theirs %s, %v", f, ours, theirs, err)
		}
	})
}

func TestCanonicalIsAFixedPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := anyValue(5).Draw(t, "value")
		first := v.Canonical()
		again, faults := Parse(first, Limits{})
		if len(faults) > 0 {
			t.Fatalf("%s: %v", first, faults)
		}
		if second := again.Canonical(); string(second) != string(first) {
			t.Fatalf("%s became %s", first, second)
		}
		if d := Diff(v, again); d != nil {
			t.Fatalf("differs at %v", d)
		}
		if !v.Clone().Equal(v) {
			t.Fatal("a clone differs")
		}
	})
}

func TestDiff(t *testing.T) {
	a := mustParse(t, `{"amount":"10.00","lines":[1,2,{"q":1}],"same":{"x":[]},"only_a":null,"kind":[]}`)
	b := mustParse(t, `{"amount":"1000.00","lines":[1,3,{"q":1.0},4],"same":{"x":[]},"only/b":0,"kind":{}}`)
	want := []string{"/amount", "/kind", "/lines/1", "/lines/3", "/only_a", "/only~1b"}
	for range 2 {
		if got := Diff(a, b); len(got) != len(want) {
			t.Fatalf("got %v, want %v", got, want)
		} else {
			for i := range want {
				if got[i] != want[i] {
					t.Errorf("got %v, want %v", got, want)
				}
			}
		}
		a, b = b, a
	}
	if got := Diff(a, a); got != nil {
		t.Errorf("a value differs from itself at %v", got)
	}
	if got := Diff(Int(1), String("1")); len(got) != 1 || got[0] != "" {
		t.Errorf("two scalars differ at %q", got)
	}
	long := Array()
	for range 2 * MaxDifferences {
		long.items = append(long.items, Null())
	}
	if got := Diff(Array(), long); len(got) != MaxDifferences {
		t.Errorf("%d differences are named", len(got))
	}
}

// anyValue draws values that Parse accepts.
func anyValue(depth int) *rapid.Generator[*Value] {
	text := rapid.StringOf(rapid.OneOf(
		rapid.RuneFrom([]rune("ab/~*%:'\"\\\n\t\u007f\u0080é\u0301\ud7ff\ue000\ufb33\uffff😀\U0010ffff1[{")),
		rapid.Rune().Filter(func(r rune) bool { return r != 0 })))
	leaf := rapid.OneOf(
		rapid.Just(Null()),
		rapid.Map(rapid.Bool(), Bool),
		rapid.Map(text, String),
		rapid.Map(rapid.Int64Range(-FirstUnsafe+1, FirstUnsafe-1), Int),
		rapid.Map(rapid.Float64().Filter(func(f float64) bool {
			return !math.IsNaN(f) && !math.IsInf(f, 0)
		}), func(f float64) *Value { return &Value{kind: KindNumber, text: esNumber(f)} }),
	)
	if depth == 0 {
		return leaf
	}
	return rapid.OneOf(leaf,
		rapid.Map(rapid.SliceOfN(rapid.Deferred(func() *rapid.Generator[*Value] { return anyValue(depth - 1) }), 0, 4),
			func(items []*Value) *Value { return Array(items...) }),
		rapid.Map(rapid.MapOfN(text, rapid.Deferred(func() *rapid.Generator[*Value] { return anyValue(depth - 1) }), 0, 4), Object),
	)
}

// spell writes a value as another serializer might: members in any order, escapes and white space where they may be.
func spell(v *Value, random *rand.Rand) string {
	space := []string{"", "", " ", "\n\t"}[random.IntN(4)]
	switch v.kind {
	case KindArray:
		s := "[" + space
		for i, item := range v.items {
			if i > 0 {
				s += "," + space
			}
			s += spell(item, random)
		}
		return s + space + "]"
	case KindObject:
		s := "{" + space
		for i, k := range random.Perm(len(v.members)) {
			if i > 0 {
				s += "," + space
			}
			s += spell(String(v.members[k].Name), random) + space + ":" + space + spell(v.members[k].Value, random)
		}
		return s + space + "}"
	case KindString:
		if random.IntN(2) == 0 {
			return v.ASCII()
		}
	}
	return string(v.Canonical())
}
