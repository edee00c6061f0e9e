package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

func TestBegin(t *testing.T) {
	t.Run("once, and its repeat is the same begin", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(email)
		wantOK(t, h.Begin())
		before := h.Now().Version
		w.Advance(time.Second)
		wantOK(t, h.Begin())
		if h.Now().Version != before {
			t.Fatal("the repeat changed something")
		}
	})
	t.Run("by another process: refused", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(email)
		wantOK(t, h.Begin())
		wantRefusal(t, h.Copy().Begin(), ledger.ReasonNonceMismatch)
	})
	t.Run("from the deadline on: refused", func(t *testing.T) {
		w := ledgertest.New(t)
		w.Env.ClockError = 500 * time.Millisecond
		h := w.Execute(email)
		w.Advance(time.Minute - time.Microsecond)
		wantOK(t, h.Begin())
		other := w.Execute(revoke)
		w.Advance(time.Minute)
		wantRefusal(t, other.Begin(), ledger.ReasonPermitExpired)
		wantState(t, other.Now(), ledger.Dispatched) // the ledger itself counts the clock's error before it takes the permit back
		w.Advance(w.Env.ClockError)
		wantRefusal(t, other.Begin(), ledger.ReasonPermitExpired)
		wantState(t, other.Now(), ledger.FailedRetryable)
	})
	t.Run("without the token, or of nothing: refused", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(email)
		bearer := ledger.Bearer{Namespace: ledgertest.North, OperationID: h.Operation, AttemptID: h.Attempt}
		_, err := w.Do(&ledger.Begin{Bearer: bearer})
		wantRefusal(t, err, ledger.ReasonTokenMismatch)
		bearer.AttemptID = "att_none"
		_, err = w.Do(&ledger.Begin{Bearer: bearer})
		wantRefusal(t, err, ledger.ReasonAttemptNotFound)
		bearer.Namespace = "south"
		_, err = w.Do(&ledger.Begin{Bearer: bearer})
		wantRefusal(t, err, ledger.ReasonOperationNotFound)
	})
	t.Run("once the effect is said to exist: refused, and it completes as soon as the permit ends", func(t *testing.T) {
		w := ledgertest.New(t)
		first := w.Execute(email)
		wantOK(t, first.Begin())
		w.Advance(time.Minute)
		wantState(t, first.Now(), ledger.Dispatched)
		w.RunDue()
		w.Advance(late)
		w.NotFound(first.Now(), 0)
		w.Advance(time.Minute)
		second := w.Execute(email)
		wantRefusal(t, first.Says(ledger.OutcomeSucceeded, ledgertest.Effect("msg_1")), ledger.ReasonStaleAttempt)
		wantRefusal(t, second.Begin(), ledger.ReasonPermitWithdrawn)
		_, err := second.Extend(time.Minute)
		wantRefusal(t, err, ledger.ReasonPermitWithdrawn)
		wantState(t, second.Now(), ledger.Dispatched)
		w.Advance(time.Minute)
		w.RunDue()
		wantState(t, second.Now(), ledger.CompletedSuccess)
	})
	t.Run("once an earlier attempt is said to be under way after all: refused", func(t *testing.T) {
		w := ledgertest.New(t)
		first := w.Execute(email)
		wantOK(t, first.Begin())
		w.Advance(time.Minute + late)
		w.NotFound(first.Now(), 0)
		w.Advance(time.Minute)
		second := w.Execute(email)
		wantRefusal(t, first.Says(ledger.OutcomeAcknowledge), ledger.ReasonStaleAttempt)
		wantRefusal(t, second.Begin(), ledger.ReasonPermitWithdrawn)
		wantOK(t, second.Says(ledger.OutcomeNotSent))
		wantState(t, second.Now(), ledger.UnknownOutcome)
	})
	t.Run("under a wish to cancel: refused", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(email)
		_, err := w.Do(&ledger.CancelOperation{Namespace: ledgertest.North, OperationID: h.Operation})
		wantOK(t, err)
		wantRefusal(t, h.Begin(), ledger.ReasonCancelWished)
	})
}

func TestExtend(t *testing.T) {
	t.Run("moves the deadline, never back, and no further than the greatest age", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(email)
		for _, step := range []struct{ wait, by, remaining time.Duration }{
			{30 * time.Second, time.Minute, time.Minute},
			{0, 10 * time.Second, time.Minute},
			{30 * time.Second, 0, time.Minute},
			{0, time.Hour, 14 * time.Minute},
		} {
			w.Advance(step.wait)
			held, err := h.Extend(step.by)
			wantOK(t, err)
			if held.Remaining != step.remaining {
				t.Fatalf("after %s more, extended by %s, it lasts %s, want %s", step.wait, step.by, held.Remaining, step.remaining)
			}
		}
		_, err := h.Extend(time.Hour)
		wantRefusal(t, err, ledger.ReasonGreatestAge)
	})
	t.Run("by another process than the one that began: refused", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(email)
		copied := h.Copy()
		wantOK(t, h.Begin())
		_, err := copied.Extend(time.Minute)
		wantRefusal(t, err, ledger.ReasonNonceMismatch)
	})
	t.Run("after the deadline: refused", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(capture)
		w.Advance(time.Minute)
		_, err := h.Extend(time.Minute)
		wantRefusal(t, err, ledger.ReasonPermitExpired)
	})
	t.Run("its retry is one extension", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(capture)
		e := &ledger.Extend{Bearer: ledger.Bearer{Namespace: ledgertest.North, OperationID: h.Operation, AttemptID: h.Attempt, TokenProven: true}, By: 5 * time.Minute, ExtensionID: "x"}
		_, err := w.Do(e)
		wantOK(t, err)
		deadline := h.Now().Attempts[0].Deadline
		w.Advance(time.Second)
		_, err = w.Do(e)
		wantOK(t, err)
		if got := h.Now().Attempts[0].Deadline; !got.Equal(deadline) {
			t.Fatalf("the deadline moved from %s to %s", deadline, got)
		}
	})
}

// TestPermitEnds is the second table of the design's section 6.1: a permit whose deadline passed with no report.
func TestPermitEnds(t *testing.T) {
	for name, tc := range map[string]struct {
		call  ledgertest.Call
		begin bool
		want  ledger.State
	}{
		"a read":             {read, false, ledger.FailedRetryable},
		"one's own database": {upsert, false, ledger.UnknownOutcome},
		"a keyed write":      {capture, false, ledger.UnknownOutcome},
		"no key, begun":      {email, true, ledger.UnknownOutcome},
		"no key, a begin was required, none came":    {email, false, ledger.FailedRetryable},
		"no key, no begin was required":              {unbegun, false, ledger.UnknownOutcome},
		"irreversible, begun":                        {revoke, true, ledger.UnknownOutcome},
		"irreversible, required begin that was none": {revoke, false, ledger.FailedRetryable},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := w.Execute(tc.call)
			if tc.begin {
				wantOK(t, h.Begin())
			}
			w.Advance(tc.call.Tool.Terms.PermitDuration - time.Microsecond)
			if n := w.RunDue(); n != 0 {
				t.Fatalf("%d pieces of due work ran early", n)
			}
			w.Advance(time.Microsecond)
			w.RunDue()
			wantState(t, h.Now(), tc.want)
		})
	}
}

// TestRetention: the whole resend lies inside the provider's memory, which counts from the first dispatch under the key.
func TestRetention(t *testing.T) {
	terms := capture.Tool.Terms
	rest := terms.StallAllowance + terms.Flight + terms.TimeToFinish // after the deadline of the new permit
	last := terms.Retention - rest - terms.PermitDuration            // after the first grant, at the latest
	for name, tc := range map[string]struct {
		after    time.Duration
		matched  bool
		decision ledger.DecisionKind
		extended time.Duration // how far the new permit can be extended
	}{
		"well inside":                      {time.Hour, false, ledger.DecisionExecute, terms.PermitGreatest},
		"extensions are cut":               {last - 2*time.Minute, false, ledger.DecisionExecute, 3 * time.Minute},
		"the last moment":                  {last, false, ledger.DecisionExecute, time.Minute},
		"one microsecond later":            {last + time.Microsecond, false, ledger.DecisionReconciling, 0},
		"keys are matched when taken":      {last + terms.TimeToFinish, true, ledger.DecisionExecute, time.Minute},
		"keys are matched, but too late":   {last + terms.TimeToFinish + time.Microsecond, true, ledger.DecisionReconciling, 0},
		"after the provider has forgotten": {25 * time.Hour, false, ledger.DecisionReconciling, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			c := capture
			c.Tool = capture.Tool.With(func(t *ledger.Terms) { t.MatchedEarly = tc.matched })
			first := w.Execute(c)
			wantOK(t, first.Says(ledger.OutcomeAmbiguous))
			w.Advance(tc.after)
			a := w.Propose(c)
			wantDecision(t, a, tc.decision)
			if tc.decision != ledger.DecisionExecute {
				if a.Lookup == nil {
					t.Fatal("what may not be resent may still be looked up")
				}
				return
			}
			if a.Permit.GreatestAge != tc.extended || a.Permit.VendorKey != first.Now().VendorKey {
				t.Fatalf("the permit can be extended to %s, want %s", a.Permit.GreatestAge, tc.extended)
			}
			if tc.extended > time.Minute {
				held, err := w.HolderOf(a).Extend(time.Hour)
				wantOK(t, err)
				if held.Remaining != tc.extended {
					t.Fatalf("it was extended to %s, want %s", held.Remaining, tc.extended)
				}
			}
		})
	}
}

func TestResendIsTheSameRequest(t *testing.T) {
	w := ledgertest.New(t)
	first := capture
	first.Ignored = map[string]string{"/note": `"first"`}
	cmd := w.Command(first)
	cmd.Arguments = []byte(`{"amount":4900,"note":"first","order_id":"order_123"}`)
	reply, err := w.Do(cmd)
	wantOK(t, err)
	one := reply.(*ledger.Answer).Permit
	wantOK(t, w.HolderOf(reply.(*ledger.Answer)).Says(ledger.OutcomeAmbiguous))
	w.Advance(time.Hour)
	again := w.Command(capture)
	again.Arguments = []byte(`{"amount":4900,"note":"second","order_id":"order_123"}`)
	again.Forms[0].ToolVersion, again.Forms = 2, append([]ledger.Form{again.Forms[0]}, cmd.Forms...)
	reply, err = w.Do(again)
	wantOK(t, err)
	two := reply.(*ledger.Answer).Permit
	if two == nil || !two.Attempt.Resend || string(two.Arguments) != string(one.Arguments) || two.VendorKey != one.VendorKey || two.ClientReference != one.ClientReference {
		t.Fatalf("the resend is %+v, the first was %+v", two, one)
	}
}

func TestResendWaitsForItsLookup(t *testing.T) {
	unknown := func(t *testing.T, change func(*ledger.Terms)) (*ledgertest.World, *ledgertest.Holder, ledgertest.Call) {
		w := ledgertest.New(t)
		c := capture
		c.Tool = c.Tool.With(change)
		h := w.Execute(c)
		wantOK(t, h.Says(ledger.OutcomeAmbiguous))
		w.Advance(5 * time.Second) // its backoff is over
		return w, h, c
	}
	keep := func(*ledger.Terms) {}
	t.Run("until the lookup wait is over", func(t *testing.T) {
		w, _, c := unknown(t, keep)
		a := w.Propose(c)
		wantDecision(t, a, ledger.DecisionReconciling)
		if a.RetryAfter != 25*time.Second {
			t.Fatalf("try again after %s", a.RetryAfter)
		}
		w.Advance(a.RetryAfter)
		wantDecision(t, w.Propose(c), ledger.DecisionExecute)
	})
	t.Run("no longer than its answer", func(t *testing.T) {
		w, h, c := unknown(t, keep)
		w.Tell(w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysUnknown))
		wantDecision(t, w.Propose(c), ledger.DecisionExecute)
	})
	t.Run("an answer to a question that came too early is none", func(t *testing.T) {
		w, h, c := unknown(t, keep)
		w.NotFound(h.Now(), 0)
		wantDecision(t, w.Propose(c), ledger.DecisionReconciling)
	})
	t.Run("not where no lookup exists", func(t *testing.T) {
		w, _, c := unknown(t, func(t *ledger.Terms) { t.Lookups = nil })
		wantDecision(t, w.Propose(c), ledger.DecisionExecute)
	})
	t.Run("never where the provider keeps no key", func(t *testing.T) {
		w, _, c := unknown(t, func(t *ledger.Terms) { t.VendorKeyed = false })
		w.Advance(time.Hour)
		wantDecision(t, w.Propose(c), ledger.DecisionReconciling)
	})
	t.Run("one's own database: at once", func(t *testing.T) {
		w := ledgertest.New(t)
		wantOK(t, w.Execute(upsert).Says(ledger.OutcomeAmbiguous))
		wantDecision(t, w.Propose(upsert), ledger.DecisionExecute)
	})
}
