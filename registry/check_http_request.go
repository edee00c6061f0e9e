package registry

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/opledger/opledger/canon"
)

// framing are the headers that the adapter sends itself, or that speak of the connection: with one of them in a template a
// request could end elsewhere than it ends.
var framing = []string{
	"host", "content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "te", "trailer", "expect",
	"proxy-connection", "proxy-authorization", "accept-encoding",
}

// request checks one request and the references in its templates. It gives nil where a template cannot be read.
func (k *checker) request(c *Compiled, path string, q *HTTPRequest, words []string) *HTTPTemplates {
	if !slices.Contains(httpMethods, q.Method) {
		k.add(path+".method", CodeValue, "%q is not known; it is one of %s.", q.Method, joined(httpMethods))
	}
	if q.Timeout != 0 {
		k.between(path+".timeout", q.Timeout, time.Millisecond, MaxHTTPTimeout)
	}
	if q.MaxResponseBytes < 0 || q.MaxResponseBytes > MaxResponseBytes {
		k.add(path+".max_response_bytes", CodeBounds, "The greatest answer must have 1 to %d bytes.", MaxResponseBytes)
	}
	k.requestHeaders(path, q)
	k.requestBody(path, q)
	t, problems := q.Parse()
	for _, p := range problems {
		k.add(path+"."+p.Path, p.Code, "%s", p.Message)
	}
	if t == nil {
		return nil
	}
	if !k.d.HTTP.HostAllowed(t.URL.Hostname()) {
		k.add(path+".url", CodeHost, "The host %s is not among http.allowed_hosts; add it there, so that who reviews the tool sees where it goes.", t.URL.Hostname())
	}
	for i, h := range t.Headers {
		if h != nil && slices.ContainsFunc(h.Literals(), func(s string) bool { return strings.ContainsFunc(s, control) }) {
			k.add(path+"."+indexed("headers", i)+".value", CodeTemplate, "A header holds no line ends and no other control characters.")
		}
	}
	for _, r := range t.references() {
		k.reference(c, path+"."+r.path, r, words)
	}
	return t
}

func (k *checker) requestHeaders(path string, q *HTTPRequest) {
	k.count(path+".headers", len(q.Headers), MaxHTTPHeaders)
	for i, h := range q.Headers {
		at := path + "." + indexed("headers", i)
		switch {
		case !httpHeaderName.MatchString(h.Name):
			k.add(at+".name", CodeName, "%q is no name of a header.", h.Name)
		case slices.Contains(framing, strings.ToLower(h.Name)):
			k.add(at+".name", CodeUnusable, "The server writes %s itself, so that a request cannot end elsewhere than it ends; remove it.", h.Name)
		}
		if len(h.Value) > MaxHTTPHeaderBytes {
			k.add(at+".value", CodeBounds, "A header has at most %d bytes.", MaxHTTPHeaderBytes)
		}
		if s := h.Secret; s != nil && (s.Environment == "") == (s.File == "") {
			k.add(at+".secret", CodeRequired, "A secret is found in exactly one place: environment, or file.")
		}
	}
}

func (k *checker) requestBody(path string, q *HTTPRequest) {
	bodies := 0
	for _, there := range []bool{q.JSON != "", len(q.Form) > 0, q.Text != ""} {
		if there {
			bodies++
		}
	}
	switch {
	case bodies > 1:
		k.add(path, CodeUnusable, "A request has one body: json, form or text.")
	case bodies == 1 && (q.Method == "GET" || q.Method == "HEAD"):
		k.add(path, CodeUnusable, "A %s has no body; put the values into the URL.", q.Method)
	}
	for i, f := range q.Form {
		if f.Name == "" {
			k.add(path+"."+indexed("form.fields", i)+".name", CodeRequired, "A field of a form needs a name.")
		}
	}
}

func control(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// reference holds one reference of a template against the schema of the arguments.
func (k *checker) reference(c *Compiled, path string, r placed, words []string) {
	at := ""
	if r.At != "" {
		at = "At " + r.At + ": "
	}
	bad := func(code Code, format string, args ...any) { k.add(path, code, "%s", at+fmt.Sprintf(format, args...)) }
	switch {
	case !slices.Contains(words, r.Word):
		bad(CodeTemplate, "{%s} is not known here; a template may name args.FIELD, %s.", r.Text, strings.Join(shownWords(words), ", "))
	case r.Word == "args":
		k.argumentReference(c, r.Path, r, bad)
	case r.Word == "money":
		last := len(r.Path) - 1
		if last < 1 || r.Path[last] != "minor" && r.Path[last] != "currency" {
			bad(CodeTemplate, "{%s} is not known; write {money.FIELD.minor} or {money.FIELD.currency}.", r.Text)
			return
		}
		amount := r.Path[:last]
		if k.d.Identity.Rules.Fields[amount.String()].Kind != canon.RuleMoney {
			bad(CodeTypeMismatch, "{%s} needs that identity has the rule money for %s.", r.Text, amount)
			return
		}
		r.Whole = true // an amount is a text wherever it stands
		k.argumentReference(c, amount, r, bad)
	case len(r.Path) > 0:
		bad(CodeTemplate, "{%s} is a plain text and has no parts.", r.Text)
	case r.Optional:
		bad(CodeTemplate, "{%s} is always there; take the question mark away.", r.Text)
	}
}

func shownWords(words []string) (shown []string) {
	for _, w := range words {
		switch w {
		case "args":
		case "money":
			shown = append(shown, "money.FIELD.minor", "money.FIELD.currency")
		default:
			shown = append(shown, w)
		}
	}
	return shown
}

func (k *checker) argumentReference(c *Compiled, p canon.Pointer, r placed, bad func(Code, string, ...any)) {
	if c.schema == nil {
		return
	}
	for i := range p {
		if len(reach(c.schema, p[:i+1])) == 0 {
			bad(CodeNotInSchema, "{%s} reads %s, and the schema has no %s%s; correct the reference, or declare the field in the schema.", r.Text, p, p[:i+1], hint(c.schema, p[:i]))
			return
		}
	}
	if !r.Optional && !alwaysThere(c.schema, p, k.d.Identity.Rules.Defaults) {
		bad(CodeNotRequired, "{%s} reads %s, which may be absent; require it in the schema, give it a default, or write {%s?}, with which its place is left out.", r.Text, p, r.Text)
	}
	if said := kinds(reach(c.schema, p)); !r.Whole && said != nil && !said["string"] && !said["number"] && !said["integer"] && !said["boolean"] {
		bad(CodeTypeMismatch, "{%s} stands within a text, and %s is no text, number or truth; name one value in it, or make it a whole JSON value.", r.Text, p)
	}
}
