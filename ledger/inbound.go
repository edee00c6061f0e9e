package ledger

import "time"

// InboundEvent is an event that a provider or another system sent, stored once for each (source, event id).
type InboundEvent struct {
	row
	Source     string      `json:"source"`
	EventID    string      `json:"event_id"`
	EventType  string      `json:"event_type,omitempty"`
	Operation  OperationID `json:"operation_id,omitempty"` // that it was matched to; empty: it waits
	ReceivedAt time.Time   `json:"received_at"`
}

// Key names it.
func (e *InboundEvent) Key() RecordKey { return e.key(RecordInbound) }

// Index lists events by the operation that they were matched to, and by whether they wait for one.
func (e *InboundEvent) Index() RecordIndex {
	status := "matched"
	if e.Operation == "" {
		status = "waiting"
	}
	return RecordIndex{Status: status, Subject: string(e.Operation), At: e.ReceivedAt}
}

// AwaitedReference lists inbound events that came before the operation that they are about. Its id is the reference.
type AwaitedReference struct {
	row
	Events []string  `json:"events"` // ids of RecordInbound
	At     time.Time `json:"at"`
}

// Key names it.
func (a *AwaitedReference) Key() RecordKey { return a.key(RecordAwaited) }

// Index is that of a kind which is found by its key alone.
func (a *AwaitedReference) Index() RecordIndex { return RecordIndex{At: a.At} }
