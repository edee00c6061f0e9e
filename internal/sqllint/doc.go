// Package sqllint checks SQL against the subset that PostgreSQL and CockroachDB read alike.
//
// One SQL path serves both engines, and only one of them can be had on every machine that runs the tests.
// The tests run every statement on PostgreSQL; this package refuses what CockroachDB would not take, or
// would take and mean otherwise. A store's test walks its statements and migrations:
//
//	for name, statement := range statements {
//		for _, problem := range sqllint.Check(statement) { t.Errorf("%s: %v", name, problem) }
//	}
//
// It reads tokens, not grammar: it respects strings, quoted names and comments, and knows no more of SQL
// than its rules need. It cannot say that a statement is portable, only that it is not.
package sqllint

import "fmt"

// Problem is one thing in a statement that is not portable.
type Problem struct {
	Line int    // from 1
	Text string // what is wrong, and what to write instead
}

func (p Problem) String() string { return fmt.Sprintf("line %d: %s", p.Line, p.Text) }
