package canon

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// Component is one part of a key, with what it came from.
type Component struct {
	Source  Source
	Name    string // what stands in the template's braces, or the source's name in keys without a template
	Pointer string // of the argument, for arguments and buckets
	Value   *Value // a string, number, boolean, array or object; nil for an occurrence that was not named
	Text    string // as it stands in the key
}

// absentOccurrence stands for the first, unnamed occurrence. No component that has a value begins with its sign.
const absentOccurrence = "~"

// componentText writes a value so that it can be read back with its type, and stays readable:
// a string stands as it is, a number or boolean as in JSON, an array or object as canonical JSON. A string that would
// read as one of these, or begins with a sign that has a meaning here, gets an apostrophe in front, as in a
// spreadsheet: the number 7 is 7, the string "7" is '7.
func componentText(v *Value) string {
	s, isText := v.Text()
	if !isText {
		return string(v.Canonical())
	}
	if _, plain := readPlain(s); !plain {
		return "'" + s
	}
	return s
}

// wordText writes what is a string in any case (an entity, an intent, an occurrence): only a first sign that has a
// meaning here needs the apostrophe, so the occurrence 2 is 2.
func wordText(s string) string {
	if strings.IndexByte("'~", s[0]) >= 0 {
		return "'" + s
	}
	return s
}

// text writes the component's value for a key, before it is escaped.
func (c Component) text() string {
	switch {
	case c.Value == nil:
		return absentOccurrence
	case c.Source == FromArgument:
		return componentText(c.Value)
	}
	return wordText(c.Value.text)
}

// read undoes text. No component is empty, whatever somebody offers as a key.
func (c *Component) read(text string) (err error) {
	switch {
	case c.Source == FromArgument:
		c.Value, err = readComponent(text)
	case c.Source == FromOccurrence && text == absentOccurrence:
		return nil
	default:
		c.Value = String(strings.TrimPrefix(text, "'"))
	}
	if err == nil && (c.Value.empty() || c.Value.IsNull()) {
		err = errors.New("the component is empty")
	}
	return err
}

// readPlain reports whether a text without apostrophe is read back as a string. What begins like a number need not be
// one: an order number such as 2026-001 stays as it is.
func readPlain(s string) (*Value, bool) {
	if s == "" || strings.IndexByte("'~[{", s[0]) >= 0 || s == "true" || s == "false" || isNumber(s) {
		return nil, false
	}
	return String(s), true
}

// isNumber reports whether a text has the grammar of a JSON number, whatever a double makes of it.
func isNumber(s string) bool {
	return numberText.MatchString(s)
}

var numberText = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// readComponent undoes componentText.
func readComponent(text string) (*Value, error) {
	if rest, quoted := strings.CutPrefix(text, "'"); quoted {
		return String(rest), nil
	}
	if v, plain := readPlain(text); plain {
		return v, nil
	}
	if isNumber(text) {
		return &Value{kind: KindNumber, text: text}, nil
	}
	v, faults := Parse([]byte(text), Limits{})
	return v, faults.Err()
}

// escape makes a component printable ASCII without the separators, by percent-encoding. Everything outside ASCII is
// encoded as well: two keys that look alike are then the same key.
func escape(s, separators string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || c == '%' || strings.IndexByte(separators, c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func unescape(s string) (string, error) { return url.PathUnescape(s) }
