package inbox_test

import (
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/inbox"
)

// TestParse: a source of few words has what its preset knows.
func TestParse(t *testing.T) {
	all, err := inbox.Parse("sources.yaml", []byte(stripeSource+"  - name: stripe\n    namespace: south\n    preset: slack\n    tolerance: 1m\n    secrets: [{file: slack}]\n    verdicts: {message: happened}\n"), inbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	stripe, slack := all.Find("default", "stripe"), all.Find("south", "stripe")
	if stripe == nil || slack == nil || all.Find("south", "slack") != nil || len(all.All()) != 2 {
		t.Fatalf("%v", all.All())
	}
	if stripe.Tolerance != inbox.DefaultTolerance || slack.Tolerance != time.Minute || stripe.Fields.EventID != "/id" || slack.Fields.EventTime != "/event_time" {
		t.Fatalf("%+v %+v", stripe.Settings, slack.Settings)
	}
	var none *inbox.Sources
	if none.Find("default", "stripe") != nil || none.All() != nil {
		t.Fatal("no file has no sources")
	}
}

// TestParseFaults: each fault is told with its line and column.
func TestParseFaults(t *testing.T) {
	change := func(old, new string) string { return strings.Replace(stripeSource, old, new, 1) }
	for name, tc := range map[string]struct{ text, says string }{
		"nothing":                   {"", "empty"},
		"no YAML":                   {"\t", "sources.yaml"},
		"another member":            {change("name: stripe", "nmae: stripe"), `:3:5: there is no "nmae" here`},
		"no name":                   {change("  - name: stripe\n    preset", "  - preset"), ":3:5: name is missing"},
		"a list for a text":         {change("name: stripe", "name: [stripe]"), ":3:11: a text is expected"},
		"a number for a name":       {change("name: stripe", "name: 7"), ":3:11: a text is expected"},
		"a name for no path":        {change("name: stripe", "name: a/b"), "is not made of letters"},
		"a namespace for no path":   {change("preset: stripe", "preset: stripe\n    namespace: ../x"), "cannot stand in a path"},
		"another preset":            {change("preset: stripe", "preset: strip"), "there is no preset \"strip\"; there are github, hmac"},
		"no secret":                 {change("    secrets: [{environment: S_ONE}]\n", ""), "secrets is missing"},
		"a secret of two places":    {change("{environment: S_ONE}", "{environment: S_ONE, file: x}"), ":5:15: a secret has either"},
		"a secret in the file":      {change("{environment: S_ONE}", "whsec_secret"), ":5:15: a mapping is expected"},
		"too many secrets":          {change("[{environment: S_ONE}]", "["+strings.Repeat("{environment: S_ONE}, ", 5)+"]"), "1 to 4 places"},
		"a verdict that is none":    {change("charge.failed: did_not_happen", "charge.failed: failed"), "a verdict is one of did_not_happen, happened"},
		"a verdict twice":           {change("charge.pending: in_progress", "charge.failed: in_progress"), `"charge.failed" stands here twice`},
		"no verdicts":               {change("verdicts: {charge.succeeded: happened, charge.failed: did_not_happen, charge.pending: in_progress, charge.updated: nothing}", "verdicts: {}"), "says what events mean"},
		"a pointer that is none":    {change("/data/object/metadata/opledger_reference", "data.object"), ":7:25: is neither a JSON pointer"},
		"a broken pointer":          {change("/data/object/metadata/opledger_reference", "/a~2b"), ":7:25:"},
		"another field":             {change("client_reference:", "reference:"), `there is no "reference" here`},
		"a source twice":            {stripeSource + strings.TrimPrefix(stripeSource, "\nsources:\n"), "is here twice"},
		"a tolerance beyond reason": {change("preset: stripe", "preset: stripe\n    tolerance: 1000h"), ":5:16: a duration of 5s"},
		"a tolerance of nothing":    {change("preset: stripe", "preset: github\n    tolerance: 5m"), "signs no time"},
		"an old no, sent again":     {change("preset: stripe", "preset: github"), "fields.event_time must be a pointer into the body"},
		"a time in a header":        {change("fields:\n", "fields:\n      event_time: header:x-time\n"), "no header is signed"},
		"an address not signed":     {change("preset: stripe", "preset: stripe\n    url: https://a.example/x"), "url is stated and is not signed"},
		"an address that is signed": {change("preset: stripe", "preset: square"), "state it as url"},
		"hmac without its parts":    {change("preset: stripe", "preset: hmac"), "hmac belongs to the preset hmac"},
		"parts without hmac":        {change("preset: stripe", "preset: stripe\n    hmac: {header: X-S}"), "hmac belongs to the preset hmac"},
		"a time that is not signed": {change("preset: stripe", "preset: hmac\n    hmac: {header: X-S, timestamp_header: X-T}"), "a timestamp counts only if it is signed"},
		"another hash":              {change("preset: stripe", "preset: hmac\n    hmac: {header: X-S, hash: md5}"), "hash is sha256, sha512 or sha1"},
		"unsigned":                  {change("preset: stripe\n    secrets: [{environment: S_ONE}]", "preset: none"), "--webhook-unsigned"},
		"no event id":               {change("preset: stripe", "preset: hmac\n    hmac: {header: X-S}"), "fields.event_id is missing"},
		"two documents":             {stripeSource + "---\nsources: []\n", "more than one document"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := inbox.Parse("sources.yaml", []byte(tc.text), inbox.Options{})
			if err == nil || !strings.Contains(err.Error(), tc.says) {
				t.Fatalf("%v, want %q", err, tc.says)
			}
		})
	}
}

// FuzzParse: no file ends in a panic.
func FuzzParse(f *testing.F) {
	f.Add([]byte(stripeSource))
	f.Add([]byte("sources: [{name: a, preset: hmac, hmac: {header: X}, verdicts: {a: happened}}]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, _ = inbox.Parse("sources.yaml", text, inbox.Options{Unsigned: true})
	})
}
