package ledger_test

import (
	"strings"
	"testing"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

// TestNothingIsPromised: what is told to the model and to the customer claims only what is known. No state, whoever
// carries the operation out and whether or not a person has been asked, says what is going to happen.
func TestNothingIsPromised(t *testing.T) {
	states := []ledger.State{
		ledger.Planned, ledger.PendingDispatch, ledger.Dispatched, ledger.Acknowledged, ledger.CompletedSuccess, ledger.CompletedNoop,
		ledger.FailedRetryable, ledger.FailedPermanent, ledger.UnknownOutcome, ledger.Compensating, ledger.Compensated,
	}
	w := ledgertest.New(t)
	terms := email.Tool.Terms
	for _, state := range states {
		for _, executor := range []registry.Executor{registry.Inline, registry.Worker, registry.ServerHTTP} {
			for _, human := range []*ledger.Human{nil, {Reason: ledger.HumanUnknown}, {Reason: ledger.HumanLook}} {
				terms.Executor = executor
				o := &ledger.Operation{State: state, Terms: terms, Human: human, StateSince: w.Now, Failure: &ledger.Failure{Category: ledger.CategoryCancelled}}
				if state == ledger.Dispatched {
					o.Attempts, o.Live = []ledger.Attempt{{Number: 1, Deadline: w.Now}}, 1
				}
				told := ledger.TellState(o, w.Now)
				for _, text := range []string{told.SafeUser, told.Model} {
					if strings.Contains(strings.ReplaceAll(text, "will not happen", ""), "will ") {
						t.Errorf("%s by %s: %q promises", state, executor, text)
					}
				}
				if human != nil && human.Reason == ledger.HumanUnknown && (state == ledger.UnknownOutcome || state == ledger.Acknowledged) && told.NextAction != ledger.NextAskPerson {
					t.Errorf("%s: the next action is %s although a person has been asked", state, told.NextAction)
				}
			}
		}
	}
	if a := w.Propose(queued(email)); strings.Contains(a.Told.SafeUser+a.Told.Model, "will ") {
		t.Errorf("%s: %q, %q", a.Decision, a.Told.SafeUser, a.Told.Model)
	}
}
