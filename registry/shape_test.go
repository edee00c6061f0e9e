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

// written writes a shape in short: ! marks fields that are always there, ... an object with others as well.
func written(s *policy.Shape) string {
	switch s.Kind {
	case policy.ShapeArray:
		return "[" + written(s.Items) + "]"
	case policy.ShapeObject:
		var parts []string
		for _, name := range sortedNames(s.Fields) {
			mark := ""
			if s.Required[name] {
				mark = "!"
			}
			parts = append(parts, name+mark+" "+written(s.Fields[name]))
		}
		if s.Open {
			parts = append(parts, "...")
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return string(s.Kind)
}

// TestShapes: what the schema and the rules promise, and no more.
func TestShapes(t *testing.T) {
	ignore := canon.Rule{Kind: canon.RuleIgnore}
	for name, c := range map[string]struct {
		schema string
		rules  canon.Rules
		want   string
	}{
		"types": {`{"type":"object","additionalProperties":false,"required":["a","c"],"properties":{"a":{"type":"string"},"b":{"type":"integer"},"c":{"type":"number"},"d":{"type":"boolean"},"e":{}}}`,
			canon.Rules{}, "{a! string, b integer, c! number, d boolean, e any}"},
		"open":                {`{"type":"object"}`, canon.Rules{}, "{...}"},
		"open by a pattern":   {`{"type":"object","additionalProperties":false,"patternProperties":{"^x":{}}}`, canon.Rules{}, "{...}"},
		"closed by a schema":  {`{"type":"object","additionalProperties":{"not":{}}}`, canon.Rules{}, "{...}"},
		"several types":       {`{"type":"object","properties":{"a":{"type":["string","integer"]},"b":{"type":["integer","number"]}}}`, canon.Rules{}, "{a any, b number, ...}"},
		"words":               {`{"type":"object","properties":{"a":{"enum":["x","y"]},"b":{"const":"x"},"c":{"enum":["x",1]}}}`, canon.Rules{}, "{a string, b string, c any, ...}"},
		"null":                {`{"type":"object","required":["a"],"properties":{"a":{"type":["string","null"]}}}`, canon.Rules{}, "{a! any, ...}"},
		"null that is absent": {`{"type":"object","required":["a"],"properties":{"a":{"type":["string","null"]}}}`, canon.Rules{Null: canon.NullAbsent}, "{a string, ...}"},
		"null items stay": {`{"type":"object","properties":{"a":{"type":"array","items":{"type":["string","null"]}}}}`,
			canon.Rules{Null: canon.NullAbsent}, "{a [any], ...}"},
		"a default for null": {`{"type":"object","required":["a"],"properties":{"a":{"type":["string","null"]}}}`,
			canon.Rules{Null: canon.NullAbsent, Defaults: map[string]*canon.Value{"/a": canon.String("x")}}, "{a! string, ...}"},
		"a default": {`{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"integer"}}}}}`,
			canon.Rules{Defaults: map[string]*canon.Value{"/a/b": canon.Int(1)}}, "{a {b! integer, ...}, ...}"},
		"a default that the schema does not promise": {`{"type":"object","properties":{"a":{"type":"string"}}}`,
			canon.Rules{Defaults: map[string]*canon.Value{"/a": canon.Int(1)}}, "{a! any, ...}"},
		"references and allOf": {`{"type":"object","properties":{"a":{"$ref":"#/$defs/a"},"b":{"allOf":[{"type":["integer","string"]},{"type":"number"}]}},"$defs":{"a":{"type":"string"}}}`,
			canon.Rules{}, "{a string, b integer, ...}"},
		"alternatives promise nothing": {`{"type":"object","anyOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"b":{"type":"string"}}}]}`,
			canon.Rules{}, "{a any, b any, ...}"},
		"alternatives take nothing away": {`{"type":"object","properties":{"a":{"type":"string"}},"if":{"properties":{"a":{"const":"x"}}},"then":{"required":["a"]}}`,
			canon.Rules{}, "{a string, ...}"},
		"a cycle": {`{"type":"object","properties":{"child":{"$ref":"#"},"n":{"type":"integer"}}}`, canon.Rules{}, "{child any, n integer, ...}"},
		"items":   {`{"type":"object","properties":{"a":{"type":"array","items":{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}}}}`, canon.Rules{}, "{a [{n! integer, ...}], ...}"},
		"items that differ": {`{"type":"object","properties":{"a":{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"integer"}}}}`,
			canon.Rules{}, "{a [any], ...}"},
		"a rule for one item": {`{"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"m":{"type":"string"}}}}}}`,
			canon.Rules{Fields: map[string]canon.Rule{"/a/0/m": {Kind: canon.RuleMoney, Form: canon.FormMajor, Currency: "EUR"}}}, "{a [any], ...}"},
		"money": {`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"array","items":{"type":"object","properties":{"m":{"type":"integer"}}}}}}`,
			canon.Rules{Fields: map[string]canon.Rule{"/a": {Kind: canon.RuleMoney, Form: canon.FormMajor, Currency: "EUR"}, "/b/*/m": {Kind: canon.RuleMoney, Form: canon.FormMinor, Currency: "EUR"}}},
			"{a money, b [{m money, ...}], ...}"},
		"a set of words": {`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}}}`,
			canon.Rules{Fields: map[string]canon.Rule{"/a": {Kind: canon.RuleSet, Of: &canon.Rule{Kind: canon.RuleEmail}}}}, "{a [string], ...}"},
		"a set of amounts": {`{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}}}`,
			canon.Rules{Fields: map[string]canon.Rule{"/a": {Kind: canon.RuleList, Of: &canon.Rule{Kind: canon.RuleMoney, Form: canon.FormMajor, Currency: "EUR"}}}}, "{a [money], ...}"},
		"ignored": {`{"type":"object","required":["a"],"properties":{"a":{"type":"string"},"b":{"type":"string"}}}`,
			canon.Rules{Fields: map[string]canon.Rule{"/a": ignore}}, "{b string, ...}"},
		"sensitive": {`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"array","items":{"type":"string"}},"c":{"type":"array","items":{"type":"integer"}},"d":{"type":"string"}}}`,
			canon.Rules{Fields: map[string]canon.Rule{"/d": {Kind: canon.RuleMoney, Form: canon.FormMajor, Currency: "EUR"}}, Sensitive: []string{"/a", "/b", "/c/*", "/d"}},
			"{a string, b any, c [string], d string, ...}"},
		"a rule where the schema is silent": {`{"type":"object","properties":{"a":{}}}`,
			canon.Rules{Null: canon.NullAbsent, Fields: map[string]canon.Rule{"/a": {Kind: canon.RuleIdentifier}}}, "{a string, ...}"},
		"a member named *": {`{"type":"object","additionalProperties":false,"properties":{"*":{"type":"string"}}}`, canon.Rules{}, "{...}"},
		"a map": {`{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"string"}}}}`,
			canon.Rules{Fields: map[string]canon.Rule{"/m/x": {Kind: canon.RuleText}}}, "{m {x string, ...}, ...}"},
	} {
		t.Run(name, func(t *testing.T) {
			d := read()
			d.Schema, d.Identity.Rules = []byte(c.schema), c.rules
			if got := written(registry.PolicyTool(d).Arguments); got != c.want {
				t.Errorf("shape %s, want %s", got, c.want)
			}
		})
	}
}

// TestShapesEnd: a schema whose definitions all refer to each other has more ways through it than anybody could walk.
func TestShapesEnd(t *testing.T) {
	const n = 40
	var defs []string
	for i := range n {
		var fields []string
		for j := range n {
			fields = append(fields, fmt.Sprintf(`"f%d":{"$ref":"#/$defs/d%d"}`, j, j))
		}
		defs = append(defs, fmt.Sprintf(`"d%d":{"type":"object","properties":{%s}}`, i, strings.Join(fields, ",")))
	}
	d := contact()
	d.Schema = []byte(`{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{` + strings.Join(defs, ",") + `}}`)
	if got := registry.PolicyTool(d).Arguments.Fields["a"].Kind; got != policy.ShapeObject {
		t.Errorf("the first field is %s", got)
	}
	registry.Lint(d)
}

// TestPolicyTool: what the policy knows of a tool.
func TestPolicyTool(t *testing.T) {
	d := ruled()
	d.Version = 7
	got := registry.PolicyTool(d)
	if got.Name != d.Name || got.Version != 7 || got.Class != string(registry.ExternalIdempotentWrite) || !got.Mutates || got.Irreversible ||
		got.Intent != "capture" || got.EntityType != "order" || got.Result != nil {
		t.Errorf("the tool is %+v", got)
	}
	if got.Rules.Approval.OnExpiry != policy.ExpiryDeny || got.Rules.MaxRevisions != 2 {
		t.Errorf("the rules lack their defaults: %+v", got.Rules)
	}
	const want = "{amount! money, as_of string, buyer {id! string, mail string, ...}, count integer, currency! string, labels {...}, " +
		"lines [{note string, sku string, ...}], order_id! string, tags [string]}"
	if shape := written(got.Arguments); shape != want {
		t.Errorf("the arguments are\n%s, want\n%s", shape, want)
	}
	if r := registry.PolicyTool(revoke()); !r.Mutates || !r.Irreversible {
		t.Errorf("what cannot be undone: %+v", r)
	}
	if r := registry.PolicyTool(read()); r.Mutates || r.EntityType != "" || r.Rules.MaxRevisions != policy.DefaultMaxRevisions {
		t.Errorf("a read: %+v", r)
	}
	broken := read()
	broken.Schema = nil
	if r := registry.PolicyTool(broken); r.Arguments.Kind != policy.ShapeAny {
		t.Errorf("arguments without a schema: %+v", r.Arguments)
	}
}

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
