package ledger

import "time"

// Reading is a read that was permitted: the log of an operation that changes nothing and has no row of its own until it
// is reported. Its id is the operation's.
type Reading struct {
	row
	Tool           string         `json:"tool"`
	IdempotencyKey IdempotencyKey `json:"idempotency_key"`
	At             time.Time      `json:"at"`
}

// Key names it.
func (r *Reading) Key() RecordKey { return r.key(RecordReading) }

// Index lists readings by time.
func (r *Reading) Index() RecordIndex { return RecordIndex{Tool: r.Tool, At: r.At} }

// CachedRead is a result that the same read may be answered with for a while. Its id is the read's idempotency key.
type CachedRead struct {
	row
	Operation OperationID `json:"operation_id"`
	Until     time.Time   `json:"until"`
}

// Key names it.
func (c *CachedRead) Key() RecordKey { return c.key(RecordCachedRead) }

// Index is that of a kind which is found by its key alone.
func (c *CachedRead) Index() RecordIndex {
	return RecordIndex{Subject: string(c.Operation), At: c.Until}
}
