package ledger

import (
	"fmt"
	"time"
)

// Subscription is an address that is told of events.
type Subscription struct {
	row
	Definition []byte    `json:"definition"` // opaque to the core, as its edge package wrote it
	Revision   int64     `json:"revision"`   // of the definition; deliveries change the row and not this
	CreatedBy  Principal `json:"created_by"`
	CreatedAt  time.Time `json:"created_at"`
	UpdatedAt  time.Time `json:"updated_at"` // of the definition
	EndedAt    time.Time `json:"ended_at,omitzero"`
	EndedBy    Principal `json:"ended_by,omitempty"`
	// The last pause. What happened in it is never told.
	PausedAt  time.Time `json:"paused_at,omitzero"`
	ResumedAt time.Time `json:"resumed_at,omitzero"` // zero: it goes on, if there is one
	// Failures counts tries of deliveries that failed since the last that did not.
	Failures int64 `json:"failures,omitempty"`
}

// Key names it.
func (s *Subscription) Key() RecordKey { return s.key(RecordSubscription) }

// Index lists subscriptions by id, and by whether they hold.
func (s *Subscription) Index() RecordIndex {
	status := "held"
	if !s.EndedAt.IsZero() {
		status = "ended"
	}
	return RecordIndex{Status: status}
}

// Etag changes with the terms alone: else a receiver that is down would keep people from changing its address.
func (s *Subscription) Etag() string { return fmt.Sprintf("v%d", s.Revision) }

// Paused reports whether nothing is sent for now.
func (s *Subscription) Paused() bool { return !s.PausedAt.IsZero() && s.ResumedAt.IsZero() }

// Hears reports whether it is told of what happened at a time: since it was made, while it holds, and outside its last
// pause. It is asked by that time and not by the time of the delivery, so that a late delivery is decided as a prompt one.
func (s *Subscription) Hears(at time.Time) bool {
	switch {
	case !s.EndedAt.IsZero(), at.Before(s.CreatedAt):
		return false
	case s.PausedAt.IsZero() || at.Before(s.PausedAt):
		return true
	}
	return !s.ResumedAt.IsZero() && !at.Before(s.ResumedAt)
}

// pause follows the terms' word on pausing.
func (s *Subscription) pause(wanted bool, now time.Time) {
	switch {
	case wanted && !s.Paused():
		s.PausedAt, s.ResumedAt = now, time.Time{}
	case !wanted && s.Paused():
		s.ResumedAt = now
	}
}

// SubscriptionKey names a subscription.
func SubscriptionKey(ns Namespace, id string) RecordKey { return RecordKey{RecordSubscription, ns, id} }

// SubscriptionKept is the reply of every command on a subscription: the subscription as it stands.
type SubscriptionKept struct{ Subscription *Subscription }

func noSubscription(id string) *Refusal {
	return refuse(CodeNotFound, ReasonSubscription, "there is no subscription %s in this namespace; list the subscriptions", id)
}
