package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// TestProviderOf: an account is a provider's, and counts for nothing without one.
func TestProviderOf(t *testing.T) {
	for _, c := range []struct{ provider, account, want string }{
		{"", "", ""}, {"", "acct_1", ""}, {"psp", "", "psp"}, {"psp", "acct_1", "psp/acct_1"},
	} {
		if got := ledger.ProviderOf(&ledger.Terms{Provider: c.provider, Account: c.account}); got != c.want {
			t.Errorf("provider %q, account %q: %q, want %q", c.provider, c.account, got, c.want)
		}
	}
}

// TestWorkOf is what is to be done for an operation as it stands, and from when.
func TestWorkOf(t *testing.T) {
	since := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	in := func(minutes int) time.Time { return since.Add(time.Duration(minutes) * time.Minute) }
	// keyed is an operation of class 3 whose provider keeps keys for a day, and of which one attempt was made.
	keyed := func(state ledger.State, change func(*ledger.Operation)) ledger.Operation {
		o := ledger.Operation{State: state, VendorKeySince: since, Attempts: []ledger.Attempt{{Number: 1, GrantedAt: in(-5), Verdict: ledger.VerdictOpen}},
			Terms: ledger.Terms{Class: registry.ExternalIdempotentWrite, Executor: registry.Worker, VendorKeyed: true, Retention: 24 * time.Hour,
				MaxAttempts: 3, PermitDuration: time.Minute}}
		change(&o)
		return o
	}
	first := func(change func(*ledger.Operation)) ledger.Operation {
		return keyed(ledger.PendingDispatch, func(o *ledger.Operation) { o.Attempts = nil; change(o) })
	}
	failed := func(change func(*ledger.Operation)) ledger.Operation {
		return keyed(ledger.FailedRetryable, func(o *ledger.Operation) { o.RetryAt, o.CheckAt = in(2), in(1); change(o) })
	}
	unknown := func(change func(*ledger.Operation)) ledger.Operation { return keyed(ledger.UnknownOutcome, change) }
	looks := func(o *ledger.Operation) {
		o.Terms.LookFirst, o.Terms.Lookups = true, []registry.Lookup{{By: registry.ByVendorKey}}
		o.Looking = &ledger.Looking{NextAt: in(4)}
	}
	for name, c := range map[string]struct {
		op   ledger.Operation
		kind ledger.WorkKind // empty: nothing is to be done
		at   time.Time
	}{
		"pending":                       {first(func(o *ledger.Operation) {}), ledger.WorkDispatch, since},
		"pending, checked later":        {first(func(o *ledger.Operation) { o.CheckAt = in(3) }), ledger.WorkDispatch, in(3)},
		"pending, looks first":          {first(looks), ledger.WorkLookup, in(4)},
		"pending, with nowhere to look": {first(func(o *ledger.Operation) { o.Terms.LookFirst = true }), ledger.WorkDispatch, since},
		"pending, of the caller":        {first(func(o *ledger.Operation) { o.Terms.Executor = registry.Inline }), "", time.Time{}},
		"failed":                        {failed(func(o *ledger.Operation) {}), ledger.WorkDispatch, in(2)},
		"failed, checked later":         {failed(func(o *ledger.Operation) { o.CheckAt = in(3) }), ledger.WorkDispatch, in(3)},
		"failed, never again":           {failed(func(o *ledger.Operation) { o.RetryAt = time.Time{} }), "", time.Time{}},
		"failed, to be cancelled":       {failed(func(o *ledger.Operation) { o.Cancel = &ledger.Cancel{} }), "", time.Time{}},
		"failed, said to exist":         {failed(func(o *ledger.Operation) { o.PresenceSaid = true }), "", time.Time{}},
		"failed, its hold lifted":       {failed(func(o *ledger.Operation) { o.Lifted = &ledger.Lifted{} }), "", time.Time{}},
		"failed, its workflow over":     {failed(func(o *ledger.Operation) { o.ClosedAt = in(1) }), "", time.Time{}},
		"unknown":                       {unknown(func(o *ledger.Operation) {}), ledger.WorkDispatch, since},
		"unknown, its attempts used up": {unknown(func(o *ledger.Operation) { o.Terms.MaxAttempts = 1 }), "", time.Time{}},
		"unknown, one attempt is left":  {unknown(func(o *ledger.Operation) { o.Terms.MaxAttempts = 2 }), ledger.WorkDispatch, since},
		"unknown, its time not over":    {unknown(func(o *ledger.Operation) { o.Terms.MaxElapsed = 6 * time.Minute }), ledger.WorkDispatch, since},
		"unknown, its time just over":   {unknown(func(o *ledger.Operation) { o.Terms.MaxElapsed = 5 * time.Minute }), "", time.Time{}},
		"unknown, its hold lifted":      {unknown(func(o *ledger.Operation) { o.Lifted = &ledger.Lifted{} }), "", time.Time{}},
		"unknown, never sent again": {unknown(func(o *ledger.Operation) {
			o.Terms.VendorKeyed, o.CheckAt, o.Looking = false, in(1), &ledger.Looking{NextAt: in(4)}
		}), ledger.WorkLookup, in(4)},
	} {
		c.op.StateSince, c.op.ID, c.op.Version = since, "op_1", 7
		work, there := ledger.WorkOf(&c.op)
		if there != (c.kind != "") || work.Kind != c.kind || !work.At.Equal(c.at) {
			t.Errorf("%s: %t, %s at %s, want %q at %s", name, there, work.Kind, work.At, c.kind, c.at)
		}
		if there && (work.OperationID != "op_1" || work.Stamp != 7 || work.Executor != registry.Worker) {
			t.Errorf("%s: the work is %+v", name, work)
		}
	}
}
