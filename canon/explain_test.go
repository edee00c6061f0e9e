package canon

import (
	"fmt"
	"testing"
)

// Pairs that went wrong for others, by the number of their field case.
func TestFieldCases(t *testing.T) {
	milli := Rule{Kind: RuleTimestamp, Precision: PrecisionMilli}
	truncate := Rule{Kind: RuleTimestamp, Precision: PrecisionMilli, Excess: ExcessTruncate}
	money := func(currency string) map[string]Rule {
		return map[string]Rule{"/amount": {Kind: RuleMoney, Form: FormMajor, Currency: currency}}
	}
	const refused Verdict = "REFUSED"
	for _, c := range []struct {
		name     string
		fields   map[string]Rule
		template string
		a, b     string
		want     Verdict
		detail   string // differing pointers, or the pointer and reason of the refusal
	}{
		{"FC-203 volatile fields", map[string]Rule{"/client_ctx/created_at": {Kind: RuleIgnore}, "/client_ctx/attempt_id": {Kind: RuleIgnore}}, "",
			`{"order_id":"order_123","client_ctx":{"created_at":"10:00:01","attempt_id":"x"}}`, `{"order_id":"order_123","client_ctx":{"created_at":"10:00:09","attempt_id":"y"}}`,
			SameOperation, "[/client_ctx/attempt_id /client_ctx/created_at]"},
		{"FC-301 members move", nil, "", `{"l":[{"a":30,"c":"Jo","b":"Ulm"}]}`, `{"l":[{"a":30,"b":"Ulm","c":"Jo"}]}`, SameOperation, "[]"},
		{"FC-301 items stay", nil, "", `{"steps":["reserve","charge"]}`, `{"steps":["charge","reserve"]}`, OtherOperation, "[/steps/0 /steps/1]"},
		{"FC-302 absent component", nil, "pay:{order_id}:{ref}", `{"order_id":"order_123"}`, `{"order_id":"order_123","ref":"x"}`, refused, "/ref ABSENT_COMPONENT"},
		{"FC-302 null component", nil, "pay:{order_id}:{ref}", `{"order_id":"order_123","ref":null}`, `{"order_id":"order_123","ref":"x"}`, refused, "/ref NULL_COMPONENT"},
		{"FC-302 empty component", nil, "pay:{order_id}:{ref}", `{"order_id":"order_123","ref":""}`, `{"order_id":"order_123","ref":"x"}`, refused, "/ref EMPTY_COMPONENT"},
		{"FC-302 empty after trim", map[string]Rule{"/ref": {Kind: RuleIdentifier, Trim: true}}, "pay:{order_id}:{ref}", `{"order_id":"order_123","ref":"  "}`,
			`{"order_id":"order_123","ref":"x"}`, refused, "/ref EMPTY"},
		{"FC-304 changed amount", money("USD"), "refund:{refund_id}", `{"refund_id":"r_1","amount":"10.00"}`, `{"refund_id":"r_1","amount":"1000.00"}`, KeyReused, "[/amount]"},
		{"FC-304 same amount", money("USD"), "refund:{refund_id}", `{"refund_id":"r_1","amount":"10.00"}`, `{"refund_id":"r_1","amount":"10"}`, SameOperation, "[]"},
		{"FC-308 yen", money("JPY"), "p:{amount}", `{"amount":"500"}`, `{"amount":500}`, SameOperation, "[]"},
		{"FC-308 half a yen", money("JPY"), "p:{amount}", `{"amount":"500.50"}`, `{"amount":500}`, refused, "/amount TOO_FINE"},
		{"FC-308 fils", money("KWD"), "p:{amount}", `{"amount":"1.5"}`, `{"amount":"1.500"}`, SameOperation, "[]"},
		{"FC-308 by digits", money("USD"), "p:{amount}", `{"amount":19.99}`, `{"amount":"19.99"}`, SameOperation, "[]"},
		{"FC-308 never guessed", money("USD"), "p:{amount}", `{"amount":"19.99"}`, `{"amount":1999}`, OtherOperation, "[/amount]"},
		{"FC-309 strings", nil, "", `{"contact_id":"12345678901234567890"}`, `{"contact_id":"12345678901234567891"}`, OtherOperation, "[/contact_id]"},
		{"FC-309 beyond 2^53", nil, "", `{"contact_id":9007199254740993}`, `{"contact_id":9007199254740992}`, refused, "/contact_id NUMBER_CHANGED"},
		{"FC-309 19 digits", nil, "", `{"contact_id":2512292042121000001}`, `{"contact_id":"2512292042121000001"}`, refused, "/contact_id NUMBER_CHANGED"},
		{"FC-309 number and string", nil, "c:{id}", `{"id":"007"}`, `{"id":7}`, OtherOperation, "[/id]"},
		{"FC-309 identifier", map[string]Rule{"/id": {Kind: RuleIdentifier}}, "c:{id}", `{"id":7}`, `{"id":"7"}`, refused, "/id WRONG_TYPE"},
		{"FC-310 with the rule", map[string]Rule{"/ref": {Kind: RuleText}}, "t:{ref}", `{"ref":"Caf\u00e9"}`, `{"ref":"Cafe\u0301"}`, SameOperation, "[]"},
		{"FC-310 without", nil, "t:{ref}", `{"ref":"Caf\u00e9"}`, `{"ref":"Cafe\u0301"}`, OtherOperation, "[/ref]"},
		{"FC-311 one instant", map[string]Rule{"/at": milli}, "", `{"at":"2026-03-01T09:00:00.000Z"}`, `{"at":"2026-03-01T10:00:00+01:00"}`, SameOperation, "[]"},
		{"FC-311 text", nil, "", `{"at":"2026-03-01T09:00:00.000Z"}`, `{"at":"2026-03-01T10:00:00+01:00"}`, OtherOperation, "[/at]"},
		{"FC-311 excess", map[string]Rule{"/at": milli}, "", `{"at":"2026-03-01T09:00:00.1234Z"}`, `{"at":"2026-03-01T09:00:00.123Z"}`, refused, "/at TOO_FINE"},
		{"FC-311 truncated", map[string]Rule{"/at": truncate}, "", `{"at":"2026-03-01T09:00:00.1239Z"}`, `{"at":"2026-03-01T09:00:00.123Z"}`, SameOperation, "[]"},
		{"FC-311 never up", map[string]Rule{"/at": truncate}, "", `{"at":"2026-03-01T09:00:00.1239Z"}`, `{"at":"2026-03-01T09:00:00.124Z"}`, OtherOperation, "[/at]"},
		{"FC-311 in arrays", map[string]Rule{"/e/*/at": milli}, "", `{"e":[{"at":"2026-03-01T09:00:00Z"}]}`, `{"e":[{"at":"2026-03-01T10:00:00+01:00"}]}`, SameOperation, "[]"},
		{"FC-312 underscore", nil, "build_{project}_{stage}", `{"project":"foo","stage":"bar_baz"}`, `{"project":"foo_bar","stage":"baz"}`, OtherOperation, "[/project /stage]"},
		{"FC-312 colon", nil, "ticket:{project}:{ref}", `{"project":"a:b","ref":"c"}`, `{"project":"a","ref":"b:c"}`, OtherOperation, "[/project /ref]"},
		{"FC-312 escaped already", nil, "ticket:{project}:{ref}", `{"project":"a%3Ab","ref":"c"}`, `{"project":"a:b","ref":"c"}`, OtherOperation, "[/project]"},
		{"FC-313 two tries, one time", nil, "email:{ref}:{bucket:/as_of:day:Europe/Berlin}", `{"ref":"u_7","as_of":"2026-03-01T22:59:58Z"}`,
			`{"as_of":"2026-03-01T22:59:58Z","ref":"u_7"}`, SameOperation, "[]"},
		{"FC-313 over the border", nil, "email:{ref}:{bucket:/as_of:day:Europe/Berlin}", `{"ref":"u_7","as_of":"2026-03-01T22:59:58Z"}`,
			`{"ref":"u_7","as_of":"2026-03-01T23:00:02Z"}`, OtherOperation, "[/as_of]"},
		{"FC-314 twice", nil, "", `{"amount":1,"amount":100}`, `{"amount":100}`, refused, "/amount DUPLICATE_NAME"},
		{"FC-314 escaped", nil, "", `{"amount":1,"\u0061mount":100}`, `{"amount":100}`, refused, "/amount DUPLICATE_NAME"},
		{"FC-314 nested", nil, "", `{"x":{"amount":1,"amount":100}}`, `{"x":{"amount":100}}`, refused, "/x/amount DUPLICATE_NAME"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := mustCompile(t, Rules{Fields: c.fields})
			var template *Template
			if c.template != "" {
				template = mustTemplate(t, c.template)
			}
			explainText := func(text string) (*Explanation, Faults) {
				v, faults := Parse([]byte(text), Limits{})
				if len(faults) > 0 {
					return nil, faults
				}
				return Explain(n, template, v, Parts{Tool: "tool", Version: 1}, nil)
			}
			b, faults := explainText(c.b)
			if len(faults) > 0 {
				t.Fatalf("b: %v", faults)
			}
			a, faults := explainText(c.a)
			if len(faults) > 0 || c.want == refused {
				if len(faults) != 1 || c.want != refused || fmt.Sprintf("%s %s", faults[0].Pointer, faults[0].Reason) != c.detail {
					t.Errorf("a: %v, want %s", faults, c.detail)
				}
				return
			}
			got := Compare(a, b)
			detail := fmt.Sprint(append(got.Differing, got.IgnoredDiffering...))
			if got.Verdict != c.want || detail != c.detail || got.Why == "" {
				t.Errorf("%+v, want %s %s", got, c.want, c.detail)
			}
			if (got.Verdict == OtherOperation) != (len(got.KeyDiffering) > 0) {
				t.Errorf("the keys differ in %v", got.KeyDiffering)
			}
		})
	}
}

func TestExplain(t *testing.T) {
	n := mustCompile(t, Rules{Fields: map[string]Rule{"/ref": {Kind: RuleText}, "/note": {Kind: RuleIgnore}}})
	e, faults := Explain(n, mustTemplate(t, "ticket:{ref}:{occurrence}"), mustParse(t, `{"ref":"Cafe\u0301","note":"n"}`), Parts{Version: 1, Occurrence: "2"}, nil)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if e.Canonical != `{"ref":"Café"}` || e.Fingerprint != Fingerprint([]byte(e.Canonical)) || e.Key != "ticket:Caf%C3%A9:2:v1" {
		t.Errorf("%+v", e)
	}
	if got := fmt.Sprint(e.Changes, e.Ignored, len(e.Components)); got != `[{/note ignore "n" (absent)} {/ref text "Cafe\u0301" "Caf\u00e9"}] [{/note "n"}] 2` {
		t.Error(got)
	}
	other, faults := Explain(n, mustTemplate(t, "ticket:{ref}:{occurrence}"), mustParse(t, `{"ref":"Café"}`), Parts{Version: 1}, nil)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	c := Compare(e, other)
	if c.Verdict != OtherOperation || fmt.Sprint(c.KeyDiffering) != "[occurrence]" || len(c.Differing) != 0 || fmt.Sprint(c.IgnoredDiffering) != "[/note]" {
		t.Errorf("%+v", c)
	}
}
