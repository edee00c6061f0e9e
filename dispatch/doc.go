// Package dispatch runs due work: permits that end at their deadline, waiting that ends at its age, acknowledgements that
// lapse, questions that escalate. It decides nothing. What is due is a row that was saved with the state that caused it;
// the dispatcher claims such rows for a while and sends the ledger one Wake for each, by the same path as every other
// command.
//
// Any number of servers dispatch side by side on one database. A claim is a hint only: the ledger looks at the operation
// itself, and one that somebody else has changed in between makes the Wake do nothing. So nothing is lost with a server
// that dies, and nothing happens twice.
//
// dispatcher.go puts the loops together (package outbox has the loop itself), wake.go is one batch of due operations,
// records.go one of due records.
package dispatch
