package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestWhenTheEffectWasLearned: at the first word of it, though another attempt still held the permit; where the result came
// before that word, at the word.
func TestWhenTheEffectWasLearned(t *testing.T) {
	t.Run("while another holds the permit", func(t *testing.T) {
		w := ledgertest.New(t)
		first, second := overtaken(t, w, capture)
		learned := w.Now
		wantRefusal(t, first.Says(ledger.OutcomeSucceeded, ledgertest.Effect("ch_1")), ledger.ReasonStaleAttempt)
		w.Advance(10 * time.Second)
		wantOK(t, second.Says(ledger.OutcomeNotSent))
		o := second.Now()
		wantState(t, o, ledger.CompletedSuccess)
		if !o.Result.EffectAt.Equal(learned) {
			t.Errorf("it was learned at %s, want %s", o.Result.EffectAt, learned)
		}
	})
	t.Run("by a word after the result", func(t *testing.T) {
		w := ledgertest.New(t)
		h := w.Execute(capture)
		wantOK(t, h.Says(ledger.OutcomeAcknowledge, ledgertest.Effect("ch_1")))
		w.Advance(time.Minute)
		w.Person(h.Now(), ledger.SaysHappened)
		o := h.Now()
		wantState(t, o, ledger.CompletedSuccess)
		if !o.Result.EffectAt.Equal(w.Now) {
			t.Errorf("it was learned at %s, want %s", o.Result.EffectAt, w.Now)
		}
	})
}

// TestWhatAFinalFailureKeepsOfTheLast: what the provider said, where that is why it failed; nothing of it where it was
// cancelled or waited too long.
func TestWhatAFinalFailureKeepsOfTheLast(t *testing.T) {
	for name, c := range map[string]struct {
		end      func(*testing.T, *ledgertest.World, *ledgertest.Holder)
		category ledger.Category
		keeps    bool
	}{
		"rejected": {func(t *testing.T, w *ledgertest.World, h *ledgertest.Holder) {
			w.Advance(time.Minute)
			again := w.Execute(capture)
			wantOK(t, again.Says(ledger.OutcomeRejected, ids("req_1", "")))
		}, ledger.CategoryProviderRejected, true},
		"cancelled": {func(t *testing.T, w *ledgertest.World, h *ledgertest.Holder) {
			cancel(t, w, h.Operation)
		}, ledger.CategoryCancelled, false},
		"waited too long": {func(_ *testing.T, w *ledgertest.World, _ *ledgertest.Holder) {
			w.Advance(capture.Tool.Terms.RetryMaxAge)
			w.RunDue()
		}, ledger.CategoryExpired, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := w.Execute(capture)
			wantOK(t, h.Says(ledger.OutcomeNotSent, ids("req_1", "")))
			c.end(t, w, h)
			o := h.Now()
			wantState(t, o, ledger.FailedPermanent)
			if f := o.Failure; f.Category != c.category || (f.ProviderRequestID == "req_1") != c.keeps || f.Message == "" {
				t.Errorf("the failure is %+v", f)
			}
		})
	}
}

// TestWhatHasNoBound: a tool without a total time is tried for as long as its attempts last; one whose waits have no bound
// of its own waits for a year at the most.
func TestWhatHasNoBound(t *testing.T) {
	for name, c := range map[string]struct {
		initial, want time.Duration
	}{
		"a short wait":     {10 * time.Minute, 5 * time.Minute}, // half of it, by the drawn share
		"more than a year": {3 * 365 * 24 * time.Hour, 365 * 12 * time.Hour},
	} {
		w := ledgertest.New(t)
		call := capture
		call.Tool = call.Tool.With(func(t *ledger.Terms) { t.MaxElapsed, t.MaxBackoff, t.InitialBackoff = 0, 0, c.initial })
		h := w.Execute(call)
		w.Advance(time.Second)
		wantOK(t, h.Says(ledger.OutcomeNotSent))
		wantState(t, h.Now(), ledger.FailedRetryable)
		if got := h.Now().RetryAt.Sub(w.Now); got != c.want {
			t.Errorf("%s: the next try is in %s, want %s", name, got, c.want)
		}
	}
}

// TestFromWhenALookupCounts: after the last moment of every attempt that may have had the effect, whatever the clocks are
// wrong by; one that had none is not waited for.
func TestFromWhenALookupCounts(t *testing.T) {
	const clockError = 7 * time.Second
	quiet := capture.Tool.Terms.Flight + capture.Tool.Terms.Propagation + clockError
	for outcome, want := range map[ledger.Outcome]time.Duration{ledger.OutcomeNotSent: 0, ledger.OutcomeAmbiguous: quiet} {
		w := ledgertest.New(t)
		w.Env.ClockError = clockError
		_, second := resent(t, w, capture)
		wantOK(t, second.Says(outcome))
		wantState(t, second.Now(), ledger.UnknownOutcome)
		if got := w.Ask(second.Now()).CountsAfter; got != want {
			t.Errorf("the second attempt is %s: a lookup counts after %s, want %s", outcome, got, want)
		}
	}
}
