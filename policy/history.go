package policy

import "time"

// History is one row of history: what counts under one value of one rule. It is changed in the transaction that changes
// an operation, so that no rule ever has to search.
type History struct {
	Open []Hold `json:"open,omitempty"` // released and not ended, in the order of the line: they count now, in every window
	Past []Past `json:"past,omitempty"` // what happened, at its last permit's time
}

// Hold is an open operation's place in a history.
type Hold struct {
	Root      string    `json:"root"`
	Operation string    `json:"operation"`
	Amount    int64     `json:"amount"`
	Since     time.Time `json:"since"`
	Tool      string    `json:"tool,omitempty"`
	Intent    string    `json:"intent,omitempty"`
	// Waiting: it waits for approval. It is not held in limits, but a second one names it.
	Waiting bool `json:"waiting,omitempty"`
}

// Past is what happened: one operation by its name, or, of a counter, the older operations of one bucket as a sum.
type Past struct {
	At        time.Time `json:"at"` // the operation's last permit, or a bucket's start
	Sum       int64     `json:"sum,omitempty"`
	Root      string    `json:"root,omitempty"`
	Operation string    `json:"operation,omitempty"`
	Tool      string    `json:"tool,omitempty"`
	Intent    string    `json:"intent,omitempty"`
	// Keep, of a window or a conflict, is how long after At it is kept, by the terms under which it was held.
	Keep time.Duration `json:"keep_ns,omitempty"`
}

// ChargeKind says how a history keeps what has happened.
type ChargeKind string

// The kinds of charges.
const (
	ChargeCounter  ChargeKind = "counter"
	ChargeWindow   ChargeKind = "window"
	ChargeConflict ChargeKind = "conflict"
)

// Charge is an operation's share in one history. It is kept with the operation, so that it is settled by the terms under
// which it was held, whatever becomes of the rule.
type Charge struct {
	History string        `json:"history"` // the row's id, at most 600 bytes
	Kind    ChargeKind    `json:"kind"`
	Amount  int64         `json:"amount"`
	Period  time.Duration `json:"period_ns"`
	Fixed   bool          `json:"fixed,omitempty"`
	Zone    string        `json:"zone,omitempty"`
	Tool    string        `json:"tool,omitempty"`
	Intent  string        `json:"intent,omitempty"`
}
