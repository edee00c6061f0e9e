package canon

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func mustTemplate(t testing.TB, text string) *Template {
	t.Helper()
	template, faults := ParseTemplate(text)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return template
}

func TestReadableKeys(t *testing.T) {
	n := mustCompile(t, Rules{
		Fields: map[string]Rule{
			"/amount":   {Kind: RuleMoney, Form: FormMajor, CurrencyField: "/currency"},
			"/currency": {Kind: RuleEnum, Values: []string{"USD", "JPY", "KWD"}, Case: CaseFold},
			"/as_of":    {Kind: RuleTimestamp, Precision: PrecisionSecond},
		},
		Sensitive: []string{"/secret"},
	})
	for _, c := range []struct{ template, arguments, want string }{
		{"payment:{order_id}:capture:{amount}:{currency}", `{"order_id":"order_123","amount":"49","currency":"usd"}`, "payment:order_123:capture:4900:USD:v1"},
		{"payment:{order_id}:capture:{amount}:{currency}", `{"order_id":"order_8","amount":500,"currency":"JPY"}`, "payment:order_8:capture:500:JPY:v1"},
		{"payment:{order_id}:capture:{amount}:{currency}", `{"order_id":"order_8","amount":"1.500","currency":"KWD"}`, "payment:order_8:capture:1500:KWD:v1"},
		{"p:{amount}", `{"amount":"90071992547409.93","currency":"USD"}`, "p:9007199254740993:v1"},
		{"t:{id}", `{"id":7}`, "t:7:v1"},
		{"t:{id}", `{"id":"7"}`, "t:'7:v1"},
		{"t:{id}", `{"id":"'7"}`, "t:''7:v1"},
		{"t:{id}", `{"id":"2026-001"}`, "t:2026-001:v1"},
		{"t:{id}", `{"id":true}`, "t:true:v1"},
		{"t:{id}", `{"id":"true"}`, "t:'true:v1"},
		{"t:{id}", `{"id":"a:b/c%3A"}`, "t:a%3Ab%2Fc%253A:v1"},
		{"t:{id}", `{"id":"Café\n"}`, "t:Caf%C3%A9%0A:v1"},
		{"t:{id}", `{"id":["a",1]}`, `t:["a",1]:v1`},
		{"t:{id}", `{"id":"~"}`, "t:'~:v1"},
		{"build_{a}_{b}", `{"a":"foo","b":"bar_baz"}`, "build_foo_bar_baz:v1"},
		{"build_{a}_{b}", `{"a":"foo_bar","b":"baz"}`, "build_foo%5Fbar_baz:v1"},
		{"t:{/a/0/b~1c}", `{"a":[{"b/c":"x"}]}`, "t:x:v1"},
		{"e:{entity}:{intent}:{occurrence}", `{}`, "e:order%2Fx%2Fy:refund:~:v1"},
		{"d:{bucket:/as_of:day:Europe/Berlin}", `{"as_of":"2026-03-01T22:59:58Z"}`, "d:2026-03-01:v1"},
		{"d:{bucket:as_of:hour:UTC}", `{"as_of":"2026-03-01T22:59:58Z"}`, "d:2026-03-01T22%3A00%3A00Z:v1"},
		{"s:{secret}", `{"secret":"hunter2"}`, "s:" + strings.ReplaceAll(testHasher("/secret", []byte(`"hunter2"`)), ":", "%3A") + ":v1"},
	} {
		template := mustTemplate(t, c.template)
		parts := Parts{Arguments: mustNormalize(t, n, c.arguments), Version: 1, Entity: Entity{"order", "x/y"}, Intent: "refund"}
		key, components, faults := template.Render(parts)
		if len(faults) > 0 || string(key) != c.want {
			t.Errorf("%s %s: %s, %v, want %s", c.template, c.arguments, key, faults, c.want)
			continue
		}
		back, version, err := ParseKey(template, key)
		if err != nil || version != 1 || fmt.Sprint(shown(back)) != fmt.Sprint(shown(components)) {
			t.Errorf("%s read back: %v %v %v", key, shown(back), version, err)
		}
	}
}

func shown(components []Component) (list []string) {
	for _, c := range components {
		value := "(none)"
		if c.Value != nil {
			value = string(c.Value.Canonical())
		}
		list = append(list, fmt.Sprintf("%s %s %s %s %s", c.Source, c.Name, c.Pointer, value, c.Text))
	}
	return list
}

func TestRenderRefusesWhatWouldBeEverybodysKey(t *testing.T) {
	n := mustCompile(t, Rules{Fields: map[string]Rule{"/note": {Kind: RuleIgnore}}})
	for arguments, reason := range map[string]Reason{
		`{}`: ReasonAbsentComponent, `{"ref":null}`: ReasonNullComponent, `{"ref":""}`: ReasonEmptyComponent,
		`{"ref":[]}`: ReasonEmptyComponent, `{"ref":{}}`: ReasonEmptyComponent,
	} {
		key, _, faults := mustTemplate(t, "pay:{ref}").Render(Parts{Arguments: mustNormalize(t, n, arguments), Version: 1})
		if key != "" || len(faults) != 1 || faults[0].Reason != reason || faults[0].Pointer != "/ref" {
			t.Errorf("%s: %q %v", arguments, key, faults)
		}
	}
	arguments := mustNormalize(t, n, `{"ref":"x","at":"yesterday"}`)
	for text, parts := range map[string]Parts{
		"p:{ref}":                  {Arguments: arguments},
		"p:{intent}":               {Arguments: arguments, Version: 1},
		"p:{entity}":               {Arguments: arguments, Version: 1},
		"q:{entity}":               {Arguments: arguments, Version: 1, Entity: Entity{"a/b", "c"}},
		"r:{entity}":               {Arguments: arguments, Version: 1, Entity: Entity{"a", ""}},
		"p:{occurrence}":           {Arguments: arguments, Version: 1, Occurrence: "a\x00"},
		"q:{occurrence}":           {Arguments: arguments, Version: 1, Occurrence: strings.Repeat("x", MaxWordBytes+1)},
		"p:{bucket:/at:day:UTC}":   {Arguments: arguments, Version: 1},
		"p:{bucket:/none:day:UTC}": {Arguments: arguments, Version: 1},
	} {
		if key, _, faults := mustTemplate(t, text).Render(parts); len(faults) == 0 {
			t.Errorf("%s gives %s", text, key)
		}
	}
}

func TestParseTemplateRefuses(t *testing.T) {
	for text, reason := range map[string]Reason{
		"": ReasonBadTemplate, "payment": ReasonBadTemplate, "p:{": ReasonBadTemplate, "p:{}": ReasonBadTemplate, "p:}{a}": ReasonBadTemplate,
		"p:{a}{b}": ReasonBadTemplate, "p:{a}x{b}": ReasonBadTemplate, "p:{a}%{b}": ReasonBadTemplate, "p é:{a}": ReasonBadTemplate, "p~:{a}": ReasonBadTemplate,
		"args:{a}": ReasonBadTemplate, "own:{a}": ReasonBadTemplate, "p:{/a/*}": ReasonBadTemplate, "p:{/a~3}": ReasonBadPointer,
		"p:{bucket:/a:week:UTC}": ReasonBadTemplate, "p:{bucket:/a:day:Mars/Base}": ReasonUnknownZone, "p:{bucket}": ReasonBadTemplate, "p:{bucket:day:UTC}": ReasonBadTemplate,
		strings.Repeat(":{a}", MaxTemplateComponents+1): ReasonBadTemplate, strings.Repeat("x", MaxTemplateBytes) + "{a}": ReasonBadTemplate,
	} {
		if _, faults := ParseTemplate(text); len(faults) == 0 || faults[0].Reason != reason {
			t.Errorf("%.40q: %v, want %s", text, faults, reason)
		}
	}
	for _, word := range []string{"workflow", "workflow_id", "run", "run_id", "attempt", "attempt_id", "tool_call_id", "toolCallId", "Tool-Call-ID", "trace", "trace_id",
		"span_id", "turn", "request_id", "message_id", "now", "time", "server_time", "uuid", "random", "bucket:now:day:UTC"} {
		_, faults := ParseTemplate("p:{" + word + "}")
		if len(faults) != 1 || faults[0].Reason != ReasonForbiddenComponent || !strings.Contains(faults[0].Message, "{"+word+"}") {
			t.Errorf("%s: %v", word, faults)
		}
	}
	for _, pointer := range []string{"/ctx/attempt_id", "/trace_id", "/meta/toolCallId", "/workflow_id"} {
		if _, faults := ParseTemplate("p:{" + pointer + "}"); len(faults) != 1 || faults[0].Reason != ReasonForbiddenComponent {
			t.Errorf("%s: %v", pointer, faults)
		}
	}
	for _, text := range []string{"p:{/message_id}", "p:{/time}", "p:{order_id}", "{a}/{b}", "p:{entity}"} {
		mustTemplate(t, text)
	}
	template := mustTemplate(t, "p:{b}:{/a/x}:{b}:{bucket:/at:day:UTC}:{entity}")
	if got := fmt.Sprint(template.Pointers()); got != "[/a/x /at /b]" {
		t.Errorf("reads %s", got)
	}
	if !template.Uses(FromBucket) || !template.Uses(FromEntity) || template.Uses(FromOccurrence) {
		t.Error("the sources are wrong")
	}
}

func TestCheckTemplate(t *testing.T) {
	n := mustCompile(t, Rules{
		Fields: map[string]Rule{"/note": {Kind: RuleIgnore}, "/on": {Kind: RuleDate}, "/at": {Kind: RuleTimestamp, Precision: PrecisionSecond},
			"/tags": {Kind: RuleSet}},
		Sensitive: []string{"/born"},
	})
	for _, text := range []string{"p:{note}", "p:{/note/x}", "p:{bucket:/on:day:UTC}", "p:{bucket:/born:day:UTC}", "p:{/tags/0}"} {
		if faults := n.CheckTemplate(mustTemplate(t, text)); len(faults) != 1 {
			t.Errorf("%s: %v", text, faults)
		}
	}
	for _, text := range []string{"p:{on}", "p:{bucket:/at:day:UTC}", "p:{bucket:/plain:day:UTC}", "p:{tags}", "p:{born}"} {
		if faults := n.CheckTemplate(mustTemplate(t, text)); len(faults) > 0 {
			t.Errorf("%s: %v", text, faults)
		}
	}
}

// Whatever stands in the components, a key gives them back, and two different ones never share a key.
func TestKeysAreReversible(t *testing.T) {
	n := mustCompile(t, Rules{})
	templates := []*Template{mustTemplate(t, "k:{a}:{b}:{occurrence}"), mustTemplate(t, "k_{a}_{b}-{occurrence}"), mustTemplate(t, "{a}/{b}/{occurrence}"), mustTemplate(t, "{a}|x:{b}.{occurrence}")}
	word := rapid.OneOf(rapid.StringN(1, 12, 60).Filter(func(s string) bool { return !strings.Contains(s, "\x00") }),
		rapid.StringOfN(rapid.RuneFrom([]rune(":%_-/.|x'~[{1e+ 3A")), 1, 6, -1), rapid.SampledFrom([]string{"1", "-0", "true", "null", "[]", "~", "'", "%3A", ":v1"}))
	value := rapid.OneOf(rapid.Map(word, String), rapid.Map(rapid.IntRange(-99, 99), func(i int) *Value { return Int(int64(i)) }),
		rapid.Map(rapid.Bool(), Bool), rapid.Map(word, func(s string) *Value { return Array(String(s), Int(1)) }))
	rapid.Check(t, func(t *rapid.T) {
		template := rapid.SampledFrom(templates).Draw(t, "template")
		draw := func(label string) ([]string, Key) {
			a, b := value.Draw(t, label+" a"), value.Draw(t, label+" b")
			occurrence := rapid.OneOf(rapid.Just(""), word).Draw(t, label+" occurrence")
			arguments, faults := n.Normalize(Object(map[string]*Value{"a": a, "b": b}), nil)
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			key, components, faults := template.Render(Parts{Arguments: arguments, Occurrence: occurrence, Version: 3})
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			for _, c := range []byte(key) {
				if c <= ' ' || c > '~' {
					t.Fatalf("%q is not printable ASCII", key)
				}
			}
			back, version, err := ParseKey(template, key)
			if err != nil || version != 3 || fmt.Sprint(shown(back)) != fmt.Sprint(shown(components)) {
				t.Fatalf("%s gives %v, %d, %v, want %v", key, shown(back), version, err, shown(components))
			}
			return []string{string(a.Canonical()), string(b.Canonical()), fmt.Sprintf("%q", occurrence)}, key
		}
		inA, keyA := draw("first")
		inB, keyB := draw("second")
		if (fmt.Sprint(inA) == fmt.Sprint(inB)) != (keyA == keyB) {
			t.Fatalf("%v is %s, %v is %s", inA, keyA, inB, keyB)
		}
	})
}

func TestLongKeysAreShortened(t *testing.T) {
	n := mustCompile(t, Rules{})
	template := mustTemplate(t, "note:{a}")
	seen := map[Key]bool{}
	for _, tail := range []string{"x", "y"} {
		for _, filler := range []string{"a", "é"} {
			for length := 200; length < 210; length++ { // moves the cut through an escape
				key, _, faults := template.Render(Parts{Arguments: mustNormalize(t, n, `{"a":"`+strings.Repeat("b", length%3)+strings.Repeat(filler, 3*length)+tail+`"}`), Version: 2})
				if len(faults) > 0 || len(key) > MaxKeyBytes || seen[key] || !strings.HasPrefix(string(key), "note:") || !strings.HasSuffix(string(key), ":v2") {
					t.Fatalf("%s %v", key, faults)
				}
				seen[key] = true
				head, _, _ := strings.Cut(string(key), shortened)
				if _, err := unescape(head); err != nil {
					t.Errorf("half an escape is left in %s", key)
				}
				if _, _, err := ParseKey(template, key); err == nil || !strings.Contains(err.Error(), string(ReasonShortenedKey)) {
					t.Errorf("%v", err)
				}
			}
		}
	}
}

// TestAShortenedKeyKeepsWhatFits: all of the text that there is room for, save half an escape at its end.
func TestAShortenedKeyKeepsWhatFits(t *testing.T) {
	const room = MaxKeyBytes - len(shortened) - 64 - len(":v1") // 64 digits are the hash
	for text, kept := range map[string]int{
		strings.Repeat("b", MaxKeyBytes):                                           room,
		"%20" + strings.Repeat("b", MaxKeyBytes):                                   room, // an escape far from the cut
		strings.Repeat("b", room-3) + "%20" + strings.Repeat("c", 99):              room,
		strings.Repeat("b", room-2) + "%20" + strings.Repeat("c", 99):              room - 2,
		strings.Repeat("b", room-1) + "%20" + strings.Repeat("c", 99):              room - 1,
		strings.Repeat("b", room) + "%20" + strings.Repeat("c", 99):                room,
		"%20%20" + strings.Repeat("b", room-8) + "%20" + strings.Repeat("%20", 33): room - 2,
	} {
		if head, _, _ := strings.Cut(string(finish(text, 1)), shortened); head != text[:kept] {
			t.Errorf("of %s\nis kept %s\nwant     %s", text, head, text[:kept])
		}
	}
}

func TestKeysWithoutTemplate(t *testing.T) {
	arguments := mustNormalize(t, mustCompile(t, Rules{}), `{"b":1,"a":"x"}`)
	hash := strings.TrimPrefix(Fingerprint([]byte(`{"a":"x","b":1}`)), "sha256:")
	parts := Parts{Arguments: arguments, Tool: "contact.upsert", Version: 1}
	bare, _, faults := DefaultKey(parts)
	if want := "args:contact.upsert:~:~:~:sha256-" + hash + ":v1"; len(faults) > 0 || string(bare) != want {
		t.Errorf("%s %v, want %s", bare, faults, want)
	}
	parts.Entity, parts.Intent, parts.Occurrence, parts.Version = Entity{"order", "a:b"}, "~", "item_2", 2
	full, components, faults := DefaultKey(parts)
	if want := "args:contact.upsert:'~:order/a%3Ab:item_2:sha256-" + hash + ":v2"; len(faults) > 0 || string(full) != want || len(components) != 5 {
		t.Errorf("%s %v, want %s", full, faults, want)
	}
	a, _, _ := CallerKey("payment.capture", "K1", 1)
	b, _, _ := CallerKey("refund.create", "K1", 1)
	if a != "own:payment.capture:K1:v1" || b != "own:refund.create:K1:v1" {
		t.Errorf("%s %s", a, b)
	}
	for _, own := range []string{"", strings.Repeat("k", MaxWordBytes+1), "a\x00", "\xff"} {
		if key, _, faults := CallerKey("t", own, 1); len(faults) == 0 {
			t.Errorf("%q gives %s", own, key)
		}
	}
	if _, _, faults := DefaultKey(Parts{Arguments: arguments, Version: 1}); len(faults) == 0 {
		t.Error("a key without a tool")
	}
}

func TestRenderID(t *testing.T) {
	arguments := mustNormalize(t, mustCompile(t, Rules{}), `{"s":"Café x/y","n":7,"a":"1:2","b":"3","long":"`+strings.Repeat("x", 300)+`"}`)
	for text, want := range map[string]string{"{s}": "Café x/y", "{n}": "7", "{a}:{b}": "1%3A2:'3", "acct-{n}": "acct-7"} {
		if got, faults := mustTemplate(t, text).RenderID(arguments); len(faults) > 0 || got != want {
			t.Errorf("%s: %s %v, want %s", text, got, faults, want)
		}
	}
	for _, text := range []string{"{none}", "{long}", "{entity}"} {
		if got, faults := mustTemplate(t, text).RenderID(arguments); len(faults) == 0 {
			t.Errorf("%s gives %s", text, got)
		}
	}
}
