package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// TestWhatAPermitIsCountedBy: a provider that states no rate has none, and a tool's bound counts no requests.
func TestWhatAPermitIsCountedBy(t *testing.T) {
	for name, c := range map[string]struct {
		bound func(*ledger.Terms)
		want  int // rows
		sent  int // that count requests
	}{
		"by nothing":              {func(t *ledger.Terms) {}, 0, 0},
		"a period without a rate": {func(t *ledger.Terms) { t.RatePeriod = time.Minute }, 0, 0},
		"a rate without a period": {func(t *ledger.Terms) { t.RateRequests = 3 }, 0, 0},
		"a rate":                  {func(t *ledger.Terms) { t.RateRequests, t.RatePeriod = 3, time.Minute }, 1, 1},
		"the tool's slots":        {func(t *ledger.Terms) { t.ToolSlots = 2 }, 1, 0},
		"both":                    {func(t *ledger.Terms) { t.ToolSlots, t.RateRequests, t.RatePeriod = 2, 3, time.Minute }, 2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			h := w.Dispatch(enqueue(t, w, bounded(capture, 1, c.bound)))
			slots := h.Now().Attempts[0].Slots
			sent := 0
			for _, id := range slots {
				if row := w.Record(ledger.HistoryKey(ledgertest.North, id)).(*ledger.History); len(row.Sent) > 0 {
					sent++
				}
			}
			if len(slots) != c.want || sent != c.sent {
				t.Errorf("counted in %q, of which %d count requests; want %d and %d", slots, sent, c.want, c.sent)
			}
		})
	}
}

// TestQuestionsCountAgainstTheProvidersRate, also of a tool that has slots of its own, which questions take none of.
func TestQuestionsCountAgainstTheProvidersRate(t *testing.T) {
	w := ledgertest.New(t)
	o := enqueue(t, w, looking(email, func(t *ledger.Terms) {
		t.ToolSlots, t.RateRequests, t.RatePeriod = 1, 2, time.Hour
	}))
	for range 2 {
		answers(w, putQuestion(t, w, o), ledger.SaysUnknown)
	}
	w.NextWork(o)
	if h := w.TakeUp(o); h.Lookup != nil {
		t.Fatal("a third request within the hour")
	}
	w.Advance(2 * time.Hour)
	w.NextWork(o)
	if h := w.TakeUp(o); h.Lookup == nil && h.Permit == nil {
		t.Fatalf("nothing was sent for an hour, and it waits: %+v", h)
	}
}
