// Package campaign tries thousands of business intents against a running server, each with faults of the provider, of the
// processes and of the wire that are drawn from a seed, and counts at the provider what came of each.
//
// All of it happens on virtual time, in one goroutine for each world: actors (agents, workers, providers that send
// webhooks) are coroutines that one queue of events wakes in a fixed order. So a run is a function of its own seed, whatever
// runs beside it and however the campaign is spread over worlds, and a run that went wrong is repeated alone.
//
// The same runs are played without Opledger as well: see baseline.go.
package campaign
