package ledger_test

import (
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

func TestProposeNew(t *testing.T) {
	for class, call := range ofClass {
		t.Run(string(class), func(t *testing.T) {
			w := ledgertest.New(t)
			a := w.Propose(call)
			wantDecision(t, a, ledger.DecisionExecute)
			terms := call.Tool.Terms
			switch p := a.Permit; {
			case !a.Created, p.Attempt.Number != 1, p.Remaining != terms.PermitDuration, p.BeginRequired != terms.BeginRequired:
				t.Fatalf("the permit is %+v", p)
			case string(p.Arguments) != call.Args, p.ClientReference == "", (p.VendorKey != "") != terms.VendorKeyed:
				t.Fatalf("the permit renders %s under %q and %q", p.Arguments, p.VendorKey, p.ClientReference)
			}
			wantState(t, a.Operation, ledger.Dispatched)
			due, ok := w.Due(ledgertest.North, a.Operation.ID)
			if !ok || due.Kind != ledger.DuePermitEnds || !due.At.Equal(w.Now.Add(terms.PermitDuration)) {
				t.Fatalf("the due work is %+v", due)
			}
		})
	}
}

func TestProposeAgain(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Execute(email)
	other := email
	other.Run, other.Principal = "run_2", "another"
	a := w.Propose(other)
	wantDecision(t, a, ledger.DecisionInFlight)
	if a.Created || a.Operation.ID != h.Operation || a.Holder.AttemptID != h.Attempt || a.Holder.RunID != "run_1" || a.RetryAfter != time.Minute {
		t.Fatalf("the answer is %+v, its holder %+v", a, a.Holder)
	}
	wantOK(t, h.Begin())
	wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("msg_1")))
	a = w.Propose(other)
	wantDecision(t, a, ledger.DecisionReplayed)
	if a.Operation.Result.ProviderObjectID != "msg_1" || a.Operation.Result.EffectAt.IsZero() {
		t.Fatalf("the result is %+v", a.Operation.Result)
	}
}

func TestProposeIgnoredDifferences(t *testing.T) {
	w := ledgertest.New(t)
	first := capture
	first.Ignored = map[string]string{"/note": `"a"`, "/trace": `"x"`}
	w.Execute(first)
	again := capture
	again.Ignored = map[string]string{"/note": `"b"`, "/attempt": `1`, "/trace": `"x"`}
	a := w.Propose(again)
	wantDecision(t, a, ledger.DecisionInFlight)
	if want := []string{"/attempt", "/note"}; !reflect.DeepEqual(a.IgnoredDifferences, want) {
		t.Fatalf("the ignored differences are %q, want %q", a.IgnoredDifferences, want)
	}
}

func TestProposeKeyReused(t *testing.T) {
	w := ledgertest.New(t)
	first := w.Execute(capture)
	for name, change := range map[string]func(*ledgertest.Call){
		"other arguments":  func(c *ledgertest.Call) { c.Args = `{"amount":5000,"order_id":"order_123"}` },
		"other tool":       func(c *ledgertest.Call) { c.Tool.Name = "refund.create" },
		"other entity":     func(c *ledgertest.Call) { c.Order = "order_9" },
		"other occurrence": func(c *ledgertest.Call) { c.Occurrence = "item_2" },
	} {
		t.Run(name, func(t *testing.T) {
			c := capture
			change(&c)
			cmd := w.Command(c)
			_, err := w.Do(cmd)
			wantRefusal(t, err, ledger.ReasonKeyReused)
			var no *ledger.Refusal
			errors.As(err, &no)
			if no.Operation.ID != first.Operation || no.Metadata["recorded_fingerprint"] == "" || no.Metadata["proposed_fingerprint"] == "" {
				t.Fatalf("the refusal says %v", no.Metadata)
			}
			if w.Operation(ledgertest.North, cmd.NewOperation) != nil {
				t.Fatal("an operation was recorded")
			}
		})
	}
	if n := w.Claims(ledger.ClaimRequest); n != 1 {
		t.Fatalf("%d requests are recorded; a refused one is not", n)
	}
}

func TestProposeEarlierVersionContinues(t *testing.T) {
	w := ledgertest.New(t)
	old := w.Command(capture)
	a, err := w.Do(old)
	wantOK(t, err)
	made := a.(*ledger.Answer).Operation

	next := capture
	next.Tool.Version, next.Key, next.Args = 2, "payment:2:order_123:4900:USD", `{"amount_minor":4900,"order":"order_123"}`
	next.Earlier = old.Forms
	wantDecision(t, w.Propose(next), ledger.DecisionInFlight)

	// The other way round: what the new version made is met by the old key, too.
	fresh := next
	fresh.Key, fresh.Args = "payment:2:order_7:4900:USD", `{"amount_minor":4900,"order":"order_7"}`
	fresh.Earlier = []ledger.Form{old.Forms[0]}
	fresh.Earlier[0].Key = "payment:order_7:capture:4900:USD"
	h := w.Execute(fresh)
	stale := capture
	stale.Key = "payment:order_7:capture:4900:USD"
	_, err = w.Do(w.Command(stale)) // a server that does not know version 2 yet
	wantRefusal(t, err, ledger.ReasonKeyReused)
	if len(h.Now().Keys) != 2 || len(made.Keys) != 1 {
		t.Fatalf("the keys are %v and %v", h.Now().Keys, made.Keys)
	}
}

func TestProposeRequestID(t *testing.T) {
	t.Run("repeated before a required begin: the same permit", func(t *testing.T) {
		w := ledgertest.New(t)
		c := email
		c.Request = "r-1"
		first := w.Execute(c)
		a := w.Propose(c)
		wantDecision(t, a, ledger.DecisionExecute)
		if a.Permit.Attempt.ID != first.Attempt || !a.Permit.Attempt.HandedAgain {
			t.Fatalf("the permit is %+v", a.Permit.Attempt)
		}
		wantOK(t, first.Begin())
		wantDecision(t, w.Propose(c), ledger.DecisionInFlight)
	})
	t.Run("repeated where a resend is safe: the same permit", func(t *testing.T) {
		w := ledgertest.New(t)
		c := capture
		c.Request = "r-1"
		first := w.Execute(c)
		if a := w.Propose(c); a.Permit == nil || a.Permit.Attempt.ID != first.Attempt {
			t.Fatalf("the answer is %s", a.Decision)
		}
	})
	t.Run("repeated where neither is so: in flight", func(t *testing.T) {
		w := ledgertest.New(t)
		c := unbegun
		c.Request = "r-1"
		w.Execute(c)
		wantDecision(t, w.Propose(c), ledger.DecisionInFlight)
	})
	t.Run("a copy of a keyed permit must lie inside the retention however it is extended", func(t *testing.T) {
		w := ledgertest.New(t)
		c := capture
		c.Tool = capture.Tool.With(func(t *ledger.Terms) { t.PermitGreatest = 24 * time.Hour })
		c.Request = "r-1"
		w.Execute(c)
		wantDecision(t, w.Propose(c), ledger.DecisionInFlight)
	})
	t.Run("with another proposal: refused", func(t *testing.T) {
		w := ledgertest.New(t)
		c := email
		c.Request = "r-1"
		w.Execute(c)
		c.Key, c.Args = "email:other", `{"template":"other"}`
		_, err := w.Do(w.Command(c))
		wantRefusal(t, err, ledger.ReasonRequestReused)
	})
	t.Run("of another principal: another request", func(t *testing.T) {
		w := ledgertest.New(t)
		c := email
		c.Request = "r-1"
		w.Execute(c)
		c.Principal = "another"
		wantDecision(t, w.Propose(c), ledger.DecisionInFlight)
	})
	t.Run("after its attempt: judged like any proposal", func(t *testing.T) {
		w := ledgertest.New(t)
		c := email
		c.Request = "r-1"
		wantOK(t, w.Execute(c).Says(ledger.OutcomeNotSent))
		wantDecision(t, w.Propose(c), ledger.DecisionRetryLater)
		w.Advance(time.Hour)
		if second := w.Execute(c); second.Number != 2 {
			t.Fatalf("the attempt is number %d", second.Number)
		}
	})
}

func TestProposeRetriedAfterAmbiguousCommit(t *testing.T) {
	w := ledgertest.New(t)
	first := w.Command(email)
	one, err := w.Do(first)
	wantOK(t, err)
	w.Advance(2 * time.Second) // the retry reads the time anew
	two, err := w.Do(first)
	wantOK(t, err)
	a, b := one.(*ledger.Answer), two.(*ledger.Answer)
	if !b.Created || b.Permit == nil || a.Permit.Attempt.ID != b.Permit.Attempt.ID || a.Operation.Version != b.Operation.Version {
		t.Fatalf("the retry is answered %+v", b)
	}
	if b.Permit.Remaining != a.Permit.Remaining-2*time.Second {
		t.Fatalf("the permit lasts %s, then %s", a.Permit.Remaining, b.Permit.Remaining)
	}
	w.Advance(time.Hour)
	late, err := w.Do(first)
	wantOK(t, err)
	wantDecision(t, late.(*ledger.Answer), ledger.DecisionRetryLater)
}

func TestProposePlanOnly(t *testing.T) {
	w := ledgertest.New(t)
	plan := capture
	plan.PlanOnly = true
	a := w.Propose(plan)
	wantDecision(t, a, ledger.DecisionPlanned)
	if a.Operation != nil || len(w.Operations()) != 0 || w.Claims(ledger.ClaimKey) != 0 || len(w.Decisions()) != 1 {
		t.Fatal("a plan is a decision, and no operation and no key")
	}
	h := w.Execute(capture)
	before := h.Now().Version
	wantDecision(t, w.Propose(plan), ledger.DecisionPlanned)
	wantOK(t, h.Says(ledger.OutcomeNotSent))
	w.Advance(time.Hour)
	wantDecision(t, w.Propose(plan), ledger.DecisionPlanned) // a due retry is not granted
	if o := h.Now(); o.Version != before+1 || o.Live != 0 {
		t.Fatalf("planning changed the operation: %+v", o)
	}
}

func TestProposeEpochMoved(t *testing.T) {
	w := ledgertest.New(t)
	cmd := w.Command(capture)
	_, err := w.Do(&ledger.ApplyTool{Namespace: ledgertest.North, Principal: "ops", Name: capture.Tool.Name, Version: 1})
	wantOK(t, err)
	_, err = w.Do(cmd)
	var moved *ledger.EpochMovedError
	if !errors.As(err, &moved) || moved.Now != 1 {
		t.Fatalf("the error is %v", err)
	}
	if w.Claims(ledger.ClaimRequest)+w.Claims(ledger.ClaimKey) != 0 {
		t.Fatal("something was claimed")
	}
	w.Execute(capture) // built anew
}

func TestProposeBlocked(t *testing.T) {
	w := ledgertest.New(t)
	first := email
	first.Order = "order_123"
	h := w.Execute(first)
	second := first
	second.Key, second.Args = "email:other", `{"template":"other"}`
	a := w.Propose(second)
	wantDecision(t, a, ledger.DecisionBlocked)
	if a.Operation != nil || a.Holder.OperationID != h.Operation || w.Claims(ledger.ClaimKey) != 1 {
		t.Fatalf("the answer is %+v", a)
	}
	elsewhere := second
	elsewhere.Order, elsewhere.Key = "order_9", "email:elsewhere"
	w.Execute(elsewhere)

	wantOK(t, h.Begin())
	wantOK(t, h.Says(ledger.OutcomeAmbiguous))
	wantDecision(t, w.Propose(second), ledger.DecisionBlocked) // unknown holds the group
	w.Found(h.Now(), "msg_1")
	second.Key = "email:third" // the same call under its own key, judged anew
	if got := w.Execute(second).Now().Attempts[0].Fences[0].Number; got != 2 {
		t.Fatalf("the fencing number is %d", got)
	}
}

func TestProposeToolDisabled(t *testing.T) {
	w := ledgertest.New(t)
	apply(t, w, email.Tool.Name)
	done := w.Execute(capture)
	wantOK(t, done.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
	apply(t, w, capture.Tool.Name)
	held := w.Execute(email)
	for _, name := range []string{email.Tool.Name, capture.Tool.Name} {
		_, err := w.Do(&ledger.SwitchTool{Namespace: ledgertest.North, Name: name, Disabled: true, Reason: "incident 7"})
		wantOK(t, err)
	}
	wantDecision(t, w.Propose(capture), ledger.DecisionReplayed) // a recorded end is answered whatever is switched off
	other := capture
	other.Key = "payment:order_9"
	wantDecision(t, w.Propose(other), ledger.DecisionDenied)
	wantRefusal(t, held.Begin(), ledger.ReasonToolDisabled)
	_, err := held.Extend(time.Minute)
	wantRefusal(t, err, ledger.ReasonToolDisabled)
	wantOK(t, held.Says(ledger.OutcomeNotSent))
	w.Advance(time.Hour)
	wantDecision(t, w.Propose(email), ledger.DecisionDenied)
	wantState(t, held.Now(), ledger.FailedRetryable) // a "no" about now leaves it where it is
	if d := w.Decisions(); d[len(d)-1].OperationID != held.Operation || d[len(d)-1].Rule != "tool_disabled" {
		t.Fatalf("the decision is %+v", d[len(d)-1])
	}
}

func TestProposeNotInline(t *testing.T) {
	w := ledgertest.New(t)
	c := capture
	c.Tool = capture.Tool.With(func(t *ledger.Terms) { t.Executor = registry.Worker })
	for range 2 {
		a := w.Propose(c)
		wantDecision(t, a, ledger.DecisionEnqueued)
		wantState(t, a.Operation, ledger.PendingDispatch)
	}
}

func apply(t *testing.T, w *ledgertest.World, name string) {
	t.Helper()
	_, err := w.Do(&ledger.ApplyTool{Namespace: ledgertest.North, Principal: "ops", Name: name, Version: 1})
	wantOK(t, err)
}
