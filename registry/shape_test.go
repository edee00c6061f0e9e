package registry_test

import (
	"fmt"
	"strings"
	"testing"

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
