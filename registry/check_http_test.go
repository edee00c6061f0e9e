package registry_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/registry"
)

// posting is a good definition of class 3 that the server carries out, for tests that change it in one place each.
func posting() registry.Definition {
	d := capture()
	d.Executor = registry.ServerHTTP
	ask := func(by registry.LookupBy, url string) registry.HTTPLookup {
		return registry.HTTPLookup{
			By: by, Request: registry.HTTPRequest{Method: "GET", URL: url},
			Found: registry.HTTPCondition{Status: []string{"200"}}, NotFound: registry.HTTPCondition{Status: []string{"404"}},
			Extract: registry.HTTPExtract{ProviderObjectID: "/id", VendorKey: "/key", ClientReference: "/metadata/reference"},
		}
	}
	d.HTTP = &registry.HTTPAdapter{
		Request: registry.HTTPRequest{
			Method: "POST", URL: "https://api.example.com/v1/orders/{args.order_id}/captures",
			Headers: []registry.HTTPHeader{{Name: "Authorization", Secret: &registry.SecretRef{Environment: "OPLEDGER_SECRET_PAY", Prefix: "Bearer "}}},
			JSON:    `{"amount":"{money.amount.minor}","currency":"{money.amount.currency}","buyer":"{args.buyer?}","metadata":{"reference":"{client_reference}"}}`,
		},
		Outcomes: []registry.HTTPOutcomeRule{{When: registry.HTTPCondition{Status: []string{"2xx"}}, Outcome: registry.HTTPSucceeded,
			Extract: registry.HTTPExtract{ProviderObjectID: "/id"}}},
		Lookups: []registry.HTTPLookup{
			ask(registry.ByVendorKey, "https://api.example.com/v1/captures?key={reference}"),
			ask(registry.ByClientReference, "https://api.example.com/v1/captures?reference={client_reference}"),
		},
		AllowedHosts: []string{"api.example.com"},
	}
	return d
}

func TestAnAdapterIsAccepted(t *testing.T) {
	wantCodes(t, registry.Check(posting()))
	wantCodes(t, registry.Lint(posting()))
	wantCodes(t, registry.Missing(posting(), registry.Capabilities{HTTP: true}))
}

// TestCheckHTTP changes a good adapter in one place each.
func TestCheckHTTP(t *testing.T) {
	type adapter = registry.HTTPAdapter
	template := func(text string) func(*registry.Definition) {
		return func(d *registry.Definition) {
			d.HTTP.Request.JSON = strings.Replace(d.HTTP.Request.JSON, `{"amount"`, text+`,"amount"`, 1)
		}
	}
	of := func(change func(*adapter)) func(*registry.Definition) {
		return func(d *registry.Definition) { change(d.HTTP) }
	}
	const json, first = "http.request.json ", "http.lookups[0]"
	for name, c := range map[string]struct {
		change func(*registry.Definition)
		want   []string
	}{
		"a missing field":             {template(`{"x":"{args.order}"`), []string{json + "pointer_not_in_schema"}},
		"a missing nested field":      {template(`{"x":"{args.buyer.name?}"`), []string{json + "pointer_not_in_schema"}},
		"a field that may be absent":  {template(`{"x":"{args.note}"`), []string{json + "component_not_required"}},
		"an object within a text":     {template(`{"x":"a{args.buyer?}"`), []string{json + "rule_and_schema_disagree"}},
		"an unknown word":             {template(`{"x":"{order_id}"`), []string{json + "bad_template"}},
		"a reference outside lookups": {template(`{"x":"{reference}"`), []string{json + "bad_template"}},
		"money of what has no rule":   {template(`{"x":"{money.order_id.minor}"`), []string{json + "rule_and_schema_disagree"}},
		"major money":                 {template(`{"x":"{money.amount.major}"`), []string{json + "bad_template"}},
		"parts of a word":             {template(`{"x":"{vendor_key.x}"`), []string{json + "bad_template"}},
		"a word that may be absent":   {template(`{"x":"{operation_id?}"`), []string{json + "bad_template"}},
		"JSON that is none":           {template(`{"x":`), []string{json + "bad_template"}},
		"a field with a default": {func(d *registry.Definition) {
			template(`{"x":"{args.count}"`)(d)
			d.Identity.Rules.Defaults = map[string]*canon.Value{"/count": canon.Int(1)}
		}, nil},
		"a whole object":           {template(`{"x":"{args.buyer?}","y":"{args}"`), nil},
		"no such method":           {of(func(a *adapter) { a.Request.Method = "SEND" }), []string{"http.request.method unknown_value"}},
		"a write by GET":           {of(func(a *adapter) { a.Request.Method = "GET" }), []string{"http.request setting_unusable", "http.request.method setting_unusable"}},
		"another host":             {of(func(a *adapter) { a.Request.URL = "https://evil.example/x" }), []string{"http.request.url host_not_allowed"}},
		"a host from an argument":  {of(func(a *adapter) { a.Request.URL = "https://{args.order_id}.example.com/x" }), []string{"http.request.url bad_template"}},
		"no hosts":                 {of(func(a *adapter) { a.AllowedHosts = nil }), []string{"http.allowed_hosts setting_required", "http.request.url host_not_allowed", first + ".request.url host_not_allowed", "http.lookups[1].request.url host_not_allowed"}},
		"a host with a port":       {of(func(a *adapter) { a.AllowedHosts = append(a.AllowedHosts, "x:80") }), []string{"http.allowed_hosts[1] bad_name"}},
		"hosts beneath":            {of(func(a *adapter) { a.AllowedHosts = []string{"*.Example.com"} }), nil},
		"two bodies":               {of(func(a *adapter) { a.Request.Text = "x" }), []string{"http.request setting_unusable"}},
		"the length by a template": {of(func(a *adapter) { a.Request.Headers = []registry.HTTPHeader{{Name: "Content-Length", Value: "1"}} }), []string{"http.request.headers[0].name setting_unusable"}},
		"a line end in a header":   {of(func(a *adapter) { a.Request.Headers = []registry.HTTPHeader{{Name: "X", Value: "a\r\nB: c"}} }), []string{"http.request.headers[0].value bad_template"}},
		"a secret in two places":   {of(func(a *adapter) { a.Request.Headers[0].Secret = &registry.SecretRef{Environment: "A", File: "b"} }), []string{"http.request.headers[0].secret setting_required"}},
		"an endless time":          {of(func(a *adapter) { a.Request.Timeout = time.Hour }), []string{"http.request.timeout out_of_bounds"}},
		"an endless answer":        {of(func(a *adapter) { a.Request.MaxResponseBytes = 1 << 40 }), []string{"http.request.max_response_bytes out_of_bounds"}},

		"FC-106 the key by a template too": {of(func(a *adapter) {
			a.Request.Headers = []registry.HTTPHeader{{Name: "idempotency-key", Value: "{vendor_key}"}}
		}), []string{"http.request.headers[0] setting_unusable"}},
		"FC-106 the key nowhere": {func(d *registry.Definition) { d.Provider.VendorKey.Header = "" }, []string{"http.request setting_required"}},
		"FC-106 the key by a template": {func(d *registry.Definition) {
			d.Provider.VendorKey.Header = ""
			template(`{"key":"{vendor_key}"`)(d)
		}, nil},
		"FC-106 the key in the body twice": {func(d *registry.Definition) {
			d.Provider.VendorKey.BodyField = "/key"
			template(`{"key":"{vendor_key}"`)(d)
		}, []string{json[:len(json)-1] + " setting_unusable"}},
		"FC-106 the key in a body that is none": {func(d *registry.Definition) {
			d.Provider.VendorKey.BodyField = "/key"
			d.HTTP.Request.JSON, d.HTTP.Request.Text = "", "{client_reference}"
		}, []string{"http.request setting_required"}},
		"FC-106 the key in a form": {func(d *registry.Definition) {
			d.Provider.VendorKey.BodyField = "/key"
			d.HTTP.Request.JSON, d.HTTP.Request.Form = "", []registry.HTTPField{{Name: "ref", Value: "{client_reference}"}, {Name: "key", Value: "x"}}
		}, []string{"http.request.form.fields[1] setting_unusable"}},
		"the reference is not sent": {of(func(a *adapter) { a.Request.JSON = `{}` }), []string{"http.request setting_required"}},

		"an empty condition":      {of(func(a *adapter) { a.Outcomes[0].When = registry.HTTPCondition{} }), []string{"http.outcomes[0].when setting_required"}},
		"no outcome":              {of(func(a *adapter) { a.Outcomes[0].Outcome = "" }), []string{"http.outcomes[0].outcome setting_required"}},
		"a status of six hundred": {of(func(a *adapter) { a.Outcomes[0].When.Status = []string{"600"} }), []string{"http.outcomes[0].when.status[0] unknown_value"}},
		"a text without quotes":   {of(func(a *adapter) { a.Outcomes[0].When.BodyPointer, a.Outcomes[0].When.BodyEqualsJSON = "/s", new("ok") }), []string{"http.outcomes[0].when.body_equals_json bad_template"}},
		"equal to what":           {of(func(a *adapter) { a.Outcomes[0].When.BodyEqualsJSON = new("1") }), []string{"http.outcomes[0].when.body_equals_json setting_required"}},
		"a pointer that is none":  {of(func(a *adapter) { a.Outcomes[0].Extract.Code = "code" }), []string{"http.outcomes[0].extract.code bad_template"}},
		"a change without its id": {func(d *registry.Definition) { d.Effect = registry.EffectChange }, []string{"http.outcomes setting_required", "http.outcomes[0].extract.effect_id setting_required"}},
		"an empty replayed":       {of(func(a *adapter) { a.Replayed = &registry.HTTPCondition{} }), []string{"http.replayed setting_required"}},

		"a lookup that the profile lacks": {func(d *registry.Definition) { d.Provider.Lookups = d.Provider.Lookups[1:] }, []string{first + ".by setting_unusable"}},
		"a lookup twice": {of(func(a *adapter) {
			a.Lookups[1].By = registry.ByVendorKey
			a.Lookups[1].Request.URL = a.Lookups[0].Request.URL
		}), []string{"http.lookups[1].by named_twice"}},
		"a lookup of nothing":      {of(func(a *adapter) { a.Lookups[0].Request.URL = "https://api.example.com/v1/captures" }), []string{first + ".request setting_required"}},
		"a lookup by DELETE":       {of(func(a *adapter) { a.Lookups[0].Request.Method = "DELETE" }), []string{first + ".request.method setting_unusable"}},
		"an error means not found": {of(func(a *adapter) { a.Lookups[0].NotFound.Status = []string{"4xx", "500", "404"} }), []string{first + ".not_found.status[0] setting_unusable", first + ".not_found.status[1] setting_unusable"}},
		"a 400 means not found by its code": {of(func(a *adapter) {
			a.Lookups[0].NotFound = registry.HTTPCondition{Status: []string{"400"}, BodyPointer: "/code", BodyEqualsJSON: new(`"none"`)}
		}), nil},
		"any status means not found":  {of(func(a *adapter) { a.Lookups[0].NotFound = registry.HTTPCondition{BodyPointer: "/x"} }), []string{first + ".not_found.status setting_required"}},
		"an error means found":        {of(func(a *adapter) { a.Lookups[0].Found.Status = []string{"5xx"} }), []string{first + ".found.status setting_required"}},
		"a list of strangers":         {of(func(a *adapter) { a.Lookups[0].Items, a.Lookups[0].Extract = new("/data"), registry.HTTPExtract{} }), []string{first + ".extract setting_required"}},
		"complete without a list":     {of(func(a *adapter) { a.Lookups[0].Complete = &registry.HTTPCondition{Status: []string{"200"}} }), []string{first + ".complete setting_unusable"}},
		"looking first":               {func(d *registry.Definition) { d.LookBeforeDispatch = true }, nil},
		"looking first by the caller": {func(d *registry.Definition) { d.LookBeforeDispatch, d.Executor, d.HTTP = true, registry.Inline, nil }, []string{"look_before_dispatch setting_unusable"}},
		"looking first by nothing":    {func(d *registry.Definition) { d.LookBeforeDispatch, d.HTTP.Lookups = true, nil }, []string{"look_before_dispatch setting_unusable"}},
		"a rate without a period":     {func(d *registry.Definition) { d.Provider.RateLimit.MaxRequests = 3 }, []string{"provider.rate_limit.period out_of_bounds"}},
		"a period without a rate":     {func(d *registry.Definition) { d.Provider.RateLimit.Period = time.Minute }, []string{"provider.rate_limit.max_requests setting_required"}},
	} {
		t.Run(name, func(t *testing.T) { wantCodes(t, registry.Check(with(posting(), c.change)), c.want...) })
	}
}

// TestReadsByTheServer: a pure read needs no key and no reference, and changes nothing.
func TestReadsByTheServer(t *testing.T) {
	d := read()
	d.Executor = registry.ServerHTTP
	d.HTTP = &registry.HTTPAdapter{Request: registry.HTTPRequest{Method: "GET", URL: "https://api.example.com/o/{args.order_id}"}, AllowedHosts: []string{"api.example.com"}}
	wantCodes(t, registry.Check(d))
	wantCodes(t, registry.Lint(d))
	d.HTTP.Request.Method = "PUT"
	wantCodes(t, registry.Check(d), "http.request.method setting_unusable")
}

func TestLintHTTP(t *testing.T) {
	rejected := func(status string) registry.HTTPOutcomeRule {
		return registry.HTTPOutcomeRule{When: registry.HTTPCondition{Status: []string{status}}, Outcome: registry.HTTPRejected}
	}
	noop := registry.HTTPOutcomeRule{When: registry.HTTPCondition{Status: []string{"409"}}, Outcome: registry.HTTPNoop}
	for name, c := range map[string]struct {
		change func(*registry.Definition)
		want   []string
	}{
		"409 is rejected":            {func(d *registry.Definition) { d.HTTP.Outcomes = append(d.HTTP.Outcomes, rejected("409")) }, []string{"http.outcomes[1] already_exists_rejected"}},
		"every 4xx is rejected":      {func(d *registry.Definition) { d.HTTP.Outcomes = append(d.HTTP.Outcomes, rejected("4xx")) }, []string{"http.outcomes[1] already_exists_rejected"}},
		"409 means that it exists":   {func(d *registry.Definition) { d.HTTP.Outcomes = append(d.HTTP.Outcomes, noop, rejected("4xx")) }, nil},
		"402 is rejected":            {func(d *registry.Definition) { d.HTTP.Outcomes = append(d.HTTP.Outcomes, rejected("402")) }, nil},
		"a success without its id":   {func(d *registry.Definition) { d.HTTP.Outcomes[0].Extract.ProviderObjectID = "" }, []string{"http.outcomes[0].extract success_without_id"}},
		"no rule for success":        {func(d *registry.Definition) { d.HTTP.Outcomes = nil }, []string{"http.outcomes success_without_id"}},
		"an effect without an id":    {func(d *registry.Definition) { d.HTTP.Outcomes, d.Effect = nil, registry.EffectNone }, nil},
		"a lookup that nobody makes": {func(d *registry.Definition) { d.HTTP.Lookups = d.HTTP.Lookups[:1] }, []string{"provider.lookups[1] lookup_not_made"}},
		"a find without an echo": {func(d *registry.Definition) {
			d.HTTP.Lookups = slices.Clone(d.HTTP.Lookups)
			d.HTTP.Lookups[0].Extract = registry.HTTPExtract{ProviderObjectID: "/id"}
		}, []string{"http.lookups[0].extract find_without_echo"}},
	} {
		t.Run(name, func(t *testing.T) { wantCodes(t, registry.Lint(with(posting(), c.change)), c.want...) })
	}
}

// TestAMissingFieldIsNamed: the message names the place in the template and the pointer that the schema lacks.
func TestAMissingFieldIsNamed(t *testing.T) {
	d := posting()
	d.HTTP.Request.JSON = `{"buyer":{"who":"{args.buyer.name?}"},"r":"{client_reference}"}`
	got := registry.Problems(registry.Check(d)).Error()
	for _, want := range []string{"At /buyer/who", "no /buyer/name", "it has id, mail"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %s", want, got)
		}
	}
}
