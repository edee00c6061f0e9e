package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

// ambiguously makes an operation whose only attempt reported an ambiguous outcome: its last moment is now.
func ambiguously(t *testing.T, w *ledgertest.World, c ledgertest.Call) *ledgertest.Holder {
	t.Helper()
	h := acting(t, c, w.Execute(c))
	wantOK(t, h.Says(ledger.OutcomeAmbiguous))
	wantState(t, h.Now(), ledger.UnknownOutcome)
	return h
}

// silently makes an operation whose only attempt began and never reported: its last moment is its deadline, which is now.
func silently(t *testing.T, w *ledgertest.World, c ledgertest.Call) *ledgertest.Holder {
	t.Helper()
	h := acting(t, c, w.Execute(c))
	w.Advance(c.Tool.Terms.PermitDuration)
	w.RunDue()
	wantState(t, h.Now(), ledger.UnknownOutcome)
	return h
}

// TestNotFound: when "not found" counts as "did not happen", by class, by how the attempt ended, and by when it was asked
// after the attempt's last moment.
func TestNotFound(t *testing.T) {
	const moment = time.Microsecond
	for _, tc := range []struct {
		name  string
		make  func(*testing.T, *ledgertest.World, ledgertest.Call) *ledgertest.Holder
		call  ledgertest.Call
		asked time.Duration
		want  ledger.State
	}{
		{"keyed, at once", ambiguously, capture, 0, ledger.UnknownOutcome},
		{"keyed, just too early", ambiguously, capture, 30*time.Second - moment, ledger.UnknownOutcome},
		{"keyed, after flight and propagation", ambiguously, capture, 30 * time.Second, ledger.FailedRetryable},
		{"keyed and silent, within the stall allowance", silently, capture, 30 * time.Second, ledger.UnknownOutcome},
		{"keyed and silent, after the stall allowance", silently, capture, 10*time.Minute + 30*time.Second, ledger.FailedRetryable},
		{"no key, just too early", ambiguously, email, time.Minute - moment, ledger.UnknownOutcome},
		{"no key, after flight and propagation", ambiguously, email, time.Minute, ledger.FailedRetryable},
		{"no key and silent, within the stall allowance", silently, email, 11*time.Minute - moment, ledger.UnknownOutcome},
		{"no key and silent, after the stall allowance", silently, email, 11 * time.Minute, ledger.FailedRetryable},
		{"irreversible, after flight and propagation", ambiguously, revoke, time.Minute, ledger.FailedRetryable},
		{"irreversible and silent: never", silently, revoke, 20 * time.Hour, ledger.UnknownOutcome},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := tc.make(t, w, tc.call)
			if l := w.Ask(h.Now()); tc.want == ledger.FailedRetryable && l.CountsAfter != tc.asked {
				t.Fatalf("the lookup says that it counts after %s, want %s", l.CountsAfter, tc.asked)
			}
			w.Advance(tc.asked)
			r := w.NotFound(h.Now(), time.Hour) // the question counts, not the answer
			wantState(t, h.Now(), tc.want)
			if counted := tc.want == ledger.FailedRetryable; r.Evidence.Counted != counted || r.Evidence.Why == "" {
				t.Fatalf("the evidence is %+v", r.Evidence)
			}
		})
	}
}

func TestNotFoundWithinTheStallAllowancePermitsAResendOnly(t *testing.T) {
	w := ledgertest.New(t)
	c := capture
	c.Tool = c.Tool.With(func(t *ledger.Terms) { t.LookupWait = 5 * time.Hour })
	h := silently(t, w, c)
	w.Advance(30 * time.Second)
	wantDecision(t, w.Propose(c), ledger.DecisionReconciling)
	w.NotFound(h.Now(), 0)
	wantState(t, h.Now(), ledger.UnknownOutcome)
	_, err := w.Do(w.Command(revising(c, h)))
	wantRefusal(t, err, ledger.ReasonRevisionNotAllowed)
	wantDecision(t, w.Propose(c), ledger.DecisionExecute)
}

// TestNotFoundThatDoesNotCount: a "no" that says nothing of every attempt.
func TestNotFoundThatDoesNotCount(t *testing.T) {
	for name, change := range map[string]func(w *ledgertest.World, o *ledger.Operation, s *ledger.Statement){
		"without a ticket": func(w *ledgertest.World, o *ledger.Operation, s *ledger.Statement) { s.Ticket = "" },
		"by a way that the profile lacks": func(w *ledgertest.World, o *ledger.Operation, s *ledger.Statement) {
			s.By = registry.ByProviderRequestID
		},
		"by an id that the operation never had": func(w *ledgertest.World, o *ledger.Operation, s *ledger.Statement) {
			s.By = registry.ByObjectID
		},
		"by another value": func(w *ledgertest.World, o *ledger.Operation, s *ledger.Statement) { s.AskedValue = "opr-another" },
		"of a webhook that does not say when": func(w *ledgertest.World, o *ledger.Operation, s *ledger.Statement) {
			s.Source, s.ClientReference = ledger.SourceWebhook, o.ClientReference
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := ambiguously(t, w, revoke)
			w.Advance(time.Hour)
			o := h.Now()
			ticket := w.Ask(o).Ticket
			w.Tell(w.Statement(o, ledger.SourceLookup, ledger.SaysNot, func(s *ledger.Statement) {
				s.Ticket = ticket
				change(w, o, s)
			}))
			wantState(t, h.Now(), ledger.UnknownOutcome)
		})
	}
	for name, ticket := range map[string]string{
		"forged":          "lk1.zzz",
		"of the future":   ledger.Ticket{IssuedAt: ledgertest.Start.Add(time.Hour * 100), Attempts: 1}.String(),
		"of attempts yet": ledger.Ticket{IssuedAt: ledgertest.Start, Attempts: 7}.String(),
	} {
		t.Run("a ticket that is "+name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := ambiguously(t, w, email)
			w.Advance(time.Hour)
			_, err := w.Do(w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysNot, func(s *ledger.Statement) { s.Ticket = ticket }))
			wantRefusal(t, err, ledger.ReasonLookupTicketInvalid)
		})
	}
	t.Run("of one attempt's own request, beside another", func(t *testing.T) {
		w := ledgertest.New(t)
		c := capture
		c.Tool = c.Tool.With(func(t *ledger.Terms) {
			t.Lookups = append(t.Lookups, registry.Lookup{By: registry.ByProviderRequestID})
		})
		h := w.Execute(c)
		wantOK(t, h.Says(ledger.OutcomeAmbiguous))
		w.Advance(time.Hour)
		second := w.Execute(c)
		w.Advance(time.Minute)
		w.RunDue()
		w.Advance(time.Hour)
		ticket := w.Ask(second.Now()).Ticket
		w.Tell(w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysNot, func(s *ledger.Statement) {
			s.By, s.Ticket = registry.ByProviderRequestID, ticket
		}))
		wantState(t, h.Now(), ledger.UnknownOutcome)
	})
}

func TestNotFoundWhileAPermitIsOutWaits(t *testing.T) {
	w := ledgertest.New(t)
	first, second := resent(t, w, capture)
	ticket := ledger.Ticket{IssuedAt: w.Now, Attempts: 1}.String()
	w.Tell(w.Statement(first.Now(), ledger.SourceLookup, ledger.SaysNot, func(s *ledger.Statement) { s.Ticket = ticket }))
	wantState(t, first.Now(), ledger.Dispatched)
	if first.Now().Evidence[0].Counted {
		t.Fatal("it counted while a permit was out")
	}
	wantOK(t, second.Says(ledger.OutcomeNotSent))
	wantState(t, second.Now(), ledger.FailedRetryable) // weighed now: it clears the first, and the second spoke for itself
}

func TestFound(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(o *ledger.Operation, s *ledger.Statement)
		want   ledger.State
	}{
		"by client reference":    {func(o *ledger.Operation, s *ledger.Statement) { s.ClientReference = o.ClientReference }, ledger.CompletedSuccess},
		"by vendor key":          {func(o *ledger.Operation, s *ledger.Statement) { s.VendorKey = o.VendorKey }, ledger.CompletedSuccess},
		"without a reference":    {func(o *ledger.Operation, s *ledger.Statement) {}, ledger.UnknownOutcome},
		"with another reference": {func(o *ledger.Operation, s *ledger.Statement) { s.ClientReference = "opr-another" }, ledger.UnknownOutcome},
		"by webhook": {func(o *ledger.Operation, s *ledger.Statement) {
			s.Source, s.ClientReference = ledger.SourceWebhook, o.ClientReference
		}, ledger.CompletedSuccess},
		"by a person": {func(o *ledger.Operation, s *ledger.Statement) { s.Source = ledger.SourcePerson }, ledger.CompletedSuccess},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := ambiguously(t, w, capture)
			o := h.Now()
			cmd := w.Statement(o, ledger.SourceLookup, ledger.SaysHappened, func(s *ledger.Statement) {
				s.EffectID = "ch_1"
				tc.change(o, s)
			})
			w.Tell(cmd)
			wantState(t, h.Now(), tc.want)
			before := h.Now().Version
			w.Tell(cmd)
			if h.Now().Version != before {
				t.Fatal("the same statement again changed something")
			}
		})
	}
}

func TestFoundWhileAPermitIsOut(t *testing.T) {
	w := ledgertest.New(t)
	_, second := resent(t, w, capture)
	w.Found(second.Now(), "ch_1")
	wantState(t, second.Now(), ledger.Dispatched)
	wantRefusal(t, second.Begin(), ledger.ReasonPermitWithdrawn)
	wantOK(t, second.Says(ledger.OutcomeNotSent))
	wantState(t, second.Now(), ledger.CompletedSuccess)
}

// TestPresenceContradicts: any state that says "not", and one that never began, gives way to presence, with an incident.
func TestPresenceContradicts(t *testing.T) {
	for name, outcome := range map[string]ledger.Outcome{"retryable": ledger.OutcomeNotSent, "permanent": ledger.OutcomeRejected, "noop": ledger.OutcomeNoop} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := w.Execute(capture)
			wantOK(t, h.Says(outcome))
			w.Found(h.Now(), "ch_1")
			wantState(t, h.Now(), ledger.CompletedSuccess)
			wantIncidents(t, h.Now(), ledger.IncidentContradiction)
		})
	}
	t.Run("pending", func(t *testing.T) {
		w := ledgertest.New(t)
		c := capture
		c.Tool = c.Tool.With(func(t *ledger.Terms) { t.Executor = registry.Worker })
		a := w.Propose(c)
		w.Found(a.Operation, "ch_1")
		wantState(t, w.Operation(ledgertest.North, a.Operation.ID), ledger.CompletedSuccess)
	})
	t.Run("pending, in progress: unknown, and a person decides", func(t *testing.T) {
		w := ledgertest.New(t)
		c := capture
		c.Tool = c.Tool.With(func(t *ledger.Terms) { t.Executor = registry.Worker })
		o := w.Propose(c).Operation
		w.Tell(w.Statement(o, ledger.SourceLookup, ledger.SaysInProgress, func(s *ledger.Statement) { s.ClientReference = o.ClientReference }))
		o = w.Operation(ledgertest.North, o.ID)
		wantState(t, o, ledger.UnknownOutcome)
		if e := w.Person(o, ledger.SaysNot).Evidence; e.Counted || e.Effect() != ledger.BecameNothing {
			t.Errorf("a person's mere word against what is said to exist: %+v", e)
		}
		o = w.Operation(ledgertest.North, o.ID)
		wantState(t, o, ledger.UnknownOutcome)
		w.Overrule(o, ledger.SaysNot)
		wantState(t, w.Operation(ledgertest.North, o.ID), ledger.FailedRetryable)
	})
	t.Run("not of its own: still said", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(email)
		copied := h.Copy()
		wantOK(t, h.Begin())
		wantOK(t, h.Says(ledger.OutcomeRejected))
		wantRefusal(t, copied.Says(ledger.OutcomeSucceeded), ledger.ReasonStaleAttempt)
		wantState(t, h.Now(), ledger.UnknownOutcome)
		wantDecision(t, w.Propose(email), ledger.DecisionReconciling)
	})
}

func TestPersonSaysNo(t *testing.T) {
	t.Run("of a version that is no more: refused", func(t *testing.T) {
		w := ledgertest.New(t)
		h := silently(t, w, revoke)
		seen := h.Now()
		wantRefusal(t, h.Says(ledger.OutcomeAmbiguous), ledger.ReasonStaleAttempt)
		w.Advance(time.Hour)
		_, err := w.Do(w.Statement(seen, ledger.SourcePerson, ledger.SaysNot))
		wantRefusal(t, err, ledger.ReasonVersionSeenOutdated)
		wantState(t, h.Now(), ledger.UnknownOutcome)
		w.Person(h.Now(), ledger.SaysNot)
		wantState(t, h.Now(), ledger.FailedRetryable)
	})
	t.Run("too early: kept, and does not count", func(t *testing.T) {
		w := ledgertest.New(t)
		h := ambiguously(t, w, email)
		w.Person(h.Now(), ledger.SaysNot)
		wantState(t, h.Now(), ledger.UnknownOutcome)
		w.Advance(time.Minute)
		w.Person(h.Now(), ledger.SaysNot)
		wantState(t, h.Now(), ledger.FailedRetryable)
	})
	t.Run("while a permit is out: kept", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(email)
		w.Person(h.Now(), ledger.SaysNot)
		wantState(t, h.Now(), ledger.Dispatched)
	})
	t.Run("of a silent irreversible attempt: only a person clears it", func(t *testing.T) {
		w := ledgertest.New(t)
		h := silently(t, w, revoke)
		w.Advance(time.Hour)
		w.Person(h.Now(), ledger.SaysNot)
		wantState(t, h.Now(), ledger.FailedRetryable)
	})
	t.Run("of a known success: an incident, and no change", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(capture)
		wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
		w.Person(h.Now(), ledger.SaysNot)
		wantState(t, h.Now(), ledger.CompletedSuccess)
		wantIncidents(t, h.Now(), ledger.IncidentAgainstSuccess)
		if h.Now().Human.Reason != ledger.HumanBadSuccess {
			t.Fatalf("a person is asked: %+v", h.Now().Human)
		}
		w.Person(h.Now(), ledger.SaysHappened)
		if h.Now().Human != nil {
			t.Fatal("the question was answered")
		}
	})
	t.Run("is heard after any number of other statements", func(t *testing.T) {
		w := ledgertest.New(t)
		w.Unaudited = true // hundreds of commits on one operation
		h := silently(t, w, revoke)
		for range ledger.MaxEvidence + 10 {
			w.Tell(w.Statement(h.Now(), ledger.SourceLookup, ledger.SaysUnknown))
		}
		if n := len(h.Now().Evidence); n != ledger.MaxEvidence {
			t.Fatalf("%d statements are kept", n)
		}
		w.Advance(time.Hour)
		w.Person(h.Now(), ledger.SaysNot)
		wantState(t, h.Now(), ledger.FailedRetryable)
		wantOK(t, w.Audit())
	})
}

// TestAcknowledged: what a provider took on is finished by its own last word or a person, or lapses to unknown.
func TestAcknowledged(t *testing.T) {
	for class, call := range ofClass {
		if class == registry.PureRead {
			continue
		}
		t.Run(fmt.Sprintf("%s: absence never clears it", class), func(t *testing.T) {
			w := ledgertest.New(t)
			h := acting(t, call, w.Execute(call))
			wantOK(t, h.Says(ledger.OutcomeAcknowledge))
			o := h.Now()
			wantState(t, o, ledger.Acknowledged)
			if !o.FinishBy.Equal(w.Now.Add(5 * time.Minute)) {
				t.Fatalf("it finishes by %s", o.FinishBy)
			}
			wantDecision(t, w.Propose(call), ledger.DecisionInFlight)
			w.Advance(5 * time.Minute)
			w.RunDue()
			wantState(t, h.Now(), ledger.UnknownOutcome)
			if len(call.Tool.Terms.Lookups) > 0 {
				w.Advance(time.Hour)
				w.NotFound(h.Now(), 0)
				wantState(t, h.Now(), ledger.UnknownOutcome)
			}
			w.Advance(time.Hour)
			w.Person(h.Now(), ledger.SaysNot)
			wantState(t, h.Now(), ledger.FailedRetryable)
		})
	}
	t.Run("the provider's last word counts after the lapse too", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(capture)
		wantOK(t, h.Says(ledger.OutcomeAcknowledge))
		w.Advance(5 * time.Minute)
		w.RunDue()
		wantRefusal(t, h.Says(ledger.OutcomeRejected), ledger.ReasonStaleAttempt)
		wantState(t, h.Now(), ledger.FailedPermanent)
	})
	t.Run("progress keeps it, to a later time if one is stated", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(capture)
		wantOK(t, h.Says(ledger.OutcomeAcknowledge))
		tell := func(within time.Duration) {
			o := h.Now()
			w.Tell(w.Statement(o, ledger.SourceLookup, ledger.SaysInProgress, func(s *ledger.Statement) {
				s.ClientReference, s.FinishWithin = o.ClientReference, within
			}))
			wantState(t, h.Now(), ledger.Acknowledged)
		}
		by := h.Now().FinishBy
		tell(0)
		if !h.Now().FinishBy.Equal(by) {
			t.Fatal("a statement without a time moved it")
		}
		tell(time.Hour)
		if got := h.Now().FinishBy.Sub(w.Now); got != time.Hour {
			t.Fatalf("it finishes in %s", got)
		}
	})
	t.Run("a lookup that finds it in progress", func(t *testing.T) {
		w := ledgertest.New(t)
		h := ambiguously(t, w, email)
		o := h.Now()
		w.Tell(w.Statement(o, ledger.SourceLookup, ledger.SaysInProgress)) // carries nothing of its own
		wantState(t, h.Now(), ledger.UnknownOutcome)
		w.Tell(w.Statement(o, ledger.SourceLookup, ledger.SaysInProgress, func(s *ledger.Statement) { s.ClientReference = o.ClientReference }))
		wantState(t, h.Now(), ledger.Acknowledged)
	})
	t.Run("found in progress, then finished by its own report, which is told twice", func(t *testing.T) {
		w := ledgertest.New(t)
		h := ambiguously(t, w, email)
		o := h.Now()
		w.Tell(w.Statement(o, ledger.SourceLookup, ledger.SaysInProgress, func(s *ledger.Statement) { s.ClientReference = o.ClientReference }))
		r := h.Report(ledger.OutcomeSucceeded, ledgertest.Effect("msg_1"))
		for range 2 {
			_, err := w.Do(r)
			wantOK(t, err)
			wantState(t, h.Now(), ledger.CompletedSuccess)
		}
		if n := len(h.Now().Evidence); n != 1 {
			t.Fatalf("%d statements are kept", n)
		}
	})
	t.Run("late, of an attempt that absence had cleared: open again, and nothing is sent", func(t *testing.T) {
		w := ledgertest.New(t)
		h := silently(t, w, email)
		w.Advance(late)
		w.NotFound(h.Now(), 0)
		wantState(t, h.Now(), ledger.FailedRetryable)
		wantRefusal(t, h.Says(ledger.OutcomeAcknowledge), ledger.ReasonStaleAttempt)
		wantState(t, h.Now(), ledger.UnknownOutcome)
		wantIncidents(t, h.Now(), ledger.IncidentContradiction)
		w.Advance(time.Hour)
		wantDecision(t, w.Propose(email), ledger.DecisionReconciling)
	})
}
