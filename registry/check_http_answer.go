package registry

import (
	"regexp"
	"slices"
	"strings"

	"github.com/opledger/opledger/canon"
)

var httpStatus = regexp.MustCompile(`^[1-5]([0-9][0-9]|xx)$`)

// condition checks a condition on an answer.
func (k *checker) condition(path string, c *HTTPCondition) {
	if len(c.Status) == 0 && c.Header == "" && c.BodyPointer == "" {
		k.add(path, CodeRequired, "A condition names a status, a header or a body pointer; an empty one would hold of every answer.")
	}
	for i, s := range c.Status {
		if !httpStatus.MatchString(s) {
			k.add(indexed(path+".status", i), CodeValue, "A status is a code such as 201, or a kind such as 2xx.")
		}
	}
	if c.Header != "" && !httpHeaderName.MatchString(c.Header) {
		k.add(path+".header", CodeName, "%q is no name of a header.", c.Header)
	}
	if c.HeaderEquals != nil && c.Header == "" {
		k.add(path+".header_equals", CodeRequired, "Say which header has this value.")
	}
	k.bodyPointer(path+".body_pointer", c.BodyPointer)
	if c.BodyEqualsJSON == nil {
		return
	}
	if c.BodyPointer == "" {
		k.add(path+".body_equals_json", CodeRequired, "Say at which body_pointer this stands.")
	}
	if _, faults := canon.Parse([]byte(*c.BodyEqualsJSON), canon.Limits{}); len(faults) > 0 {
		k.add(path+".body_equals_json", CodeTemplate, "This is no JSON; a text stands in its own double quotes, as in '\"succeeded\"'.")
	}
}

func (k *checker) bodyPointer(path, pointer string) {
	if _, err := canon.ParsePointer(pointer); err != nil {
		k.add(path, CodeTemplate, "The %s.", err)
	}
}

func (k *checker) extract(path string, e *HTTPExtract) {
	for _, p := range []struct{ name, pointer string }{
		{"provider_object_id", e.ProviderObjectID}, {"effect_id", e.EffectID}, {"vendor_key", e.VendorKey},
		{"client_reference", e.ClientReference}, {"code", e.Code}, {"result", e.Result},
	} {
		k.bodyPointer(path+"."+p.name, p.pointer)
	}
	if h := e.ProviderRequestIDHeader; h != "" && !httpHeaderName.MatchString(h) {
		k.add(path+".provider_request_id_header", CodeName, "%q is no name of a header.", h)
	}
}

// outcomes checks the rules that turn answers into outcomes.
func (k *checker) outcomes() {
	a := k.d.HTTP
	k.count("http.outcomes", len(a.Outcomes), MaxHTTPOutcomes)
	named := false
	for i := range a.Outcomes {
		o := &a.Outcomes[i]
		path := indexed("http.outcomes", i)
		k.condition(path+".when", &o.When)
		known(k, path+".outcome", o.Outcome, HTTPSucceeded, HTTPNoop, HTTPAcknowledged, HTTPRejected, HTTPRateLimited, HTTPDeclined, HTTPAmbiguous)
		if o.Outcome == "" {
			k.add(path+".outcome", CodeRequired, "Say what such an answer means.")
		}
		k.extract(path+".extract", &o.Extract)
		if o.Outcome != HTTPSucceeded {
			continue
		}
		named = named || o.Extract.EffectID != ""
		if k.d.Effect == EffectChange && o.Extract.EffectID == "" {
			k.add(path+".extract.effect_id", CodeRequired, "The effect is a change (effect_identity CHANGE), so say where its own id stands in the answer.")
		}
	}
	if k.d.Effect == EffectChange && !named && k.d.Class != PureRead {
		k.add("http.outcomes", CodeRequired, "The effect is a change (effect_identity CHANGE); write a rule for success that reads its id by extract.effect_id.")
	}
}

// lookupWords are the words that name a lookup's reference, beside {reference}.
var lookupWords = map[LookupBy]string{ByVendorKey: "vendor_key", ByClientReference: "client_reference"}

// httpLookups checks the requests that look for an effect against the profile, which says what they prove.
func (k *checker) httpLookups(c *Compiled) {
	a := k.d.HTTP
	k.count("http.lookups", len(a.Lookups), MaxLookups)
	seen := map[LookupBy]bool{}
	for i := range a.Lookups {
		l := &a.Lookups[i]
		path := indexed("http.lookups", i)
		known(k, path+".by", l.By, ByVendorKey, ByClientReference, ByProviderRequestID, ByObjectID)
		switch {
		case l.By == "":
			k.add(path+".by", CodeRequired, "Say by which reference the provider is asked.")
		case seen[l.By]:
			k.add(path+".by", CodeTwice, "The provider is asked by %s already; a reference is asked by in one way.", l.By)
		case !slices.ContainsFunc(k.d.Provider.Lookups, func(p Lookup) bool { return p.By == l.By }):
			k.add(path+".by", CodeUnusable, "The profile lists no lookup by %s, so its answer would prove nothing; list it under provider.lookups.", l.By)
		}
		seen[l.By] = true
		t := k.request(c, path+".request", &l.Request, append(k.wordsOfEffect(), "reference"))
		if t != nil && l.Items == nil && !t.uses("reference", lookupWords[l.By]) {
			k.add(path+".request", CodeRequired, "The request does not name what it asks by; put {reference} into it, or say by items that the answer is a list to look through.")
		}
		if m := l.Request.Method; m != "GET" && m != "HEAD" && m != "POST" {
			k.add(path+".request.method", CodeUnusable, "A lookup changes nothing; it is sent with GET, or with POST where the provider takes its queries so.")
		}
		k.lookupAnswer(path, l)
	}
}

// lookupAnswer checks what the answers to a lookup mean. An error is never a verdict.
func (k *checker) lookupAnswer(path string, l *HTTPLookup) {
	k.condition(path+".found", &l.Found)
	k.condition(path+".not_found", &l.NotFound)
	for _, c := range []struct {
		name      string
		condition *HTTPCondition
	}{{"in_progress", l.InProgress}, {"did_not_happen", l.DidNotHappen}, {"complete", l.Complete}} {
		if c.condition != nil {
			k.condition(path+"."+c.name, c.condition)
		}
	}
	k.extract(path+".extract", &l.Extract)
	if len(l.NotFound.Status) == 0 {
		k.add(path+".not_found.status", CodeRequired, "Say with which status the provider tells that there is none; an error that happens to look alike is no such answer.")
	}
	for i, s := range l.NotFound.Status {
		verdict := s == "404" || s == "410" || strings.HasPrefix(s, "2") ||
			(s == "400" || s == "422") && (l.NotFound.BodyPointer != "" || l.NotFound.Header != "")
		if httpStatus.MatchString(s) && !verdict {
			k.add(indexed(path+".not_found.status", i), CodeUnusable, "%s is an error, and an error is never \"not found\"; name 404 or 410, a 2xx with an empty list, or a 400 or 422 by its code in the body.", s)
		}
	}
	if len(l.Found.Status) == 0 || slices.ContainsFunc(l.Found.Status, func(s string) bool { return !strings.HasPrefix(s, "2") }) {
		k.add(path+".found.status", CodeRequired, "Say with which 2xx status the provider shows what it found.")
	}
	switch {
	case l.Items != nil:
		k.bodyPointer(path+".items", *l.Items)
		if l.Extract.VendorKey == "" && l.Extract.ClientReference == "" && l.Extract.ProviderObjectID == "" {
			k.add(path+".extract", CodeRequired, "A list needs to say where its items tell whose they are: extract.vendor_key, client_reference or provider_object_id.")
		}
	case l.Complete != nil:
		k.add(path+".complete", CodeUnusable, "Only a list can be whole; state items, or remove complete.")
	}
}
