package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
)

// bounded is a call of its own to a tool of which, and of whose provider, only so many permits may be out.
func bounded(c ledgertest.Call, i int, change func(*ledger.Terms)) ledgertest.Call {
	c = queued(c)
	c.Tool = c.Tool.With(change)
	c.Key, c.Args = fmt.Sprint(c.Key, i), fmt.Sprintf(`{"i":%d}`, i)
	return c
}

func TestSlotsBoundWhatIsOut(t *testing.T) {
	for name, change := range map[string]func(*ledger.Terms){
		"of the tool":     func(t *ledger.Terms) { t.ToolSlots = 2 },
		"of the provider": func(t *ledger.Terms) { t.ProviderSlots, t.Account = 2, "acct_1" },
	} {
		t.Run(name, func(t *testing.T) {
			w := ledgertest.New(t)
			var holders []*ledgertest.Holder
			for i := range 2 {
				holders = append(holders, w.Dispatch(enqueue(t, w, bounded(capture, i, change))))
			}
			third := enqueue(t, w, bounded(capture, 2, change))
			h := w.TakeUp(third)
			if h.Permit != nil {
				t.Fatal("a third permit is out")
			}
			wantState(t, h.Operation, ledger.PendingDispatch)
			wantWork(t, w, third, ledger.WorkDispatch, time.Second)
			if n := len(w.Decisions()); n != 0 {
				t.Errorf("%d decisions are recorded of what holds for a moment", n)
			}
			wantOK(t, holders[0].Says(ledger.OutcomeSucceeded))
			w.NextWork(third)
			w.Dispatch(third)

			fourth := enqueue(t, w, bounded(capture, 3, change))
			w.Advance(time.Minute) // the others' permits end in silence
			w.RunDue()
			w.Dispatch(fourth)
		})
	}
}

// TestSlotsOfInlineTools: there is no room for the caller's own permit either, and no operation is made.
func TestSlotsOfInlineTools(t *testing.T) {
	w := ledgertest.New(t)
	c := capture
	c.Tool = c.Tool.With(func(t *ledger.Terms) { t.ToolSlots = 1 })
	h := w.Execute(c)
	other := c
	other.Key, other.Args = "another", `{"another":true}`
	a := w.Propose(other)
	wantDecision(t, a, ledger.DecisionRetryLater)
	if a.Rule != "concurrency" || a.RetryAfter != time.Second || a.Operation != nil {
		t.Errorf("the answer is %+v", a)
	}
	_, err := h.Extend(time.Minute) // what is out goes on
	wantOK(t, err)
	wantOK(t, h.Says(ledger.OutcomeNotSent))
	w.Execute(other)
}

func TestProviderRateIsKeptTo(t *testing.T) {
	rate := func(t *ledger.Terms) { t.RateRequests, t.RatePeriod = 3, time.Minute }
	w := ledgertest.New(t)
	for i := range 3 {
		w.Dispatch(enqueue(t, w, bounded(capture, i, rate)))
		w.Advance(time.Second)
	}
	fourth := enqueue(t, w, bounded(capture, 3, rate))
	if h := w.TakeUp(fourth); h.Permit != nil {
		t.Fatal("a fourth request within the minute")
	}
	wantWork(t, w, fourth, ledger.WorkDispatch, time.Minute) // the part of three seconds in which the others lie is counted whole
	w.NextWork(fourth)
	w.Dispatch(fourth)
}

// TestProviderRateProperty: whatever is taken up when, no period holds more requests than the provider states, and a
// provider that nobody sent to for a period is never waited for.
func TestProviderRateProperty(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := ledgertest.New(rt)
		requests := rapid.IntRange(1, 4).Draw(rt, "requests")
		var sent []time.Time
		for i := range rapid.IntRange(1, 30).Draw(rt, "operations") {
			w.Advance(time.Duration(rapid.IntRange(0, 40_000).Draw(rt, "ms")) * time.Millisecond)
			c := bounded(capture, i, func(t *ledger.Terms) { t.RateRequests, t.RatePeriod = requests, time.Minute })
			if h := w.TakeUp(w.Propose(c).Operation); h.Permit == nil {
				if n := len(sent); n == 0 || w.Now.Sub(sent[n-1]) > 63*time.Second {
					rt.Fatalf("it waits although nothing was sent: %s", h.Because)
				}
				continue
			}
			sent = append(sent, w.Now)
			if n := len(sent); n > requests && w.Now.Sub(sent[n-1-requests]) < time.Minute {
				rt.Fatalf("%d requests within %s", requests+1, w.Now.Sub(sent[n-1-requests]))
			}
		}
	})
}

// TestBackpressure: nothing new is taken on for a full queue, and what exists is answered as ever.
func TestBackpressure(t *testing.T) {
	w := ledgertest.New(t)
	c := queued(email)
	full := func(c ledgertest.Call) *ledger.Answer {
		p := w.Command(c)
		p.QueueFull = &ledger.QueueFull{Waiting: 5000, RetryAfter: 7 * time.Second}
		reply, err := w.Do(p)
		wantOK(t, err)
		return reply.(*ledger.Answer)
	}
	a := full(c)
	wantDecision(t, a, ledger.DecisionRetryLater)
	if a.Rule != "backpressure" || a.RetryAfter != 7*time.Second || a.Operation != nil || !a.Recorded {
		t.Errorf("the answer is %+v", a)
	}
	enqueue(t, w, c)
	wantDecision(t, full(c), ledger.DecisionEnqueued)
	inline := capture
	if a := full(inline); a.Decision != ledger.DecisionExecute {
		t.Errorf("a caller that acts itself is answered %s", a.Decision)
	}
}
