package rows

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/opledger/opledger/ledger"
)

// Event is an event's row.
type Event struct {
	Namespace   string
	OperationID string
	Sequence    int64
	Version     int64
	At          time.Time
	Type        string
	Document    string
}

// eventDocument is what no column holds.
type eventDocument struct {
	From    ledger.State      `json:"from,omitempty"`
	To      ledger.State      `json:"to,omitempty"`
	Attempt int64             `json:"attempt,omitempty"`
	By      ledger.Principal  `json:"by,omitempty"`
	Detail  map[string]string `json:"detail,omitempty"`
}

// FromEvent makes an event's row.
func FromEvent(e ledger.Event) (Event, error) {
	document, err := json.Marshal(eventDocument{From: e.From, To: e.To, Attempt: e.Attempt, By: e.By, Detail: e.Detail})
	if err != nil {
		return Event{}, err
	}
	row := Event{
		Namespace: string(e.Namespace), OperationID: string(e.OperationID), Sequence: e.Sequence, Version: e.Version,
		At: e.At, Type: string(e.Type), Document: string(document),
	}
	var c check
	c.name("namespace", row.Namespace)
	c.name("operation id", row.OperationID)
	c.name("event type", row.Type)
	c.that(row.Sequence > 0, "an event of operation %s has sequence %d", e.OperationID, row.Sequence)
	c.that(row.Version > 0, "an event of operation %s has version %d", e.OperationID, row.Version)
	c.that(!row.At.IsZero(), "an event of operation %s lacks its time", e.OperationID)
	c.that(len(document) <= MaxDocument, "an event of operation %s has %d bytes, at most %d are kept", e.OperationID, len(document), MaxDocument)
	return row, c.err
}

// Ledger gives the event back.
func (r Event) Ledger() (ledger.Event, error) {
	var d eventDocument
	if err := json.Unmarshal([]byte(r.Document), &d); err != nil {
		return ledger.Event{}, fmt.Errorf("event %d of operation %s cannot be read: %w", r.Sequence, r.OperationID, err)
	}
	return ledger.Event{
		Namespace: ledger.Namespace(r.Namespace), OperationID: ledger.OperationID(r.OperationID), Sequence: r.Sequence,
		Version: r.Version, At: r.At, Type: ledger.EventType(r.Type), From: d.From, To: d.To, Attempt: d.Attempt, By: d.By,
		Detail: d.Detail,
	}, nil
}
