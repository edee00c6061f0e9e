package canon

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Pointer is a parsed JSON Pointer (RFC 6901). In rules the token "*" stands for each item of an array; a member that
// is named "*" can therefore not be reached by a rule, and is compared as it is.
type Pointer []string

// each is the token that stands for each item of an array.
const each = "*"

var (
	escapeToken   = strings.NewReplacer("~", "~0", "/", "~1")
	unescapeToken = strings.NewReplacer("~1", "/", "~0", "~")
)

// ParsePointer reads a pointer. The empty text is the whole document.
func ParsePointer(text string) (Pointer, error) {
	if text == "" {
		return nil, nil
	}
	if text[0] != '/' {
		return nil, fmt.Errorf("pointer %q must begin with / (RFC 6901), as in /order/id", text)
	}
	tokens := strings.Split(text[1:], "/")
	for i, token := range tokens {
		for rest := token; ; {
			at := strings.IndexByte(rest, '~')
			if at < 0 {
				break
			}
			if at+1 == len(rest) || (rest[at+1] != '0' && rest[at+1] != '1') {
				return nil, fmt.Errorf("pointer %q holds a ~ that is neither ~0 (for ~) nor ~1 (for /)", text)
			}
			rest = rest[at+2:]
		}
		tokens[i] = unescapeToken.Replace(token)
	}
	return tokens, nil
}

// String writes the pointer in RFC 6901 form.
func (p Pointer) String() string {
	var b strings.Builder
	for _, token := range p {
		b.WriteByte('/')
		b.WriteString(escapeToken.Replace(token))
	}
	return b.String()
}

// child makes the pointer one token longer without touching its backing array.
func (p Pointer) child(token string) Pointer { return append(slices.Clip(p), token) }

// hasEach reports whether the pointer reaches several places.
func (p Pointer) hasEach() bool { return slices.Contains(p, each) }

// arrayIndex reads a token as the index of an array item: plain digits, no leading zero.
func arrayIndex(token string) (int, bool) {
	if token == "" || len(token) > 9 || (len(token) > 1 && token[0] == '0') {
		return 0, false
	}
	for i := range len(token) {
		if token[i] < '0' || token[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.Atoi(token)
	return n, err == nil
}

// At finds the value at an exact pointer.
func (v *Value) At(p Pointer) (*Value, bool) {
	for _, token := range p {
		switch v.kind {
		case KindObject:
			next, ok := v.Member(token)
			if !ok {
				return nil, false
			}
			v = next
		case KindArray:
			i, ok := arrayIndex(token)
			if !ok || i >= len(v.items) {
				return nil, false
			}
			v = v.items[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// Lookup finds the value at a pointer in its text form; a text that is no pointer finds nothing.
func (v *Value) Lookup(pointer string) (*Value, bool) {
	p, err := ParsePointer(pointer)
	if err != nil {
		return nil, false
	}
	return v.At(p)
}

// Found is one place that a pattern reached.
type Found struct {
	Pointer Pointer
	Value   *Value
}

// Select finds every value that a pattern reaches, array items in their order.
func (v *Value) Select(pattern Pointer) []Found {
	found := []Found{{Value: v}}
	for _, token := range pattern {
		var next []Found
		for _, f := range found {
			if token == each && f.Value.kind == KindArray {
				for i, item := range f.Value.items {
					next = append(next, Found{f.Pointer.child(strconv.Itoa(i)), item})
				}
			} else if token != each {
				if value, ok := f.Value.At(Pointer{token}); ok {
					next = append(next, Found{f.Pointer.child(token), value})
				}
			}
		}
		found = next
	}
	return found
}
