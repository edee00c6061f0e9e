package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// overtaken makes an operation whose first attempt never reported and whose second holds the permit.
func overtaken(t *testing.T, w *ledgertest.World, c ledgertest.Call) (first, second *ledgertest.Holder) {
	t.Helper()
	first = silently(t, w, c)
	w.Advance(time.Hour)
	return first, w.Execute(c)
}

// TestALateNoBesideAnAcknowledgement says nothing of what the provider has taken on, which goes on within its time.
func TestALateNoBesideAnAcknowledgement(t *testing.T) {
	w := ledgertest.New(t)
	first, second := overtaken(t, w, capture)
	wantOK(t, second.Says(ledger.OutcomeAcknowledge))
	finishBy := second.Now().FinishBy
	wantRefusal(t, first.Says(ledger.OutcomeNotSent), ledger.ReasonStaleAttempt)
	o := second.Now()
	wantState(t, o, ledger.Acknowledged)
	if o.Attempts[0].Verdict != ledger.VerdictNone || !o.FinishBy.Equal(finishBy) {
		t.Errorf("the first attempt is %s, the second is to finish by %s, want %s", o.Attempts[0].Verdict, o.FinishBy, finishBy)
	}
}

// TestARefusalForTheKeySpeaksForWhatIsOpen: the provider's recorded refusal clears each attempt under the key that may have
// had the effect, behind others too, and none that the provider has taken on.
func TestARefusalForTheKeySpeaksForWhatIsOpen(t *testing.T) {
	recording := capture
	recording.Tool = recording.Tool.With(func(t *ledger.Terms) { t.RecordsRefusal = true })
	for name, c := range map[string]struct {
		make func(*testing.T, *ledgertest.World) *ledgertest.Holder // the attempt that is refused
		want ledger.State
	}{
		"one behind another that sent nothing": {func(t *testing.T, w *ledgertest.World) *ledgertest.Holder {
			wantOK(t, w.Execute(recording).Says(ledger.OutcomeNotSent))
			w.Advance(time.Minute)
			_, last := overtaken(t, w, recording)
			return last
		}, ledger.FailedPermanent},
		"two": {func(t *testing.T, w *ledgertest.World) *ledgertest.Holder {
			_, second := resent(t, w, recording)
			wantOK(t, second.Says(ledger.OutcomeAmbiguous))
			w.Advance(time.Hour)
			return w.Execute(recording)
		}, ledger.FailedPermanent},
		"one that was taken on": {func(t *testing.T, w *ledgertest.World) *ledgertest.Holder {
			wantOK(t, w.Execute(recording).Says(ledger.OutcomeAcknowledge))
			w.Advance(time.Hour) // beyond its time to finish
			w.RunDue()
			w.Advance(time.Minute) // and the wait for a lookup
			return w.Execute(recording)
		}, ledger.UnknownOutcome},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := c.make(t, w)
			wantOK(t, h.Says(ledger.OutcomeRejected))
			wantState(t, h.Now(), c.want)
		})
	}
}

// TestFromWhenARefusalSpeaksForTheKey: from the moment at which nothing of an earlier attempt can still arrive, by whatever
// clock: after its last moment, its stall allowance, the longest flight and the error of the clocks.
func TestFromWhenARefusalSpeaksForTheKey(t *testing.T) {
	c := capture
	c.Tool = c.Tool.With(func(t *ledger.Terms) { t.RecordsRefusal = true })
	const clockError = 7 * time.Second
	quiet := c.Tool.Terms.StallAllowance + c.Tool.Terms.Flight + clockError
	for wait, want := range map[time.Duration]ledger.State{
		quiet - time.Microsecond: ledger.UnknownOutcome,
		quiet:                    ledger.FailedPermanent,
	} {
		w := ledgertest.New(t)
		w.Env.ClockError = clockError
		wantOK(t, w.Execute(c).Says(ledger.OutcomeAmbiguous))
		w.Advance(wait)
		h := w.Execute(c)
		wantOK(t, h.Says(ledger.OutcomeRejected))
		if got := h.Now().State; got != want {
			t.Errorf("sent after %s: %s, want %s", wait, got, want)
		}
	}
}

// TestAnAmbiguousOutcomesBackoff keeps resends apart, and is set by the attempt that held the permit, where its request may be
// sent again under its key.
func TestAnAmbiguousOutcomesBackoff(t *testing.T) {
	for name, c := range map[string]struct {
		make func(*testing.T, *ledgertest.World) *ledgertest.Holder
		want time.Duration // from now; zero: none is set
	}{
		"of a class that is sent again": {func(t *testing.T, w *ledgertest.World) *ledgertest.Holder {
			return ambiguously(t, w, capture)
		}, time.Second}, // half of two seconds
		"of a class that is not": {func(t *testing.T, w *ledgertest.World) *ledgertest.Holder {
			return ambiguously(t, w, email)
		}, 0},
		"told when the permit was over": {func(t *testing.T, w *ledgertest.World) *ledgertest.Holder {
			h := silently(t, w, capture)
			wantRefusal(t, h.Says(ledger.OutcomeAmbiguous), ledger.ReasonStaleAttempt)
			return h
		}, 0},
		"told while another holds the permit": {func(t *testing.T, w *ledgertest.World) *ledgertest.Holder {
			first, _ := overtaken(t, w, capture)
			wantRefusal(t, first.Says(ledger.OutcomeAmbiguous), ledger.ReasonStaleAttempt)
			wantState(t, first.Now(), ledger.Dispatched)
			return first
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			at := c.make(t, w).Now().RetryAt
			if c.want == 0 && !at.IsZero() || c.want > 0 && !at.Equal(w.Now.Add(c.want)) {
				t.Errorf("the next try is at %s, it is %s now; want it in %s", at, w.Now, c.want)
			}
		})
	}
}
