package ledger_test

import (
	"slices"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/registry"
)

// lost is an operation of which the executor took up the permit, began where it must, and was never heard of again.
func lost(t *testing.T, w *ledgertest.World, c ledgertest.Call) *ledgertest.Holder {
	t.Helper()
	h := acting(t, c, w.Dispatch(enqueue(t, w, c)))
	w.Advance(c.Tool.Terms.PermitDuration)
	w.RunDue()
	wantState(t, h.Now(), ledger.UnknownOutcome)
	return h
}

// asked lists when questions are put, from now, with whatever they are answered.
func asked(t *testing.T, w *ledgertest.World, o *ledger.Operation, n int, says ledger.Says) []time.Duration {
	t.Helper()
	start := w.Now
	var at []time.Duration
	for range n {
		h := putQuestion(t, w, o)
		at = append(at, w.Now.Sub(start))
		if says != "" {
			answers(w, h, says)
		}
	}
	return at
}

// TestQuestionsOfAnUnknownOperation: the first comes soon, one right when "not found" can first count, and between and
// after them their backoff grows. A lost question is put again.
func TestQuestionsOfAnUnknownOperation(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Dispatch(enqueue(t, w, queued(email)))
	wantOK(t, h.Begin())
	wantOK(t, h.Says(ledger.OutcomeAmbiguous)) // its sender has returned: flight and propagation are a minute
	at := asked(t, w, h.Now(), 8, "")
	want := []time.Duration{time.Second, 2500 * time.Millisecond, 5500 * time.Millisecond, 11500 * time.Millisecond, 23500 * time.Millisecond,
		47500 * time.Millisecond, 60 * time.Second, 156 * time.Second}
	if !slices.Equal(at, want) {
		t.Errorf("questions are put at %v, want %v", at, want)
	}
}

func TestQuestionsOfASilentAttempt(t *testing.T) {
	w := ledgertest.New(t)
	h := lost(t, w, queued(email))
	at := asked(t, w, h.Now(), 13, ledger.SaysUnknown)
	if !slices.Contains(at, 11*time.Minute) || !slices.Contains(at, time.Minute) { // with its stall allowance, and without
		t.Errorf("questions are put at %v", at)
	}
	answers(w, putQuestion(t, w, h.Now()), ledger.SaysNot)
	wantState(t, h.Now(), ledger.FailedRetryable)
}

// TestPersonIsAskedWhenQuestionsAreExhausted, well before the tool's own time; questions go on slowly.
func TestPersonIsAskedWhenQuestionsAreExhausted(t *testing.T) {
	w := ledgertest.New(t)
	h := lost(t, w, queued(revoke)) // a silent attempt of class 5 is never cleared by absence
	for h.Now().Human == nil {
		answers(w, putQuestion(t, w, h.Now()), ledger.SaysNot)
	}
	o := h.Now()
	wantState(t, o, ledger.UnknownOutcome)
	if waited := w.Now.Sub(o.StateSince); waited > 30*time.Minute || o.Looking.Late < 3 {
		t.Errorf("a person was asked after %s, with %+v", waited, o.Looking)
	}
	at := asked(t, w, o, 6, ledger.SaysNot)
	if gap := at[5] - at[4]; gap != 45*time.Minute {
		t.Errorf("questions go on every %s", gap)
	}
}

func TestPersonIsAskedWhereNothingElseCanBeTried(t *testing.T) {
	w := ledgertest.New(t)
	c := queued(email)
	c.Tool = c.Tool.With(func(t *ledger.Terms) { t.Lookups = nil })
	h := lost(t, w, c)
	wantWork(t, w, h.Now(), "", 0)
	if h.Now().Human != nil {
		t.Fatal("the attempt may still report")
	}
	w.Advance(11 * time.Minute)
	w.RunDue()
	if h.Now().Human == nil {
		t.Error("nobody is asked although nothing else can be tried")
	}
}

// TestWebhookIsWaitedFor: nobody knows when it comes, so that the tool's own time holds.
func TestWebhookIsWaitedFor(t *testing.T) {
	w := ledgertest.New(t)
	c := queued(email)
	c.Tool = c.Tool.With(func(t *ledger.Terms) {
		t.Lookups, t.WebhookSource = nil, "mailer"
		t.Reconcile = []registry.Strategy{registry.StrategyWebhook, registry.StrategyPerson}
	})
	h := lost(t, w, c)
	due, _ := w.Due(ledgertest.North, h.Operation)
	if in := due.At.Sub(h.Now().StateSince); in != c.Tool.Terms.HumanAfter {
		t.Errorf("a person is asked after %s", in)
	}
}

// TestResendAfterTheLookupsHadTheirTime: an allowed resend waits for the lookup that comes before it, and not where the
// tool puts the resend first; one that a person comes before is never made.
func TestResendAfterTheLookupsHadTheirTime(t *testing.T) {
	const L, R, P = registry.StrategyLookup, registry.StrategyResend, registry.StrategyPerson
	for name, c := range map[string]struct {
		order []registry.Strategy
		wait  time.Duration // after the outcome became unknown
		never bool
	}{
		"the class's order": {nil, 30 * time.Second, false},
		"lookup first":      {[]registry.Strategy{L, R, P}, 30 * time.Second, false},
		"resend first":      {[]registry.Strategy{R, L, P}, 0, false},
		"no lookup":         {[]registry.Strategy{R, P}, 0, false},
		"no resend":         {[]registry.Strategy{L, P}, 0, true},
		"a person first":    {[]registry.Strategy{P, R}, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			call := queued(capture)
			call.Tool = call.Tool.With(func(t *ledger.Terms) { t.Reconcile = c.order })
			h := lost(t, w, call)
			for range 20 {
				work, there := w.Work(h.Now())
				if there && work.Kind == ledger.WorkDispatch {
					break
				}
				if !there || w.Now.Sub(h.Now().StateSince) > time.Hour {
					break
				}
				w.NextWork(h.Now())
				w.TakeUp(h.Now())
			}
			work, there := w.Work(h.Now())
			if c.never {
				if there && work.Kind == ledger.WorkDispatch {
					t.Fatal("it is sent once more")
				}
				return
			}
			if got := work.At.Sub(h.Now().StateSince); work.Kind != ledger.WorkDispatch || got != c.wait {
				t.Fatalf("the work is %s after %s, want a resend after %s", work.Kind, got, c.wait)
			}
			w.NextWork(h.Now())
			if second := w.Dispatch(h.Now()); !second.Now().Attempts[1].Resend {
				t.Error("it is no resend")
			}
		})
	}
}

func TestInternalWritesAreRunAgainAtOnce(t *testing.T) {
	w := ledgertest.New(t)
	h := lost(t, w, queued(upsert))
	wantWork(t, w, h.Now(), ledger.WorkDispatch, 0)
	w.Dispatch(h.Now())
}

// TestProposalsOfAnUnknownQueuedOperation are told that it is being found out, and get neither a permit nor a question.
func TestProposalsOfAnUnknownQueuedOperation(t *testing.T) {
	w := ledgertest.New(t)
	h := lost(t, w, queued(capture))
	w.Advance(time.Hour) // a resend would be allowed
	a := w.Propose(queued(capture))
	wantDecision(t, a, ledger.DecisionReconciling)
	if a.Lookup != nil {
		t.Error("the caller is asked to look")
	}
	w.NextWork(h.Now())
	w.TakeUp(h.Now())
	w.Tell(&ledger.Reconcile{Namespace: ledgertest.North, OperationID: h.Operation})
	if work, _ := w.Work(h.Now()); work.At.After(w.Now) {
		t.Errorf("somebody asked for it now, and it is due in %s", work.At.Sub(w.Now))
	}
}

// TestAcknowledgedIsPolled until its provider has finished, or its time is over.
func TestAcknowledgedIsPolled(t *testing.T) {
	w := ledgertest.New(t)
	h := w.Dispatch(enqueue(t, w, queued(capture)))
	wantOK(t, h.Says(ledger.OutcomeAcknowledge, func(r *ledger.Report) { r.FinishWithin = time.Hour }))
	wantState(t, h.Now(), ledger.Acknowledged)
	for range 4 {
		answers(w, putQuestion(t, w, h.Now()), ledger.SaysInProgress, func(s *ledger.Statement) { s.VendorKey = h.Now().VendorKey })
		wantState(t, h.Now(), ledger.Acknowledged)
	}
	late := w.Clone()
	answers(w, putQuestion(t, w, h.Now()), ledger.SaysHappened, func(s *ledger.Statement) { s.VendorKey, s.EffectID = h.Now().VendorKey, "ch_1" })
	wantState(t, h.Now(), ledger.CompletedSuccess)
	wantWork(t, w, h.Now(), "", 0)

	late.Advance(time.Hour)
	late.RunDue()
	o := late.Operation(ledgertest.North, h.Operation)
	wantState(t, o, ledger.UnknownOutcome)
	if o.Looking == nil || o.Looking.Tries != 0 {
		t.Errorf("the search begins anew: %+v", o.Looking)
	}
}

// TestHowManyQuestionsComeBeforeAPerson: as many empty answers as the tool's lookups ask for, and two more, since one may be
// lost and a provider down.
func TestHowManyQuestionsComeBeforeAPerson(t *testing.T) {
	for empty, want := range map[int]int{0: 3, 1: 3, 3: 5} {
		w := ledgertest.New(t)
		c := queued(revoke) // a silent attempt of class 5 is never cleared by absence
		c.Tool = c.Tool.With(func(t *ledger.Terms) {
			t.Lookups = []registry.Lookup{{By: registry.ByClientReference, EmptyAnswers: empty}, {By: registry.ByObjectID}}
		})
		h := lost(t, w, c)
		for {
			w.NextWork(h.Now())
			if h.Now().Human != nil {
				break
			}
			answers(w, w.TakeUp(h.Now()), ledger.SaysNot)
		}
		if late := h.Now().Looking.Late; late != want {
			t.Errorf("where %d empty answers do, a person is asked after %d questions, want %d", empty, late, want)
		}
	}
}
