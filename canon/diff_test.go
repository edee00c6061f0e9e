package canon

import (
	"fmt"
	"testing"
)

// TestDiffNamesFieldsAsSent: money is one field of the caller's, whatever its canonical form is, wherever it stands; a
// member that is called "minor" by itself is none of it.
func TestDiffNamesFieldsAsSent(t *testing.T) {
	usd := Rule{Kind: RuleMoney, Form: FormMajor, Currency: "USD"}
	n := mustCompile(t, Rules{Fields: map[string]Rule{
		"/amount": usd, "/lines/*/price": usd, "/fees": {Kind: RuleList, Of: &usd}, "/total": {Kind: RuleMoney, Form: FormMajor, CurrencyField: "/currency"},
		"/currency": {Kind: RuleIdentifier},
	}})
	for _, c := range []struct{ a, b, want string }{
		{`{"amount":"1.00"}`, `{"amount":"2.00"}`, "[/amount]"},
		{`{"amount":"1.00"}`, `{"amount":"1"}`, "[]"},
		{`{"amount":"1.00"}`, `{}`, "[/amount]"},
		{`{"lines":[{"price":"1"},{"price":"2"}]}`, `{"lines":[{"price":"1"},{"price":"3"}]}`, "[/lines/1/price]"},
		{`{"fees":["1","2"]}`, `{"fees":["1","3"]}`, "[/fees/1]"},
		{`{"total":"1","currency":"USD"}`, `{"total":"2","currency":"EUR"}`, "[/currency /total]"},
		{`{"other":{"minor":"1"}}`, `{"other":{"minor":"2"}}`, "[/other/minor]"},
		{`{"*":{"minor":"1"}}`, `{"*":{"minor":"2"}}`, "[/*/minor]"},
	} {
		if got := fmt.Sprint(n.Diff(mustNormalize(t, n, c.a).Identity, mustNormalize(t, n, c.b).Identity)); got != c.want {
			t.Errorf("%s and %s differ at %s, want %s", c.a, c.b, got, c.want)
		}
	}
	if got := n.Diff(mustParse(t, `{}`), mustParse(t, `[]`)); len(got) != 1 || got[0] != "" {
		t.Errorf("of two kinds, the whole differs: %q", got)
	}
}
