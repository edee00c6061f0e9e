package policy

import (
	"fmt"
	"time"
)

// other is an operation that stands in the way of another one.
type other struct {
	operation string
	at        time.Time
	how       string // "is open", "happened", "awaits approval"
	// left is how long what happened stands in the way; zero: until the other operation is settled.
	left time.Duration
}

// excluded finds what keeps the asker out of a window or a conflict: first what is open, then the newest of what happened
// within the period, then what awaits approval: a person is deciding about that one, and a second one is no way round the
// decision. A recheck is not held up by what merely waits: the persons have been asked already.
func (j *judgement) excluded(h History, period time.Duration, counts func(tool, intent string) bool) *other {
	for _, open := range h.before(j.who, false) {
		if counts(open.Tool, open.Intent) {
			return &other{operation: open.Operation, at: open.Since, how: "is open"}
		}
	}
	for i := len(h.Past) - 1; i >= 0; i-- { // the newest last
		past := &h.Past[i]
		if past.Root != j.who.root && counts(past.Tool, past.Intent) && within(past.At, period, j.world.Now) {
			return &other{past.Operation, past.At, "happened within the last " + written(period), past.At.Add(period).Sub(j.world.Now)}
		}
	}
	if !j.world.Recheck {
		for _, open := range h.before(j.who, true) {
			if counts(open.Tool, open.Intent) {
				return &other{operation: open.Operation, at: open.Since, how: waits}
			}
		}
	}
	return nil
}

const waits = "awaits approval"

// window suppresses an operation beside an equivalent one.
func (j *judgement) window(a *ask, v *Verdict) {
	v.Inputs["history"], v.Inputs["period"] = a.charge.History, written(a.window.Period)
	anything := func(string, string) bool { return true }
	earlier := j.excluded(j.world.Histories[a.charge.History], a.window.Period, anything)
	if earlier == nil {
		return
	}
	v.Outcome, v.Earlier, v.EarlierAt, v.RetryAfter = Suppress, earlier.operation, earlier.at, earlier.left
	v.Because = explained(a, fmt.Sprintf("operation %s, which is equivalent, %s", earlier.operation, earlier.how))
}

// conflict denies an operation beside one that it excludes, or that excludes it. Beside one that awaits approval it is
// suppressed: a person decides that one first.
func (j *judgement) conflict(a *ask, v *Verdict) {
	v.Inputs["history"], v.Inputs["period"] = a.charge.History, written(a.conflict.period)
	earlier := j.excluded(j.world.Histories[a.charge.History], a.conflict.period, func(tool, intent string) bool {
		return a.conflict.tools[tool] || a.conflict.intents[intent]
	})
	if earlier == nil {
		return
	}
	v.Outcome, v.Earlier, v.EarlierAt, v.RetryAfter = Denied, earlier.operation, earlier.at, earlier.left
	if earlier.how == waits {
		v.Outcome = Suppress
	}
	v.Because = explained(a, fmt.Sprintf("operation %s on %s, which excludes this one, %s", earlier.operation, j.facts.Entity, earlier.how))
}

// explained puts the author's explanation before what was found.
func explained(a *ask, found string) string {
	if a.explanation == "" {
		return found
	}
	return a.explanation + " (" + found + ")"
}

// within reports whether an instant lies within the period that ends now.
func within(at time.Time, p time.Duration, now time.Time) bool { return at.Add(p).After(now) }
