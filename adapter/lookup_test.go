package adapter_test

import (
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/dispatch"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

func question(by registry.LookupBy, value string) dispatch.Question {
	return dispatch.Question{Namespace: "acme", OperationID: "op_1", By: by, Value: value, Arguments: []byte(arguments), VendorKey: "opk-key", ClientReference: "opr-reference"}
}

// looking is a tool that asks by its client reference, and by vendor key for a list.
func looking(url string) *registry.Definition {
	d := capture(url)
	extract := registry.HTTPExtract{ProviderObjectID: "/id", VendorKey: "/key", ClientReference: "/metadata/ref"}
	failed := &registry.HTTPCondition{BodyPointer: "/status", BodyEqualsJSON: new(`"failed"`)}
	d.HTTP.Lookups = []registry.HTTPLookup{
		{
			By: registry.ByClientReference, Request: registry.HTTPRequest{Method: "GET", URL: url + "/v1/captures?ref={reference}", Timeout: 5 * time.Second},
			Found:    registry.HTTPCondition{Status: []string{"200"}, BodyPointer: "/id"},
			NotFound: when("404"), Extract: extract, DidNotHappen: failed,
			InProgress: &registry.HTTPCondition{BodyPointer: "/status", BodyEqualsJSON: new(`"pending"`)},
		},
		{
			By: registry.ByVendorKey, Request: registry.HTTPRequest{Method: "POST", URL: url + "/v1/search", JSON: `{"order":"{args.order_id}","key":"{vendor_key}"}`},
			Found: when("200"), NotFound: registry.HTTPCondition{Status: []string{"200"}, BodyPointer: "/data", BodyEqualsJSON: new(`[]`)},
			Items: new("/data"), Complete: &registry.HTTPCondition{BodyPointer: "/more", BodyEqualsJSON: new(`false`)},
			Extract: extract, DidNotHappen: failed,
		},
	}
	return d
}

// TestAsk: what meets no condition says nothing, and a find carries what it echoes.
func TestAsk(t *testing.T) {
	const ours = `"metadata":{"ref":"opr-reference"}`
	for name, c := range map[string]struct {
		status, body string
		says         ledger.Says
		effect       string
		reference    string
	}{
		"found":                      {"200 OK", `{"id":"ch_1","status":"succeeded",` + ours + `}`, ledger.SaysHappened, "ch_1", "opr-reference"},
		"found, of somebody else":    {"200 OK", `{"id":"ch_1","metadata":{"ref":"opr-other"}}`, ledger.SaysHappened, "ch_1", "opr-other"},
		"found within a text":        {"200 OK", `{"id":"ch_1","metadata":{"ref":"Order 7\n\n(opr-reference)"}}`, ledger.SaysHappened, "ch_1", "opr-reference"},
		"found within a longer word": {"200 OK", `{"id":"ch_1","metadata":{"ref":"opr-reference2"}}`, ledger.SaysHappened, "ch_1", "opr-reference2"},
		"not found":                  {"404 Not Found", `{}`, ledger.SaysNot, "", ""},
		"in progress":                {"200 OK", `{"id":"ch_1","status":"pending",` + ours + `}`, ledger.SaysInProgress, "ch_1", "opr-reference"},
		"came to nothing":            {"200 OK", `{"id":"ch_1","status":"failed",` + ours + `}`, ledger.SaysNot, "", "opr-reference"},
		"another's came to nothing":  {"200 OK", `{"id":"ch_1","status":"failed","metadata":{"ref":"opr-other"}}`, ledger.SaysUnknown, "", ""},
		"an error":                   {"500 Oops", `{"id":"x"}`, ledger.SaysUnknown, "", ""},
		"a rate limit":               {"429 Slow", ``, ledger.SaysUnknown, "", ""},
		"not allowed":                {"403 Forbidden", `{}`, ledger.SaysUnknown, "", ""},
		"a 200 without an object":    {"200 OK", `{}`, ledger.SaysUnknown, "", ""},
		"a 200 that is no JSON":      {"200 OK", `<html>`, ledger.SaysUnknown, "", ""},
		"a redirect":                 {"302 Found", ``, ledger.SaysUnknown, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeer(t, answers(c.status, c.body))
			s := local().Ask(t.Context(), looking(p.url()), question(registry.ByClientReference, "opr-reference"))
			if s.Says != c.says || s.EffectID != c.effect || s.ClientReference != c.reference || s.RawStatus != c.status[:3] {
				t.Errorf("says %+v", s)
			}
			if s.Source != ledger.SourceLookup || s.By != registry.ByClientReference || s.AskedValue != "opr-reference" || !s.Search {
				t.Errorf("asked %+v", s)
			}
			if (s.Says == ledger.SaysUnknown) != (s.Note != "" && s.Says != ledger.SaysNot) {
				t.Errorf("notes %q", s.Note)
			}
			arrived(t, p, 1, 1)
			if _, _, requests, _ := p.seen(); !strings.HasPrefix(requests[0], "GET /v1/captures?ref=opr-reference HTTP/1.1\r\n") || strings.Contains(requests[0], "Idempotency-Key") || strings.Contains(requests[0], "Content-Length") {
				t.Errorf("asked %s", requests[0])
			}
		})
	}
}

// TestAskForAList: the item that is this operation's is the find; a list without it says "not found" where it is whole.
func TestAskForAList(t *testing.T) {
	const other, mine, dead = `{"id":"ch_0","key":"opk-other"}`, `{"id":"ch_1","key":"opk-key"}`, `{"id":"ch_2","key":"opk-key","status":"failed"}`
	for name, c := range map[string]struct {
		body   string
		says   ledger.Says
		effect string
		result string
	}{
		"empty":                          {`{"data":[],"more":true}`, ledger.SaysNot, "", ""},
		"ours among others":              {`{"data":[` + other + `,` + mine + `],"more":true}`, ledger.SaysHappened, "ch_1", mine},
		"others, and more to come":       {`{"data":[` + other + `],"more":true}`, ledger.SaysUnknown, "", ""},
		"others, and no more":            {`{"data":[` + other + `],"more":false}`, ledger.SaysNot, "", ""},
		"ours came to nothing":           {`{"data":[` + other + `,` + dead + `],"more":false}`, ledger.SaysNot, "", ""},
		"ours came to nothing, then not": {`{"data":[` + dead + `,` + mine + `],"more":false}`, ledger.SaysHappened, "ch_1", mine},
		"ours, and no more":              {`{"data":[` + mine + `],"more":false}`, ledger.SaysHappened, "ch_1", mine},
		"no list":                        {`{"data":{}}`, ledger.SaysUnknown, "", ""},
		"no list at all":                 {`7`, ledger.SaysUnknown, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeer(t, answers("200 OK", c.body))
			s := local().Ask(t.Context(), looking(p.url()), question(registry.ByVendorKey, "opk-key"))
			if s.Says != c.says || s.EffectID != c.effect || string(s.ResultJSON) != c.result || s.Search {
				t.Errorf("says %+v %s", s, s.ResultJSON)
			}
			if _, _, _, bodies := p.seen(); bodies[0] != `{"key":"opk-key","order":"order/1"}` {
				t.Errorf("asked %s", bodies[0])
			}
		})
	}
}

// TestQuestionsThatGetNoAnswer say nothing, and why.
func TestQuestionsThatGetNoAnswer(t *testing.T) {
	gone := newPeer(t, nil)
	_ = gone.listener.Close()
	for name, c := range map[string]struct {
		tool *registry.Definition
		by   registry.LookupBy
		note string
	}{
		"nobody listens": {looking(gone.url()), registry.ByClientReference, "connection_refused"},
		"no such lookup": {looking(gone.url()), registry.ByObjectID, "no lookup"},
		"no adapter":     {&registry.Definition{}, registry.ByObjectID, "no lookup"},
		"nothing to ask": {looking(gone.url()), registry.ByClientReference, "template"},
	} {
		q := question(c.by, "x")
		if c.note == "template" {
			q.Value = ""
		}
		if s := local().Ask(t.Context(), c.tool, q); s.Says != ledger.SaysUnknown || !strings.Contains(s.Note, c.note) || s.RawStatus != "" {
			t.Errorf("%s: %+v", name, s)
		}
	}
}
