package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

// The core's part of field cases about work that others carry out.

// TestFC213 is the search that does not find it yet: POST times out after commit at t=0, and the index lags.
func TestFC213(t *testing.T) {
	ticket := queued(email)
	ticket.Tool.Name, ticket.Key = "ticket.create", "ticket:order_123"
	ticket.Tool = ticket.Tool.With(func(t *ledger.Terms) {
		t.Group, t.BeginRequired, t.Flight, t.Propagation = "", false, 30*time.Second, 90*time.Second
		t.Lookups = []registry.Lookup{{By: registry.ByClientReference, Search: true, EmptyAnswers: 2}}
	})
	start := func(t *testing.T) (*ledgertest.World, *ledgertest.Holder) {
		w := ledgertest.New(t)
		h := w.Dispatch(enqueue(t, w, ticket))
		wantOK(t, h.Says(ledger.OutcomeAmbiguous))
		return w, h
	}
	at := func(w *ledgertest.World, h *ledgertest.Holder, after time.Duration, says ledger.Says) *ledger.Operation {
		w.Now = ledgertest.Start.Add(after)
		ticket := w.Ask(h.Now()).Ticket
		w.Tell(w.Statement(h.Now(), ledger.SourceLookup, says, func(s *ledger.Statement) {
			if s.Ticket = ticket; says == ledger.SaysHappened {
				s.ClientReference, s.EffectID = h.Now().ClientReference, "iss_1"
			}
		}))
		return h.Now()
	}
	t.Run("it never appears", func(t *testing.T) {
		w, h := start(t)
		for _, after := range []time.Duration{5 * time.Second, 119 * time.Second} {
			wantState(t, at(w, h, after, ledger.SaysNot), ledger.UnknownOutcome)
		}
		wantState(t, at(w, h, 120*time.Second, ledger.SaysUnknown), ledger.UnknownOutcome) // an error is never a verdict
		wantState(t, at(w, h, 121*time.Second, ledger.SaysNot), ledger.UnknownOutcome)     // the first that counts of two
		wantState(t, at(w, h, 122*time.Second, ledger.SaysUnknown), ledger.UnknownOutcome)
		wantState(t, at(w, h, 123*time.Second, ledger.SaysNot), ledger.FailedRetryable)
	})
	t.Run("it appears at 90 s", func(t *testing.T) {
		w, h := start(t)
		wantState(t, at(w, h, 5*time.Second, ledger.SaysNot), ledger.UnknownOutcome)
		wantState(t, at(w, h, 119*time.Second, ledger.SaysHappened), ledger.CompletedSuccess)
	})
	t.Run("the delay counts anew after another attempt", func(t *testing.T) {
		w, h := start(t)
		at(w, h, 121*time.Second, ledger.SaysNot)
		wantState(t, at(w, h, 122*time.Second, ledger.SaysNot), ledger.FailedRetryable)
		w.NextWork(h.Now())
		second := w.Dispatch(h.Now())
		wantOK(t, second.Says(ledger.OutcomeAmbiguous))
		sent := w.Now.Sub(ledgertest.Start)
		for _, after := range []time.Duration{1, 119} {
			wantState(t, at(w, h, sent+after*time.Second, ledger.SaysNot), ledger.UnknownOutcome)
		}
		at(w, h, sent+120*time.Second, ledger.SaysNot)
		wantState(t, at(w, h, sent+121*time.Second, ledger.SaysNot), ledger.FailedRetryable)
	})
}

// TestFC401 is the worker that is frozen past its deadline and wakes: its time-out ends a permit, not a process.
func TestFC401(t *testing.T) {
	t.Run("email.send", func(t *testing.T) {
		w := ledgertest.New(t)
		h := lost(t, w, queued(email))
		for range 3 { // W2 polls: there is a question, and no permit
			putQuestion(t, w, h.Now())
		}
		wantRefusal(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("msg_1")), ledger.ReasonStaleAttempt)
		wantState(t, h.Now(), ledger.CompletedSuccess)
		wantIncidents(t, h.Now())
		wantWork(t, w, h.Now(), "", 0)
	})
	for name, c := range map[string]struct {
		second    string
		incidents []string
	}{
		"payment.capture, one charge":  {"ch_1", nil},
		"payment.capture, two charges": {"ch_2", []string{ledger.IncidentDuplicate}},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			first := lost(t, w, queued(capture))
			for w.NextWork(first.Now()).Kind == ledger.WorkLookup {
				w.TakeUp(first.Now())
			}
			second := w.Dispatch(first.Now())
			if a := second.Now().Attempts; !a[1].Resend || second.Now().VendorKey == "" {
				t.Fatalf("the attempts are %+v", a)
			}
			wantOK(t, second.Says(ledger.OutcomeSucceeded, ledgertest.Effect(c.second)))
			wantRefusal(t, first.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")), ledger.ReasonStaleAttempt)
			wantState(t, first.Now(), ledger.CompletedSuccess)
			wantIncidents(t, first.Now(), c.incidents...)
		})
	}
	t.Run("contact.upsert", func(t *testing.T) {
		w := ledgertest.New(t)
		c := queued(upsert)
		c.Order, c.Tool = "c_1", c.Tool.With(func(t *ledger.Terms) { t.Group = "contact" })
		first := lost(t, w, c)
		second := w.Dispatch(first.Now())
		a := second.Now().Attempts
		if a[0].Fences[0].Number >= a[1].Fences[0].Number {
			t.Errorf("the fencing numbers are %+v and %+v", a[0].Fences, a[1].Fences)
		}
	})
}

// TestFC402: the worker sends at once and dies before its first heartbeat. Silence proves nothing; an operation that was
// never handed out stays where it is.
func TestFC402(t *testing.T) {
	w := ledgertest.New(t)
	c := queued(unbegun)
	waiting := c
	waiting.Key, waiting.Args = "email:another", `{"template":"another"}`
	other := enqueue(t, w, waiting)
	h := w.Dispatch(enqueue(t, w, c))
	w.Advance(c.Tool.Terms.PermitDuration)
	w.RunDue()
	wantState(t, h.Now(), ledger.UnknownOutcome)
	if work, there := w.Work(h.Now()); !there || work.Kind != ledger.WorkLookup {
		t.Errorf("the work is %+v", work)
	}
	wantState(t, w.Operation(other.Namespace, other.ID), ledger.PendingDispatch)
	wantWork(t, w, other, ledger.WorkDispatch, other.StateSince.Sub(w.Now))
}

// TestFC403: a step that cannot end in time. After the first silent deadline there is no further permit until it is
// reconciled: a limit of attempts bounds tries that are known to have failed.
func TestFC403(t *testing.T) {
	w := ledgertest.New(t)
	c := queued(email)
	c.Tool = c.Tool.With(func(t *ledger.Terms) {
		t.MaxAttempts, t.PermitDuration, t.PermitGreatest = 3, 15*time.Minute, 15*time.Minute
	})
	h := lost(t, w, c)
	for h.Now().Human == nil {
		if work := w.NextWork(h.Now()); work.Kind != ledger.WorkLookup {
			t.Fatalf("the work is %s", work.Kind)
		}
		if handed := w.TakeUp(h.Now()); handed.Permit != nil {
			t.Fatal("a further permit")
		}
		wantDecision(t, w.Propose(c), ledger.DecisionReconciling)
	}
	if n := len(h.Now().Attempts); n != 1 {
		t.Errorf("there are %d attempts", n)
	}
}
