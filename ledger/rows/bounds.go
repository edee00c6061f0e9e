package rows

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// The bounds of what is kept. They are far above what the API lets in, so that meeting one is a defect of an edge, which
// must fail its one command and never grow into a row that an engine cannot index or a transaction that it cannot carry.
const (
	// MaxName bounds every indexed name (namespace, identifiers, tool, workflow, entity). A PostgreSQL index entry holds
	// at most 2,704 bytes, and an index here joins up to three of them.
	MaxName = 640
	// MaxClaimValue bounds a claim's value, which is indexed together with a namespace and a kind.
	MaxClaimValue = 1536
	// MaxDocument bounds an operation's document. CockroachDB asks that a transaction stays well under 4 MiB.
	MaxDocument = 1 << 20
)

// ErrImpossible says that a row was not fit to be kept. It is a defect above the store: nothing of the transaction is
// saved, and another try would not help.
var ErrImpossible = errors.New("a row is not fit to be kept")

// check collects the first reason why a row cannot be kept, so that checks read as a list.
type check struct{ err error }

func (c *check) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%w: "+format, append([]any{ErrImpossible}, args...)...)
	}
}

func (c *check) that(ok bool, format string, args ...any) {
	if !ok {
		c.fail(format, args...)
	}
}

// name checks an indexed text that must be there.
func (c *check) name(what, s string) {
	c.that(s != "", "%s is empty", what)
	c.text(what, s, MaxName)
}

// isName reports whether a text can be kept as an indexed name.
func isName(s string) bool {
	var c check
	c.text("name", s, MaxName)
	return c.err == nil
}

// Possible reports whether texts could have been kept, so that something may have them. An engine would refuse to look
// for one that could not.
func Possible(texts ...string) bool {
	for _, s := range texts {
		if !isName(s) {
			return false
		}
	}
	return true
}

// text checks a text that may be absent. PostgreSQL keeps neither a zero byte nor broken UTF-8; SQLite would keep both,
// and the engines would differ.
func (c *check) text(what, s string, limit int) {
	c.that(len(s) <= limit, "%s has %d bytes, at most %d are kept", what, len(s), limit)
	c.that(utf8.ValidString(s) && !strings.Contains(s, "\x00"), "%s is not UTF-8 without zero bytes", what)
}
