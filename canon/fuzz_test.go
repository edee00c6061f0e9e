package canon

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

var seeds = []string{
	`{"order_id":"order_123","amount":"49.00","currency":"USD"}`, `[1,1.0,1e0,-0,0e7,5e-324]`, `{"n":9007199254740993}`,
	`{"\ufb33":1,"\ud83d\ude00":2,"é":"e\u0301"}`, `{"a":1,"\u0061":2}`, "{\"a\":\"caf\xe9\"}", `"\ud83d"`, `[[[[[]]]]]`,
	`{"at":"2026-03-01T23:59:59.9999Z","to":["b@EXAMPLE.com","a@example.com"],"note":null}`, `1e400`, `{} {}`, `01`,
	`{"phone":"(234) 567-8901 x12","text":" a\r\n b\u00a0","id":" A ","channel":"EMAIL","on":"2026-02-28"}`,
}

// FuzzParse holds that reading never panics, that what is read has one canonical form, and that no spelling of it
// (order of members, escapes, white space) gives another.
func FuzzParse(f *testing.F) {
	for _, seed := range seeds {
		f.Add([]byte(seed), uint64(1))
	}
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		v, faults := Parse(text, Limits{})
		if (v == nil) != (len(faults) > 0) {
			t.Fatalf("value %v, faults %v", v, faults)
		}
		if v == nil {
			return
		}
		first := v.Canonical()
		again, faults := Parse(first, Limits{})
		if len(faults) > 0 {
			if faults[0].Reason == ReasonTooLarge { // a canonical text may be longer than what was sent
				return
			}
			t.Fatalf("the canonical form %s is refused: %v", first, faults)
		}
		if second := again.Canonical(); string(second) != string(first) {
			t.Fatalf("%s became %s", first, second)
		}
		other, faults := Parse([]byte(spell(v, rand.New(rand.NewPCG(seed, seed)))), Limits{})
		if len(faults) == 0 && string(other.Canonical()) != string(first) {
			t.Fatalf("another spelling of %s gave %s", first, other.Canonical())
		}
	})
}

// FuzzNormalize holds that rules never panic, and that those which give a value of the kind that they take leave it
// alone the second time.
func FuzzNormalize(f *testing.F) {
	n, faults := Compile(Rules{
		Fields: map[string]Rule{
			"/at": {Kind: RuleTimestamp, Precision: PrecisionMilli, Excess: ExcessTruncate}, "/on": {Kind: RuleDate},
			"/channel": {Kind: RuleEnum, Values: []string{"email", "sms"}, Case: CaseFold, Aliases: map[string]string{"text": "sms"}},
			"/id":      {Kind: RuleIdentifier, Trim: true, Case: CaseLower},
			"/text":    {Kind: RuleText, Whitespace: WhitespaceCollapse, Newlines: NewlinesLF},
			"/body":    {Kind: RuleText, Whitespace: WhitespaceTrim, Newlines: NewlinesLF},
			"/name":    {Kind: RuleText},
			"/to":      {Kind: RuleSet, Of: &Rule{Kind: RuleEmail, Local: LocalLower}},
			"/phone":   {Kind: RulePhone, Region: "US"},
			"/note":    {Kind: RuleIgnore},
			"/items/*": {Kind: RuleSet},
		},
		Null:     NullAbsent,
		Defaults: map[string]*Value{"/items": Array(Array(Int(2), Int(1)))},
	})
	if len(faults) > 0 {
		f.Fatal(faults)
	}
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, faults := Parse(text, Limits{})
		if len(faults) > 0 {
			return
		}
		first, faults := n.Normalize(v, nil)
		if len(faults) > 0 {
			return
		}
		second, faults := n.Normalize(first.Identity, nil)
		if len(faults) > 0 {
			t.Fatalf("%s is refused after it was normalized: %v", first.Canonical(), faults)
		}
		if string(second.Canonical()) != string(first.Canonical()) {
			t.Fatalf("%s became %s", first.Canonical(), second.Canonical())
		}
	})
}

// FuzzParseKey holds that any text offered as a key is answered, and that what is read back gives the same key.
func FuzzParseKey(f *testing.F) {
	template, faults := ParseTemplate("pay:{a}_{b}:{occurrence}")
	if len(faults) > 0 {
		f.Fatal(faults)
	}
	for _, seed := range []string{"pay:x_7:~:v1", "pay:%5F_'7:'~:v12", "pay:[1]_{}:x:v1", "pay:::v", "pay:x_%:~:v1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, key string) {
		components, version, err := ParseKey(template, Key(key))
		if err != nil {
			return
		}
		text := "pay:" + escape(components[0].text(), ":/_") + "_" + escape(components[1].text(), ":/") + ":" + escape(components[2].text(), ":/")
		back, again, err := ParseKey(template, finish(text, version))
		if len(text)+len(key)+8 > MaxKeyBytes {
			return // a key that finish may shorten
		}
		if err != nil || again != version || fmt.Sprint(values(back)) != fmt.Sprint(values(components)) {
			t.Fatalf("%q gives %v, written again %q gives %v, %v", key, values(components), text, values(back), err)
		}
	})
}

func values(components []Component) (list []string) {
	for _, c := range components {
		text := "(none)"
		if c.Value != nil {
			text = string(c.Value.Canonical())
		}
		list = append(list, string(c.Source)+" "+text)
	}
	return list
}
