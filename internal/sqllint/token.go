package sqllint

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind int

const (
	word      tokenKind = iota // a keyword or a name, in lower case
	quoted                     // a "quoted name", without its quotes
	text                       // a string literal of any form
	number                     // a numeric literal
	parameter                  // $1
	symbol                     // one operator character; "::" is one token
)

type token struct {
	kind  tokenKind
	text  string
	line  int
	depth int  // how many parentheses are open before it; a closing one has its opening one's depth
	glued bool // nothing stands between it and the token before
}

func (t token) is(words ...string) bool {
	if t.kind != word && t.kind != symbol {
		return false
	}
	for _, w := range words {
		if t.text == w {
			return true
		}
	}
	return false
}

func (t token) isName() bool { return t.kind == word || t.kind == quoted }

// scanner reads tokens from SQL text.
type scanner struct {
	rest   string
	line   int
	depth  int
	tokens []token
}

// scan splits SQL into tokens and leaves comments out.
func scan(sql string) []token {
	s := scanner{rest: sql, line: 1}
	for s.next() {
	}
	return s.tokens
}

func (s *scanner) next() bool {
	glued := !s.skipBlank() && len(s.tokens) > 0
	if s.rest == "" {
		return false
	}
	t := token{line: s.line, depth: s.depth, glued: glued}
	first, size := utf8.DecodeRuneInString(s.rest)
	switch {
	case first == '\'':
		t.kind, t.text = text, s.take(endOfString(s.rest, 0, false))
	case first == '"':
		t.kind, t.text = quoted, strings.Trim(s.take(endOfQuoted(s.rest)), `"`)
	case first == '$':
		t.kind, t.text = s.dollar()
	case isDigit(first):
		t.kind, t.text = number, s.take(runOf(s.rest, func(r rune) bool { return isLetter(r) || isDigit(r) || r == '.' }))
	case isLetter(first):
		t.kind, t.text = s.name()
	case strings.HasPrefix(s.rest, "::"):
		t.kind, t.text = symbol, s.take(2)
	default:
		t.kind, t.text = symbol, s.take(size)
	}
	if t.is("(") {
		s.depth++
	}
	if t.is(")") && s.depth > 0 {
		s.depth--
		t.depth = s.depth
	}
	s.tokens = append(s.tokens, t)
	return true
}

// take removes n bytes from the front.
func (s *scanner) take(n int) string {
	taken := s.rest[:n]
	s.rest = s.rest[n:]
	s.line += strings.Count(taken, "\n")
	return taken
}

// skipBlank passes over white space and comments and tells whether there were any.
func (s *scanner) skipBlank() bool {
	before := len(s.rest)
	for {
		s.take(runOf(s.rest, unicode.IsSpace))
		switch {
		case strings.HasPrefix(s.rest, "--"):
			s.take(runOf(s.rest, func(r rune) bool { return r != '\n' }))
		case strings.HasPrefix(s.rest, "/*"):
			s.take(endOfComment(s.rest))
		default:
			return len(s.rest) < before
		}
	}
}

// name reads a word, or a string whose prefix looked like one: E”, B”, X”, U&”.
func (s *scanner) name() (tokenKind, string) {
	n := runOf(s.rest, func(r rune) bool { return isLetter(r) || isDigit(r) || r == '$' })
	prefix := strings.ToLower(s.rest[:n])
	after := s.rest[n:]
	switch {
	case strings.HasPrefix(after, "'") && (prefix == "e" || prefix == "b" || prefix == "x" || prefix == "n"):
		return text, s.take(endOfString(s.rest, n, prefix == "e"))
	case strings.HasPrefix(after, "&'") && prefix == "u":
		return text, s.take(endOfString(s.rest, n+1, false))
	}
	s.take(n)
	return word, prefix
}

// dollar reads a parameter, a dollar-quoted string, or a lone dollar sign.
func (s *scanner) dollar() (tokenKind, string) {
	if n := runOf(s.rest[1:], isDigit); n > 0 {
		return parameter, s.take(1 + n)
	}
	n := 1 + runOf(s.rest[1:], func(r rune) bool { return isLetter(r) || isDigit(r) })
	if strings.HasPrefix(s.rest[n:], "$") {
		tag := s.rest[:n+1]
		if end := strings.Index(s.rest[len(tag):], tag); end >= 0 {
			return text, s.take(len(tag) + end + len(tag))
		}
		return text, s.take(len(s.rest))
	}
	return symbol, s.take(1)
}

// endOfString is the length of the string literal whose opening quote is at start. A quote is written twice
// within it, or behind a backslash where escapes count. An open string goes on to the end.
func endOfString(sql string, start int, escapes bool) int {
	for i := start + 1; i < len(sql); i++ {
		switch {
		case escapes && sql[i] == '\\':
			i++
		case sql[i] == '\'' && i+1 < len(sql) && sql[i+1] == '\'':
			i++
		case sql[i] == '\'':
			return i + 1
		}
	}
	return len(sql)
}

func endOfQuoted(sql string) int {
	if end := strings.IndexByte(sql[1:], '"'); end >= 0 {
		return end + 2
	}
	return len(sql)
}

// endOfComment is the length of a block comment; they nest.
func endOfComment(sql string) int {
	depth := 0
	for i := 0; i+1 < len(sql); i++ {
		switch sql[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			depth--
			i++
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(sql)
}

func runOf(s string, in func(rune) bool) int {
	if end := strings.IndexFunc(s, func(r rune) bool { return !in(r) }); end >= 0 {
		return end
	}
	return len(s)
}

func isDigit(r rune) bool  { return '0' <= r && r <= '9' }
func isLetter(r rune) bool { return r == '_' || unicode.IsLetter(r) }
