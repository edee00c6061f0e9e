package registry_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/registry"
)

const charge = `{"order_id":" order_123 ","amount":"49.0","currency":"usd","note":"please"}`

func TestIdentify(t *testing.T) {
	d := capture()
	d.Version = 3
	d.Identity.Touches = []registry.EntityTemplate{{Type: "ledger", ID: "{currency}"}, {Type: "order", ID: "{order_id}"}}
	id, faults := compiled(t, d).Identify(registry.Call{Arguments: parse(t, charge)}, nil)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if id.Key != "payment:order_123:capture:4900:USD:v1" {
		t.Errorf("key %s", id.Key)
	}
	if id.ToolVersion != 3 || id.Intent != "capture" || id.Entity != (canon.Entity{Type: "order", ID: "order_123"}) {
		t.Errorf("version %d, intent %s, entity %v", id.ToolVersion, id.Intent, id.Entity)
	}
	if want := []canon.Entity{{Type: "ledger", ID: "USD"}}; !slices.Equal(id.Touches, want) {
		t.Errorf("touches %v; the entity itself is not touched beside itself", id.Touches)
	}
	if strings.Contains(string(id.Canonical), "note") || !reflect.DeepEqual(id.Ignored, map[string]string{"/note": `"please"`}) {
		t.Errorf("canonical %s, ignored %v", id.Canonical, id.Ignored)
	}
	if id.Money["/amount"] != (canon.Amount{Minor: 4900, Currency: "USD"}) {
		t.Errorf("money %v", id.Money)
	}
	if id.Fingerprint != canon.Fingerprint(id.Canonical) {
		t.Error("the fingerprint is not that of the canonical text")
	}
}

func TestFaultsNameTheFieldOfTheProposal(t *testing.T) {
	byTemplate := with(read(), func(d *registry.Definition) {
		d.Identity.Occurrence, d.Identity.OccurrenceTemplate = registry.OccurrenceByTemplate, "{order_id}"
	})
	grant := with(revoke(), func(d *registry.Definition) { d.Identity.Occurrence = "" })
	own := with(read(), func(d *registry.Definition) { d.Identity.CallerKey = true })
	for name, c := range map[string]struct {
		tool registry.Definition
		args string
		call registry.Call
		want string
	}{
		"empty component":           {capture(), `{"order_id":"  ","amount":"1","currency":"USD"}`, registry.Call{}, "arguments /order_id EMPTY"},
		"amount too fine":           {capture(), `{"order_id":"o","amount":"1.001","currency":"USD"}`, registry.Call{}, "arguments /amount TOO_FINE"},
		"nobody names one":          {capture(), charge, registry.Call{Occurrence: "2"}, "occurrence  OCCURRENCE_NOT_ALLOWED"},
		"the template makes it":     {byTemplate, `{"order_id":"o"}`, registry.Call{Occurrence: "2"}, "occurrence  OCCURRENCE_NOT_ALLOWED"},
		"a grant is needed":         {grant, `{"ref":"r"}`, registry.Call{Occurrence: "2"}, "occurrence  OCCURRENCE_NOT_ALLOWED"},
		"a grant is there":          {grant, `{"ref":"r"}`, registry.Call{Occurrence: "2", RepeatGranted: true}, ""},
		"any caller":                {read(), `{"order_id":"o"}`, registry.Call{Occurrence: "2"}, ""},
		"occurrence too long":       {read(), `{"order_id":"o"}`, registry.Call{Occurrence: strings.Repeat("x", 257)}, "occurrence  TOO_LARGE"},
		"a key that nobody takes":   {capture(), charge, registry.Call{CallerKey: "k-1"}, "idempotency_key  CALLER_KEY_NOT_ALLOWED"},
		"a key that is taken":       {own, `{"order_id":"o"}`, registry.Call{CallerKey: "k-1"}, ""},
		"a key that is no text":     {own, `{"order_id":"o"}`, registry.Call{CallerKey: "k\x00"}, "idempotency_key  NUL_CHARACTER"},
		"an absent part of the key": {contactOf("{/buyer}"), `{"order_id":"o"}`, registry.Call{}, "arguments /buyer ABSENT_COMPONENT"},
	} {
		t.Run(name, func(t *testing.T) {
			c.call.Arguments = parse(t, c.args)
			_, faults := compiled(t, c.tool).Identify(c.call, nil)
			got := ""
			for _, f := range faults {
				got += string(f.Field) + " " + f.Pointer + " " + string(f.Reason)
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// contactOf has a template that Check would refuse: where an absent component can still happen, each call is refused.
func contactOf(template string) registry.Definition {
	d := contact()
	d.Identity.KeyTemplate = template + ":{occurrence}"
	return d
}

// TestOccurrencesAreOperations is FC-109: a wanted second action is another operation, the same one again is not.
func TestOccurrencesAreOperations(t *testing.T) {
	c := compiled(t, contact())
	key := func(occurrence string) canon.Key {
		id, faults := c.Identify(registry.Call{Arguments: parse(t, `{"order_id":"o"}`), Occurrence: occurrence}, nil)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		return id.Key
	}
	if key("") == key("item_2") || key("item_2") != key("item_2") {
		t.Error("an occurrence must be part of the identity")
	}
}

func TestSensitiveFieldsTakePartByTheirHash(t *testing.T) {
	d := with(read(), func(d *registry.Definition) { d.Identity.Rules.Sensitive = []string{"/order_id"} })
	hasher := func(pointer string, canonical []byte) string { return "h" + pointer + string(rune(len(canonical))) }
	id, faults := compiled(t, d).Identify(registry.Call{Arguments: parse(t, `{"order_id":"secret"}`)}, hasher)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if strings.Contains(string(id.Canonical), "secret") {
		t.Errorf("the value is shown: %s", id.Canonical)
	}
}

func TestAgree(t *testing.T) {
	d := capture()
	d.Identity.Touches = []registry.EntityTemplate{{Type: "b", ID: "{currency}"}, {Type: "a", ID: "{currency}"}}
	id, faults := compiled(t, d).Identify(registry.Call{Arguments: parse(t, charge)}, nil)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	order := canon.Entity{Type: "order", ID: "order_123"}
	other := canon.Entity{Type: "order", ID: "order_124"}
	a, b := canon.Entity{Type: "a", ID: "USD"}, canon.Entity{Type: "b", ID: "USD"}
	for name, c := range map[string]struct {
		entity  *canon.Entity
		touches []canon.Entity
		want    int
	}{
		"nothing is stated":  {nil, nil, 0},
		"the same":           {&order, []canon.Entity{b, a}, 0},
		"another entity":     {&other, nil, 1},
		"other touched ones": {&order, []canon.Entity{a}, 1},
		"both wrong":         {&other, []canon.Entity{order}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			if got := id.Agree(c.entity, c.touches); len(got) != c.want {
				t.Errorf("faults %v", got)
			}
		})
	}
}

// TestIdentifyAll: a call is identified under each version that continues and could have made an operation of it.
func TestIdentifyAll(t *testing.T) {
	old := capture()
	old.Version = 1
	next := with(capture(), func(d *registry.Definition) {
		d.Version, d.Identity.KeyVersion = 2, 2
		d.Identity.KeyTemplate = "pay:{order_id}:{amount}:{currency}:{occurrence}"
		d.Identity.Occurrence, d.Identity.CallerKey = registry.OccurrenceAnyCaller, true
		d.Identity.Change.Continues = true
	})
	chain := []*registry.Compiled{compiled(t, next), compiled(t, old)}
	keys := func(call registry.Call) []string {
		call.Arguments = parse(t, charge)
		all, faults := registry.IdentifyAll(chain, call, nil)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		var list []string
		for _, id := range all {
			list = append(list, string(id.Key))
		}
		return list
	}
	for name, c := range map[string]struct {
		call registry.Call
		want []string
	}{
		"both":                              {registry.Call{}, []string{"pay:order_123:4900:USD:~:v2", "payment:order_123:capture:4900:USD:v1"}},
		"the old one knew no occurrence":    {registry.Call{Occurrence: "2"}, []string{"pay:order_123:4900:USD:2:v2"}},
		"the old one took no caller's keys": {registry.Call{CallerKey: "k"}, []string{"own:payment.capture:k:v2", "payment:order_123:capture:4900:USD:v1"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := keys(c.call); !slices.Equal(got, c.want) {
				t.Errorf("keys %q, want %q", got, c.want)
			}
		})
	}
	if _, faults := registry.IdentifyAll(chain, registry.Call{Arguments: parse(t, `{}`)}, nil); len(faults) == 0 {
		t.Error("what the newest version refuses is refused")
	}
}

// TestUnchangedVersionsAreMetToo: an operation is compared by the version that made it, so a version that only reworded
// the description has an identity of its own number.
func TestUnchangedVersionsAreMetToo(t *testing.T) {
	one, two, three, four := capture(), capture(), capture(), capture()
	one.Version, two.Version, three.Version, four.Version = 1, 2, 3, 4
	three.Description = "reworded"
	four.Identity.KeyVersion, four.Identity.Change.Continues = 2, true
	chain := []*registry.Compiled{compiled(t, four), compiled(t, three), compiled(t, two), compiled(t, one)}
	all, faults := registry.IdentifyAll(chain, registry.Call{Arguments: parse(t, charge)}, nil)
	if len(faults) > 0 || len(all) != 4 {
		t.Fatalf("%d identities, faults %v", len(all), faults)
	}
	for i, want := range []string{":v2", ":v1", ":v1", ":v1"} {
		if all[i].ToolVersion != int64(4-i) || !strings.HasSuffix(string(all[i].Key), want) {
			t.Errorf("version %d: key %s", all[i].ToolVersion, all[i].Key)
		}
	}
}

func TestExplainShowsWhatRulesChanged(t *testing.T) {
	e, faults := compiled(t, capture()).Explain(registry.Call{Arguments: parse(t, charge)}, nil)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if e.Key != "payment:order_123:capture:4900:USD:v1" || len(e.Changes) == 0 || len(e.Components) != 3 {
		t.Errorf("explanation %+v", e)
	}
}

func TestCompileRefusesWhatDoesNotCompile(t *testing.T) {
	d := capture()
	d.Schema = nil
	if _, err := registry.Compile(d); err == nil {
		t.Error("a tool without a schema compiles")
	}
}
