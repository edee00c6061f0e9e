package template

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/opledger/opledger/canon"
)

// MaxReferences bounds the references of one template.
const MaxReferences = 256

// Reference is one reference of a template.
type Reference struct {
	Text     string        // as written, without braces and question mark: "args.order.id"
	Word     string        // its first part: "args"
	Path     canon.Pointer // the parts behind the word
	Optional bool          // it may be absent
	Whole    bool          // it is a whole JSON value, and may be of any kind
	At       string        // the place in a JSON template, as a JSON Pointer; empty in texts
}

// Fault is what is wrong with a template.
type Fault struct {
	At      string // the place in a JSON template, as a JSON Pointer; empty: the template itself
	Column  int    // in characters from 1, in the text there; zero: not known
	Message string
}

// Error writes the fault with its place.
func (f *Fault) Error() string {
	switch {
	case f.At != "" && f.Column > 0:
		return fmt.Sprintf("At %s, column %d: %s", f.At, f.Column, f.Message)
	case f.At != "":
		return fmt.Sprintf("At %s: %s", f.At, f.Message)
	case f.Column > 0:
		return fmt.Sprintf("At column %d: %s", f.Column, f.Message)
	}
	return f.Message
}

// Text is a checked template of a text.
type Text struct{ parts []part }

// part is text as it stands, or a reference.
type part struct {
	literal string
	ref     *Reference // nil: literal
}

// referenceForm is what may stand within braces.
var referenceForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z0-9_-]+)*\??$`)

// ParseText reads a template of a text.
func ParseText(text string) (*Text, *Fault) {
	t := &Text{}
	var literal strings.Builder
	bad := func(at int, format string, args ...any) (*Text, *Fault) {
		return nil, &Fault{Column: utf8.RuneCountInString(text[:at]) + 1, Message: fmt.Sprintf(format, args...)}
	}
	for at := 0; at < len(text); {
		c := text[at]
		switch {
		case c != '{' && c != '}':
			next := strings.IndexAny(text[at:], "{}")
			if next < 0 {
				next = len(text) - at
			}
			literal.WriteString(text[at : at+next])
			at += next
		case strings.HasPrefix(text[at+1:], string(c)):
			literal.WriteByte(c)
			at += 2
		case c == '}':
			return bad(at, "This brace closes nothing; write }} for a brace that is meant as such.")
		default:
			length := strings.IndexByte(text[at:], '}')
			if length < 0 {
				return bad(at, "This brace is never closed; close it after the reference, or write {{ for a brace that is meant as such.")
			}
			name := text[at+1 : at+length]
			if !referenceForm.MatchString(name) {
				return bad(at, "%q is no reference; write one such as {args.order_id}, or {{ for a brace that is meant as such.", name)
			}
			t.literal(&literal)
			t.parts = append(t.parts, part{ref: reference(name)})
			at += length + 1
		}
	}
	t.literal(&literal)
	if n := len(t.References()); n > MaxReferences {
		return bad(0, "The template has %d references; at most %d are allowed.", n, MaxReferences)
	}
	return t, nil
}

func reference(name string) *Reference {
	r := &Reference{}
	r.Text, r.Optional = strings.CutSuffix(name, "?")
	names := strings.Split(r.Text, ".")
	r.Word, r.Path = names[0], names[1:]
	return r
}

// literal ends a stretch of text as it stands.
func (t *Text) literal(b *strings.Builder) {
	if b.Len() > 0 {
		t.parts = append(t.parts, part{literal: b.String()})
		b.Reset()
	}
}

// References lists the references in their order.
func (t *Text) References() (list []Reference) {
	for _, p := range t.parts {
		if p.ref != nil {
			list = append(list, *p.ref)
		}
	}
	return list
}

// Literals lists the stretches of text as they stand.
func (t *Text) Literals() (list []string) {
	for _, p := range t.parts {
		if p.ref == nil {
			list = append(list, p.literal)
		}
	}
	return list
}

// Values are what references stand for; nil: the value is absent.
type Values func(r Reference) *canon.Value

// Fill writes the text. With there false it holds an optional reference to what is absent or null, and what it stands in
// is left out. Errors name references and never a value.
func (t *Text) Fill(values Values) (text string, there bool, err error) {
	return t.escaped(values.text, func(s string) (string, error) { return s, nil })
}

// escaped writes the text with each value escaped for its place. What comes after an absent value is filled all the same,
// so that its faults show.
func (t *Text) escaped(value func(*Reference) (string, bool, error), escape func(string) (string, error)) (text string, there bool, err error) {
	var b strings.Builder
	there = true
	for _, p := range t.parts {
		if p.ref == nil {
			b.WriteString(p.literal)
			continue
		}
		v, known, err := value(p.ref)
		if err == nil && known {
			v, err = escape(v)
		}
		if err != nil {
			return "", false, err
		}
		there = there && known
		b.WriteString(v)
	}
	return b.String(), there, nil
}

// text gives the value of a reference as text: a string as it is, a number or a truth by its literal.
func (values Values) text(r *Reference) (text string, known bool, err error) {
	v := values(*r)
	if v == nil || v.IsNull() {
		if r.Optional {
			return "", false, nil
		}
		return "", false, fmt.Errorf("{%s} has no value", r.Text)
	}
	switch v.Kind() {
	case canon.KindString:
		text, _ = v.Text()
	case canon.KindNumber, canon.KindBool:
		text = string(v.Canonical())
	default:
		return "", false, fmt.Errorf("{%s} is an %s, which cannot stand in a text", r.Text, v.Kind())
	}
	return text, true, nil
}
