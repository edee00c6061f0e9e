package registry_test

import (
	"strings"
	"testing"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/registry"
)

// lintOf lints a class 3 tool with these properties and rules.
func lintOf(template, properties string, fields map[string]canon.Rule) []registry.Problem {
	d := capture()
	d.Identity.KeyTemplate = template
	d.Identity.Rules.Fields = fields
	d.Identity.Entity = nil
	d.Schema = []byte(`{"type":"object","required":["order_id"],"properties":{"order_id":{"type":"string"},` + properties + `}}`)
	return registry.Lint(d)
}

// TestVolatileFields are FC-203 and FC-107: a hash over everything identifies a request, not an operation.
func TestVolatileFields(t *testing.T) {
	ignore := canon.Rule{Kind: canon.RuleIgnore}
	for name, c := range map[string]struct {
		properties string
		fields     map[string]canon.Rule
		want       []string
	}{
		"plain fields":             {`"amount":{"type":"string"},"created_by":{"type":"string"}`, nil, nil},
		"FC-203 by name":           {`"created_at":{"type":"string"}`, nil, []string{"arguments_schema volatile_field"}},
		"FC-203 in another case":   {`"attemptId":{"type":"string"},"Trace-ID":{"type":"string"},"nonce":{}`, nil, []string{"arguments_schema volatile_field", "arguments_schema volatile_field", "arguments_schema volatile_field"}},
		"FC-203 by format":         {`"due":{"type":"string","format":"date-time"}`, nil, []string{"arguments_schema volatile_field"}},
		"FC-203 nested":            {`"client_ctx":{"type":"object","properties":{"created_at":{},"attempt_id":{}}}`, nil, []string{"arguments_schema volatile_field", "arguments_schema volatile_field"}},
		"FC-203 in items":          {`"lines":{"type":"array","items":{"properties":{"request_id":{}}}}`, nil, []string{"arguments_schema volatile_field"}},
		"FC-203 ignored":           {`"client_ctx":{"type":"object","properties":{"created_at":{},"attempt_id":{}}}`, map[string]canon.Rule{"/client_ctx/created_at": ignore, "/client_ctx/attempt_id": ignore}, nil},
		"FC-203 ignored as one":    {`"client_ctx":{"type":"object","properties":{"created_at":{},"attempt_id":{}}}`, map[string]canon.Rule{"/client_ctx": ignore}, nil},
		"a rule says what it is":   {`"due":{"type":"string","format":"date-time"}`, map[string]canon.Rule{"/due": {Kind: canon.RuleTimestamp, Precision: canon.PrecisionSecond}}, nil},
		"FC-107 key of the caller": {`"idempotency_key":{"type":"string"}`, nil, []string{"arguments_schema caller_key_field"}},
		"FC-107 ignored":           {`"idempotency_key":{"type":"string"}`, map[string]canon.Rule{"/idempotency_key": ignore}, nil},
	} {
		t.Run(name, func(t *testing.T) { wantCodes(t, lintOf("", c.properties, c.fields), c.want...) })
	}
}

// TestVolatileFieldsBesideATemplate do no second effect, but a retry is refused.
func TestVolatileFieldsBesideATemplate(t *testing.T) {
	found := lintOf("pay:{order_id}", `"created_at":{"type":"string"}`, nil)
	wantCodes(t, found, "arguments_schema volatile_field")
	if !strings.Contains(found[0].Message, "refused as a reused key") {
		t.Errorf("the harm is not that of a template: %s", found[0].Message)
	}
}

func TestReadsAreNotLinted(t *testing.T) {
	d := read()
	d.Schema = []byte(`{"type":"object","properties":{"request_id":{}}}`)
	wantCodes(t, registry.Lint(d))
}

// TestLintEnds: a schema that holds itself is walked once round.
func TestLintEnds(t *testing.T) {
	d := mail()
	d.Identity.Entity = nil
	d.Schema = []byte(`{"type":"object","properties":{"child":{"$ref":"#"},"nonce":{}}}`)
	wantCodes(t, registry.Lint(d), "arguments_schema volatile_field")
}

func TestSettingsThatDoNothing(t *testing.T) {
	d := with(capture(), func(d *registry.Definition) {
		d.Identity.KeyTemplate += ":{occurrence}"
		d.Provider.Lookups[0].ReadAfterWrite, d.Provider.Lookups[1].ReadAfterWrite = true, true
		d.Provider.PropagationTime = registry.PropagationTime
	})
	wantCodes(t, registry.Lint(d), "identity.key_template unused_occurrence", "provider.propagation_delay unused_propagation_delay")
}
