package locks

import (
	"slices"
	"time"
)

// The bounds of waiting for an entity.
const (
	// MaxWait bounds how long an acquisition waits.
	MaxWait = time.Minute
	// Presence is how long a waiting acquisition keeps its place without asking again, so that one whose caller died
	// holds up nobody for long.
	Presence = 10 * time.Second
	// refresh is how much of its presence a place may use up before asking again is written down, so that asking often
	// costs no write each time.
	refresh = Presence / 2
	// MaxWaiting bounds the line for one entity. One that finds it full has no place, and asks again.
	MaxWaiting = 256
)

// Waiter is an acquisition that waits for an entity, in order of arrival.
type Waiter struct {
	RequestID  string    `json:"request_id"`
	Principal  string    `json:"principal"`
	WorkflowID string    `json:"workflow_id"`
	RunID      string    `json:"run_id"`
	Since      time.Time `json:"since"`
	Until      time.Time `json:"until"` // it gives its place up unless it asks again before
}

func (w *Waiter) is(principal, requestID string) bool {
	return w.RequestID == requestID && w.Principal == principal
}

// Before lists the acquisitions that stand before one in the line and have not given up. One that is not in the line
// would come last.
func (s Scope) Before(principal, requestID string, now time.Time) []Waiter {
	var before []Waiter
	for _, w := range s.Waiting {
		if !now.Before(w.Until) {
			continue // it has given up, the asking one too: that one comes last
		}
		if w.is(principal, requestID) {
			break
		}
		before = append(before, w)
	}
	return before
}

// Unsure reports whether an acquisition should be written into the line: it has no place that it keeps for long enough,
// and there is room.
func (s Scope) Unsure(w Waiter, now time.Time) bool {
	for i := range s.Waiting {
		if have := &s.Waiting[i]; have.is(w.Principal, w.RequestID) && now.Before(have.Until) {
			return have.Until.Sub(now) <= refresh && w.Until.After(have.Until)
		}
	}
	return s.InLine(now) < MaxWaiting
}

// Wait puts an acquisition at the end of the line, or keeps its place, and drops those that have given up.
func (s Scope) Wait(w Waiter, now time.Time) Scope {
	s = s.leftBy(now)
	for i := range s.Waiting {
		if s.Waiting[i].is(w.Principal, w.RequestID) {
			s.Waiting[i].Until = w.Until
			return s
		}
	}
	if len(s.Waiting) < MaxWaiting {
		s.Waiting = append(s.Waiting, w)
	}
	return s
}

// Waits reports whether an acquisition has a place in the line.
func (s Scope) Waits(principal, requestID string) bool {
	return slices.ContainsFunc(s.Waiting, func(w Waiter) bool { return w.is(principal, requestID) })
}

// StopWaiting takes an acquisition out of the line, and drops those that have given up.
func (s Scope) StopWaiting(principal, requestID string, now time.Time) Scope {
	s = s.leftBy(now)
	s.Waiting = slices.DeleteFunc(s.Waiting, func(w Waiter) bool { return w.is(principal, requestID) })
	return s
}

// InLine counts the acquisitions that wait and have not given up.
func (s Scope) InLine(now time.Time) int { return len(s.leftBy(now).Waiting) }

func (s Scope) leftBy(now time.Time) Scope {
	s = s.Clone()
	s.Waiting = slices.DeleteFunc(s.Waiting, func(w Waiter) bool { return !now.Before(w.Until) })
	return s
}
