package inbox_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/inbox"
	"github.com/opledger/opledger/ledger"
)

const stripeSource = `
sources:
  - name: stripe
    preset: stripe
    secrets: [{environment: S_ONE}]
    fields:
      client_reference: /data/object/metadata/opledger_reference
    verdicts: {charge.succeeded: happened, charge.failed: did_not_happen, charge.pending: in_progress, charge.updated: nothing}
`

const stripeEvent = `{"id":"evt_1","type":"charge.succeeded","created":1700000000,"request":{"id":"req_1","idempotency_key":"opk-1"},` +
	`"data":{"object":{"id":"ch_1","amount":4900000000000000001,"metadata":{"opledger_reference":"opr-1"}}}}`

func read(t *testing.T, s *inbox.Source, body string) (*inbox.Event, error) {
	t.Helper()
	return s.Read(&inbox.Delivery{Body: []byte(body)}, inbox.Proof{}, "")
}

// TestRead: what a Stripe event says is found by the preset and one pointer.
func TestRead(t *testing.T) {
	e, err := read(t, parsed(t, stripeSource), stripeEvent)
	if err != nil {
		t.Fatal(err)
	}
	if e.ID != "evt_1" || e.Type != "charge.succeeded" || e.Says != ledger.SaysHappened || !e.Time.Equal(time.Unix(1700000000, 0)) ||
		e.ClientReference != "opr-1" || e.VendorKey != "opk-1" || e.ObjectID != "ch_1" || e.EffectID != "" {
		t.Fatalf("%+v", e)
	}
	if want := `{"amount":4900000000000000001,"id":"ch_1","metadata":{"opledger_reference":"opr-1"}}`; string(e.ResultJSON) != want {
		t.Fatalf("the result is %s, want %s", e.ResultJSON, want)
	}
	if !strings.HasPrefix(e.Digest, "sha256:") || len(e.Digest) != 71 {
		t.Fatalf("the digest is %s", e.Digest)
	}
}

// TestReadVerdicts: an event means what the settings say, and nothing where they say nothing.
func TestReadVerdicts(t *testing.T) {
	s := parsed(t, stripeSource)
	for eventType, want := range map[string]ledger.Says{
		"charge.succeeded": ledger.SaysHappened, "charge.failed": ledger.SaysNot, "charge.pending": ledger.SaysInProgress,
		"charge.updated": "", "customer.created": "", "": "",
	} {
		e, err := read(t, s, `{"id":"evt_1","type":"`+eventType+`"}`)
		if err != nil || e.Says != want {
			t.Errorf("%q says %q (%v), want %q", eventType, e.Says, err, want)
		}
	}
	by := parsed(t, strings.Replace(stripeSource, "fields:", "fields:\n      verdict_by: /data/object/status", 1))
	e, err := read(t, by, `{"id":"evt_1","type":"charge.updated","data":{"object":{"status":"charge.failed"}}}`)
	if err != nil || e.Says != ledger.SaysNot || e.Type != "charge.updated" {
		t.Errorf("%+v %v", e, err)
	}
}

// TestReadOddPayloads: what cannot be read is refused by one error; what is not there is not made up.
func TestReadOddPayloads(t *testing.T) {
	s := parsed(t, stripeSource)
	for name, body := range map[string]string{
		"no JSON": "id=evt_1", "nothing": "", "two values": `{"id":"evt_1"}{}`, "not UTF-8": "{\"id\":\"\xff\"}", "no id": `{"type":"x"}`,
		"an empty id": `{"id":""}`, "an id that is an object": `{"id":{}}`, "an id that is null": `{"id":null}`, "a zero byte": `{"id":"a\u0000b"}`,
		"a long id": `{"id":"` + strings.Repeat("x", 257) + `"}`, "an array": `[1]`, "a number": `7`, "deep": strings.Repeat("[", 100_000),
	} {
		if e, err := read(t, s, body); !errors.Is(err, inbox.ErrPayload) {
			t.Errorf("%s: %+v %v", name, e, err)
		}
	}
	for name, body := range map[string]string{
		"pointers that find nothing":   `{"id":"evt_1"}`,
		"other types in between":       `{"id":"evt_1","data":[{"object":1}],"request":"req_1"}`,
		"references that are too long": `{"id":"evt_1","data":{"object":{"id":"` + strings.Repeat("x", 257) + `"}}}`,
		"times that are none":          `{"id":"evt_1","created":"yesterday"}`,
		"a negative time":              `{"id":"evt_1","created":-1}`,
	} {
		e, err := read(t, s, body)
		if err != nil || e.ObjectID != "" || e.ClientReference != "" || e.VendorKey != "" || !e.Time.IsZero() {
			t.Errorf("%s: %+v %v", name, e, err)
		}
	}
	for text, want := range map[string]time.Time{
		`1700000000`: time.Unix(1700000000, 0), `"1700000000.25"`: time.Unix(1700000000, 0), `1700000000123`: time.UnixMilli(1700000000123),
		`"2023-11-14T22:13:20.5+01:00"`: time.Date(2023, 11, 14, 21, 13, 20, 5e8, time.UTC),
		`99999999999999999`:             time.Unix(253402300799, 0),
	} {
		e, err := read(t, s, `{"id":"evt_1","created":`+text+`}`)
		if err != nil || !e.Time.Equal(want) {
			t.Errorf("%s is read as %s (%v), want %s", text, e.Time, err, want)
		}
	}
	if e, err := read(t, s, `{"id":7,"data":{"object":{"id":12345678901234567890,"x":"`+strings.Repeat("y", 70_000)+`"}}}`); err != nil || e.ID != "7" || e.ObjectID != "12345678901234567890" || e.ResultJSON != nil {
		t.Errorf("%+v %v", e, err)
	}
}

// FuzzRead: no body ends in a panic.
func FuzzRead(f *testing.F) {
	f.Add([]byte(stripeEvent))
	f.Add([]byte(`{"id":"a","data":{"object":[1,2]}}`))
	all, err := inbox.Parse("sources.yaml", []byte(stripeSource), inbox.Options{})
	if err != nil {
		f.Fatal(err)
	}
	s := all.All()[0]
	f.Fuzz(func(t *testing.T, body []byte) {
		e, err := s.Read(&inbox.Delivery{Body: body}, inbox.Proof{}, "")
		if (e == nil) == (err == nil) {
			t.Fatalf("%v and %v", e, err)
		}
	})
}
