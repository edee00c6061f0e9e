package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestWhichAttemptAFoundEffectIsOf: the only one that can have had it, behind others that are known to have had none. Where
// several can have, it is not said which.
func TestWhichAttemptAFoundEffectIsOf(t *testing.T) {
	for name, c := range map[string]struct {
		outcomes []ledger.Outcome // of the attempts, in order
		want     int64
	}{
		"the only attempt":             {[]ledger.Outcome{ledger.OutcomeAmbiguous}, 1},
		"behind one that sent nothing": {[]ledger.Outcome{ledger.OutcomeNotSent, ledger.OutcomeAmbiguous}, 2},
		"before one that sent nothing": {[]ledger.Outcome{ledger.OutcomeAmbiguous, ledger.OutcomeNotSent}, 1},
		"one of two":                   {[]ledger.Outcome{ledger.OutcomeAmbiguous, ledger.OutcomeAmbiguous}, 0},
		"one of two, behind another":   {[]ledger.Outcome{ledger.OutcomeNotSent, ledger.OutcomeAmbiguous, ledger.OutcomeAmbiguous}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			var h *ledgertest.Holder
			for _, outcome := range c.outcomes {
				h = w.Execute(capture)
				wantOK(t, h.Says(outcome))
				w.Advance(time.Hour)
			}
			w.Found(h.Now(), "ch_1")
			o := h.Now()
			wantState(t, o, ledger.CompletedSuccess)
			if len(o.Effects) != 1 || o.Effects[0].Attempt != c.want {
				t.Errorf("the effects are %+v, want one of attempt %d", o.Effects, c.want)
			}
		})
	}
}
