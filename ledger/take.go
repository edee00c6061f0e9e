package ledger

import "github.com/opledger/opledger/policy"

// Take takes up work of an operation: the permit of its next attempt, or the question that is to be put to its provider.
// Workers and the server's own executor send it for what they have claimed.
type Take struct {
	Work     Work  // of which OperationID, Kind and Stamp count
	Actor    Actor // who acts: the worker's principal, or the server
	WorkerID string
	Epoch    int64 // the configuration epoch that the rules were read at
	Rules    *policy.Set

	NewAttempt  AttemptID
	NewDecision DecisionID
	Jitter      float64
}

// Handed is the reply: a permit to act on, or a question to put, or neither.
type Handed struct {
	Operation *Operation
	Permit    *Permit // present: act
	Lookup    *Lookup // present: ask the provider, by the first of its ways that the executor has
	// Because says why there is nothing to do now. The operation says when it is looked at again.
	Because string
}
