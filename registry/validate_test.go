package registry_test

import (
	"strings"
	"testing"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/registry"
)

func TestValidate(t *testing.T) {
	d := read()
	d.Schema = []byte(`{"type":"object","additionalProperties":false,"required":["id"],"properties":{
		"id":{"type":"string","minLength":1,"maxLength":5,"pattern":"^[a-z]+$"},
		"n":{"type":"integer","minimum":1,"maximum":9007199254740990},
		"price":{"type":"number","multipleOf":0.01},
		"kind":{"enum":["a","b"]},
		"list":{"type":"array","maxItems":2,"uniqueItems":true,"items":{"type":"object","required":["x"]}},
		"or":{"anyOf":[{"type":"string"},{"type":"integer"}]},
		"pay":{"type":"object","properties":{"card":{"type":"string"}},"dependentRequired":{"card":["holder"]}}}}`)
	c := compiled(t, d)
	for name, test := range map[string]struct{ args, want string }{
		"all well":               {`{"id":"a","n":1,"price":0.1,"kind":"a","list":[{"x":1}],"or":"s"}`, ""},
		"missing":                {`{}`, "/id MISSING"},
		"unknown, and escaped":   {`{"id":"a","x/y":1,"z~":2}`, "/x~1y UNKNOWN_FIELD /z~0 UNKNOWN_FIELD"},
		"wrong type":             {`{"id":7}`, "/id WRONG_TYPE"},
		"too short, no match":    {`{"id":""}`, "/id BAD_LENGTH /id PATTERN"},
		"too long":               {`{"id":"abcdef"}`, "/id BAD_LENGTH"},
		"below":                  {`{"id":"a","n":0}`, "/n OUT_OF_RANGE"},
		"1.0 is a whole number":  {`{"id":"a","n":1.0}`, ""},
		"1.5 is not":             {`{"id":"a","n":1.5}`, "/n WRONG_TYPE"},
		"greatest by its digits": {`{"id":"a","n":9007199254740990}`, ""},
		"one more by its digits": {`{"id":"a","n":9007199254740991}`, "/n OUT_OF_RANGE"},
		"0.30 is a whole cent":   {`{"id":"a","price":0.30}`, ""},
		"0.305 is no cent":       {`{"id":"a","price":0.305}`, "/price OUT_OF_RANGE"},
		"none of the words":      {`{"id":"a","kind":"c"}`, "/kind NOT_IN_ENUM"},
		"an item":                {`{"id":"a","list":[{"x":1},{}]}`, "/list/1/x MISSING"},
		"too many, and twice":    {`{"id":"a","list":[{"x":1},{"x":1.0},{"x":2}]}`, "/list BAD_LENGTH /list NOT_UNIQUE"},
		"no alternative":         {`{"id":"a","or":true}`, "/or NOT_ADMITTED"},
		"one needs the other":    {`{"id":"a","pay":{"card":"1"}}`, "/pay/holder MISSING"},
		"no object":              {`[]`, " WRONG_TYPE"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, f := range c.Validate(parse(t, test.args)) {
				got = append(got, f.Pointer+" "+string(f.Reason))
			}
			if joined := strings.Join(got, " "); joined != test.want {
				t.Errorf("got %q, want %q", joined, test.want)
			}
		})
	}
}

// TestMessagesQuoteNoValue: a message may be logged, so it says what the schema wants and never what came.
func TestMessagesQuoteNoValue(t *testing.T) {
	d := read()
	d.Schema = []byte(`{"type":"object","properties":{
		"a":{"pattern":"^x$"},"b":{"enum":["x"]},"c":{"const":"x"},"d":{"type":"integer"},"e":{"maximum":5},"f":{"maxLength":2},
		"g":{"propertyNames":{"maxLength":2}},"h":{"not":{"type":"string"}},"i":{"contains":{"const":1}},
		"j":{"oneOf":[{"const":1},{"const":2}]},"k":{"multipleOf":5},"l":false}}`)
	args := `{"a":"secret","b":"secret","c":"secret","d":"secret","e":4711001,"f":"secret","g":{"secret":1},"h":"secret","i":["secret"],
		"j":"secret","k":4711001,"l":"secret"}`
	faults := compiled(t, d).Validate(parse(t, args))
	if len(faults) != 12 {
		t.Errorf("%d faults: %v", len(faults), faults)
	}
	for _, f := range faults {
		if strings.Contains(f.Message, "secret") || strings.Contains(f.Message, "4711001") {
			t.Errorf("%s quotes the value: %s", f.Pointer, f.Message)
		}
	}
}

func TestFaultsAreBounded(t *testing.T) {
	d := read()
	d.Schema = []byte(`{"type":"object","additionalProperties":false}`)
	members := make([]string, 200)
	for i := range members {
		members[i] = `"` + strings.Repeat("x", i+1) + `":1`
	}
	if got := len(compiled(t, d).Validate(parse(t, "{"+strings.Join(members, ",")+"}"))); got != canon.MaxFaults {
		t.Errorf("%d faults are told, want %d", got, canon.MaxFaults)
	}
}

// TestReferencesRoundACircle end, in the schema and in what it validates.
func TestReferencesRoundACircle(t *testing.T) {
	d := read()
	d.Schema = []byte(`{"type":"object","properties":{"child":{"$ref":"#"},"loop":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`)
	wantCodes(t, registry.Check(d))
	c := compiled(t, d)
	if faults := c.Validate(parse(t, `{"child":{"child":{"child":{}}}}`)); len(faults) > 0 {
		t.Error(faults)
	}
	if faults := c.Validate(parse(t, `{"loop":1}`)); len(faults) != 1 {
		t.Errorf("faults %v", faults)
	}
}
