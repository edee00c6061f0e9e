package canon

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// Canonical writes the value in the JSON Canonicalization Scheme (RFC 8785): no white space, members sorted by UTF-16
// code units, numbers as ECMAScript writes them, only the escapes that JSON demands.
func (v *Value) Canonical() []byte { return appendCanonical(nil, v, appendString) }

// ASCII writes the canonical form with every character outside printable ASCII as a \u escape, so that a person can
// see what two texts that look alike differ in. It is for showing; identity is computed from Canonical alone.
func (v *Value) ASCII() string { return string(appendCanonical(nil, v, appendASCII)) }

// Fingerprint names canonical bytes by their SHA-256.
func Fingerprint(canonical []byte) string {
	sum := sha256.Sum256(canonical)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func appendCanonical(b []byte, v *Value, text func([]byte, string) []byte) []byte {
	switch v.kind {
	case KindBool:
		if v.truth {
			return append(b, "true"...)
		}
		return append(b, "false"...)
	case KindNumber:
		return append(b, canonicalNumber(v.text)...)
	case KindString:
		return text(b, v.text)
	case KindArray:
		b = append(b, '[')
		for i, item := range v.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendCanonical(b, item, text)
		}
		return append(b, ']')
	case KindObject:
		b = append(b, '{')
		for i, m := range v.members {
			if i > 0 {
				b = append(b, ',')
			}
			b = text(b, m.Name)
			b = append(b, ':')
			b = appendCanonical(b, m.Value, text)
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

// appendEscape writes the escape that RFC 8785 section 3.2.2.2 demands, and reports whether there is one.
func appendEscape(b []byte, c rune) ([]byte, bool) {
	switch c {
	case '"', '\\':
		return append(b, '\\', byte(c)), true
	case '\b':
		return append(b, `\b`...), true
	case '\t':
		return append(b, `\t`...), true
	case '\n':
		return append(b, `\n`...), true
	case '\f':
		return append(b, `\f`...), true
	case '\r':
		return append(b, `\r`...), true
	}
	if c < 0x20 {
		return fmt.Appendf(b, `\u%04x`, c), true
	}
	return b, false
}

// appendString works on bytes, so that invalid UTF-8 in a value made by hand stays visible to Check.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		escaped, done := appendEscape(b, rune(s[i]))
		if b = escaped; !done {
			b = append(b, s[i])
		}
	}
	return append(b, '"')
}

func appendASCII(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		escaped, done := appendEscape(b, r)
		switch b = escaped; {
		case done:
		case r < 0x7f:
			b = append(b, byte(r))
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			b = fmt.Appendf(b, `\u%04x\u%04x`, high, low)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
	}
	return append(b, '"')
}

// compareUTF16 orders two texts by their UTF-16 code units, as RFC 8785 section 3.2.3 sorts member names. It differs
// from the order of code points only between U+E000..U+FFFF and what lies beyond, whose units begin at U+D800.
func compareUTF16(a, b string) int {
	for a != "" && b != "" {
		ra, na := utf8.DecodeRuneInString(a)
		rb, nb := utf8.DecodeRuneInString(b)
		if ra != rb {
			if ua, ub := firstUnit(ra), firstUnit(rb); ua != ub {
				return int(ua) - int(ub)
			}
			return int(ra) - int(rb) // one high surrogate: the low ones follow the code points
		}
		if na != nb || a[:na] != b[:nb] {
			// A broken byte beside a real U+FFFD; such names are never accepted, but must not count as one.
			if a[:na] < b[:nb] {
				return -1
			}
			return 1
		}
		a, b = a[na:], b[nb:]
	}
	return len(a) - len(b)
}

func firstUnit(r rune) rune {
	if r > 0xffff {
		high, _ := utf16.EncodeRune(r)
		return high
	}
	return r
}
