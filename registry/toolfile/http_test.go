package toolfile_test

import (
	"time"

	"pgregory.net/rapid"

	"github.com/opledger/opledger/registry"
)

// adapter draws an adapter that says what messages can carry.
func adapter(t *rapid.T) *registry.HTTPAdapter {
	a := &registry.HTTPAdapter{Request: request(t), AllowedHosts: rapid.SampledFrom([][]string{nil, {"api.example.com", "*.example.org"}}).Draw(t, "hosts")}
	if rapid.Bool().Draw(t, "replayed") {
		a.Replayed = &registry.HTTPCondition{Header: "X-Replayed", HeaderEquals: new("true")}
	}
	for range rapid.IntRange(0, 2).Draw(t, "outcomes") {
		a.Outcomes = append(a.Outcomes, registry.HTTPOutcomeRule{When: condition(t), Extract: extract(t),
			Outcome: rapid.SampledFrom([]registry.HTTPOutcome{registry.HTTPSucceeded, registry.HTTPNoop, registry.HTTPAcknowledged, registry.HTTPRejected, registry.HTTPRateLimited, registry.HTTPDeclined, registry.HTTPAmbiguous}).Draw(t, "outcome")})
	}
	for range rapid.IntRange(0, 2).Draw(t, "lookups") {
		l := registry.HTTPLookup{By: rapid.SampledFrom([]registry.LookupBy{registry.ByVendorKey, registry.ByClientReference, registry.ByProviderRequestID, registry.ByObjectID}).Draw(t, "by"),
			Request: request(t), Found: condition(t), NotFound: condition(t), Extract: extract(t)}
		if rapid.Bool().Draw(t, "list") {
			c, d, e := condition(t), condition(t), condition(t)
			l.Items, l.Complete, l.InProgress, l.DidNotHappen = new(rapid.SampledFrom([]string{"", "/data"}).Draw(t, "items")), &c, &d, &e
		}
		a.Lookups = append(a.Lookups, l)
	}
	return a
}

func request(t *rapid.T) registry.HTTPRequest {
	q := registry.HTTPRequest{Method: "POST", URL: "https://api.example.com/x",
		Timeout:          rapid.SampledFrom([]time.Duration{0, time.Second}).Draw(t, "timeout"),
		MaxResponseBytes: rapid.SampledFrom([]int64{0, 1024}).Draw(t, "bytes")}
	q.Headers = rapid.SampledFrom([][]registry.HTTPHeader{nil, {{Name: "A", Value: "{args.a}"}, {Name: "B", Secret: &registry.SecretRef{File: "f", Prefix: "Bearer "}},
		{Name: "C", Secret: &registry.SecretRef{Environment: "E"}}, {Name: "D"}}}).Draw(t, "headers")
	switch rapid.IntRange(0, 3).Draw(t, "body") {
	case 1:
		q.JSON = `{"a":1}`
	case 2:
		q.Form = []registry.HTTPField{{Name: "a", Value: "{args.a}"}, {Name: "b"}}
	case 3:
		q.Text = "text"
	}
	return q
}

func condition(t *rapid.T) registry.HTTPCondition {
	return rapid.SampledFrom([]registry.HTTPCondition{
		{Status: []string{"200", "4xx"}}, {Header: "X"}, {Header: "X", HeaderEquals: new("")}, {BodyPointer: "/a"},
		{BodyPointer: "/a", BodyEqualsJSON: new(`"b"`), Status: []string{"2xx"}},
	}).Draw(t, "condition")
}

func extract(t *rapid.T) registry.HTTPExtract {
	return rapid.SampledFrom([]registry.HTTPExtract{{}, {ProviderObjectID: "/id", EffectID: "/e", ProviderRequestIDHeader: "R", VendorKey: "/k", ClientReference: "/r", Code: "/c", Result: "/x"}}).Draw(t, "extract")
}
