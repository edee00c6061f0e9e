package adapter

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/internal/outward"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/template"
)

// userAgent names the sender, unless the tool's own header does.
const userAgent = "opledger/1"

// maxHeaderBytes bounds one header that is filled in.
const maxHeaderBytes = 16 << 10

// wire is a request that is ready to be sent.
type wire struct {
	secure  bool
	host    string // with its port, if the URL has one
	name    string // the host by itself
	method  string
	target  string // path and query
	headers []header
	body    []byte
	content string       // the body's content type; empty: there is no body
	json    *canon.Value // the body of the type jsonType, until it is written
	form    []string     // the body's NAME=VALUE of the type formType, until it is written

	timeout  time.Duration
	maxBytes int64
	secrets  []string // what must not be seen in answers
}

type header struct{ name, value string }

// The content types of bodies, unless the tool's own header says another.
const (
	jsonType = "application/json"
	formType = "application/x-www-form-urlencoded"
	textType = "text/plain; charset=utf-8"
)

// render fills in the templates of a request.
func (c *Caller) render(ns ledger.Namespace, tool *registry.Definition, q *registry.HTTPRequest, arguments []byte, words map[string]string) (*wire, *fault) {
	bad := func(err any) (*wire, *fault) {
		return nil, &fault{code: CodeTemplate, message: fmt.Sprintf("the request cannot be made: %v", err)}
	}
	values, f := valuesOf(tool, arguments, words)
	if f != nil {
		return nil, f
	}
	t, problems := q.Parse()
	if len(problems) > 0 {
		return bad(problems[0].Message)
	}
	w := &wire{secure: t.URL.Scheme == "https", host: t.URL.Host, name: t.URL.Hostname(), method: q.Method, timeout: q.Timeout, maxBytes: q.MaxResponseBytes}
	if w.timeout == 0 {
		w.timeout = registry.DefaultHTTPTimeout
	}
	if w.maxBytes == 0 {
		w.maxBytes = registry.DefaultMaxResponseBytes
	}
	switch {
	case !w.secure && !c.config.AllowHTTP:
		return nil, &fault{code: CodePlainHTTP, message: "this server's operator does not allow requests without TLS"}
	case !tool.HTTP.HostAllowed(w.name):
		return nil, &fault{code: CodeHostNotAllowed, message: "the host is not among the tool's allowed_hosts"}
	case len(c.config.AllowedHosts) > 0 && !(&registry.HTTPAdapter{AllowedHosts: c.config.AllowedHosts}).HostAllowed(w.name):
		return nil, &fault{code: CodeHostNotAllowed, message: "the host is none that this server's operator allows"}
	}
	var err error
	if w.target, err = t.URL.Fill(values); err != nil {
		return bad(err)
	}
	if f := c.fillHeaders(ns, w, q, t, values); f != nil {
		return nil, f
	}
	if err = w.fillBody(q, t, values); err != nil {
		return bad(err)
	}
	return w, nil
}

// fillHeaders fills in the headers. No value can end its line: one with a control character is refused.
func (c *Caller) fillHeaders(ns ledger.Namespace, w *wire, q *registry.HTTPRequest, t *registry.HTTPTemplates, values template.Values) *fault {
	secrets := c.config.Secrets.Of(string(ns))
	for i, h := range q.Headers {
		if h.Secret != nil {
			secret, err := secrets.Read(outward.Place{Environment: h.Secret.Environment, File: h.Secret.File})
			if err != nil {
				return &fault{code: CodeSecretMissing, message: err.Error()}
			}
			if !w.set(h.Name, h.Secret.Prefix+string(secret)) {
				return &fault{code: CodeSecretMissing, message: fmt.Sprintf("the secret of the header %s is longer than a header, or has a line end in it", h.Name)}
			}
			w.secrets = append(w.secrets, string(secret))
			continue
		}
		text, there, err := t.Headers[i].Fill(values)
		if err != nil {
			return &fault{code: CodeTemplate, message: fmt.Sprintf("the request cannot be made: %v", err)}
		}
		if there && !w.set(h.Name, text) {
			return &fault{code: CodeTemplate, message: fmt.Sprintf("the value of the header %s is longer than a header, or has a control character in it, such as a line end", h.Name)}
		}
	}
	return nil
}

// set adds a header, unless its value is one that no header can have.
func (w *wire) set(name, value string) bool {
	if len(value) > maxHeaderBytes || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return false
	}
	w.headers = append(w.headers, header{name, value})
	return true
}

func (w *wire) fillBody(q *registry.HTTPRequest, t *registry.HTTPTemplates, values template.Values) (err error) {
	switch {
	case t.JSON != nil:
		w.content = jsonType
		w.json, err = t.JSON.Fill(values)
	case len(t.Form) > 0:
		w.content = formType
		for i, field := range t.Form {
			text, there, err := field.Fill(values)
			if err != nil {
				return err
			}
			if there {
				w.field(q.Form[i].Name, text)
			}
		}
	case t.Text != nil:
		w.content = textType
		var text string
		text, _, err = t.Text.Fill(values)
		w.body = []byte(text)
	}
	return err
}

func (w *wire) field(name, value string) {
	w.form = append(w.form, template.FormValue(name)+"="+template.FormValue(value))
}

// addKey puts the vendor key where the provider's profile says that it is read: every dispatch of the operation carries
// the same one, whoever makes it.
func (w *wire) addKey(tool *registry.Definition, key string) *fault {
	profile := &tool.Provider.VendorKey
	if !profile.Supported || tool.Class == registry.PureRead || profile.Header == "" && profile.BodyField == "" {
		return nil
	}
	missing := &fault{code: CodeTemplate, message: "the provider's idempotency key cannot be put where its profile says"}
	if key == "" {
		return missing
	}
	if profile.Header != "" && !w.set(profile.Header, key) {
		return missing
	}
	if profile.BodyField == "" {
		return nil
	}
	p, err := canon.ParsePointer(profile.BodyField)
	switch {
	case err != nil || len(p) == 0:
		return missing
	case w.content == jsonType:
		filled, ok := template.With(w.json, p, key)
		if !ok {
			return missing
		}
		w.json = filled
	case w.content == formType && len(p) == 1:
		w.field(p[0], key)
	default:
		return missing
	}
	return nil
}

// bytes writes the request out. It asks for an answer that is not compressed and on a connection that ends with it.
func (w *wire) bytes() []byte {
	body := w.body
	switch w.content {
	case jsonType:
		body = w.json.Canonical()
	case formType:
		body = []byte(strings.Join(w.form, "&"))
	}
	var b bytes.Buffer
	line := func(name, value string) { b.WriteString(name + ": " + value + "\r\n") }
	unless := func(name, value string) {
		for _, h := range w.headers {
			if strings.EqualFold(h.name, name) {
				return
			}
		}
		line(name, value)
	}
	b.WriteString(w.method + " " + w.target + " HTTP/1.1\r\n")
	line("Host", w.host)
	unless("User-Agent", userAgent)
	unless("Accept", "application/json")
	line("Accept-Encoding", "identity")
	line("Connection", "close")
	if w.content != "" {
		unless("Content-Type", w.content)
	}
	if w.content != "" || w.method != "GET" && w.method != "HEAD" {
		line("Content-Length", strconv.Itoa(len(body)))
	}
	for _, h := range w.headers {
		line(h.name, h.value)
	}
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes()
}
