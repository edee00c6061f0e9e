package policy

import "time"

// Hold puts an operation in the line. Joining twice changes nothing, but that one which waited is held when it is released.
func (h History) Hold(ch Charge, root, op string, now time.Time, waiting bool) History { return h }

// Drop takes out an operation that ended without effect.
func (h History) Drop(op string) History { return h }

// Settle takes out an operation that ended with effect and charges it at its last permit's time. It charges one that was
// not held as well, which is a late success. What no window of the charge's period contains any more goes.
func (h History) Settle(ch Charge, root, op string, at, now time.Time) History { return h }

// Empty reports whether nothing counts here, so that the row may go.
func (h History) Empty() bool { return len(h.Open) == 0 && len(h.Past) == 0 }

// DenialCharge is what a denied proposal costs: a place in a counter of denials, which slows a loop of them.
func DenialCharge(principal, workflow, tool string) Charge { return Charge{} }

// Denied counts one more denial.
func (h History) Denied(now time.Time) History { return h }

// DeniedTooOften reports whether the counter of denials stands against another proposal, and for how long.
func DeniedTooOften(h History, now time.Time) (retryAfter time.Duration, yes bool) { return 0, false }
