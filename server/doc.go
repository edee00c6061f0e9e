// Package server is the gRPC edge: it lets callers in, turns messages into ledger commands and what was decided into
// messages. It decides nothing; where a proposal is decided is ledger.Propose.Decide.
//
// One file a use case: propose.go, begin.go (and extensions), report.go, reconcile.go, cancel.go, get.go, list.go,
// watch.go, explain.go, tools.go, batch.go. The mapping to messages is in the files named map_….go, the mapping of
// refusals in errors.go.
package server
