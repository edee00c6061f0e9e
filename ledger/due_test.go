package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// TestDueOf: the next occasion is the earliest of those that the state has; where there is none, time changes nothing.
func TestDueOf(t *testing.T) {
	since := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	in := func(minutes int) time.Time { return since.Add(time.Duration(minutes) * time.Minute) }
	write := ledger.Terms{Class: registry.ExternalNonIdempotentWrite}
	terms := func(change func(*ledger.Terms)) ledger.Terms {
		v := write
		change(&v)
		return v
	}
	escalated := &ledger.Human{Reason: ledger.HumanUnknown, Due: in(1), Escalated: true}
	for name, c := range map[string]struct {
		op   ledger.Operation
		at   time.Time // zero: never
		kind ledger.DueKind
	}{
		"pending":           {ledger.Operation{State: ledger.PendingDispatch, Terms: terms(func(t *ledger.Terms) { t.PendingMaxAge = 5 * time.Minute })}, in(5), ledger.DueExpiry},
		"pending, no limit": {ledger.Operation{State: ledger.PendingDispatch, Terms: write}, time.Time{}, ""},
		"dispatched":        {ledger.Operation{State: ledger.Dispatched, Terms: write, Attempts: []ledger.Attempt{{Number: 1, Deadline: in(2)}}, Live: 1}, in(2), ledger.DuePermitEnds},
		"taken on":          {ledger.Operation{State: ledger.Acknowledged, Terms: write, FinishBy: in(9)}, in(9), ledger.DueAcknowledgement},
		"taken on, overdue first": {ledger.Operation{State: ledger.Acknowledged, FinishBy: in(9), ExpectedBy: in(3),
			Terms: terms(func(t *ledger.Terms) { t.HumanAfter = 4 * time.Minute })}, in(7), ledger.DueHuman},
		"taken on, a person knows": {ledger.Operation{State: ledger.Acknowledged, FinishBy: in(9), ExpectedBy: in(3), Human: escalated,
			Terms: terms(func(t *ledger.Terms) { t.HumanAfter = 4 * time.Minute })}, in(9), ledger.DueAcknowledgement},
		"unknown":                 {ledger.Operation{State: ledger.UnknownOutcome, Terms: terms(func(t *ledger.Terms) { t.HumanAfter = 6 * time.Minute })}, in(6), ledger.DueHuman},
		"unknown, a person knows": {ledger.Operation{State: ledger.UnknownOutcome, Human: escalated, Terms: terms(func(t *ledger.Terms) { t.HumanAfter = 6 * time.Minute })}, time.Time{}, ""},
		"a person is awaited":     {ledger.Operation{State: ledger.UnknownOutcome, Human: &ledger.Human{Due: in(8)}, Terms: write}, in(8), ledger.DueEscalation},
		"failed, by its age":      {ledger.Operation{State: ledger.FailedRetryable, Terms: terms(func(t *ledger.Terms) { t.RetryMaxAge = 7 * time.Minute })}, in(7), ledger.DueExpiry},
		"failed, by the whole": {ledger.Operation{State: ledger.FailedRetryable, Attempts: []ledger.Attempt{{Number: 1, GrantedAt: in(-5)}},
			Terms: terms(func(t *ledger.Terms) { t.RetryMaxAge, t.MaxElapsed = 7*time.Minute, 8*time.Minute })}, in(3), ledger.DueExpiry},
		"failed, the whole alone": {ledger.Operation{State: ledger.FailedRetryable, Attempts: []ledger.Attempt{{Number: 1, GrantedAt: in(-5)}},
			Terms: terms(func(t *ledger.Terms) { t.MaxElapsed = 8 * time.Minute })}, in(3), ledger.DueExpiry},
		"blocks others": {ledger.Operation{State: ledger.CompletedSuccess, BlockingSince: in(1), Terms: terms(func(t *ledger.Terms) { t.BlockedAfter = 3 * time.Minute })}, in(4), ledger.DueHuman},
		"blocks others, a person knows": {ledger.Operation{State: ledger.CompletedSuccess, BlockingSince: in(1), Human: escalated,
			Terms: terms(func(t *ledger.Terms) { t.BlockedAfter = 3 * time.Minute })}, time.Time{}, ""},
		"blocks nobody": {ledger.Operation{State: ledger.CompletedSuccess, Terms: terms(func(t *ledger.Terms) { t.BlockedAfter = 3 * time.Minute })}, time.Time{}, ""},
	} {
		c.op.StateSince = since
		due, ok := ledger.DueOf(&c.op)
		if ok == c.at.IsZero() || !due.At.Equal(c.at) || due.Kind != c.kind {
			t.Errorf("%s: %t, %s at %s, want %s at %s", name, ok, due.Kind, due.At, c.kind, c.at)
		}
	}
}

// TestATicketIsWholeOrNone: what is read back as a ticket was one.
func TestATicketIsWholeOrNone(t *testing.T) {
	whole := ledger.Ticket{IssuedAt: time.UnixMicro(1772366400000000).UTC(), Attempts: 3}
	if got, ok := ledger.ParseTicket(whole.String()); !ok || got != whole {
		t.Errorf("%s is read as %v, %t", whole, got, ok)
	}
	for _, text := range []string{"", "lk1.", "lk1.abc", "lk1.abc.", "lk1..3", "lk1.a-c.3", "lk1.abc.x-", "lk1.abc.-1", "lk1.abc.3.4", "lk2.abc.3", "abc.3"} {
		if got, ok := ledger.ParseTicket(text); ok {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}
