package canon

import (
	"slices"
	"strconv"
	"strings"
)

// Parse reads one JSON value strictly (RFC 8259, and I-JSON where that is narrower) and refuses what two parsers could
// read in two ways, with a fault for each place. Faults of single values are collected; after a fault of grammar the
// rest cannot be trusted, and reading ends. With any fault the value is nil.
func Parse(text []byte, limits Limits) (*Value, Faults) {
	limits = limits.withDefaults()
	if len(text) > limits.Bytes {
		return nil, Faults{{Reason: ReasonTooLarge, Message: "The document has more than " + strconv.Itoa(limits.Bytes) + " bytes; send large content by reference."}}
	}
	p := parser{text: text, limits: limits}
	p.space()
	v := p.value(0)
	p.space()
	if !p.stopped && p.at < len(p.text) {
		p.path = nil
		p.stop(ReasonTrailingText, "There is text after the JSON value; send exactly one value.")
	}
	if len(p.faults) > 0 {
		return nil, p.faults
	}
	return v, nil
}

type parser struct {
	text    []byte
	at      int
	limits  Limits
	path    Pointer
	values  int
	faults  Faults
	stopped bool // a fault of grammar or size: nothing after it is read
}

// fault notes a problem of the value at the present path.
func (p *parser) fault(reason Reason, message string) { p.faultAt(p.path, reason, message) }

func (p *parser) faultAt(path Pointer, reason Reason, message string) {
	if len(p.faults) >= p.limits.Faults {
		p.stopped = true
		return
	}
	p.faults = append(p.faults, Fault{path.String(), reason, message})
}

func (p *parser) stop(reason Reason, message string) *Value {
	if !p.stopped {
		p.fault(reason, message)
	}
	p.stopped = true
	return Null()
}

func (p *parser) syntax(message string) *Value {
	return p.stop(ReasonSyntax, message+" (at byte "+strconv.Itoa(p.at)+")")
}

func (p *parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// peek gives the next byte, or zero at the end; a zero byte is no JSON token either.
func (p *parser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *parser) value(depth int) *Value {
	if p.values++; p.values > p.limits.Values {
		return p.stop(ReasonTooLarge, "The document has more than "+strconv.Itoa(p.limits.Values)+" values; send large content by reference.")
	}
	switch c := p.peek(); {
	case c == '{' || c == '[':
		if depth == p.limits.Depth {
			return p.stop(ReasonTooDeep, "Arrays and objects nest deeper than "+strconv.Itoa(p.limits.Depth)+" levels; send a flatter document.")
		}
		if c == '{' {
			return p.object(depth + 1)
		}
		return p.array(depth + 1)
	case c == '"':
		text, problem := p.string()
		if problem != nil {
			p.fault(problem.reason, problem.message)
		}
		return String(text)
	case c == '-' || (c >= '0' && c <= '9'):
		return p.number()
	}
	for _, word := range []struct {
		text  string
		value *Value
	}{{"null", Null()}, {"true", Bool(true)}, {"false", Bool(false)}} {
		if strings.HasPrefix(string(p.text[p.at:min(len(p.text), p.at+len(word.text))]), word.text) {
			p.at += len(word.text)
			return word.value
		}
	}
	if p.at == len(p.text) {
		return p.syntax("The text ends where a JSON value is due.")
	}
	return p.syntax("No JSON value begins here; NaN, Infinity, comments and single quotes are no JSON.")
}

func (p *parser) array(depth int) *Value {
	p.at++
	v := &Value{kind: KindArray}
	if p.space(); p.peek() == ']' {
		p.at++
		return v
	}
	for {
		p.path = p.path.child(strconv.Itoa(len(v.items)))
		p.space()
		item := p.value(depth)
		if p.stopped {
			return v
		}
		p.path = p.path[:len(p.path)-1]
		v.items = append(v.items, item)
		p.space()
		switch p.peek() {
		case ',':
			p.at++
		case ']':
			p.at++
			return v
		default:
			return p.syntax("After an array item a comma or ] is due.")
		}
	}
}

func (p *parser) object(depth int) *Value {
	p.at++
	var members []Member
	if p.space(); p.peek() == '}' {
		p.at++
		return newObject(nil)
	}
	for {
		if p.space(); p.peek() != '"' {
			return p.syntax("A member name in double quotes is due.")
		}
		name := p.name()
		if p.stopped {
			return Null()
		}
		p.path = p.path.child(name)
		if p.space(); p.peek() != ':' {
			return p.syntax("After a member name a colon is due.")
		}
		p.at++
		p.space()
		value := p.value(depth)
		if p.stopped {
			return Null()
		}
		p.path = p.path[:len(p.path)-1]
		members = append(members, Member{name, value})
		p.space()
		switch p.peek() {
		case ',':
			p.at++
		case '}':
			p.at++
			return p.close(members)
		default:
			return p.syntax("After a member a comma or } is due.")
		}
	}
}

// name reads a member name. A faulty one is shown in pointers with U+FFFD for what is wrong; the document is refused.
func (p *parser) name() string {
	name, problem := p.string()
	if problem == nil && len(name) > p.limits.NameBytes {
		p.stop(ReasonTooLarge, "A member name has more than "+strconv.Itoa(p.limits.NameBytes)+" bytes; use short names.")
		return ""
	}
	if problem != nil {
		name = strings.ReplaceAll(strings.ToValidUTF8(name, "\ufffd"), "\x00", "\ufffd")
		p.faultAt(p.path.child(name), problem.reason, "In the member name: "+problem.message)
	}
	return name
}

// close sorts the members and refuses names that come twice, compared after unescaping: parsers disagree on whether
// the first or the last counts, so what was checked may not be what is executed.
func (p *parser) close(members []Member) *Value {
	v := newObject(members)
	v.members = slices.CompactFunc(v.members, func(a, b Member) bool {
		if a.Name != b.Name {
			return false
		}
		p.faultAt(p.path.child(a.Name), ReasonDuplicateName, "The member name comes more than once in its object; send it once.")
		return true
	})
	return v
}

// number reads a literal by the grammar of RFC 8259 section 6.
func (p *parser) number() *Value {
	start := p.at
	digits := func() int {
		from := p.at
		for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
			p.at++
		}
		return p.at - from
	}
	if p.peek() == '-' {
		p.at++
	}
	if p.peek() == '0' {
		p.at++
		if c := p.peek(); c >= '0' && c <= '9' {
			return p.syntax("A number has no leading zeros; send an id as a string.")
		}
	} else if digits() == 0 {
		return p.syntax("A digit is due after the minus sign.")
	}
	if p.peek() == '.' {
		p.at++
		if digits() == 0 {
			return p.syntax("A digit is due after the decimal point.")
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.at++
		if c := p.peek(); c == '+' || c == '-' {
			p.at++
		}
		if digits() == 0 {
			return p.syntax("A digit is due in the exponent.")
		}
	}
	literal := string(p.text[start:p.at])
	if len(literal) > p.limits.NumberBytes {
		p.fault(ReasonTooLarge, "The number has more than "+strconv.Itoa(p.limits.NumberBytes)+" characters; send it as a string.")
	} else if reason, message := checkNumber(literal); reason != "" {
		p.fault(reason, message)
	}
	return &Value{kind: KindNumber, text: literal}
}
