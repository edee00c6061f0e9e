package canon

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// admits reports whether a rule can be asked about a value of this kind at all. Null passes every rule.
func (c *compiled) admits(kind Kind) bool {
	switch c.Kind {
	case RuleNumber:
		return kind == KindNumber || kind == KindNull
	case RuleMoney:
		return kind == KindNumber || kind == KindString || kind == KindNull
	case RuleSet, RuleList:
		return kind == KindArray || kind == KindNull
	}
	return kind == KindString || kind == KindNull
}

// takes says in words what admits says.
func (c *compiled) takes() string {
	switch c.Kind {
	case RuleNumber:
		return "a JSON number"
	case RuleMoney:
		return "a JSON number or a decimal string"
	case RuleSet, RuleList:
		return "an array"
	}
	return "a string"
}

// apply normalizes one value that the rule admits and that is not null; items of a set or list were normalized before.
func (r *run) apply(c *compiled, v *Value, at Pointer) *Value {
	var out *Value
	var wrong *problem
	switch c.Kind {
	case RuleMoney:
		out, wrong = r.money(c, v, at)
	case RuleTimestamp:
		out, wrong = text(c.timestamp(v.text))
	case RuleDate:
		out, wrong = text(date(v.text))
	case RuleBucket:
		out, wrong = text(bucket(v.text, c.Unit, c.location))
	case RuleEnum:
		out, wrong = text(c.enum(v.text))
	case RuleIdentifier:
		out, wrong = text(c.identifier(v.text))
	case RuleText:
		out = String(c.plain(v.text))
	case RuleEmail:
		out, wrong = text(email(v.text, c.Local))
	case RulePhone:
		out, wrong = text(phone(v.text, c.Region))
	case RuleSet:
		out = set(v)
	default: // number and list keep what RFC 8785 says of them
		out = v
	}
	if wrong != nil {
		r.fault(at, wrong.reason, wrong.message)
		return v
	}
	return out
}

func text(s string, wrong *problem) (*Value, *problem) { return String(s), wrong }

// set sorts items by their canonical form and keeps one of each. It does not look inside items.
func set(v *Value) *Value {
	type sortable struct {
		canonical string
		value     *Value
	}
	list := make([]sortable, len(v.items))
	for i, item := range v.items {
		list[i] = sortable{string(item.Canonical()), item}
	}
	slices.SortStableFunc(list, func(a, b sortable) int { return strings.Compare(a.canonical, b.canonical) })
	list = slices.CompactFunc(list, func(a, b sortable) bool { return a.canonical == b.canonical })
	out := &Value{kind: KindArray}
	for _, s := range list {
		out.items = append(out.items, s.value)
	}
	return out
}

func (c *compiled) fold(word string) string {
	if c.Case == CaseFold {
		return asciiLower(word)
	}
	return word
}

func (c *compiled) enum(word string) (string, *problem) {
	value, known := c.words[c.fold(word)]
	if !known {
		return "", &problem{ReasonNotInEnum, "The value is none of " + strings.Join(c.Values, ", ") + "."}
	}
	return value, nil
}

func (c *compiled) identifier(s string) (string, *problem) {
	if c.Trim {
		s = strings.TrimFunc(s, isWhiteSpace)
	}
	switch c.Case {
	case CaseLower:
		s = asciiLower(s)
	case CaseUpper:
		s = asciiUpper(s)
	}
	if s == "" {
		return "", &problem{ReasonEmpty, "The identifier is empty; send the one of the object that is meant."}
	}
	return s, nil
}

// plain normalizes a text: NFC (never NFKC, which merges what people can tell apart), then line ends, then white space.
func (c *compiled) plain(s string) string {
	s = norm.NFC.String(s)
	if c.Newlines == NewlinesLF {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	switch c.Whitespace {
	case WhitespaceTrim:
		s = strings.TrimFunc(s, isWhiteSpace)
	case WhitespaceCollapse:
		s = strings.Join(strings.FieldsFunc(s, isWhiteSpace), " ")
	}
	return s
}

// isWhiteSpace is the Unicode property White_Space: the no-break space has it, U+200B (zero width) has not.
func isWhiteSpace(r rune) bool { return unicode.Is(unicode.White_Space, r) }
