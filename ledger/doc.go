// Package ledger is the core: a deterministic function from a snapshot, a command and the database's time to a reply and
// the changes to save with it. It has no clock, no randomness and no I/O, and knows neither SQL nor protobuf.
//
// Where to look:
//
//   - state.go has the state table, operation.go what is known of an operation, terms.go what its tool promised.
//   - One file a command: propose.go (with propose_answer.go, propose_create.go and revise.go), begin.go (and
//     extensions), report.go, reconcile.go, cancel.go (and the due work's wake), tool.go.
//   - settle.go turns what is known of all attempts into a state; weigh.go and attribute.go say what is believed;
//     tick.go applies the passing of time; permit.go says when a permit, a resend or a second hand-out is safe.
//   - draft.go is the only way in which an operation changes.
//   - command.go, view.go, readset.go and store.go are the boundary to the shell: a command declares what it claims and
//     reads, a store loads and saves, and package transact brings them together in one transaction.
package ledger
