package registry_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
)

// conforms says why a canonical value is not of its shape; empty: it is.
func conforms(s *policy.Shape, v *canon.Value, at string) string {
	wrong := at + " is no " + string(s.Kind) + ": " + string(v.Canonical())
	switch s.Kind {
	case policy.ShapeAny:
		return ""
	case policy.ShapeObject:
		if v.Kind() != canon.KindObject {
			return wrong
		}
		for name := range s.Required {
			if _, there := v.Member(name); !there {
				return at + " lacks " + name
			}
		}
		for _, m := range v.Members() {
			field := s.Fields[m.Name]
			if field == nil {
				if !s.Open {
					return at + " has " + m.Name
				}
				continue
			}
			if why := conforms(field, m.Value, at+"/"+m.Name); why != "" {
				return why
			}
		}
		return ""
	case policy.ShapeArray:
		if v.Kind() != canon.KindArray {
			return wrong
		}
		for i, item := range v.Items() {
			if why := conforms(s.Items, item, at+"/"+strconv.Itoa(i)); why != "" {
				return why
			}
		}
		return ""
	case policy.ShapeMoney:
		currency, _ := v.Member("currency")
		minor, _ := v.Member("minor")
		if v.Len() != 2 || currency == nil || minor == nil {
			return wrong
		}
		text, isText := minor.Text()
		if _, err := strconv.ParseInt(text, 10, 64); !isText || err != nil || currency.Kind() != canon.KindString {
			return wrong
		}
		return ""
	case policy.ShapeInteger:
		if _, err := strconv.ParseInt(string(v.Canonical()), 10, 64); err != nil {
			return wrong
		}
		return ""
	}
	if want := map[policy.ShapeKind]canon.Kind{policy.ShapeString: canon.KindString, policy.ShapeNumber: canon.KindNumber, policy.ShapeBoolean: canon.KindBool}[s.Kind]; v.Kind() != want {
		return wrong
	}
	return ""
}

// choices are fields with what their schema admits and their rule takes.
var choices = []struct {
	schema string
	rule   *canon.Rule
	values []string
}{
	{`{"type":"string"}`, nil, []string{`""`, `"x"`}},
	{`{"type":"string"}`, &canon.Rule{Kind: canon.RuleMoney, Form: canon.FormMajor, Currency: "EUR"}, []string{`"1.50"`, `"-3"`}},
	{`{"type":["integer","null"]}`, &canon.Rule{Kind: canon.RuleMoney, Form: canon.FormMinor, Currency: "JPY"}, []string{`5`, `null`}},
	{`{}`, &canon.Rule{Kind: canon.RuleMoney, Form: canon.FormMinor, Currency: "USD"}, []string{`5`, `"5"`, `null`}},
	{`{"type":"string"}`, &canon.Rule{Kind: canon.RuleTimestamp, Precision: canon.PrecisionSecond}, []string{`"2026-03-01T10:00:00+01:00"`}},
	{`{"type":"string"}`, &canon.Rule{Kind: canon.RuleDate}, []string{`"2026-03-01"`}},
	{`{"type":"string"}`, &canon.Rule{Kind: canon.RuleBucket, Unit: canon.UnitDay, Zone: "UTC"}, []string{`"2026-03-01T10:00:00Z"`}},
	{`{"enum":["a","B"]}`, &canon.Rule{Kind: canon.RuleEnum, Values: []string{"A", "B"}, Case: canon.CaseFold}, []string{`"a"`, `"B"`}},
	{`{"enum":["a","b"]}`, nil, []string{`"a"`, `"b"`}},
	{`{"type":["string","null"]}`, &canon.Rule{Kind: canon.RuleIdentifier, Trim: true}, []string{`" x"`, `null`}},
	{`{"type":"string"}`, &canon.Rule{Kind: canon.RuleText}, []string{`""`, `"é"`}},
	{`{"type":"string"}`, &canon.Rule{Kind: canon.RuleEmail}, []string{`"A@Example.com"`}},
	{`{"type":"string"}`, &canon.Rule{Kind: canon.RulePhone, Region: "DE"}, []string{`"030 123456"`}},
	{`{"type":"integer"}`, nil, []string{`1.0`, `-7`, `1e3`}},
	{`{"type":"integer"}`, &canon.Rule{Kind: canon.RuleNumber}, []string{`0`, `1e2`}},
	{`{"type":"number"}`, &canon.Rule{Kind: canon.RuleNumber}, []string{`1`, `1.5`, `1e300`}},
	{`{}`, &canon.Rule{Kind: canon.RuleNumber}, []string{`1.5`, `2`, `null`}},
	{`{"type":"boolean"}`, nil, []string{`true`, `false`}},
	{`{}`, nil, []string{`1`, `"x"`, `null`, `[1]`, `{"a":1}`}},
	{`{"anyOf":[{"type":"string"},{"type":"integer"}]}`, nil, []string{`1`, `"x"`}},
	{`{"type":"array","items":{"type":"string"}}`, nil, []string{`[]`, `["x"]`}},
	{`{"type":"array","items":{"type":"string"}}`, &canon.Rule{Kind: canon.RuleSet, Of: &canon.Rule{Kind: canon.RuleEmail}}, []string{`[]`, `["b@x.de","a@x.de"]`}},
	{`{"type":"array","items":{"type":["string","null"]}}`, &canon.Rule{Kind: canon.RuleList, Of: &canon.Rule{Kind: canon.RuleMoney, Form: canon.FormMajor, Currency: "EUR"}}, []string{`["1"]`, `["2",null]`}},
	{`{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"integer"}}`, nil, []string{`["x",1]`, `[]`}},
	{`{"type":["object","null"],"required":["b"],"properties":{"b":{"type":"integer"},"c":{"type":["string","null"]}}}`, nil, []string{`{"b":1}`, `{"b":1,"c":null,"d":2}`, `null`}},
	{`{"type":"object","additionalProperties":{"type":"string"}}`, nil, []string{`{}`, `{"x":"y"}`}},
	{`{"type":"string"}`, &canon.Rule{Kind: canon.RuleIgnore}, []string{`"x"`}},
}

// TestCanonicalFormsHaveTheirShape: whatever a schema admits and the rules make of it, its canonical form is of the shape
// that expressions are checked against.
func TestCanonicalFormsHaveTheirShape(t *testing.T) {
	hash := func(string, []byte) string { return "hash" }
	rapid.Check(t, func(t *rapid.T) {
		d := read()
		rules := canon.Rules{Fields: map[string]canon.Rule{}, Defaults: map[string]*canon.Value{},
			Null: rapid.SampledFrom([]canon.NullOption{canon.NullDistinct, canon.NullAbsent}).Draw(t, "null")}
		var properties, required, arguments []string
		field := func(name, prefix string) (schema string, value string, present bool) {
			c := rapid.SampledFrom(choices).Draw(t, "kind "+name)
			pointer := prefix + "/" + name
			if c.rule != nil {
				rules.Fields[pointer] = *c.rule
			}
			ignored := c.rule != nil && c.rule.Kind == canon.RuleIgnore
			if rapid.IntRange(0, 3).Draw(t, "sensitive "+name) == 0 {
				rules.Sensitive = append(rules.Sensitive, pointer)
			}
			drawn := rapid.SampledFrom(c.values)
			if fallback := parseIn(t, drawn.Draw(t, "default "+name)); !ignored && !(rules.Null == canon.NullAbsent && fallback.IsNull()) && rapid.IntRange(0, 3).Draw(t, "has default "+name) == 0 {
				rules.Defaults[pointer] = fallback
			}
			must := rapid.Bool().Draw(t, "required "+name)
			if must && prefix == "" {
				required = append(required, strconv.Quote(name))
			}
			return fmt.Sprintf("%q:%s", name, c.schema), fmt.Sprintf("%q:%s", name, drawn.Draw(t, "value "+name)), must || rapid.Bool().Draw(t, "there "+name)
		}
		for i := range rapid.IntRange(1, 4).Draw(t, "fields") {
			schema, value, present := field("f"+strconv.Itoa(i), "")
			properties = append(properties, schema)
			if present {
				arguments = append(arguments, value)
			}
		}
		inner, value, present := field("in", "/lines/*")
		properties = append(properties, `"lines":{"type":"array","items":{"type":"object","additionalProperties":false,"properties":{`+inner+`}}}`)
		if !present {
			value = ""
		}
		arguments = append(arguments, `"lines":[{`+value+`},{}]`)
		open := rapid.SampledFrom([]string{`"additionalProperties":false,`, ``}).Draw(t, "closed")
		if open == "" {
			arguments = append(arguments, `"other":[null]`)
		}
		d.Schema = []byte(`{"type":"object",` + open + `"required":[` + strings.Join(required, ",") + `],"properties":{` + strings.Join(properties, ",") + `}}`)
		d.Identity.Rules = rules
		if problems := registry.Check(d); len(problems) > 0 {
			t.Skip(problems) // such as a default whose alternative admits it
		}
		c, err := registry.Compile(d)
		if err != nil {
			t.Fatal(err)
		}
		v := parseIn(t, "{"+strings.Join(arguments, ",")+"}")
		if faults := c.Validate(v); len(faults) > 0 {
			t.Fatalf("%v\n%s", faults, d.Schema)
		}
		id, faults := c.Identify(registry.Call{Arguments: v}, hash)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		shape := c.PolicyTool().Arguments
		if why := conforms(shape, parseIn(t, string(id.Canonical)), ""); why != "" {
			t.Fatalf("%s\nshape     %s\ncanonical %s\nschema    %s", why, written(shape), id.Canonical, d.Schema)
		}
	})
}

func parseIn(t *rapid.T, text string) *canon.Value {
	v, faults := canon.Parse([]byte(text), canon.Limits{})
	if len(faults) > 0 {
		t.Fatalf("%s: %v", text, faults)
	}
	return v
}
