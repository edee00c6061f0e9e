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
package crashtest
