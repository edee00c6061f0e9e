package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestWhenAPersonIsAskedAboutWhatKeepsOthersWaiting: when it has kept one for the tool's time, and not before; never where the
// tool has no such time or nobody is kept, and not once more where a person has been asked already.
func TestWhenAPersonIsAskedAboutWhatKeepsOthersWaiting(t *testing.T) {
	const within = 10 * time.Minute
	for name, c := range map[string]struct {
		after time.Duration // the tool's time
		kept  bool          // another is kept waiting, from the first moment on
		human string        // what a person has been asked before; empty: nothing
		wait  time.Duration
		want  string // what a person has been asked; empty: nothing
	}{
		"nobody is kept":              {within, false, "", within, ""},
		"one is kept, not so long":    {within, true, "", within - time.Microsecond, ""},
		"one is kept":                 {within, true, "", within, ledger.HumanBlocking},
		"the tool has no such time":   {0, true, "", within, ""},
		"a person is asked already":   {within, true, ledger.HumanUnknown, within, ledger.HumanUnknown},
		"one is kept, a person asked": {within, true, ledger.HumanUnknown, 2 * within, ledger.HumanUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			one, other := inGroup(email, "a"), inGroup(capture, "b")
			one.Tool = one.Tool.With(func(t *ledger.Terms) {
				t.BlockedAfter = c.after
				if c.human == ledger.HumanUnknown {
					t.HumanAfter = time.Minute
				}
			})
			h := ambiguously(t, w, one)
			if c.kept {
				wantDecision(t, w.Propose(other), ledger.DecisionBlocked)
			}
			if c.human != "" {
				w.Advance(time.Minute)
				w.RunDue()
				wantHuman(t, h.Now(), c.human)
				w.Advance(-time.Minute)
			}
			w.Advance(c.wait)
			w.Ask(h.Now())
			got := ""
			if human := h.Now().Human; human != nil {
				got = human.Reason
			}
			if got != c.want {
				t.Errorf("a person has been asked %q, want %q", got, c.want)
			}
			asked := 0
			for _, e := range w.Events(h.Namespace, h.Operation) {
				if e.Type == ledger.EventNeedsHuman {
					asked++
				}
			}
			if (c.want == "") != (asked == 0) || asked > 1 {
				t.Errorf("a person has been asked %d times", asked)
			}
		})
	}
}
