package ledger

import (
	"slices"
	"time"
)

// Bounds of correlation.
const (
	// DefaultCorrelationWindow is how long after the last united event another is united, where nobody says.
	DefaultCorrelationWindow = 10 * time.Minute
	// MaxCorrelated bounds the workflows that are open under one key, each for an intent of its own. A key that stands for
	// more intents than these unites nothing that belongs together.
	MaxCorrelated = 16
)

// Correlation says which workflows a correlation key unites with by now, one for each intent.
type Correlation struct {
	row
	Entries []Correlated `json:"entries,omitempty"` // in the order in which they were started
	LastAt  time.Time    `json:"last_at"`           // of the last event under the key
}

// Correlated is one workflow under a correlation key.
type Correlated struct {
	WorkflowID string        `json:"workflow_id"`
	Intent     string        `json:"intent,omitempty"` // normalized; empty: it is united by the key alone
	LastAt     time.Time     `json:"last_at"`          // of the last event that was united
	Window     time.Duration `json:"window"`
}

// CorrelationKey names a correlation key's row, in a form that every engine can keep.
func CorrelationKey(ns Namespace, key string) RecordKey {
	return RecordKey{RecordCorrelation, ns, "cor_" + derive("opledger-correlation/1", ns, IdempotencyKey(key), 0)}
}

// Key names it.
func (c *Correlation) Key() RecordKey { return c.key(RecordCorrelation) }

// Index is that of a kind which is found by its key alone.
func (c *Correlation) Index() RecordIndex { return RecordIndex{At: c.LastAt} }

// holds reports whether another event is still united with the workflow: while it is open, and afterwards until its
// window, counted in the database's time from the last event that was united, is over.
func (e *Correlated) holds(w *Workflow, now time.Time) bool {
	return w != nil && (w.State == WorkflowOpen || now.Before(e.LastAt.Add(e.Window)))
}

// means reports whether a request of that intent is the same as what the workflow is for. Who normalizes nothing is united
// by the key alone.
func (e *Correlated) means(intent string) bool {
	return e.Intent == "" || intent == "" || e.Intent == intent
}

// held are the entries that still unite, as they stand in the view.
func (c *Correlation) held(v *View) []Correlated {
	return slices.DeleteFunc(slices.Clone(c.Entries), func(e Correlated) bool {
		return !e.holds(workflowOf(v, c.Namespace, e.WorkflowID), v.Now)
	})
}

// with is the row with one more event of a workflow, without those that unite no more.
func (c *Correlation) with(v *View, event Correlated) *Correlation {
	next := *c
	next.Version++
	next.LastAt = v.Now
	next.Entries = c.held(v)
	for i := range next.Entries {
		if e := &next.Entries[i]; e.WorkflowID == event.WorkflowID {
			e.LastAt = event.LastAt
			return &next
		}
	}
	next.Entries = append(next.Entries, event)
	return &next
}
