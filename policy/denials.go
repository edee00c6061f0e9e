package policy

import "time"

// The bound of denials: a model that proposes what is denied again and again is slowed, not answered ever faster.
const (
	MaxDenials    = 20
	DenialsPeriod = time.Minute
)

// DenialCharge is what a denied proposal costs: a place in a counter of denials, one for each principal, workflow and
// tool. It is counted by Denied, not held.
func DenialCharge(principal, workflow, tool string) Charge {
	return Charge{
		History: historyID("denied", joined(principal, workflow, tool)),
		Kind:    ChargeCounter, Amount: 1, Period: DenialsPeriod,
	}
}

// Denied counts one more denial.
func (h History) Denied(now time.Time) History {
	return h.count(DenialCharge("", "", ""), "", "", now, now)
}

// DeniedTooOften reports whether more than MaxDenials lie within a minute, and after how long there are fewer.
func DeniedTooOften(h History, now time.Time) (retryAfter time.Duration, yes bool) {
	p := period{length: DenialsPeriod}
	if h.counted(asker{}, p, now) <= MaxDenials {
		return 0, false
	}
	return h.room(asker{}, p, now, 0, MaxDenials), true
}
