package registry_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/registry"
)

// capture is a good definition of class 3 that tests change in one place each.
func capture() registry.Definition {
	return registry.Definition{
		Name:  "payment.capture",
		Class: registry.ExternalIdempotentWrite,
		Schema: []byte(`{"type":"object","additionalProperties":false,"required":["order_id","amount","currency"],"properties":{
			"order_id":{"type":"string"},
			"amount":{"type":"string"},
			"currency":{"type":"string"},
			"note":{"type":["string","null"]},
			"count":{"type":"integer","minimum":1,"maximum":9007199254740991},
			"tags":{"type":"array","items":{"type":"string"}},
			"as_of":{"type":"string","format":"date-time"},
			"lines":{"type":"array","items":{"$ref":"#/$defs/line"}},
			"labels":{"type":"object","additionalProperties":{"type":"string"}},
			"buyer":{"type":"object","required":["id"],"properties":{"id":{"type":"string"},"mail":{"type":"string"}}}},
			"$defs":{"line":{"type":"object","properties":{"sku":{"type":"string"},"note":{"type":"string"}}}}}`),
		Identity: registry.Identity{
			KeyTemplate: "payment:{order_id}:capture:{amount}:{currency}",
			Intent:      "capture",
			Entity:      &registry.EntityTemplate{Type: "order", ID: "{order_id}"},
			Occurrence:  registry.OccurrenceNobody,
			Rules: canon.Rules{Fields: map[string]canon.Rule{
				"/order_id": {Kind: canon.RuleIdentifier, Trim: true},
				"/amount":   {Kind: canon.RuleMoney, Form: canon.FormMajor, CurrencyField: "/currency"},
				"/currency": {Kind: canon.RuleEnum, Values: []string{"USD", "EUR", "JPY"}, Case: canon.CaseFold},
				"/note":     {Kind: canon.RuleIgnore},
				"/as_of":    {Kind: canon.RuleTimestamp, Precision: canon.PrecisionMilli},
			}},
		},
		Exclusive: registry.Exclusive{Stated: true, Group: "money"},
		Provider: registry.Provider{
			Name:                  "example-pay",
			VendorKey:             registry.VendorKey{Supported: true, Header: "Idempotency-Key", Retention: 24 * time.Hour},
			StoresClientReference: true,
			Lookups:               []registry.Lookup{{By: registry.ByVendorKey}, {By: registry.ByClientReference}},
		},
	}
}

// mail is a good definition of class 4, revoke of class 5, and read of class 1.
func mail() registry.Definition {
	return registry.Definition{
		Name: "email.send", Class: registry.ExternalNonIdempotentWrite,
		Schema:   []byte(`{"type":"object","properties":{"ref":{"type":"string"},"created_at":{"type":"string"}},"required":["ref"]}`),
		Identity: registry.Identity{Entity: &registry.EntityTemplate{Type: "order", ID: "{ref}"}},
		Provider: registry.Provider{Name: "example-mail"},
	}
}

func revoke() registry.Definition {
	d := mail()
	d.Name, d.Class = "access.revoke", registry.Irreversible
	d.Identity.Occurrence = registry.OccurrenceNobody
	d.Policy.ApprovalWaived = "a person asks for each"
	return d
}

func read() registry.Definition {
	return registry.Definition{Name: "order.get", Class: registry.PureRead,
		Schema: []byte(`{"type":"object","properties":{"order_id":{"type":"string"}},"required":["order_id"]}`)}
}

func contact() registry.Definition {
	d := read()
	d.Name, d.Class = "contact.upsert", registry.InternalDeterministicWrite
	return d
}

// wantCodes fails unless the problems are exactly those, by path and code.
func wantCodes(t *testing.T, got []registry.Problem, want ...string) {
	t.Helper()
	var have []string
	for _, p := range got {
		have = append(have, p.Path+" "+string(p.Code))
	}
	slices.Sort(have)
	slices.Sort(want)
	if !slices.Equal(have, want) {
		t.Errorf("problems:\n%v\nwant %q", registry.Problems(got), want)
	}
}

// with gives a copy of a definition with rules that can be changed.
func with(d registry.Definition, change func(*registry.Definition)) registry.Definition {
	d.Identity.Rules.Fields = maps.Clone(d.Identity.Rules.Fields)
	if d.Identity.Rules.Fields == nil {
		d.Identity.Rules.Fields = map[string]canon.Rule{}
	}
	d.Provider.Lookups = slices.Clone(d.Provider.Lookups)
	change(&d)
	return d
}

func compiled(t *testing.T, d registry.Definition) *registry.Compiled {
	t.Helper()
	c, err := registry.Compile(d)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func parse(t *testing.T, text string) *canon.Value {
	t.Helper()
	v, faults := canon.Parse([]byte(text), canon.Limits{})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return v
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
