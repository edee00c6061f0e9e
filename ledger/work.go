package ledger

import (
	"context"
	"time"

	"github.com/opledger/opledger/registry"
)

// WorkKind is what somebody else than the proposer is to do for an operation.
type WorkKind string

// The kinds of work.
const (
	WorkDispatch WorkKind = "dispatch" // take up the permit of its next attempt, and act
	WorkLookup   WorkKind = "lookup"   // ask the provider about it
)

// Queue is work that is claimed together and served fairly beside other queues: what one kind of executor does for one
// tool of one namespace at one provider.
type Queue struct {
	Namespace Namespace
	Executor  registry.Executor // Worker or ServerHTTP
	Tool      string
	Kind      WorkKind
	Provider  string // with its account, as ProviderOf gives it; empty: the tool names none
}

// Work is what is to be done for an operation outside the ledger, and from when. Each operation has at most one, a
// function of its state, saved in the transaction that causes it, beside its Due: due work is what time alone changes,
// this is what somebody has to take up. A claim is a hint: the Take that it leads to checks the stamp.
type Work struct {
	Queue
	OperationID OperationID
	At          time.Time
	Stamp       int64 // the operation's version; work with another stamp is not there any more
	// Claimer is who holds the item for now, as it called itself; empty for what is not claimed.
	Claimer string
}

// WorkQuery selects queues. Zero fields do not restrict.
type WorkQuery struct {
	Executor  registry.Executor
	Namespace Namespace
	Tools     []string
	// Ready leaves out queues of which nothing can be claimed now.
	Ready bool
}

// QueueDepth is how much waits in a queue. It is for choosing, backpressure and gauges: a moment later it is otherwise.
type QueueDepth struct {
	Queue
	Waiting int64     // items, claimed ones and those that are not due yet included
	Ready   int64     // items that can be claimed now
	Oldest  time.Time // when the item that is ready longest became so; zero: none is ready
}

// WorkEngine is the part of an engine that keeps work.
type WorkEngine interface {
	// WorkQueues lists queues that hold work.
	WorkQueues(ctx context.Context, q WorkQuery) ([]QueueDepth, error)
	// ClaimWork hands out what is ready in one queue, the longest ready first, until the claim's expiry.
	ClaimWork(ctx context.Context, queue Queue, claimer string, limit int, hold time.Duration) ([]Work, error)
	// ReleaseWork gives a claim back, to be handed out again after a pause. It frees only what is still held by the item's
	// claimer, at the item's stamp.
	ReleaseWork(ctx context.Context, w Work, retryAfter time.Duration) error
}

// ProviderOf names a provider with its account, as queues and bounds do; empty where the tool names no provider.
func ProviderOf(t *Terms) string {
	if t.Provider == "" || t.Account == "" {
		return t.Provider
	}
	return t.Provider + "/" + t.Account
}

// Looking is how far the search for an operation's outcome has come.
type Looking struct {
	// Tries counts the questions that were handed out since the operation came to its state, and Late those of them that
	// were late enough for "not found" to count.
	Tries int `json:"tries,omitempty"`
	Late  int `json:"late,omitempty"`
	// AskedAt is when the last one was handed out; zero: none was.
	AskedAt time.Time `json:"asked_at,omitzero"`
	// NextAt is when the next one is to be put, whether or not the last was answered.
	NextAt time.Time `json:"next_at,omitzero"`
}
