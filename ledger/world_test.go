package ledger_test

import (
	"errors"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

// wantState fails the test unless the operation is in the state.
func wantState(t *testing.T, o *ledger.Operation, want ledger.State) {
	t.Helper()
	if o.State != want {
		t.Fatalf("the state is %s, want %s", o.State, want)
	}
}

// wantDecision fails the test unless the answer decides so, and holds a permit exactly when it says EXECUTE.
func wantDecision(t *testing.T, a *ledger.Answer, want ledger.DecisionKind) {
	t.Helper()
	if a.Decision != want {
		t.Fatalf("the decision is %s (%s), want %s", a.Decision, a.Because, want)
	}
	if (a.Permit != nil) != (want == ledger.DecisionExecute) {
		t.Fatalf("%s, and a permit is there: %t", a.Decision, a.Permit != nil)
	}
}

// wantRefusal fails the test unless the error is a refusal for that reason.
func wantRefusal(t *testing.T, err error, want ledger.Reason) {
	t.Helper()
	var no *ledger.Refusal
	if !errors.As(err, &no) {
		t.Fatalf("the error is %v, want a refusal by %s", err, want)
	}
	if no.Reason != want {
		t.Fatalf("refused by %s (%s), want %s", no.Reason, no.Message, want)
	}
}

func wantOK(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("unexpected: %v", err)
	}
}

// acting is whoever holds the permit of a call, who has begun where its tool requires that.
func acting(t *testing.T, c ledgertest.Call, h *ledgertest.Holder) *ledgertest.Holder {
	t.Helper()
	if c.Tool.Terms.BeginRequired {
		wantOK(t, h.Begin())
	}
	return h
}

// wantIncidents fails the test unless the operation has exactly these kinds of incidents.
func wantIncidents(t *testing.T, o *ledger.Operation, kinds ...string) {
	t.Helper()
	var have []string
	for _, i := range o.Incidents {
		have = append(have, i.Kind)
	}
	if len(have) != len(kinds) {
		t.Fatalf("the incidents are %q, want %q", have, kinds)
	}
	for i := range have {
		if have[i] != kinds[i] {
			t.Fatalf("the incidents are %q, want %q", have, kinds)
		}
	}
}

// late is a time after which a class 4 operation's "not found" counts: stall allowance, flight and propagation.
const late = 12 * time.Minute

var (
	capture = ledgertest.Call{Tool: ledgertest.PaymentCapture, Key: "payment:order_123:capture:4900:USD", Args: `{"amount":4900,"order_id":"order_123"}`}
	email   = ledgertest.Call{Tool: ledgertest.EmailSend, Key: "email:receipt:order_123:kim@example.com", Args: `{"template":"receipt"}`}
	revoke  = ledgertest.Call{Tool: ledgertest.AccessRevoke, Key: "access:u_7:revoke:g_2", Args: `{"user_id":"u_7"}`}
	upsert  = ledgertest.Call{Tool: ledgertest.ContactUpsert, Key: "contact:c_1:h", Args: `{"contact_id":"c_1"}`}
	read    = ledgertest.Call{Tool: ledgertest.OrderGet, Key: "order:order_123", Args: `{"order_id":"order_123"}`}
	// unbegun is an e-mail tool that waives its begin.
	unbegun = ledgertest.Call{Tool: ledgertest.EmailSend.With(func(t *ledger.Terms) { t.BeginRequired = false }), Key: email.Key, Args: email.Args}
)

// ofClass is a call of each class.
var ofClass = map[registry.Class]ledgertest.Call{
	registry.PureRead: read, registry.InternalDeterministicWrite: upsert, registry.ExternalIdempotentWrite: capture,
	registry.ExternalNonIdempotentWrite: email, registry.Irreversible: revoke,
}
