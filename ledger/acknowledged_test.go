package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

// TestAcknowledgedWithoutATime: what was taken on has a time to finish in, also where neither the report nor a profile
// states one. Without it the acknowledgement was over at once, and the next attempt went out.
func TestAcknowledgedWithoutATime(t *testing.T) {
	w := ledgertest.New(t)
	c := ofClass[registry.InternalDeterministicWrite]
	c.Tool = c.Tool.With(func(t *ledger.Terms) { t.Provider, t.TimeToFinish = "", 0 })
	h := w.Execute(c)
	wantOK(t, h.Says(ledger.OutcomeAcknowledge))
	if by, want := h.Now().FinishBy, w.Now.Add(registry.TimeToFinish); !by.Equal(want) {
		t.Errorf("it is to be finished by %s, want %s", by, want)
	}
	w.Advance(registry.TimeToFinish - time.Second)
	wantDecision(t, w.Propose(c), ledger.DecisionInFlight)
	wantState(t, h.Now(), ledger.Acknowledged)
}
