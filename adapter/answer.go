package adapter

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/registry"
)

// answer is one that came whole.
type answer struct {
	status int
	header http.Header
	raw    []byte
	body   any  // numbers by their literals
	isJSON bool // the body is one JSON value
}

// minSecret is the shortest secret that is looked for in answers: a shorter one would be found by accident.
const minSecret = 8

// newAnswer reads the body as JSON, if it is. Secrets that the provider repeats are taken out first: what is kept of an
// answer is read by people.
func newAnswer(res *http.Response, body []byte, secrets []string) *answer {
	a := &answer{status: res.StatusCode, header: res.Header, raw: body}
	for _, s := range secrets {
		if len(s) < minSecret {
			continue
		}
		a.raw = bytes.ReplaceAll(a.raw, []byte(s), []byte("[secret]"))
		if quoted, err := json.Marshal(s); err == nil {
			a.raw = bytes.ReplaceAll(a.raw, quoted[1:len(quoted)-1], []byte("[secret]"))
		}
		for name, values := range a.header {
			for i := range values {
				a.header[name][i] = strings.ReplaceAll(values[i], s, "[secret]")
			}
		}
	}
	a.body, a.isJSON = parse(a.raw)
	return a
}

// maxValues bounds the values of an answer that is read as JSON. Read, "[{},{}...]" takes thirty times the memory of its
// text, and the host of a tool may be anybody's.
const maxValues = 1 << 20

// parse reads one JSON value as leniently as most clients do: what a provider answers is not ours to refuse. One of more
// than maxValues is taken for none.
func parse(text []byte) (any, bool) {
	if atMost := 1 + bytes.Count(text, []byte(",")) + bytes.Count(text, []byte("[")) + bytes.Count(text, []byte("{")); atMost > maxValues {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil, false
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, false
	}
	return v, true
}

// holds reports whether a condition holds of the answer, its pointers read from root.
func (a *answer) holds(c *registry.HTTPCondition, root any) bool {
	if len(c.Status) > 0 && !slices.ContainsFunc(c.Status, a.hasStatus) {
		return false
	}
	if c.Header != "" {
		values := a.header.Values(c.Header)
		if len(values) == 0 || c.HeaderEquals != nil && !slices.Contains(values, *c.HeaderEquals) {
			return false
		}
	}
	if c.BodyPointer == "" {
		return true
	}
	v, there := at(root, c.BodyPointer)
	if !there || c.BodyEqualsJSON == nil {
		return there
	}
	want, ok := parse([]byte(*c.BodyEqualsJSON))
	return ok && equal(v, want)
}

func (a *answer) hasStatus(s string) bool {
	if kind, ok := strings.CutSuffix(s, "xx"); ok {
		return strconv.Itoa(a.status/100) == kind
	}
	return strconv.Itoa(a.status) == s
}

// at finds a value by its JSON Pointer.
func at(v any, pointer string) (any, bool) {
	p, err := canon.ParsePointer(pointer)
	if err != nil {
		return nil, false
	}
	for _, token := range p {
		switch in := v.(type) {
		case map[string]any:
			next, there := in[token]
			if !there {
				return nil, false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(in) || strconv.Itoa(i) != token {
				return nil, false
			}
			v = in[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// equal compares as canonical JSON does: numbers by their value, members in any order.
func equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, v := range a {
			if w, there := b[name]; !there || !equal(v, w) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equal)
	case json.Number:
		b, ok := b.(json.Number)
		return ok && (a == b || sameNumber(string(a), string(b)))
	}
	return a == b // a string, a truth or null
}

func sameNumber(a, b string) bool {
	v, no := canon.Number(a)
	w, never := canon.Number(b)
	return len(no) == 0 && len(never) == 0 && v.Equal(w)
}

// maxTextBytes bounds what is read of an answer as an id, an echo or a code.
const maxTextBytes = 256

// textAt reads a text or a number; empty: there is none that can be kept.
func textAt(root any, pointer string) string {
	if pointer == "" {
		return ""
	}
	v, _ := at(root, pointer)
	var text string
	switch v := v.(type) {
	case string:
		text = v
	case json.Number:
		text = string(v)
	}
	return kept(text)
}

// kept is a text, if it is one line that is short enough to be kept.
func kept(text string) string {
	if len(text) > maxTextBytes || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' }) {
		return ""
	}
	return text
}

// echoAt reads whether an object echoes a reference: by itself, or within a longer text, such as an issue's description.
// References are made of a hash, so that none is in a text by accident; the border keeps a shorter one from being found in
// a longer.
func echoAt(root any, pointer, reference string) string {
	v, _ := at(root, pointer)
	text, ok := v.(string)
	if !ok || reference == "" || pointer == "" {
		return textAt(root, pointer)
	}
	for from := 0; ; {
		i := strings.Index(text[from:], reference)
		if i < 0 {
			return textAt(root, pointer)
		}
		begin := from + i
		end := begin + len(reference)
		if (begin == 0 || !partOfReference(text[begin-1])) && (end == len(text) || !partOfReference(text[end])) {
			return reference
		}
		from = begin + 1
	}
}

func partOfReference(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}

// broken reports whether a connection was cut.
func broken(err error) bool {
	var op *net.OpError
	return errors.As(err, &op)
}
