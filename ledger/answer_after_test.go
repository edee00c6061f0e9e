package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
)

// TestWhatAWaitingCallerIsAnswered when the operation has moved on: what any later proposal would be, and never a permit.
func TestWhatAWaitingCallerIsAnswered(t *testing.T) {
	worker := email.Tool.Terms
	worker.Executor = registry.Worker
	failed := func(c ledger.Category) *ledger.Failure { return &ledger.Failure{Category: c, Message: "no"} }
	for name, c := range map[string]struct {
		state   ledger.State
		terms   ledger.Terms
		failure *ledger.Failure
		want    ledger.DecisionKind
		rule    string
	}{
		"it was denied":           {ledger.FailedPermanent, email.Tool.Terms, failed(ledger.CategoryApprovalDenied), ledger.DecisionDenied, policy.RuleApprovalDenied},
		"it failed otherwise":     {ledger.FailedPermanent, email.Tool.Terms, failed(ledger.CategoryProviderRejected), ledger.DecisionReplayed, ""},
		"it is done":              {ledger.CompletedSuccess, email.Tool.Terms, nil, ledger.DecisionReplayed, ""},
		"it is being undone":      {ledger.Compensating, email.Tool.Terms, nil, ledger.DecisionReplayed, ""},
		"it is unknown":           {ledger.UnknownOutcome, email.Tool.Terms, nil, ledger.DecisionReconciling, ""},
		"it waits for approval":   {ledger.Planned, email.Tool.Terms, nil, ledger.DecisionAwaitingApproval, ""},
		"its permit is free":      {ledger.PendingDispatch, email.Tool.Terms, nil, ledger.DecisionRetryLater, ""},
		"it waits for a worker":   {ledger.PendingDispatch, worker, nil, ledger.DecisionEnqueued, ""},
		"its try had no effect":   {ledger.FailedRetryable, email.Tool.Terms, nil, ledger.DecisionRetryLater, ""},
		"it is being carried out": {ledger.Dispatched, email.Tool.Terms, nil, ledger.DecisionInFlight, ""},
		"the provider took it":    {ledger.Acknowledged, email.Tool.Terms, nil, ledger.DecisionInFlight, ""},
	} {
		t.Run(name, func(t *testing.T) {
			was := &ledger.Operation{State: ledger.Dispatched, Terms: c.terms, Attempts: []ledger.Attempt{{Number: 1}}, Live: 1}
			was.Version = 2
			a := &ledger.Answer{Decision: ledger.DecisionInFlight, Operation: was, Holder: &ledger.Holder{RunID: "run_1"}, Permit: &ledger.Permit{}}
			if a.After(was) != a {
				t.Error("an operation that did not move is answered anew")
			}
			o := was.Clone()
			o.Version, o.State, o.Failure, o.Terms = 3, c.state, c.failure, c.terms
			o.UpdatedAt, o.RetryAt = ledgertest.Start, ledgertest.Start.Add(time.Minute)
			if o.State.Ended() {
				o.EndedAt = ledgertest.Start
			}
			later := a.After(o)
			if later.Decision != c.want || later.Rule != c.rule || later.Permit != nil || later.Told.Model == "" {
				t.Errorf("answered %s by %q, %q", later.Decision, later.Rule, later.Told.Model)
			}
			if c.state == ledger.FailedRetryable && later.RetryAfter != time.Minute {
				t.Errorf("the next try is in %s, want %s", later.RetryAfter, time.Minute)
			}
			if (later.Holder != nil) != (c.want == ledger.DecisionInFlight) {
				t.Errorf("held by %+v", later.Holder)
			}
		})
	}
}
