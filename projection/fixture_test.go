package projection

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
)

var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// secret is what no projection may show.
const secret = "4111111111111111"

func workflow() *ledger.Workflow {
	w := &ledger.Workflow{State: ledger.WorkflowOpen, UserRequest: "Refund my order 123.\nAlso send me a receipt.", NormalizedIntent: "refund order_123", CreatedAt: start}
	w.ID = "wf_1"
	return w
}

// operation makes an operation in a state, as a store would give it back.
func operation(n int, tool string, s ledger.State) *ledger.Operation {
	o := &ledger.Operation{
		Namespace: "north", ID: ledger.OperationID(fmt.Sprintf("op_%04d", n)), Version: 3, State: s, Tool: tool,
		Entity: locks.Entity{Type: "order", ID: "order_123"}, Canonical: fmt.Appendf(nil, `{"amount":%d,"order_id":"order_123"}`, n),
		CreatedAt: start.Add(time.Duration(n) * time.Second), UpdatedAt: start.Add(time.Hour), StateSince: start,
	}
	switch s {
	case ledger.CompletedSuccess, ledger.Compensated:
		o.Result = &ledger.Result{JSON: fmt.Appendf(nil, `{ "id": "ch_%d" }`, n), ProviderObjectID: fmt.Sprint("ch_", n), EffectAt: start.Add(time.Minute)}
	case ledger.FailedPermanent:
		o.Failure = &ledger.Failure{Category: ledger.CategoryProviderRejected}
	case ledger.Dispatched:
		o.Attempts, o.Live = []ledger.Attempt{{ID: "att_1", Number: 1, Verdict: ledger.VerdictOpen, Deadline: start.Add(time.Minute)}}, 1
	case ledger.UnknownOutcome:
		o.Failure = &ledger.Failure{Category: ledger.CategoryTimeout}
		o.Result = &ledger.Result{JSON: []byte(`{"id":"guess"}`)}
	}
	return o
}

// operations draws operations in any states.
func operations(t *rapid.T) []*ledger.Operation {
	var all []*ledger.Operation
	for i := range rapid.IntRange(0, 60).Draw(t, "operations") {
		o := operation(i, rapid.SampledFrom([]string{"payment.capture", "email.send", "crm.update"}).Draw(t, "tool"), rapid.SampledFrom(ledger.States).Draw(t, "state"))
		if rapid.Bool().Draw(t, "long") {
			o.Canonical = fmt.Appendf(nil, `{"text":%q}`, rapid.StringN(0, 400, 1200).Draw(t, "text"))
		}
		if rapid.Bool().Draw(t, "sensitive") {
			o.Canonical, o.Sensitive = []byte(`{"card":"`+secret+`","cards":[{"n":"`+secret+`"}],"order":"o"}`), []string{"/card", "/cards/*/n"}
			if o.Result != nil {
				o.Result.JSON = []byte(`{"card":"` + secret + `"}`)
			}
		}
		if rapid.Bool().Draw(t, "person") && !o.State.Ended() {
			o.Human = &ledger.Human{Reason: ledger.HumanUnknown}
		}
		all = append(all, o)
	}
	return all
}
