package sqllint

import (
	"fmt"
	"slices"
	"strings"
)

// Check lists what is not portable in one statement, none for a good one.
func Check(statement string) []Problem { return checkTokens(scan(statement)) }

func checkTokens(tokens []token) []Problem {
	c := checker{tokens: tokens}
	for i := range c.tokens {
		c.phrases(i)
		c.names(i)
		c.concatenation(i)
		c.unnest(i)
	}
	c.firstWord()
	c.single()
	c.writes()
	slices.SortStableFunc(c.problems, func(a, b Problem) int { return a.Line - b.Line })
	return c.problems
}

type checker struct {
	tokens   []token
	problems []Problem
}

func (c *checker) report(at token, format string, arguments ...any) {
	c.problems = append(c.problems, Problem{Line: at.line, Text: fmt.Sprintf(format, arguments...)})
}

// at is the token at a place, an empty one outside of the statement.
func (c *checker) at(i int) token {
	if i < 0 || i >= len(c.tokens) {
		return token{kind: symbol, depth: -1}
	}
	return c.tokens[i]
}

// reads tells whether the words of a phrase stand at a place, one after another.
func (c *checker) reads(i int, phrase string) bool {
	for n, w := range strings.Fields(phrase) {
		if !c.at(i + n).is(w) {
			return false
		}
	}
	return true
}

// phrase is a sequence of words that is not portable, wherever it stands.
type phrase struct{ words, advice string }

var phrases = []phrase{
	{"as of system time", "AS OF SYSTEM TIME is CockroachDB's alone"},
	{"on conflict on constraint", "name the conflict's columns instead of a constraint"},
	{"on conflict do", "name the conflict's columns: ON CONFLICT (columns) DO"},
	{"for share", "FOR SHARE starves writers; read plainly"},
	{"for key share", "FOR KEY SHARE starves writers; read plainly"},
	{"current of", "CURRENT OF needs a cursor; there are none"},
	{"exclude using", "exclusion constraints exist in PostgreSQL alone"},
	{"exclude (", "exclusion constraints exist in PostgreSQL alone"},
	{"into temp", "temporary tables are not portable"},
	{"into temporary", "temporary tables are not portable"},
	{"create temp", "temporary tables are not portable"},
	{"create temporary", "temporary tables are not portable"},
	{"create local", "temporary tables are not portable"},
	{"create global", "temporary tables are not portable"},
	{"create unlogged", "unlogged tables are PostgreSQL's alone"},
	{"create trigger", "triggers are not portable"},
	{"create or replace trigger", "triggers are not portable"},
	{"create constraint trigger", "triggers are not portable"},
	{"create function", "functions are not portable; decide in Go"},
	{"create or replace function", "functions are not portable; decide in Go"},
	{"create procedure", "procedures are not portable; decide in Go"},
	{"create rule", "rules are PostgreSQL's alone"},
	{"create extension", "extensions are PostgreSQL's alone"},
	{"create sequence", "sequences differ in gaps and order; raise a column"},
	{"alter sequence", "sequences differ in gaps and order; raise a column"},
	{"as identity", "identity columns are sequences; make ids in Go"},
	{"upsert into", "UPSERT is CockroachDB's alone; write INSERT ... ON CONFLICT (columns) DO UPDATE"},
	{"merge into", "MERGE is PostgreSQL's alone"},
	{"storing (", "STORING is CockroachDB's word; both read INCLUDE"},
	{"using hash", "hash-sharded indexes belong into the directory of CockroachDB-only migrations"},
}

// phrases refuses phrases that stand at a place.
func (c *checker) phrases(i int) {
	for _, p := range phrases {
		if c.reads(i, p.words) {
			c.report(c.tokens[i], "%s", p.advice)
			return
		}
	}
}

// barredWords are single words that are not portable, wherever they stand unquoted.
var barredWords = map[string]string{
	"xmin":           "row versions are PostgreSQL's alone",
	"xmax":           "row versions are PostgreSQL's alone",
	"cmin":           "row versions are PostgreSQL's alone",
	"cmax":           "row versions are PostgreSQL's alone",
	"ctid":           "row addresses are PostgreSQL's alone",
	"tableoid":       "table numbers are PostgreSQL's alone",
	"nextval":        "sequences differ in gaps and order; raise a column",
	"currval":        "sequences differ in gaps and order; raise a column",
	"setval":         "sequences differ in gaps and order; raise a column",
	"lastval":        "sequences differ in gaps and order; raise a column",
	"serial":         "serial columns are sequences; make ids in Go",
	"bigserial":      "serial columns are sequences; make ids in Go",
	"smallserial":    "serial columns are sequences; make ids in Go",
	"serial2":        "serial columns are sequences; make ids in Go",
	"serial4":        "serial columns are sequences; make ids in Go",
	"serial8":        "serial columns are sequences; make ids in Go",
	"unique_rowid":   "unique_rowid is CockroachDB's alone; make ids in Go",
	"set_config":     "session settings do not survive a pooler",
	"int":            "INT has 32 bits on PostgreSQL and 64 on CockroachDB; write INT4 or INT8",
	"integer":        "INTEGER has 32 bits on PostgreSQL and 64 on CockroachDB; write INT4 or INT8",
	"localtimestamp": "LOCALTIMESTAMP depends on the session's zone; write now()",
}

// barredPrefixes begin the names of engines' own functions and catalogs.
var barredPrefixes = map[string]string{
	"pg_":   "PostgreSQL's own functions and catalogs (advisory locks and notifications among them) are not portable",
	"txid_": "transaction numbers are PostgreSQL's alone",
	"crdb_": "CockroachDB's own functions and catalogs are not portable",
}

// names refuses single words.
func (c *checker) names(i int) {
	t := c.tokens[i]
	if t.kind != word {
		return
	}
	if advice, ok := barredWords[t.text]; ok {
		c.report(t, "%s: %s", t.text, advice)
		return
	}
	for prefix, advice := range barredPrefixes {
		if strings.HasPrefix(t.text, prefix) {
			c.report(t, "%s: %s", t.text, advice)
		}
	}
}

// barredFirstWords are the statements that are not portable, or rely on a session.
var barredFirstWords = map[string]string{
	"listen":     "notifications exist in PostgreSQL alone; poll",
	"unlisten":   "notifications exist in PostgreSQL alone; poll",
	"notify":     "notifications exist in PostgreSQL alone; poll",
	"reset":      "session settings do not survive a pooler",
	"discard":    "session settings do not survive a pooler",
	"declare":    "cursors are not portable; page by key",
	"fetch":      "cursors are not portable; page by key",
	"move":       "cursors are not portable; page by key",
	"close":      "cursors are not portable; page by key",
	"lock":       "table locks are PostgreSQL's alone",
	"copy":       "COPY differs; insert by unnest",
	"do":         "anonymous blocks are not portable; decide in Go",
	"prepare":    "prepared statements do not survive a pooler; pgx prepares by itself",
	"execute":    "prepared statements do not survive a pooler; pgx prepares by itself",
	"deallocate": "prepared statements do not survive a pooler; pgx prepares by itself",
	"vacuum":     "VACUUM is PostgreSQL's alone",
	"cluster":    "CLUSTER is PostgreSQL's alone",
	"reindex":    "REINDEX is PostgreSQL's alone",
	"savepoint":  "a savepoint does not cure a serialization failure on PostgreSQL; run the whole transaction again",
	"release":    "a savepoint does not cure a serialization failure on PostgreSQL; run the whole transaction again",
}

func (c *checker) firstWord() {
	first := c.at(0)
	if first.kind != word {
		return
	}
	if advice, ok := barredFirstWords[first.text]; ok {
		c.report(first, "%s: %s", strings.ToUpper(first.text), advice)
	}
	if first.is("set") && !c.at(1).is("transaction") {
		c.report(first, "session settings do not survive a pooler; only SET TRANSACTION is portable")
	}
}

// single refuses a second statement: the extended protocol takes one.
func (c *checker) single() {
	for i, t := range c.tokens {
		if t.is(";") && i+1 < len(c.tokens) {
			c.report(c.tokens[i+1], "a second statement; send one at a time")
			return
		}
	}
}

// concatenation refuses what is left of building SQL from strings: values go into parameters.
func (c *checker) concatenation(i int) {
	t, next := c.tokens[i], c.at(i+1)
	switch {
	case t.is("%") && next.glued && (next.is("s", "d", "v", "q", "x", "t", "[", "+")):
		c.report(t, "%%%s is a mark of fmt.Sprintf; pass values as parameters", next.text)
	case t.is("?"):
		c.report(t, "? is no parameter here; write $1")
	case t.is("{") && !c.at(i-1).is("{"):
		c.report(t, "{ is a template's mark; pass values as parameters")
	case t.is(":", "@") && next.glued && next.kind == word && (!t.glued || c.at(i-1).is("(", ",", "=")):
		c.report(t, "%s%s is no parameter here; write $1", t.text, next.text)
	}
}

// unnest refuses parameters without a written type in unnest, where the engines infer different ones.
func (c *checker) unnest(i int) {
	if !c.reads(i, "unnest (") {
		return
	}
	open := c.at(i + 1)
	for j := i + 2; j < len(c.tokens) && c.at(j).depth > open.depth; j++ {
		if p := c.at(j); p.kind == parameter && !c.castToArray(j) {
			c.report(p, "unnest(%s): write the parameter's type, as in %s::TEXT[]", p.text, p.text)
		}
	}
}

// castToArray tells whether a parameter is written $1::TYPE[] or CAST($1 AS TYPE[]).
func (c *checker) castToArray(i int) bool {
	cast := c.reads(i-2, "cast (") && c.at(i+1).is("as")
	if !cast && !c.at(i+1).is("::") {
		return false
	}
	j := i + 2
	for c.at(j).isName() { // DOUBLE PRECISION has two words
		j++
	}
	return c.reads(j, "[ ]")
}
