// Package pgtest gives tests a real PostgreSQL. There is no fake of a database in this project: what
// SERIALIZABLE does under contention, and what a lost connection leaves behind, only the real one tells.
//
// A test asks for a fresh database and need not care where it lives:
//
//	url := pgtest.NewDatabase(t)
//
// One server is shared by all tests of a process. Where OPLEDGER_TEST_PG_URL names a server that one is
// used, and the command in cmd/pgtest sets the variable for everything that it runs, so that all packages
// of one "go test ./..." share one server:
//
//	go run ./internal/pgtest/cmd/pgtest -- go test ./...
//
// A test that changes settings, or kills the database, starts a server of its own with [Start].
//
// PostgreSQL refuses to run as root. Started by root, its programs run as the user "postgres", or as
// "nobody" where there is no such user. The package runs on Unix systems only.
package pgtest
