package policy

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTemplatesThatAreRefused(t *testing.T) {
	tool := refundTool(ToolRules{})
	for text, want := range map[string]struct {
		column int
		says   string
	}{
		"{args.order_id":                     {1, "never closed"},
		"a}":                                 {2, "closes nothing"},
		"ä{{args.order_id}}":                 {3, "do not nest"},
		"{a{b}":                              {3, "do not nest"},
		"{}":                                 {1, "no reference"},
		"{args.order_id }":                   {1, "no reference"},
		"{args.}":                            {1, "no reference"},
		"{args}":                             {1, "not known"},
		"{now}":                              {1, "not known"},
		"{result.status}":                    {1, "not known"},
		"{entity.state}":                     {1, "not known"},
		"x{args.amount}":                     {2, "args.amount.minor"},
		"{args.amount.major}":                {1, "no field major"},
		"{args.lines}":                       {1, "an array"},
		"{args.address}":                     {1, "an object"},
		"{args.address.zip}":                 {1, "it has city"},
		"{args.order_id.x}":                  {1, "a string"},
		strings.Repeat("{tool}", maxParts+1): {6*maxParts + 1, "more than 16"},
		strings.Repeat("x", MaxTemplate+1):   {1, "more than 512"},
	} {
		parsed, wrong := parseTemplate(text)
		if wrong == nil {
			wrong = parsed.check(&tool, false)
		}
		if wrong == nil || wrong.column != want.column || !strings.Contains(wrong.message, want.says) {
			t.Errorf("%s: %+v, want %+v", text, wrong, want)
		}
	}
}

// TestTemplatesNameWhatAToolHas: of money its two parts, of an object what it declares, of one that is open and declares
// nothing whatever it may have.
func TestTemplatesNameWhatAToolHas(t *testing.T) {
	tool := refundTool(ToolRules{})
	tool.Arguments.Fields["open"] = &Shape{Kind: ShapeObject, Open: true, Fields: map[string]*Shape{"known": text}}
	tool.Arguments.Fields["closed"] = &Shape{Kind: ShapeObject}
	unknown := tool
	unknown.Result = nil
	for _, c := range []struct {
		tool       *Tool
		overResult bool
		text, says string // empty: accepted
	}{
		{&tool, false, "{args.amount.minor}", ""}, {&tool, false, "{args.amount.currency}", ""}, {&tool, false, "{args.amount.major}", "no field major"},
		{&tool, false, "{args.address.minor}", "no field minor"}, {&tool, false, "{args.order_id.currency}", "no field currency"},
		{&tool, false, "{args.meta.x}", ""}, {&tool, false, "{args.meta.x.y}", ""}, {&tool, false, "{args.anything.x}", ""},
		{&tool, false, "{args.open.known}", ""}, {&tool, false, "{args.open.other}", "it has known"}, {&tool, false, "{args.closed.x}", "it has none"},
		{&tool, true, "{result.status}", ""}, {&tool, true, "{result.other}", "it has status"}, {&tool, true, "{result}", "not known"},
		{&unknown, true, "{result.whatever}", ""}, {&unknown, true, "{result}", "not known"}, {&unknown, false, "{result.whatever}", "not known"},
	} {
		parsed, wrong := parseTemplate(c.text)
		if wrong == nil {
			wrong = parsed.check(c.tool, c.overResult)
		}
		if (wrong == nil) != (c.says == "") || (wrong != nil && !strings.Contains(wrong.message, c.says)) {
			t.Errorf("%s: %+v, want %q", c.text, wrong, c.says)
		}
	}
}

func TestTemplatesFill(t *testing.T) {
	f := refund("op_1", 4900)
	f.Canonical = []byte(`{"address":{"city":"Köln/Bonn"},"amount":{"currency":"EUR","minor":"4900"},"lines":[1],"meta":{"a":[true,1.5]},"order_id":"o1","points":7}`)
	args, _ := parseObject(f.Canonical)
	for text, want := range map[string][2]string{ // as an id, as a text
		"{entity}":                  {"order%2Fo1", "order/o1"},
		"{entity.type}:{entity.id}": {"order/o1", "order:o1"},
		"{principal}{principal.person}{workflow}{tool}{intent}": {"agent/ann/wf_1/payment.refund/refund", "agentannwf_1payment.refundrefund"},
		"{args.amount.minor} {args.amount.currency}":            {"4900/EUR", "4900 EUR"},
		"{args.address.city}":                                   {"K%C3%B6ln%2FBonn", "Köln/Bonn"},
		"{args.points}":                                         {"7", "7"},
		"{args.meta.a}":                                         {"%5Btrue%2C1.5%5D", "[true,1.5]"},
		"{args.note}":                                           {absent, ""},
		"{args.note}{args.order_id}":                            {absent + "/o1", ""}, // what is absent hides nothing that follows
		"only text":                                             {"", "only text"},
		"":                                                      {"", ""},
	} {
		parsed, wrong := parseTemplate(text)
		if wrong != nil {
			t.Errorf("%s: %v", text, wrong)
			continue
		}
		v := &values{facts: &f, args: args}
		if got := parsed.id(v); got != want[0] {
			t.Errorf("%s as an id: %q, want %q", text, got, want[0])
		}
		if got, _ := parsed.fill(v); got != want[1] {
			t.Errorf("%s as a text: %q, want %q", text, got, want[1])
		}
	}
}

// TestValuesCannotMoveTheBorder: two calls share a counter only if they agree in every value of its template.
func TestValuesCannotMoveTheBorder(t *testing.T) {
	parsed, _ := parseTemplate("{args.a}-{args.b}")
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.StringMatching(`[-/~%a{}.]{0,4}`), rapid.String(), rapid.Just(strings.Repeat("x/", 150)))
		id := func(a, b string) string {
			text, _ := json.Marshal(map[string]string{"a": a, "b": b})
			args, _ := parseObject(text)
			id := parsed.id(&values{facts: &Facts{}, args: args})
			if len(id) > maxReadable {
				t.Fatalf("%d bytes", len(id))
			}
			return id
		}
		a1, b1, a2, b2 := value.Draw(t, "a1"), value.Draw(t, "b1"), value.Draw(t, "a2"), value.Draw(t, "b2")
		if same := a1 == a2 && b1 == b2; same != (id(a1, b1) == id(a2, b2)) {
			t.Fatalf("%q %q and %q %q", a1, b1, a2, b2)
		}
	})
}

func TestHistoryIDsAreBounded(t *testing.T) {
	long := strings.Repeat("n", 63)
	tool := refundTool(ToolRules{Limits: []Limit{{Name: long, Per: "{args.order_id}{args.note}", Max: 1, Period: day}}, Windows: []DedupeWindow{{Name: "w", KeyTemplate: "{entity}{args.order_id}", Period: day}},
		Conflicts: []Conflict{{Name: "c", Intents: []string{"x"}, Period: day}},
		Guards:    []Guard{{Name: "g", Condition: `count(args.order_id + args.order_id + args.order_id + args.order_id + args.order_id + args.order_id + args.order_id + args.order_id, "1h") < 3`}}})
	tool.Name = strings.Repeat("t", 128)
	set, problems := Compile(Config{Tools: []Tool{tool}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	f := refund("op_1", 1)
	f.Tool, f.Entity.ID = tool.Name, strings.Repeat("/", 1000)
	f.Canonical = []byte(`{"order_id":"` + strings.Repeat("ä", 2000) + `"}`)
	c, err := set.For(f)
	if err != nil || len(c.Histories()) != 4 {
		t.Fatal(err, c.Histories())
	}
	for _, id := range c.Histories() {
		if len(id) > MaxHistoryID {
			t.Errorf("%d bytes: %s", len(id), id)
		}
	}
}

func TestAChangedLimitStartsAfresh(t *testing.T) {
	row := func(l Limit) string {
		b := newBench(t, limited(l))
		return b.bind(refund("op_1", 1)).Histories()[0]
	}
	base := Limit{Per: "{args.customer_id}", Max: 5, Period: day}
	if got := row(base); !strings.HasPrefix(got, "limit/payment.refund/l/1d-sliding/") || !strings.HasSuffix(got, "/cus_1") {
		t.Errorf("an id that a person can read would name rule, period and value: %s", got)
	}
	higher, explained := base, base
	higher.Max, explained.Explanation, explained.Shadow = 9, "x", true
	if row(higher) != row(base) || row(explained) != row(base) {
		t.Error("a higher bound forgets what has been counted")
	}
	changes := []func(*Limit){func(l *Limit) { l.Per = "{args.order_id}" }, func(l *Limit) { l.SumOf = "/amount" }, func(l *Limit) { l.Period = 2 * day },
		func(l *Limit) { l.Fixed = true }, func(l *Limit) { l.Fixed, l.Zone = true, "Europe/Berlin" }, func(l *Limit) { l.When = "true" }}
	seen := map[string]bool{row(base): true}
	for i, change := range changes {
		l := base
		change(&l)
		if id := row(l); seen[id] {
			t.Errorf("change %d counts on in %s", i, id)
		} else {
			seen[id] = true
		}
	}
}
