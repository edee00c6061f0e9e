package registry

import (
	"slices"
	"strings"

	"github.com/opledger/opledger/registry/template"
)

// HTTPTemplates is a request whose templates are checked.
type HTTPTemplates struct {
	URL     *template.URL
	Headers []*template.Text // as the request's headers; nil where a secret stands
	JSON    *template.JSON   // at most one of JSON, Form and Text is set
	Form    []*template.Text // as the request's fields
	Text    *template.Text
}

// Parse checks the templates of a request. Paths of problems begin at the request.
func (q *HTTPRequest) Parse() (*HTTPTemplates, []Problem) {
	var problems Problems
	note := func(path string, fault *template.Fault) {
		if fault != nil {
			problems.add(path, CodeTemplate, fault.Error())
		}
	}
	t := &HTTPTemplates{}
	var fault *template.Fault
	t.URL, fault = template.ParseURL(q.URL)
	note("url", fault)
	for i, h := range q.Headers {
		var text *template.Text
		if h.Secret == nil {
			text, fault = template.ParseText(h.Value)
			note(indexed("headers", i)+".value", fault)
		}
		t.Headers = append(t.Headers, text)
	}
	if q.JSON != "" {
		t.JSON, fault = template.ParseJSON(q.JSON)
		note("json", fault)
	}
	for i, f := range q.Form {
		text, fault := template.ParseText(f.Value)
		note(indexed("form.fields", i)+".value", fault)
		t.Form = append(t.Form, text)
	}
	if q.Text != "" {
		t.Text, fault = template.ParseText(q.Text)
		note("text", fault)
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return t, nil
}

// placed is a reference with the path of the setting that it stands in, from the request.
type placed struct {
	path string
	template.Reference
}

// references lists all references of a request.
func (t *HTTPTemplates) references() (list []placed) {
	note := func(path string, refs []template.Reference) {
		for _, r := range refs {
			list = append(list, placed{path, r})
		}
	}
	note("url", t.URL.References())
	for i, h := range t.Headers {
		if h != nil {
			note(indexed("headers", i)+".value", h.References())
		}
	}
	if t.JSON != nil {
		note("json", t.JSON.References())
	}
	for i, f := range t.Form {
		note(indexed("form.fields", i)+".value", f.References())
	}
	if t.Text != nil {
		note("text", t.Text.References())
	}
	return list
}

// uses reports whether a request has a reference of one of these words.
func (t *HTTPTemplates) uses(words ...string) bool {
	return slices.ContainsFunc(t.references(), func(r placed) bool { return slices.Contains(words, r.Word) })
}

// HostAllowed reports whether a host is among those that an adapter may reach: exactly, or beneath "*.example.com".
func (a *HTTPAdapter) HostAllowed(host string) bool {
	host = strings.ToLower(host)
	return slices.ContainsFunc(a.AllowedHosts, func(allowed string) bool {
		allowed = strings.ToLower(allowed)
		if suffix, wild := strings.CutPrefix(allowed, "*"); wild {
			return len(host) > len(suffix) && strings.HasSuffix(host, suffix)
		}
		return host == allowed
	})
}

// unencrypted lists, by path, the requests that go out without TLS.
func unencrypted(a *HTTPAdapter) (paths []string) {
	if a == nil {
		return nil
	}
	plain := func(url string) bool {
		scheme, _, _ := strings.Cut(url, ":")
		return strings.EqualFold(scheme, "http")
	}
	if plain(a.Request.URL) {
		paths = append(paths, "http.request.url")
	}
	for i, l := range a.Lookups {
		if plain(l.Request.URL) {
			paths = append(paths, indexed("http.lookups", i)+".request.url")
		}
	}
	return paths
}
