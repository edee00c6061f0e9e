package canon

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// problem is what is wrong inside one string whose end was found.
type problem struct {
	reason  Reason
	message string
}

const (
	surrogateMessage = "An escape names half of a surrogate pair; send whole characters."
	nulMessage       = "The character U+0000 is not admitted; leave it out."
	utf8Message      = "The bytes are no valid UTF-8; encode the text as UTF-8."
)

// string reads a string and undoes its escapes. The first problem inside is returned, and reading goes on behind the
// closing quote, so that further faults can be named; what ends no string at all stops the parser.
func (p *parser) string() (string, *problem) {
	p.at++
	var found *problem
	note := func(reason Reason, message string) {
		if found == nil {
			found = &problem{reason, message}
		}
	}
	var b []byte
	for {
		if p.at == len(p.text) {
			p.syntax("The text ends inside a string.")
			return "", found
		}
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			return string(b), found
		case c == '\\':
			r, reason := p.escape()
			if p.stopped {
				return "", found
			}
			switch {
			case reason != "":
				note(reason, surrogateMessage)
			case r == 0:
				note(ReasonNulCharacter, nulMessage)
			}
			b = utf8.AppendRune(b, r)
		case c < 0x20:
			p.syntax("A control character inside a string must be escaped, as in \\n or \\u001f.")
			return "", found
		case c < utf8.RuneSelf:
			b = append(b, c)
			p.at++
		default:
			r, size := utf8.DecodeRune(p.text[p.at:])
			if r == utf8.RuneError && size == 1 {
				note(ReasonInvalidUTF8, utf8Message)
			}
			b = append(b, p.text[p.at:p.at+size]...)
			p.at += size
		}
	}
}

var shortEscapes = map[byte]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape reads one escape, or two that make a surrogate pair. It gives U+FFFD and a reason for half a pair.
func (p *parser) escape() (rune, Reason) {
	p.at++
	c := p.peek()
	if r, ok := shortEscapes[c]; ok {
		p.at++
		return r, ""
	}
	if c != 'u' {
		p.syntax("The backslash begins no JSON escape.")
		return 0, ""
	}
	unit, ok := p.hex()
	if !ok {
		p.syntax("Four hexadecimal digits are due after \\u.")
		return 0, ""
	}
	if !utf16.IsSurrogate(unit) {
		return unit, ""
	}
	// Only a low half that follows at once completes a high one; anything else is left to be read by itself.
	if unit < 0xdc00 && p.peek() == '\\' && p.at+1 < len(p.text) && p.text[p.at+1] == 'u' {
		before := p.at
		p.at++
		if low, ok := p.hex(); ok && low >= 0xdc00 && low <= 0xdfff {
			return utf16.DecodeRune(unit, low), ""
		}
		p.at = before
	}
	return utf8.RuneError, ReasonLoneSurrogate
}

// hex reads the letter u, on which the parser stands, and four hexadecimal digits.
func (p *parser) hex() (rune, bool) {
	if p.at+5 > len(p.text) {
		return 0, false
	}
	n, err := strconv.ParseUint(string(p.text[p.at+1:p.at+5]), 16, 16)
	if err != nil {
		return 0, false
	}
	p.at += 5
	return rune(n), true
}
