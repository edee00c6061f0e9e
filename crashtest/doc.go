// Package crashtest kills the real server in the middle of load, again and again, and looks whether anything that the
// ledger promises was broken: no operation is lost that a client was told of, no two permits live at once, histories have
// no gap, and the provider has at most one effect for each intent.
//
// The load is several clients that propose, begin, send, report and reconcile at once, that die themselves at every place
// where an executor can, and that take no other clock than a real one. Environment variables:
//
//	OPLEDGER_CRASH_ROUNDS   how often each engine's server is killed; 10 by default. A hundred take some ten minutes, for
//	                        which go test needs a -timeout of its own.
//	OPLEDGER_CRASH_SEED     the seed of a run, as the test prints it
//
// The storm turns it round: three servers on one PostgreSQL, and worker processes that are killed and frozen, at random
// and exactly between their last look at the clocks and the first byte, where they are woken after reconciliation has run.
// At the end each operation is known or waits for a person, and is held against the count of a provider in a process of
// its own. A seed repeats what is done, not when the processes of a busy machine come to it.
//
//	OPLEDGER_STORM_OPERATIONS   how many operations a storm has; 600 by default, which take less than a minute. "make
//	                            storm" runs 10,000.
package crashtest
