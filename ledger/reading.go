package ledger

import (
	"strings"
	"time"
)

// Reading is the log of a read whose permit was given to its proposer: until its report it stands in the place of an
// operation's row, events, key and due work, none of which a read needs while it is under way. Its report makes it an
// ordinary operation, and the reading then only says that there was one. Its id is the operation's.
type Reading struct {
	row
	Tool           string         `json:"tool"`
	IdempotencyKey IdempotencyKey `json:"idempotency_key"`
	At             time.Time      `json:"at"`
	// Operation is the operation as its row would be, dispatched and of version zero; nil: it has a row by now.
	Operation *Operation `json:"operation,omitempty"`
	// Noted are the operation's events so far; none once it has a row, which they were saved with.
	Noted []noted `json:"events,omitempty"`
}

// The statuses of readings.
const (
	readingOpen     = "open"     // nobody has reported it
	readingRecorded = "recorded" // it is an operation
)

// noted is an event of an operation that has no row yet, without what the reading says already.
type noted struct {
	Type    EventType         `json:"type"`
	At      time.Time         `json:"at"`
	From    State             `json:"from,omitempty"`
	To      State             `json:"to,omitempty"`
	Attempt int64             `json:"attempt,omitempty"`
	By      Principal         `json:"by,omitempty"`
	Detail  map[string]string `json:"detail,omitempty"`
}

// ReadingKey names the reading of an operation.
func ReadingKey(ns Namespace, id OperationID) RecordKey {
	return RecordKey{RecordReading, ns, string(id)}
}

// Key names it.
func (r *Reading) Key() RecordKey { return r.key(RecordReading) }

// Index lists readings by time.
func (r *Reading) Index() RecordIndex {
	status := readingOpen
	if r.Operation == nil {
		status = readingRecorded
	}
	return RecordIndex{Status: status, Tool: r.Tool, At: r.At}
}

func (r *Reading) place(ns Namespace, id string, version int64) {
	r.row.place(ns, id, version)
	if o := r.Operation; o != nil {
		o.Namespace, o.ID, o.State = ns, OperationID(id), Dispatched
	}
}

// Events are the events of an operation that has no row yet.
func (r *Reading) Events() []Event {
	events := make([]Event, len(r.Noted))
	for i, n := range r.Noted {
		events[i] = Event{
			Namespace: r.Namespace, OperationID: OperationID(r.ID), Sequence: int64(i) + 1, Version: 1,
			At: n.At, Type: n.Type, From: n.From, To: n.To, Attempt: n.Attempt, By: n.By, Detail: n.Detail,
		}
	}
	return events
}

// Seen is the operation, with its events, as somebody sees it at the given time who reads it before its report; nil where
// it has a row. It is what the next command about it would make of the passing of time, in its workflow as it stands (nil:
// it has none). Nothing is saved by it, and the time of its next try is the latest that this command would draw.
func (r *Reading) Seen(now time.Time, clockError time.Duration, w *Workflow) (*Operation, []Event) {
	if r.Operation == nil {
		return nil, nil
	}
	v := NewView(now)
	v.PutRecord(r)
	v.MarkLoaded(WorkflowKey(r.Namespace, r.Operation.WorkflowID).Read())
	if w != nil {
		v.PutRecord(w)
	}
	b := Bearer{Namespace: r.Namespace, OperationID: r.Operation.ID, AttemptID: r.Operation.LiveAttempt().ID}
	for _, row := range b.reads(v) {
		v.MarkLoaded(row) // without a row: nobody is told of what is only seen
	}
	d := change(v, Env{ClockError: clockError}, r.Operation, "", 1)
	d.tick()
	if n := len(d.events); n > 0 {
		d.op.UpdatedAt = d.events[n-1].At
	}
	events := append(r.Events(), d.events...)
	for i := range events {
		events[i].Version = d.op.Version // of none yet: it changes with the first save, which is what watchers wait for
	}
	return d.op, events
}

const (
	becauseRead       = "a read has no effect"
	becauseUnreported = "the permit ended without a report"
)

// readingMark begins the ids of attempts that a reading holds. It is what tells their reports where to look: a look for an
// operation's row that is not there yet would lock, in a serializable transaction, the place where others put theirs.
const readingMark = "att_r_"

// ofReading is the attempt's id where a reading holds it.
func (id AttemptID) ofReading() AttemptID {
	return AttemptID(readingMark + strings.TrimPrefix(string(id), "att_"))
}

// isOfReading reports whether a reading holds the attempt, or did until its report.
func (id AttemptID) isOfReading() bool { return strings.HasPrefix(string(id), readingMark) }
