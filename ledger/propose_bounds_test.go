package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
)

// TestWhatAProposalClaims: its request, and its keys where it may make the operation that they stand for. A plan makes none,
// a revision claims what follows its predecessor, and a read is no identity.
func TestWhatAProposalClaims(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*ledgertest.Call)
		keys   int
	}{
		"a change":   {func(*ledgertest.Call) {}, 1},
		"a plan":     {func(c *ledgertest.Call) { c.PlanOnly = true }, 0},
		"a revision": {func(c *ledgertest.Call) { c.Revise = "op_9" }, 0},
		"a read":     {func(c *ledgertest.Call) { *c = read }, 0},
		"a change, continued from two versions, of which one has the same key": {func(c *ledgertest.Call) {
			c.Earlier = []ledger.Form{{ToolVersion: 1, Key: "old"}, {ToolVersion: 2, Key: ledger.IdempotencyKey(c.Key)}}
		}, 2},
	} {
		call := capture
		c.change(&call)
		kinds := map[ledger.ClaimKind]int{}
		for _, claim := range ledgertest.New(t).Command(call).Claims() {
			kinds[claim.Kind]++
		}
		if kinds[ledger.ClaimRequest] != 1 || kinds[ledger.ClaimKey] != c.keys {
			t.Errorf("%s claims %v", name, kinds)
		}
	}
}

// TestAClaimWithoutItsOperation: a key whose operation was lost stands for nothing, and does not keep others from being made or
// from going on.
func TestAClaimWithoutItsOperation(t *testing.T) {
	w := ledgertest.New(t)
	lost := w.Execute(capture)
	w.Lose(ledgertest.North, lost.Operation)
	made := w.Execute(capture).Now()
	if made.Keys[0].Number != 2 {
		t.Errorf("its key is claimed as number %d", made.Keys[0].Number)
	}

	w = ledgertest.New(t)
	first := rejected(t, w, email)
	second := w.Execute(revising(email, first))
	wantOK(t, second.Says(ledger.OutcomeNotSent))
	w.Lose(ledgertest.North, first.Operation)
	w.Advance(time.Hour)
	wantDecision(t, w.Propose(email), ledger.DecisionExecute)
}

// TestTheLastResendUnderAKey counts the clock's error: the whole resend lies inside the provider's memory, whichever of two
// clocks is right.
func TestTheLastResendUnderAKey(t *testing.T) {
	const clockError = time.Second
	for _, c := range []struct {
		more time.Duration
		want ledger.DecisionKind
	}{{0, ledger.DecisionExecute}, {time.Microsecond, ledger.DecisionReconciling}} {
		w := ledgertest.New(t)
		w.Env.ClockError = clockError
		call := capture
		call.Tool = call.Tool.With(func(t *ledger.Terms) { t.Lookups = nil })
		h := ambiguously(t, w, call)
		terms := call.Tool.Terms
		whole := terms.PermitDuration + terms.StallAllowance + terms.Flight + terms.TimeToFinish + clockError
		w.Now = h.Now().VendorKeySince.Add(terms.Retention - whole + c.more)
		wantDecision(t, w.Propose(call), c.want)
	}
}

// TestAProposalOfWhatWaitsForItsExecutor is told so, whatever the rules say by now: they are asked when it is taken up. One
// that waits for persons goes on to wait.
func TestAProposalOfWhatWaitsForItsExecutor(t *testing.T) {
	w := ledgertest.New(t)
	o := enqueue(t, w, queued(capture))
	w.Policy([]policy.Rule{{ID: "never", Deny: &policy.Deny{When: "true", Explanation: "stopped"}}})
	a := w.Propose(queued(capture))
	wantDecision(t, a, ledger.DecisionEnqueued)
	if a.Operation.ID != o.ID {
		t.Error("it is another operation")
	}

	w = ledgertest.New(t)
	w.Policy([]policy.Rule{{ID: "ask", Approval: ledgertest.Needs("support")}})
	for range 2 {
		wantDecision(t, w.Propose(queued(capture)), ledger.DecisionAwaitingApproval)
	}
}

// TestWhoIsAskedBeforeAResend: where a rule asks for persons by now, they are asked, and until then the outcome is only found
// out; where a rule denies it, nobody is asked.
func TestWhoIsAskedBeforeAResend(t *testing.T) {
	for name, c := range map[string]struct {
		rule  policy.Rule
		asked int
	}{
		"an approval": {policy.Rule{ID: "ask", Approval: ledgertest.Needs("support")}, 1},
		"a denial":    {policy.Rule{ID: "never", Deny: &policy.Deny{When: "true", Explanation: "stopped"}}, 0},
	} {
		w := ledgertest.New(t)
		h := ambiguously(t, w, capture)
		w.Advance(time.Hour)
		w.Policy([]policy.Rule{c.rule})
		a := w.Propose(capture)
		wantDecision(t, a, ledger.DecisionReconciling)
		if len(a.Approvals) != c.asked || len(h.Now().Approvals) != c.asked {
			t.Errorf("%s: %d persons are asked: %s", name, len(a.Approvals), a.Because)
		}
	}
}

// TestAFullQueueAndTheRules: a denial stays one; whoever would have to ask a person first is told to come again.
func TestAFullQueueAndTheRules(t *testing.T) {
	for name, c := range map[string]struct {
		rule policy.Rule
		want ledger.DecisionKind
	}{
		"an approval": {policy.Rule{ID: "ask", Approval: ledgertest.Needs("support")}, ledger.DecisionRetryLater},
		"a denial":    {policy.Rule{ID: "never", Deny: &policy.Deny{When: "true", Explanation: "stopped"}}, ledger.DecisionDenied},
	} {
		w := ledgertest.New(t)
		w.Policy([]policy.Rule{c.rule})
		p := w.Command(queued(capture))
		p.QueueFull = &ledger.QueueFull{Waiting: 5000, RetryAfter: 7 * time.Second}
		a := did[ledger.Answer](t, w, p)
		if a.Decision != c.want || len(a.Approvals)+len(w.Operations()) != 0 {
			t.Errorf("%s: it is answered %s, with %d approvals and %d operations", name, a.Decision, len(a.Approvals), len(w.Operations()))
		}
	}
}

// TestARevisionUnderOtherTerms has a vendor key where its own tool gives one: its predecessor's only where that has one too.
func TestARevisionUnderOtherTerms(t *testing.T) {
	for name, c := range map[string]struct{ before, after, kept bool }{
		"still":  {true, true, true},
		"now":    {false, true, false},
		"before": {true, false, false},
		"never":  {false, false, false},
	} {
		w := ledgertest.New(t)
		under := func(keyed bool) ledgertest.Call {
			call := capture
			call.Tool = call.Tool.With(func(t *ledger.Terms) { t.VendorKeyed, t.MaxAttempts = keyed, 1 })
			if !keyed {
				call.Tool.Terms.Class, call.Tool.Terms.Retention = registry.ExternalNonIdempotentWrite, 0
			}
			return call
		}
		h := w.Execute(under(c.before))
		wantOK(t, h.Says(ledger.OutcomeNotSent))
		wantState(t, h.Now(), ledger.FailedPermanent)
		o := w.Execute(revising(under(c.after), h)).Now()
		if before := h.Now().VendorKey; (o.VendorKey != "") != c.after || (o.VendorKey == before && before != "") != c.kept {
			t.Errorf("%s: the vendor key was %q and is %q", name, before, o.VendorKey)
		}
	}
}
