package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

// TestReportOutcomes is the first table of the design's section 6.1, for each class: the next state where no other
// attempt is open.
func TestReportOutcomes(t *testing.T) {
	next := map[ledger.Outcome]ledger.State{
		ledger.OutcomeSucceeded:   ledger.CompletedSuccess,
		ledger.OutcomeNoop:        ledger.CompletedNoop,
		ledger.OutcomeAcknowledge: ledger.Acknowledged,
		ledger.OutcomeNotSent:     ledger.FailedRetryable,
		ledger.OutcomeRejected:    ledger.FailedPermanent,
		ledger.OutcomeRateLimited: ledger.FailedRetryable,
		ledger.OutcomeDeclined:    ledger.FailedRetryable,
	}
	ambiguous := map[registry.Class]ledger.State{
		registry.PureRead:                   ledger.FailedRetryable,
		registry.InternalDeterministicWrite: ledger.UnknownOutcome,
		registry.ExternalIdempotentWrite:    ledger.UnknownOutcome,
		registry.ExternalNonIdempotentWrite: ledger.UnknownOutcome,
		registry.Irreversible:               ledger.UnknownOutcome,
	}
	for class, call := range ofClass {
		next[ledger.OutcomeAmbiguous] = ambiguous[class]
		for outcome, want := range next {
			t.Run(fmt.Sprintf("%s/%s", class, outcome), func(t *testing.T) {
				w := ledgertest.New(t)
				h := acting(t, call, w.Execute(call))
				r := h.Report(outcome)
				_, err := w.Do(r)
				wantOK(t, err)
				wantState(t, h.Now(), want)
				before := h.Now().Version
				_, err = w.Do(r) // the same again is one event
				wantOK(t, err)
				if h.Now().Version != before {
					t.Fatal("the repeat changed something")
				}
			})
		}
	}
}

// TestReportBesideAnOpenAttempt: an attempt speaks for itself alone.
func TestReportBesideAnOpenAttempt(t *testing.T) {
	for outcome, want := range map[ledger.Outcome]ledger.State{
		ledger.OutcomeSucceeded:   ledger.CompletedSuccess,
		ledger.OutcomeNoop:        ledger.UnknownOutcome,
		ledger.OutcomeAcknowledge: ledger.Acknowledged,
		ledger.OutcomeNotSent:     ledger.UnknownOutcome,
		ledger.OutcomeRejected:    ledger.UnknownOutcome,
		ledger.OutcomeRateLimited: ledger.UnknownOutcome,
		ledger.OutcomeDeclined:    ledger.UnknownOutcome,
		ledger.OutcomeAmbiguous:   ledger.UnknownOutcome,
	} {
		t.Run(string(outcome), func(t *testing.T) {
			w := ledgertest.New(t)
			_, second := resent(t, w, capture)
			wantOK(t, second.Says(outcome))
			wantState(t, second.Now(), want)
		})
	}
}

// resent makes an operation whose first attempt is open and whose second holds the permit.
func resent(t *testing.T, w *ledgertest.World, c ledgertest.Call) (first, second *ledgertest.Holder) {
	t.Helper()
	first = w.Execute(c)
	wantOK(t, first.Says(ledger.OutcomeAmbiguous))
	w.Advance(time.Hour)
	return first, w.Execute(c)
}

func TestReportNoopAttributedLater(t *testing.T) {
	w := ledgertest.New(t)
	_, second := resent(t, w, capture)
	wantOK(t, second.Says(ledger.OutcomeNoop))
	w.Found(second.Now(), "ch_1")
	wantState(t, second.Now(), ledger.CompletedSuccess)
}

func TestReportRecordedRefusalSpeaksForTheKey(t *testing.T) {
	for name, tc := range map[string]struct {
		records bool
		wait    time.Duration
		want    ledger.State
	}{
		"sent after the first could still arrive":   {true, time.Hour, ledger.FailedPermanent},
		"sent while the first could still arrive":   {true, 10 * time.Minute, ledger.UnknownOutcome},
		"a provider that does not record a refusal": {false, time.Hour, ledger.UnknownOutcome},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			c := capture
			c.Tool = c.Tool.With(func(t *ledger.Terms) { t.RecordsRefusal = tc.records })
			first := w.Execute(c)
			wantOK(t, first.Says(ledger.OutcomeAmbiguous))
			w.Advance(tc.wait)
			wantOK(t, w.Execute(c).Says(ledger.OutcomeRejected))
			wantState(t, first.Now(), tc.want)
		})
	}
}

// TestReportStale: a report of a lost permit is refused and kept, also when it is repeated, and is used.
func TestReportStale(t *testing.T) {
	for outcome, want := range map[ledger.Outcome]ledger.State{
		ledger.OutcomeSucceeded:   ledger.CompletedSuccess,
		ledger.OutcomeNotSent:     ledger.FailedRetryable,
		ledger.OutcomeRejected:    ledger.FailedPermanent,
		ledger.OutcomeAcknowledge: ledger.Acknowledged,
		ledger.OutcomeAmbiguous:   ledger.UnknownOutcome,
	} {
		t.Run(string(outcome), func(t *testing.T) {
			w := ledgertest.New(t)
			h := w.Execute(email)
			wantOK(t, h.Begin())
			w.Advance(2 * time.Minute)
			r := h.Report(outcome)
			_, err := w.Do(r)
			wantRefusal(t, err, ledger.ReasonStaleAttempt)
			wantState(t, h.Now(), want)
			evidence := h.Now().Evidence
			if len(evidence) != 1 || evidence[0].Source != ledger.SourceLateReport {
				t.Fatalf("the evidence is %+v", evidence)
			}
			before := h.Now().Version
			_, err = w.Do(r)
			wantRefusal(t, err, ledger.ReasonStaleAttempt)
			r.ReportID = "another id of the same"
			_, err = w.Do(r)
			wantRefusal(t, err, ledger.ReasonStaleAttempt)
			if h.Now().Version != before {
				t.Fatal("the repeat changed something")
			}
		})
	}
}

func TestReportStaleNoWhileAnotherIsLive(t *testing.T) {
	w := ledgertest.New(t)
	first := w.Execute(capture)
	w.Advance(time.Hour)
	w.RunDue()
	w.Advance(time.Minute)
	second := w.Execute(capture)
	wantRefusal(t, first.Says(ledger.OutcomeRateLimited, func(r *ledger.Report) { r.RetryAfter = 10 * time.Hour }), ledger.ReasonStaleAttempt)
	wantState(t, second.Now(), ledger.Dispatched)
	wantOK(t, second.Says(ledger.OutcomeNotSent))
	o := second.Now()
	wantState(t, o, ledger.FailedRetryable) // both are known without effect now
	if o.RetryAt.After(w.Now.Add(time.Minute)) || o.Failure.Category != ledger.CategoryNotSent {
		t.Fatalf("an earlier attempt's report decides the next try: %s, %+v", o.RetryAt, o.Failure)
	}
}

// TestReportFirstStands: a later report adds an effect or finishes an acknowledgement, and never takes an effect away.
func TestReportFirstStands(t *testing.T) {
	for name, tc := range map[string]struct {
		first, second ledger.Outcome
		want          ledger.State
		incidents     []string
	}{
		"ambiguous, then no":            {ledger.OutcomeAmbiguous, ledger.OutcomeNotSent, ledger.UnknownOutcome, nil},
		"ambiguous, then success":       {ledger.OutcomeAmbiguous, ledger.OutcomeSucceeded, ledger.CompletedSuccess, nil},
		"success, then no":              {ledger.OutcomeSucceeded, ledger.OutcomeRejected, ledger.CompletedSuccess, nil},
		"no, then success":              {ledger.OutcomeRejected, ledger.OutcomeSucceeded, ledger.CompletedSuccess, []string{ledger.IncidentContradiction}},
		"not sent, then success":        {ledger.OutcomeNotSent, ledger.OutcomeSucceeded, ledger.CompletedSuccess, []string{ledger.IncidentContradiction}},
		"noop, then success":            {ledger.OutcomeNoop, ledger.OutcomeSucceeded, ledger.CompletedSuccess, []string{ledger.IncidentContradiction}},
		"acknowledged, then success":    {ledger.OutcomeAcknowledge, ledger.OutcomeSucceeded, ledger.CompletedSuccess, nil},
		"acknowledged, then rejected":   {ledger.OutcomeAcknowledge, ledger.OutcomeRejected, ledger.FailedPermanent, nil},
		"acknowledged, then declined":   {ledger.OutcomeAcknowledge, ledger.OutcomeDeclined, ledger.FailedRetryable, nil},
		"acknowledged, never not sent":  {ledger.OutcomeAcknowledge, ledger.OutcomeNotSent, ledger.Acknowledged, nil},
		"acknowledged, never ambiguous": {ledger.OutcomeAcknowledge, ledger.OutcomeAmbiguous, ledger.Acknowledged, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := w.Execute(email)
			wantOK(t, h.Begin())
			wantOK(t, h.Says(tc.first))
			_ = h.Says(tc.second) // refused as stale or not, it is kept
			wantState(t, h.Now(), tc.want)
			wantIncidents(t, h.Now(), tc.incidents...)
		})
	}
}

// TestReportOfOneWhoDoesNotSpeak: a copy of the permit, or a layer round a running sender, counts for presence and
// acknowledgement only.
func TestReportOfOneWhoDoesNotSpeak(t *testing.T) {
	copied := func(t *testing.T) (*ledgertest.Holder, *ledgertest.Holder) {
		w := ledgertest.New(t)
		h := w.Execute(email)
		c := h.Copy()
		wantOK(t, h.Begin())
		return h, c
	}
	for outcome, want := range map[ledger.Outcome]ledger.State{
		ledger.OutcomeNotSent: ledger.Dispatched, ledger.OutcomeRejected: ledger.Dispatched, ledger.OutcomeNoop: ledger.Dispatched,
		ledger.OutcomeAmbiguous: ledger.Dispatched, ledger.OutcomeAcknowledge: ledger.Dispatched, ledger.OutcomeSucceeded: ledger.Dispatched,
	} {
		t.Run("copy says "+string(outcome), func(t *testing.T) {
			h, c := copied(t)
			wantOK(t, c.Says(outcome))
			wantState(t, h.Now(), want)
			wantOK(t, h.Says(ledger.OutcomeNotSent))
			after := ledger.FailedRetryable
			switch outcome {
			case ledger.OutcomeSucceeded:
				after = ledger.UnknownOutcome // said to exist, and not attributable
			case ledger.OutcomeAcknowledge:
				after = ledger.Acknowledged // only the provider's last word ends what it took on
			}
			wantState(t, h.Now(), after)
		})
	}
	t.Run("a layer round a running sender", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(capture)
		wantOK(t, h.Says(ledger.OutcomeNotSent, ledgertest.StillRunning))
		wantState(t, h.Now(), ledger.Dispatched)
		wantOK(t, h.Says(ledger.OutcomeAmbiguous, ledgertest.StillRunning))
		wantState(t, h.Now(), ledger.UnknownOutcome) // the permit is given up, and its sender may send until the deadline
		l := w.Ask(h.Now())
		if want := time.Minute + 10*time.Minute + 30*time.Second; l.CountsAfter != want {
			t.Fatalf("not found counts after %s, want %s", l.CountsAfter, want)
		}
	})
	t.Run("a report without the begin that was required ends nobody's sending", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(email)
		wantOK(t, h.Says(ledger.OutcomeAmbiguous))
		if l := w.Ask(h.Now()); l.CountsAfter != 2*time.Minute { // deadline, flight and propagation
			t.Fatalf("not found counts after %s", l.CountsAfter)
		}
	})
	t.Run("of a keyed permit that went out twice nobody says no", func(t *testing.T) {
		w := ledgertest.New(t)
		c := capture
		c.Request = "r-1"
		h := w.Execute(c)
		wantDecision(t, w.Propose(c), ledger.DecisionExecute)
		wantOK(t, h.Begin()) // a begin that nobody required tells nothing of the other copy
		wantOK(t, h.Says(ledger.OutcomeRejected))
		wantState(t, h.Now(), ledger.Dispatched)
		w.Advance(time.Minute)
		w.RunDue()
		wantState(t, h.Now(), ledger.UnknownOutcome)
	})
}

func TestReportRetryTimes(t *testing.T) {
	for name, tc := range map[string]struct {
		outcome ledger.Outcome
		after   time.Duration
		jitter  float64
		want    time.Duration
	}{
		"half of the first backoff":            {ledger.OutcomeNotSent, 0, 0.5, time.Second},
		"no jitter, at once":                   {ledger.OutcomeNotSent, 0, 0, 0},
		"retry-after, and a share of backoff":  {ledger.OutcomeRateLimited, 30 * time.Second, 0.5, 31 * time.Second},
		"declined with a time of its provider": {ledger.OutcomeDeclined, 90 * time.Second, 0, 90 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := w.Execute(capture)
			wantOK(t, h.Says(tc.outcome, func(r *ledger.Report) { r.RetryAfter, r.Jitter = tc.after, tc.jitter }))
			if got := h.Now().RetryAt.Sub(w.Now); got != tc.want {
				t.Fatalf("the next try is in %s, want %s", got, tc.want)
			}
			if tc.want == 0 {
				wantDecision(t, w.Propose(capture), ledger.DecisionExecute)
				return
			}
			a := w.Propose(capture)
			wantDecision(t, a, ledger.DecisionRetryLater)
			if a.RetryAfter != tc.want || a.Told.NextAfter != tc.want {
				t.Fatalf("try again in %s (%s), want %s", a.RetryAfter, a.Told.NextAfter, tc.want)
			}
			w.Advance(tc.want)
			wantDecision(t, w.Propose(capture), ledger.DecisionExecute)
		})
	}
	t.Run("backoff grows and is bounded", func(t *testing.T) {
		w := ledgertest.New(t)
		c := capture
		c.Tool = c.Tool.With(func(t *ledger.Terms) { t.MaxAttempts, t.MaxBackoff, t.Multiplier = 30, 10*time.Second, 10 })
		var all []time.Duration
		for range 4 {
			h := w.Execute(c)
			wantOK(t, h.Says(ledger.OutcomeNotSent, func(r *ledger.Report) { r.Jitter = 0.999 }))
			all = append(all, h.Now().RetryAt.Sub(w.Now))
			w.Advance(time.Minute)
		}
		if !(all[0] < 2*time.Second && all[1] > 9*time.Second && all[3] < 10*time.Second && all[1] == all[3]) {
			t.Fatalf("the waits are %v", all)
		}
	})
}

func TestAttemptsExhausted(t *testing.T) {
	t.Run("known without effect: failed for good", func(t *testing.T) {
		w := ledgertest.New(t)
		var h *ledgertest.Holder
		for range email.Tool.Terms.MaxAttempts {
			h = w.Execute(email)
			wantOK(t, h.Says(ledger.OutcomeNotSent))
			w.Advance(time.Hour)
		}
		wantState(t, h.Now(), ledger.FailedPermanent)
		if f := h.Now().Failure; f.Category != ledger.CategoryAttemptsExhausted {
			t.Fatalf("the failure is %+v", f)
		}
		wantDecision(t, w.Propose(email), ledger.DecisionReplayed)
	})
	t.Run("unknown: a person is asked", func(t *testing.T) {
		w := ledgertest.New(t)
		var h *ledgertest.Holder
		for range upsert.Tool.Terms.MaxAttempts {
			h = w.Execute(upsert)
			wantOK(t, h.Says(ledger.OutcomeAmbiguous))
		}
		wantDecision(t, w.Propose(upsert), ledger.DecisionReconciling)
		w.Advance(upsert.Tool.Terms.HumanAfter)
		w.RunDue()
		if h := h.Now().Human; h == nil || h.Reason != ledger.HumanUnknown || h.Owner != "payments" || h.Escalated {
			t.Fatalf("a person is asked: %+v", h)
		}
		w.Advance(upsert.Tool.Terms.HumanDue)
		w.RunDue()
		if !h.Now().Human.Escalated {
			t.Fatal("nobody answered, and it was not escalated")
		}
		if a := w.Propose(upsert); a.Told.NextAction != ledger.NextAskPerson {
			t.Fatalf("the caller is told to %s", a.Told.NextAction)
		}
		w.Person(h.Now(), ledger.SaysHappened)
		if o := h.Now(); o.State != ledger.CompletedSuccess || o.Human != nil {
			t.Fatalf("after the answer: %s, %+v", o.State, o.Human)
		}
	})
	t.Run("total time is over", func(t *testing.T) {
		w := ledgertest.New(t)
		c := email
		c.Tool = c.Tool.With(func(t *ledger.Terms) { t.MaxElapsed = 30 * time.Minute })
		h := w.Execute(c)
		wantOK(t, h.Says(ledger.OutcomeNotSent))
		w.Advance(30 * time.Minute)
		w.RunDue()
		if f := h.Now().Failure; h.Now().State != ledger.FailedPermanent || f.Category != ledger.CategoryAttemptsExhausted {
			t.Fatalf("%s, %+v", h.Now().State, f)
		}
	})
}

func TestDetectedDuplicates(t *testing.T) {
	effects := func(first, second func(*ledger.Report)) func(t *testing.T, w *ledgertest.World) *ledgertest.Holder {
		return func(t *testing.T, w *ledgertest.World) *ledgertest.Holder {
			one, two := resent(t, w, capture)
			wantOK(t, two.Says(ledger.OutcomeSucceeded, second))
			_ = one.Says(ledger.OutcomeSucceeded, first)
			return one
		}
	}
	none := func(*ledger.Report) {}
	replayed := func(r *ledger.Report) { r.Replayed = true }
	for name, tc := range map[string]struct {
		make func(t *testing.T, w *ledgertest.World) *ledgertest.Holder
		want []string
	}{
		"two objects":                     {effects(ledgertest.Effect("ch_1"), ledgertest.Effect("ch_2")), []string{ledger.IncidentDuplicate}},
		"one object told twice":           {effects(ledgertest.Effect("ch_1"), ledgertest.Effect("ch_1")), nil},
		"two claims without an object":    {effects(none, none), []string{ledger.IncidentDuplicate}},
		"an object, and a claim without":  {effects(ledgertest.Effect("ch_1"), none), []string{ledger.IncidentDuplicate}},
		"a claim without, and an object":  {effects(none, ledgertest.Effect("ch_1")), []string{ledger.IncidentDuplicate}},
		"two claims, one said replayed":   {effects(none, replayed), nil},
		"the provider replayed the first": {effects(replayed, none), nil},
		"a third claim, beside a replay and one that is none": {func(t *testing.T, w *ledgertest.World) *ledgertest.Holder {
			one, two := resent(t, w, capture)
			wantOK(t, two.Says(ledger.OutcomeAmbiguous))
			w.Advance(time.Hour)
			three := w.Execute(capture)
			wantOK(t, three.Says(ledger.OutcomeSucceeded))
			_ = one.Says(ledger.OutcomeSucceeded, replayed)
			_ = two.Says(ledger.OutcomeSucceeded)
			return one
		}, []string{ledger.IncidentDuplicate}},
		"a lookup finds another object": {func(t *testing.T, w *ledgertest.World) *ledgertest.Holder {
			h := w.Execute(capture)
			wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
			w.Found(h.Now(), "ch_2")
			return h
		}, []string{ledger.IncidentDuplicate}},
		"a read that is answered twice": {func(t *testing.T, w *ledgertest.World) *ledgertest.Holder {
			first := w.Execute(read)
			wantOK(t, first.Says(ledger.OutcomeAmbiguous))
			w.Advance(time.Minute)
			wantOK(t, w.Execute(read).Says(ledger.OutcomeSucceeded, ledgertest.Effect("order_1")))
			wantRefusal(t, first.Says(ledger.OutcomeSucceeded, ledgertest.Effect("order_2")), ledger.ReasonStaleAttempt)
			return first
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := tc.make(t, w)
			wantState(t, h.Now(), ledger.CompletedSuccess)
			wantIncidents(t, h.Now(), tc.want...)
			if asked := h.Now().Human != nil; asked != (len(tc.want) > 0) {
				t.Fatalf("a person is asked: %t", asked)
			}
		})
	}
}

func TestEffectOfAnotherOperation(t *testing.T) {
	other := capture
	other.Key, other.Args = "payment:order_9", `{"order_id":"order_9"}`
	for name, say := range map[string]func(t *testing.T, w *ledgertest.World, h *ledgertest.Holder){
		"a report": func(t *testing.T, w *ledgertest.World, h *ledgertest.Holder) {
			wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
		},
		"a lookup": func(t *testing.T, w *ledgertest.World, h *ledgertest.Holder) {
			wantOK(t, h.Says(ledger.OutcomeAmbiguous))
			w.Found(h.Now(), "ch_1")
		},
		"a person": func(t *testing.T, w *ledgertest.World, h *ledgertest.Holder) {
			wantOK(t, h.Says(ledger.OutcomeAmbiguous))
			w.Tell(w.Statement(h.Now(), ledger.SourcePerson, ledger.SaysHappened, func(s *ledger.Statement) { s.EffectID = "ch_1" }))
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			wantOK(t, w.Execute(capture).Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
			h := w.Execute(other)
			say(t, w, h)
			o := h.Now()
			wantState(t, o, ledger.UnknownOutcome) // something exists, and it is not this operation's
			if o.Human == nil || o.Human.Reason != ledger.HumanUnmatched || o.Incidents[0].Kind != ledger.IncidentEffectElsewhere {
				t.Fatalf("a person is asked: %+v; incidents %+v", o.Human, o.Incidents)
			}
			w.Advance(time.Hour)
			wantDecision(t, w.Propose(other), ledger.DecisionReconciling) // no resend either
			w.Advance(time.Hour)
			w.Overrule(h.Now(), ledger.SaysNot)
			if o := h.Now(); o.State != ledger.FailedRetryable || o.Human != nil {
				t.Fatalf("an authorized person overrules: %s, %+v", o.State, o.Human)
			}
		})
	}
	t.Run("a report of a running sender, told twice, is one", func(t *testing.T) {
		w := ledgertest.New(t)
		wantOK(t, w.Execute(capture).Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
		h := w.Execute(other)
		r := h.Report(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1"), ledgertest.StillRunning)
		_, err := w.Do(r)
		wantOK(t, err)
		before := h.Now().Version
		_, err = w.Do(r)
		wantOK(t, err)
		if h.Now().Version != before {
			t.Fatal("the repeat changed something")
		}
	})
	t.Run("tools without a provider have numbers of their own", func(t *testing.T) {
		w := ledgertest.New(t)
		for _, name := range []string{"a.insert", "b.insert"} {
			c := upsert
			c.Tool = c.Tool.With(func(t *ledger.Terms) { t.Provider = "" })
			c.Tool.Name, c.Key = name, name
			h := w.Execute(c)
			wantOK(t, h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("1")))
			wantState(t, h.Now(), ledger.CompletedSuccess)
		}
	})
	t.Run("two that report one object in one transaction", func(t *testing.T) {
		w := ledgertest.New(t)
		a, b := w.Execute(capture), w.Execute(other)
		out := w.DoAll(a.Report(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")), b.Report(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")))
		wantOK(t, out[0].Err)
		wantOK(t, out[1].Err)
		wantState(t, a.Now(), ledger.CompletedSuccess)
		wantState(t, b.Now(), ledger.UnknownOutcome)
	})
}

func TestReportResultOfTheFirstEffectStands(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Execute(capture)
	wantOK(t, h.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1"), func(r *ledger.Report) { r.RequestRef = "req_1" }))
	w.Advance(time.Second)
	wantOK(t, h.Says(ledger.OutcomeSucceeded, func(r *ledger.Report) { r.ResultJSON = []byte(`{"paid":true}`) }))
	first := h.Now().Result
	if string(first.JSON) != `{"paid":true}` || first.ProviderRequestID != "req_1" || !first.EffectAt.Equal(w.Now) {
		t.Fatalf("the result is %+v", first)
	}
	w.Advance(time.Second)
	_ = h.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_2"), func(r *ledger.Report) { r.ResultJSON = []byte(`{"paid":"twice"}`) })
	if second := h.Now().Result; string(second.JSON) != string(first.JSON) || !second.EffectAt.Equal(first.EffectAt) {
		t.Fatalf("the result is %+v", second)
	}
}
