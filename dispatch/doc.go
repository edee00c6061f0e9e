// Package dispatch runs what the ledger has stored to be done.
//
// The dispatcher runs due work: permits that end at their deadline, waiting that ends at its age, acknowledgements that
// lapse, questions that escalate. It decides nothing. What is due is a row that was saved with the state that caused it;
// the dispatcher claims such rows for a while and sends the ledger one Wake for each, by the same path as every other
// command.
//
// Any number of servers dispatch side by side on one database. A claim is a hint only: the ledger looks at the operation
// itself, and one that somebody else has changed in between makes the Wake do nothing. So nothing is lost with a server
// that dies, and nothing happens twice.
//
// The executor carries out the tools that name an HTTP request. It takes up work, begins, makes one request under the
// permit by way of an Adapter, and reports; and it puts the questions by which unknown outcomes become known. What it
// lets wait (an open breaker, a provider with all its slots taken) it has not claimed, and so has not touched.
//
// dispatcher.go puts the loops of due work together (package outbox has the loop itself), wake.go is one batch of due
// operations, records.go one of due records. executor.go claims requests to make, by turns (fair.go) and as far as their
// providers take more (slots.go); execute.go takes one up, act.go makes a request, ask.go a lookup; clocks.go measures the
// permit. adapter.go is what an executor asks of the rest.
package dispatch
