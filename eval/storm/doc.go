// Package storm attacks real processes: servers, workers and the provider are killed, or frozen past the deadline of a
// permit and woken again, at each step of an operation's life; the database's wire fails as CockroachDB's does on a bad
// day; connections between all of them are cut.
//
// A round is one step, one victim and one blow, on servers, a database and a provider of its own. An operation of each
// class is led up to the step, the blow falls, everybody is let go on, and another worker stands ready to take over. In the
// end each operation is known or waits for a person, and the provider's count is held against what the class promises.
//
// Workers carry out one tool of each class; the servers themselves carry out two more over HTTP, one with the provider's
// idempotency key and one without, and look them up by themselves. A server cannot be asked to stop at a step, so that what
// it sends, and what it is answered, is held on its way: see gate.
//
// Processes tell each other by lines where they stand, so that nothing hangs on how fast a machine is; what is waited for
// is a condition, and the only clocks are those of permits.
package storm
