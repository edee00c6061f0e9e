package sqllint

import (
	"regexp"
	"strings"
)

var (
	gooseMark     = regexp.MustCompile(`(?m)^[ \t]*--[ \t]*\+goose[ \t]+(.+?)[ \t\r]*$`)
	noTransaction = regexp.MustCompile(`(?im)^[ \t]*--[ \t]*\+goose[ \t]+NO[ \t]+TRANSACTION[ \t\r]*$`)
)

// CheckMigration lists what is wrong with a goose migration file, given its text.
//
// CockroachDB changes schemas by jobs outside of transactions, so a file that fails half-way has done half.
// A file is therefore one statement, without goose's transaction, which can be run again: IF NOT EXISTS or
// its like. Each statement must be portable by [Check].
func CheckMigration(file string) []Problem {
	var problems []Problem
	report := func(line int, text string) { problems = append(problems, Problem{Line: line, Text: text}) }

	if !noTransaction.MatchString(file) {
		report(1, "say -- +goose NO TRANSACTION: schema changes on CockroachDB are no part of a transaction")
	}
	sections, ok := split(file)
	if !ok {
		report(1, "say -- +goose Up before the statement")
	}
	for name, section := range sections {
		statements := section.statements()
		if len(statements) == 0 && name == "up" {
			report(section.line, "there is no statement to run")
		}
		for i, tokens := range statements {
			if i == 1 {
				report(tokens[0].line, "a second statement; a file that fails half-way cannot be run again")
			}
			problems = append(problems, checkTokens(tokens)...)
			problems = append(problems, checkRepeatable(tokens)...)
		}
	}
	return problems
}

// section is what goose runs in one direction.
type section struct {
	line int // of its mark
	sql  string
}

// split finds a file's sections, "up" and perhaps "down"; false without an "up".
func split(file string) (map[string]section, bool) {
	sections := map[string]section{}
	marks := gooseMark.FindAllStringSubmatchIndex(file, -1)
	for i, mark := range marks {
		name := strings.ToLower(file[mark[2]:mark[3]])
		if name != "up" && name != "down" {
			continue
		}
		end := len(file)
		for _, later := range marks[i+1:] {
			if next := strings.ToLower(file[later[2]:later[3]]); next == "up" || next == "down" {
				end = later[0]
				break
			}
		}
		sections[name] = section{line: 1 + strings.Count(file[:mark[2]], "\n"), sql: file[mark[1]:end]}
	}
	_, ok := sections["up"]
	return sections, ok
}

// statements splits at semicolons outside of strings and comments; lines are the file's.
func (s section) statements() [][]token {
	var all [][]token
	var current []token
	for _, t := range scan(s.sql) {
		t.line += s.line - 1
		if t.is(";") {
			if len(current) > 0 {
				all = append(all, current)
			}
			current = nil
			continue
		}
		current = append(current, t)
	}
	if len(current) > 0 {
		all = append(all, current)
	}
	return all
}

// repeatable says, for each way in which a statement may begin, what makes it one that can be run again.
var repeatable = []struct{ begins, needs string }{
	{"create table", "if not exists"},
	{"create index concurrently", "if not exists"},
	{"create unique index concurrently", "if not exists"},
	{"create index", "if not exists"},
	{"create unique index", "if not exists"},
	{"create schema", "if not exists"},
	{"create view", "if not exists"},
	{"create or replace view", ""},
	{"drop table", "if exists"},
	{"drop index", "if exists"},
	{"drop view", "if exists"},
	{"drop schema", "if exists"},
}

// checkRepeatable refuses a schema change that fails when it is run a second time, and one that also
// changes rows.
func checkRepeatable(tokens []token) []Problem {
	c := checker{tokens: tokens}
	first := tokens[0]
	switch {
	case first.is("alter"):
		c.alterations()
		return c.problems
	case first.is("insert"):
		if !c.hasOnConflict(0) {
			c.report(first, "rows that a migration inserts need ON CONFLICT (columns) DO NOTHING, so that it can be run again")
		}
		return c.problems
	}
	for _, form := range repeatable {
		if !c.reads(0, form.begins) {
			continue
		}
		after := len(strings.Fields(form.begins))
		if form.needs != "" && !c.reads(after, form.needs) {
			c.report(first, "%s needs %s, so that it can be run again", strings.ToUpper(form.begins), strings.ToUpper(form.needs))
		}
		if strings.HasSuffix(form.begins, "table") && c.createsFromQuery() {
			c.report(first, "CREATE TABLE AS changes the schema and rows at once")
		}
		return c.problems
	}
	c.report(first, "a migration does not begin with %s: it changes the schema by one statement that can be run again",
		strings.ToUpper(first.text))
	return c.problems
}

// createsFromQuery tells CREATE TABLE ... AS SELECT from generated columns, whose AS is in parentheses.
func (c *checker) createsFromQuery() bool {
	for i, t := range c.tokens {
		if t.depth == 0 && t.is("as") && (c.at(i+1).is("select", "with", "values", "table", "(")) {
			return true
		}
	}
	return false
}

// alterations looks at what ALTER TABLE adds and drops. What it sets may be set again.
func (c *checker) alterations() {
	if !c.reads(0, "alter table") {
		c.report(c.tokens[0], "only ALTER TABLE is known to behave alike on both engines")
		return
	}
	for i, t := range c.tokens {
		if t.depth != 0 {
			continue
		}
		switch {
		case t.is("rename"):
			c.report(t, "RENAME fails when it is run again, and breaks servers that still run the old version")
		case t.is("add") && !c.reads(i, "add column if not exists"):
			c.report(t, "ADD needs to be ADD COLUMN IF NOT EXISTS, so that it can be run again")
		case t.is("drop") && c.at(i-2).is("column"): // ALTER COLUMN name DROP NOT NULL, DROP DEFAULT
		case t.is("drop") && !c.reads(i, "drop column if exists") && !c.reads(i, "drop constraint if exists"):
			c.report(t, "DROP needs IF EXISTS behind COLUMN or CONSTRAINT, so that it can be run again")
		}
	}
}
