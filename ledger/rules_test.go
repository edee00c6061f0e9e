package ledger_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
)

// pay is a capture of an amount for a customer, under a key of its own.
func pay(key, customer string, amount int) ledgertest.Call {
	c := capture
	c.Key, c.Order = key, "order_"+key
	c.Args = fmt.Sprintf(`{"amount":%d,"customer":%q}`, amount, customer)
	return c
}

func daily(max int64) policy.Rule {
	return policy.Rule{ID: "three-a-day", Version: 1, Limit: &policy.Limit{Per: "{args.customer}", Max: max, Period: 24 * time.Hour}}
}

// TestLimitCountsWhatHappenedOrMay: an operation counts from its release until its end, ended at its last permit's time,
// and no more when it is known not to have happened.
func TestLimitCountsWhatHappenedOrMay(t *testing.T) {
	for name, tc := range map[string]struct {
		end   func(*testing.T, *ledgertest.World, *ledgertest.Holder)
		later time.Duration
		want  ledger.DecisionKind
	}{
		"while it is out":           {func(*testing.T, *ledgertest.World, *ledgertest.Holder) {}, 0, ledger.DecisionRetryLater},
		"unknown, after two days":   {says(ledger.OutcomeAmbiguous), 48 * time.Hour, ledger.DecisionRetryLater},
		"succeeded":                 {says(ledger.OutcomeSucceeded), time.Hour, ledger.DecisionRetryLater},
		"succeeded, after its day":  {says(ledger.OutcomeSucceeded), 25 * time.Hour, ledger.DecisionExecute},
		"rejected":                  {says(ledger.OutcomeRejected), 0, ledger.DecisionExecute},
		"not sent, due for a retry": {says(ledger.OutcomeNotSent), 0, ledger.DecisionRetryLater},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			w.Policy([]policy.Rule{daily(1)})
			tc.end(t, w, w.Execute(pay("a", "kim", 100)))
			w.Advance(tc.later)
			a := w.Propose(pay("b", "kim", 100))
			wantDecision(t, a, tc.want)
			if tc.want == ledger.DecisionRetryLater && (a.Operation != nil || a.Rule != "three-a-day") {
				t.Fatalf("a \"no\" about now made an operation, or names another rule: %+v", a)
			}
			wantDecision(t, w.Propose(pay("c", "lee", 100)), ledger.DecisionExecute) // another customer has a counter of its own
		})
	}
}

func says(o ledger.Outcome) func(*testing.T, *ledgertest.World, *ledgertest.Holder) {
	return func(t *testing.T, _ *ledgertest.World, h *ledgertest.Holder) {
		t.Helper()
		wantOK(t, h.Says(o))
	}
}

// TestLimitSaysWhen: RETRY_LATER says when enough of what happened has left the period.
func TestLimitSaysWhen(t *testing.T) {
	w := ledgertest.New(t)
	w.Policy([]policy.Rule{daily(1)})
	wantOK(t, w.Execute(pay("a", "kim", 100)).Says(ledger.OutcomeSucceeded))
	w.Advance(time.Hour)
	a := w.Propose(pay("b", "kim", 100))
	wantDecision(t, a, ledger.DecisionRetryLater)
	if a.RetryAfter <= 0 || a.RetryAfter > 24*time.Hour || a.Told.NextAfter != a.RetryAfter {
		t.Fatalf("it says after %s", a.RetryAfter)
	}
	w.Advance(a.RetryAfter)
	wantDecision(t, w.Propose(pay("b", "kim", 100)), ledger.DecisionExecute)
}

// TestALateSuccessIsChargedAboveTheBound: what turns out to have happened counts, whatever the bound; it is an incident.
func TestALateSuccessIsChargedAboveTheBound(t *testing.T) {
	w := ledgertest.New(t)
	w.Policy([]policy.Rule{daily(1)})
	first := w.Execute(pay("a", "kim", 100))
	wantOK(t, first.Says(ledger.OutcomeRejected))
	wantOK(t, w.Execute(pay("b", "kim", 100)).Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_2")))
	w.Found(first.Now(), "ch_1")
	wantState(t, first.Now(), ledger.CompletedSuccess)
	wantIncidents(t, first.Now(), ledger.IncidentContradiction)
	var sum int64
	for _, r := range w.Records(ledger.RecordHistory) {
		for _, p := range r.(*ledger.History).Past {
			sum += p.Sum
		}
	}
	if sum != 2 {
		t.Fatalf("the counter holds %d, want both", sum)
	}
}

// TestAFullLimitSaysWhen: whoever finds a limit full is told when to ask again: when there is room, where that is known, and
// a moment to try it at where only an open operation can make room, said as what it is.
func TestAFullLimitSaysWhen(t *testing.T) {
	w := ledgertest.New(t)
	w.Policy([]policy.Rule{daily(1)})
	first := w.Execute(pay("a", "kim", 100))
	open := w.Propose(pay("b", "kim", 100))
	wantDecision(t, open, ledger.DecisionRetryLater)
	if open.RetryAfter != 30*time.Second || open.Told.NextAfter != open.RetryAfter || !strings.Contains(open.Told.Model, "not known when") {
		t.Errorf("beside an open one it says %s, and %q", open.RetryAfter, open.Told.Model)
	}
	wantOK(t, first.Says(ledger.OutcomeSucceeded))
	full := w.Propose(pay("b", "kim", 100))
	wantDecision(t, full, ledger.DecisionRetryLater)
	if full.RetryAfter < 24*time.Hour || strings.Contains(full.Told.Model, "not known when") {
		t.Errorf("after it has ended it says %s, and %q", full.RetryAfter, full.Told.Model)
	}
	w.Advance(full.RetryAfter)
	wantDecision(t, w.Propose(pay("b", "kim", 100)), ledger.DecisionExecute)
}

// TestSumPerCustomer: a sum is exact, and one that would pass the bound is not let through.
func TestSumPerCustomer(t *testing.T) {
	w := ledgertest.New(t)
	w.Policy([]policy.Rule{{ID: "credit", Limit: &policy.Limit{Per: "{args.customer}", SumOf: "/amount", Max: 1000, Period: time.Hour, Fixed: true}}})
	wantDecision(t, w.Propose(pay("a", "kim", 600)), ledger.DecisionExecute)
	wantDecision(t, w.Propose(pay("b", "kim", 401)), ledger.DecisionRetryLater)
	wantDecision(t, w.Propose(pay("c", "kim", 400)), ledger.DecisionExecute)
	wantDecision(t, w.Propose(pay("d", "kim", 1)), ledger.DecisionRetryLater)
}

// TestHistoryFunctions: count(...) in an expression reads a declared counter, of others alone.
func TestHistoryFunctions(t *testing.T) {
	w := ledgertest.New(t)
	w.Policy([]policy.Rule{{ID: "many", Deny: &policy.Deny{When: `count(args.customer, "24h") >= 2 && args.amount > 50`, Explanation: "a third large one needs a person"}}})
	wantDecision(t, w.Propose(pay("a", "kim", 100)), ledger.DecisionExecute)
	wantDecision(t, w.Propose(pay("b", "kim", 100)), ledger.DecisionExecute)
	wantDecision(t, w.Propose(pay("c", "kim", 100)), ledger.DecisionDenied)
	wantDecision(t, w.Propose(pay("c", "kim", 10)), ledger.DecisionExecute)
}

// TestARevisionNeverCountsAgainstItself: an operation and its revisions count once.
func TestARevisionNeverCountsAgainstItself(t *testing.T) {
	w := ledgertest.New(t)
	w.Policy([]policy.Rule{daily(1), {ID: "window", Window: &policy.DedupeWindow{KeyTemplate: "{args.customer}", Period: time.Hour}}})
	first := w.Execute(pay("a", "kim", 100))
	wantOK(t, first.Says(ledger.OutcomeRejected))
	again := pay("a", "kim", 100)
	again.Revise = first.Operation
	wantDecision(t, w.Propose(again), ledger.DecisionExecute)
}

// TestWindowSuppresses: an equivalent operation is named, and what is known not to have happened suppresses nothing.
func TestWindowSuppresses(t *testing.T) {
	w := ledgertest.New(t)
	w.Policy([]policy.Rule{{ID: "one-mail", Window: &policy.DedupeWindow{KeyTemplate: "{args.customer}", Period: time.Hour}}})
	first := w.Execute(pay("a", "kim", 1))
	a := w.Propose(pay("b", "kim", 2))
	wantDecision(t, a, ledger.DecisionSuppressed)
	if a.Earlier == nil || a.Earlier.ID != first.Operation || a.Told.NextAction != ledger.NextStop {
		t.Fatalf("it does not name the earlier one: %+v", a)
	}
	wantOK(t, first.Says(ledger.OutcomeRejected))
	second := w.Execute(pay("b", "kim", 2))
	wantOK(t, second.Says(ledger.OutcomeSucceeded, ledgertest.Effect("m_1")))
	w.Advance(59 * time.Minute)
	late := w.Propose(pay("c", "kim", 3))
	wantDecision(t, late, ledger.DecisionSuppressed)
	if late.RetryAfter != time.Minute {
		t.Fatalf("it says that the window is over after %s", late.RetryAfter)
	}
	w.Advance(2 * time.Minute)
	wantDecision(t, w.Propose(pay("c", "kim", 3)), ledger.DecisionExecute)
}

// TestConflictGoesBothWays: two tools exclude each other on an entity within a period, whichever comes first.
func TestConflictGoesBothWays(t *testing.T) {
	rule := policy.Rule{
		ID: "refund-or-credit", Scope: policy.Scope{Tools: []string{"payment.capture"}},
		Conflict: &policy.Conflict{Tools: []string{"contact.upsert"}, Period: 24 * time.Hour},
	}
	refund, credit := capture, capture
	refund.Order, refund.Key = "order_7", "refund"
	credit.Tool, credit.Order, credit.Key = ledgertest.ContactUpsert, "order_7", "credit"
	for name, pair := range map[string][2]ledgertest.Call{"refund first": {refund, credit}, "credit first": {credit, refund}} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			w.Policy([]policy.Rule{rule})
			first := w.Execute(pair[0])
			a := w.Propose(pair[1])
			wantDecision(t, a, ledger.DecisionDenied)
			if a.Earlier == nil || a.Earlier.ID != first.Operation {
				t.Fatalf("it does not name the other: %+v", a)
			}
			elsewhere := pair[1]
			elsewhere.Order, elsewhere.Key = "order_8", "elsewhere"
			wantDecision(t, w.Propose(elsewhere), ledger.DecisionExecute)
			wantOK(t, first.Says(ledger.OutcomeSucceeded, ledgertest.Effect("re_1")))
			w.Advance(25 * time.Hour)
			wantDecision(t, w.Propose(pair[1]), ledger.DecisionExecute)
		})
	}
}

// TestGuardIsJudgedAnew (FC-110): a "no" about now is never remembered as the answer, and both decisions stand recorded.
func TestGuardIsJudgedAnew(t *testing.T) {
	w := ledgertest.New(t)
	w.Policy([]policy.Rule{{ID: "verified", Guard: &policy.Guard{Name: "verified", Condition: `entity.state == "verified"`}}})
	call := pay("9", "kim", 10)
	wantDecision(t, w.Propose(call), ledger.DecisionDenied)
	state(t, w, "order_9", "verified")
	h := w.Execute(call)
	decisions := w.Decisions()
	if len(decisions) != 2 || decisions[0].Kind != ledger.DecisionDenied || decisions[0].Verdicts[0].Inputs["entity.state"] != "" ||
		decisions[1].Kind != ledger.DecisionExecute || decisions[1].Verdicts[0].Inputs["entity.state"] != "verified" {
		t.Fatalf("the record is %+v", decisions)
	}
	state(t, w, "order_9", "refunded")
	wantRefusal(t, h.Begin(), ledger.ReasonPermitWithdrawn) // judged whole once more at the begin
}

// state sets an entity's state from outside.
func state(t *testing.T, w *ledgertest.World, order, to string) {
	t.Helper()
	_, err := w.Do(&ledger.SetEntityState{
		Namespace: ledgertest.North, Actor: ledger.Actor{Principal: "ops"}, Entity: locks.Entity{Type: "order", ID: order}, State: &to, Reason: "test",
	})
	wantOK(t, err)
}

// TestEntityVersion: a proposal that was reasoned from another version is denied as stale, and says what changed.
func TestEntityVersion(t *testing.T) {
	w := ledgertest.New(t)
	state(t, w, "order_a", "paid")
	version := int64(1)
	call := pay("a", "kim", 10)
	call.EntityVersion = &version
	state(t, w, "order_a", "disputed")
	a := w.Propose(call)
	wantDecision(t, a, ledger.DecisionDenied)
	if a.Stale == nil || a.Stale.Stated != 1 || a.Stale.Current != 2 || a.Stale.State != "disputed" {
		t.Fatalf("it does not say what changed: %+v", a.Stale)
	}
	now := int64(2)
	call.EntityVersion = &now
	wantDecision(t, w.Propose(call), ledger.DecisionExecute)
}

// TestEntityVersionOfARetry: a retry that names none keeps the version that the operation was reasoned from, and is judged by
// it; one that names another is judged by that.
func TestEntityVersionOfARetry(t *testing.T) {
	w := ledgertest.New(t)
	state(t, w, "order_a", "paid")
	one, two := int64(1), int64(2)
	call := pay("a", "kim", 10)
	call.EntityVersion = &one
	h := w.Execute(call)
	wantOK(t, h.Says(ledger.OutcomeNotSent))
	w.Advance(time.Minute)
	state(t, w, "order_a", "disputed")
	call.EntityVersion = nil
	a := w.Propose(call)
	wantDecision(t, a, ledger.DecisionDenied)
	if a.Stale == nil || a.Stale.Stated != 1 {
		t.Fatalf("a retry without a version is judged by %+v; want the first one's, 1", a.Stale)
	}
	call.EntityVersion = &two
	wantDecision(t, w.Propose(call), ledger.DecisionExecute)
}

// TestSuccessSetsTheEntityState: the state is set in the transaction that knows the success, and its version grows.
func TestSuccessSetsTheEntityState(t *testing.T) {
	w := ledgertest.New(t)
	call := pay("a", "kim", 10)
	call.Tool = call.Tool.With(func(t *ledger.Terms) { t.SetsEntityState = "captured by {args.customer}" })
	h := w.Execute(call)
	key := ledger.EntityKey(ledgertest.North, locks.Entity{Type: "order", ID: "order_a"})
	if w.Record(key) != nil {
		t.Fatal("the state was set before the success")
	}
	wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
	e := w.Record(key).(*ledger.Entity)
	if e.State != "captured by kim" || e.OperationID != string(h.Operation) || e.Version != 1 {
		t.Fatalf("%+v", e)
	}
}

// TestShadowLetsPassAndCharges: a rule in shadow is decided, recorded and let pass; it holds and charges as if enforced.
func TestShadowLetsPassAndCharges(t *testing.T) {
	w := ledgertest.New(t)
	shadowed := daily(1)
	shadowed.Shadow = true
	w.Policy([]policy.Rule{shadowed})
	w.Execute(pay("a", "kim", 100))
	a := w.Propose(pay("b", "kim", 100))
	wantDecision(t, a, ledger.DecisionExecute)
	if len(a.Verdicts) != 1 || !a.Verdicts[0].Shadow || a.Verdicts[0].Outcome != policy.Later {
		t.Fatalf("what would have been said is %+v", a.Verdicts)
	}
	w.Policy([]policy.Rule{daily(2)}) // enforced from now on: both have been charged
	wantDecision(t, w.Propose(pay("c", "kim", 100)), ledger.DecisionRetryLater)
}

// TestALoopOfDenialsIsSlowed: a model that asks for one refusal again and again is made to wait, and fills nothing up.
func TestALoopOfDenialsIsSlowed(t *testing.T) {
	w := ledgertest.New(t)
	w.Policy([]policy.Rule{{ID: "never", Deny: &policy.Deny{When: `args.amount > 50`, Explanation: "too much"}}})
	slowed := 0
	for range 40 {
		a := w.Propose(pay("a", "kim", 100))
		if a.Decision == ledger.DecisionRetryLater {
			slowed++
			if a.Rule != policy.RuleDenialLoop || a.RetryAfter <= 0 {
				t.Fatalf("%+v", a)
			}
		}
	}
	if slowed == 0 || len(w.Decisions()) != 40-slowed {
		t.Fatalf("%d of 40 were slowed down, and %d decisions are recorded", slowed, len(w.Decisions()))
	}
	wantDecision(t, w.Propose(pay("b", "kim", 10)), ledger.DecisionExecute) // what is allowed is not slowed
	w.Advance(2 * time.Minute)
	wantDecision(t, w.Propose(pay("a", "kim", 100)), ledger.DecisionDenied)
}

// TestLimitAdmitsExactly: of many proposals, in one transaction or in several, exactly as many pass as the limit says.
func TestLimitAdmitsExactly(t *testing.T) {
	for _, size := range []int{1, 7, 32} {
		w := ledgertest.New(t)
		w.Policy([]policy.Rule{daily(10)})
		permits := 0
		for i := 0; i < 96; i += size {
			var batch []ledger.Command
			for j := range size {
				batch = append(batch, w.Command(pay(fmt.Sprint(i, "-", j), "kim", 1)))
			}
			for _, out := range w.DoAll(batch...) {
				if a := out.Reply.(*ledger.Answer); a.Permit != nil {
					permits++
				}
			}
		}
		if permits != 10 {
			t.Errorf("batches of %d: %d permits, want 10", size, permits)
		}
	}
}

// TestOverrideGrant: one use, one fingerprint, never by who gave it.
func TestOverrideGrant(t *testing.T) {
	w := ledgertest.New(t)
	apply(t, w, capture.Tool.Name)
	w.Policy([]policy.Rule{daily(1)})
	w.Execute(pay("a", "kim", 100))
	call := pay("b", "kim", 100)
	give := func(by ledger.Principal, fingerprint string) string {
		id := w.ID("gr")
		_, err := w.Do(&ledger.CreateGrant{
			Namespace: ledgertest.North, Giver: ledger.Actor{Principal: by}, ID: id, ExpiresAfter: time.Hour, Kind: ledger.GrantOverride, Tool: call.Tool.Name,
			Fingerprint: ledger.Fingerprint(fingerprint), Rule: "three-a-day", Reason: "the customer is right",
		})
		wantOK(t, err)
		return id
	}
	propose := func(c ledgertest.Call, grant string) error {
		c.Overrides = []string{grant}
		_, err := w.Do(w.Command(c))
		return err
	}
	own := string(w.Command(call).Forms[0].Fingerprint)
	wantRefusal(t, propose(call, "gr_nobody"), ledger.ReasonGrantNotUsable)
	wantRefusal(t, propose(call, give(ledgertest.Agent, own)), ledger.ReasonGrantNotUsable)
	wantRefusal(t, propose(call, give("ops", "sha256:"+strings.Repeat("0", 64))), ledger.ReasonGrantNotUsable)
	good := give("ops", own)
	call.Overrides = []string{good}
	h := w.Execute(call)
	if g := w.Record(ledger.RecordKey{Kind: ledger.RecordGrant, Namespace: ledgertest.North, ID: good}).(*ledger.Grant); g.UsedBy != h.Operation {
		t.Fatalf("the grant is used by %q", g.UsedBy)
	}
	wantOK(t, h.Begin()) // what was overridden stays so for this operation
	other := pay("c", "kim", 100)
	wantRefusal(t, propose(other, good), ledger.ReasonGrantNotUsable)
}
