// Package ledgertest runs the core without a database: a World keeps committed rows in memory, runs commands through
// transact.Run as an engine would, and has a clock that only its test sets. Identifiers are counted, so that a failing
// history reads the same each time.
//
// After each commit the World checks all of it against what must hold of every ledger (audit.go): whoever uses it tests
// those promises beside its own.
package ledgertest
