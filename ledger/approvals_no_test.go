package ledger_test

import (
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
)

// TestWhomANoHolds: in a group a no to one holds all of them, also those about which nobody would be asked; outside of one it
// holds what a person would be asked about.
func TestWhomANoHolds(t *testing.T) {
	for name, c := range map[string]struct {
		call   func(key string, amount int) ledgertest.Call
		amount int
		want   ledger.DecisionKind
	}{
		"grouped, small":   {func(key string, amount int) ledgertest.Call { return inGroup(pay(key, "kim", amount), key) }, 160, ledger.DecisionDenied},
		"grouped, large":   {func(key string, amount int) ledgertest.Call { return inGroup(pay(key, "kim", amount), key) }, 300, ledger.DecisionDenied},
		"by itself, small": {onOneOrder, 160, ledger.DecisionExecute},
		"by itself, large": {onOneOrder, 300, ledger.DecisionDenied},
	} {
		w := &office{World: ledgertest.New(t), t: t}
		w.Policy([]policy.Rule{{ID: "large", Approval: &policy.ApprovalNeed{
			Count: 1, Roles: []string{"lead"}, When: "args.amount >= 250", ExpiresAfter: time.Hour, OnExpiry: policy.ExpiryDeny, NoHoldsFor: time.Hour,
		}}})
		asked := w.waits(c.call("first", 480))
		wantOK(t, w.says(person("ben", "lead"), asked.ID, false))
		a := w.Propose(c.call("next", c.amount))
		if a.Decision != c.want || a.Decision == ledger.DecisionDenied && a.Rule != policy.RuleApproverNo {
			t.Errorf("%s: %s by %q (%s)", name, a.Decision, a.Rule, a.Because)
		}
	}
}

// onOneOrder is a payment of no group.
func onOneOrder(key string, amount int) ledgertest.Call {
	c := pay(key, "kim", amount)
	c.Order = "order_123"
	return c
}

// TestWhyAToolIsOff: in the words of who switched it off, where they said any.
func TestWhyAToolIsOff(t *testing.T) {
	for _, reason := range []string{"", "incident 7"} {
		w := ledgertest.New(t)
		call := capture
		apply(t, w, call.Tool.Name)
		h := w.Execute(call)
		wantOK(t, h.Says(ledger.OutcomeNotSent))
		w.Advance(time.Minute)
		_, err := w.Do(&ledger.SwitchTool{Namespace: ledgertest.North, Name: call.Tool.Name, Disabled: true, Reason: reason})
		wantOK(t, err)
		a := w.Propose(call)
		wantDecision(t, a, ledger.DecisionDenied)
		if a.Rule != policy.RuleToolDisabled || strings.HasSuffix(a.Because, ": "+reason) != (reason != "") || strings.HasSuffix(a.Because, ": ") || !strings.Contains(a.Because, call.Tool.Name) {
			t.Errorf("reason %q: denied by %s: %s", reason, a.Rule, a.Because)
		}
	}
}

// TestAGuardSeesTheEntitysVersion: the one that stands, and zero where nobody has set anything.
func TestAGuardSeesTheEntitysVersion(t *testing.T) {
	w := ledgertest.New(t)
	w.Policy([]policy.Rule{{ID: "second", Guard: &policy.Guard{Name: "second", Condition: `entity.version == 2`}}})
	for n, want := range []ledger.DecisionKind{ledger.DecisionDenied, ledger.DecisionDenied, ledger.DecisionExecute} {
		call := pay([]string{"a", "b", "c"}[n], "kim", 10)
		call.Order = "order_9"
		wantDecision(t, w.Propose(call), want)
		state(t, w, "order_9", []string{"new", "paid", "sent"}[n])
	}
}
