package sqllint

import "strings"

// CheckSQLiteMigration lists what is wrong with a goose migration file of the embedded engine: what CheckMigration lists,
// but for a new column. SQLite knows no ADD COLUMN IF NOT EXISTS, so that a column's step cannot be run again; in SQLite a
// schema change is part of a transaction, so that it need not be: the step and goose's record of it are done together.
func CheckSQLiteMigration(file string) []Problem {
	sections, _ := split(file)
	statements := sections["up"].statements()
	if len(sections) != 1 || len(statements) != 1 || !addsColumn(statements[0]) {
		return CheckMigration(file)
	}
	problems := checkTokens(statements[0])
	if noTransaction.MatchString(file) {
		problems = append(problems, Problem{Line: 1, Text: "leave -- +goose NO TRANSACTION out: a column's step cannot be run again"})
	}
	return problems
}

// addsColumn tells whether the tokens are ALTER TABLE name ADD COLUMN, in the only form that SQLite takes.
func addsColumn(tokens []token) bool {
	c := checker{tokens: tokens}
	return c.reads(0, "alter table") && c.at(2).isName() && c.reads(3, "add column") && !strings.EqualFold(c.at(5).text, "if")
}
