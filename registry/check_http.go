package registry

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/opledger/opledger/canon"
)

// The bounds of an adapter.
const (
	MaxHTTPTimeout     = 10 * time.Minute
	MaxResponseBytes   = 16 << 20 // an answer is held in memory while it is read
	MaxHTTPHeaders     = 64
	MaxHTTPOutcomes    = 64
	MaxHTTPHosts       = 32
	MaxHTTPHeaderBytes = 8192 // many servers refuse more in one header
)

var (
	httpHost       = regexp.MustCompile(`^(\*\.)?[A-Za-z0-9.-]{1,253}$`)
	httpHeaderName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$")
	httpMethods    = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}
)

// http checks the request by which the server acts, and who looks.
func (k *checker) http(c *Compiled) {
	d, a := k.d, k.d.HTTP
	if d.LookBeforeDispatch {
		k.lookFirst()
	}
	switch {
	case d.Executor == ServerHTTP && a == nil:
		k.add("http", CodeRequired, "The server makes the request, so say which: write http.")
	case d.Executor != ServerHTTP && a != nil:
		k.add("http", CodeUnusable, "The HTTP request is made with the executor SERVER_HTTP only; state it, or remove http.")
	}
	if a == nil {
		return
	}
	k.count("http.allowed_hosts", len(a.AllowedHosts), MaxHTTPHosts)
	if len(a.AllowedHosts) == 0 {
		k.add("http.allowed_hosts", CodeRequired, "Name the hosts that the requests may reach, such as api.example.com.")
	}
	for i, h := range a.AllowedHosts {
		if !httpHost.MatchString(h) {
			k.add(indexed("http.allowed_hosts", i), CodeName, "A host is a name such as api.example.com, or *.example.com for all beneath it, without scheme and port.")
		}
	}
	if t := k.request(c, "http.request", &a.Request, k.wordsOfEffect()); t != nil {
		k.method(a.Request.Method)
		k.carriesKey("http.request", &a.Request, t)
		if d.Class != PureRead && d.Provider.StoresClientReference && !t.uses("client_reference") {
			k.add("http.request", CodeRequired, "The profile promises that the provider keeps the client reference, and the request carries none; put {client_reference} where the provider keeps it, such as its metadata, or take stores_client_reference back.")
		}
	}
	if a.Replayed != nil {
		k.condition("http.replayed", a.Replayed)
	}
	k.outcomes()
	k.httpLookups(c)
}

// wordsOfEffect are the words that the request of the effect may use beside arguments.
func (k *checker) wordsOfEffect() []string {
	words := []string{"args", "money", "client_reference", "operation_id"}
	if k.d.Provider.VendorKey.Supported {
		words = append(words, "vendor_key")
	}
	return words
}

// method holds the method to the class: what everything between here and the provider takes for a read is not a write.
func (k *checker) method(method string) {
	reads := method == "GET" || method == "HEAD"
	switch {
	case k.d.Class != PureRead && reads:
		k.add("http.request.method", CodeUnusable, "%s promises to change nothing, so proxies and caches may repeat it or answer it themselves; a tool of the class %s sends another method.", method, k.d.Class)
	case k.d.Class == PureRead && !reads && method != "POST":
		k.add("http.request.method", CodeUnusable, "A pure read is asked with GET or HEAD (or POST, where the provider takes its queries so); %s changes something.", method)
	}
}

// lookFirst checks that somebody can look before the first dispatch.
func (k *checker) lookFirst() {
	const path = "look_before_dispatch"
	d := k.d
	switch {
	case len(d.Provider.Lookups) == 0:
		k.add(path, CodeUnusable, "The provider's profile lists no lookup to look with.")
	case d.Executor != Worker && d.Executor != ServerHTTP:
		k.add(path, CodeUnusable, "The caller acts by itself, and so nobody looks for it; use the executor WORKER or SERVER_HTTP, or remove the setting.")
	case d.Executor == ServerHTTP && d.HTTP != nil && !slices.ContainsFunc(d.HTTP.Lookups, func(l HTTPLookup) bool {
		return l.By == ByVendorKey || l.By == ByClientReference
	}):
		k.add(path, CodeUnusable, "Before the first dispatch only the vendor key and the client reference are known, and http.lookups asks by neither.")
	}
}

// carriesKey checks that the vendor key reaches the provider where the profile says that it reads it: the adapter puts it
// there, and nothing else does.
func (k *checker) carriesKey(path string, q *HTTPRequest, t *HTTPTemplates) {
	v := &k.d.Provider.VendorKey
	if k.d.Class == PureRead || !v.Supported {
		return
	}
	if v.Header != "" {
		for i, h := range q.Headers {
			if strings.EqualFold(h.Name, v.Header) {
				k.add(path+"."+indexed("headers", i), CodeUnusable, "The server adds %s by the profile (provider.idempotency_key.header); remove this header, so that every dispatch carries the ledger's key and no other.", v.Header)
			}
		}
	}
	if v.BodyField != "" {
		k.keyInBody(path, q, t)
	}
	if v.Header == "" && v.BodyField == "" && !t.uses("vendor_key") {
		k.add(path, CodeRequired, "The provider deduplicates by a key, and the request carries none; name provider.idempotency_key.header or body_field, or put {vendor_key} where the provider reads it.")
	}
}

// keyInBody checks that the body has room for the vendor key.
func (k *checker) keyInBody(path string, q *HTTPRequest, t *HTTPTemplates) {
	field := k.d.Provider.VendorKey.BodyField
	p, err := canon.ParsePointer(field)
	if err != nil || len(p) == 0 {
		k.add("provider.idempotency_key.body_field", CodeTemplate, "The body field is a JSON Pointer, such as /idempotency_key.")
		return
	}
	const added = "The server adds %s by the profile (provider.idempotency_key.body_field); remove it from the template, so that every dispatch carries the ledger's key and no other."
	switch {
	case t.JSON != nil && t.JSON.Kind() != canon.KindObject:
		k.add(path+".json", CodeUnusable, "The profile puts the key into the body at %s, and the body is no JSON object.", field)
	case t.JSON != nil && t.JSON.Sets(p):
		k.add(path+".json", CodeUnusable, added, field)
	case t.JSON != nil:
	case len(q.Form) > 0 && len(p) > 1:
		k.add("provider.idempotency_key.body_field", CodeUnusable, "The body is a form, whose fields have plain names; write /NAME.")
	case len(q.Form) > 0:
		for i, f := range q.Form {
			if f.Name == p[0] {
				k.add(path+"."+indexed("form.fields", i), CodeUnusable, added, field)
			}
		}
	default:
		k.add(path, CodeRequired, "The profile puts the key into the body at %s; write the body as json or form.", field)
	}
}

// rateLimit checks what the provider says of its rate.
func (k *checker) rateLimit() {
	const path = "provider.rate_limit"
	r := &k.d.Provider.RateLimit
	if *r == (RateLimit{}) && !k.d.StatedZero[path+".max_requests"] {
		return
	}
	if r.MaxRequests < 0 || r.MaxRequests > 1_000_000 || r.MaxRequests == 0 && k.d.StatedZero[path+".max_requests"] {
		k.add(path+".max_requests", CodeBounds, "The requests must be 1 to 1000000; leave them out where they are not known.")
	}
	if r.MaxRequests > 0 || r.Period != 0 {
		k.between(path+".period", r.Period, time.Second, 24*time.Hour)
	}
	if r.MaxRequests == 0 && r.Period != 0 {
		k.add(path+".max_requests", CodeRequired, "A period needs the number of requests that it admits.")
	}
	if r.RetryAfterHeader != "" && !httpHeaderName.MatchString(r.RetryAfterHeader) {
		k.add(path+".retry_after_header", CodeName, "This is no name of a header.")
	}
}
