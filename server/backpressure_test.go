package server

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
)

func waiting(n int64) []ledger.QueueDepth {
	return []ledger.QueueDepth{
		{Queue: ledger.Queue{Namespace: "shop", Tool: "mail", Kind: ledger.WorkDispatch}, Waiting: n - n/2},
		{Queue: ledger.Queue{Namespace: "shop", Tool: "mail", Kind: ledger.WorkLookup}, Waiting: n / 2},
		{Queue: ledger.Queue{Namespace: "shop", Tool: "other", Kind: ledger.WorkDispatch}, Waiting: 1},
	}
}

// TestTheHintFollowsHowFastAQueueDrains: counts come every five seconds.
func TestTheHintFollowsHowFastAQueueDrains(t *testing.T) {
	for name, c := range map[string]struct {
		counts []int64
		full   bool
		hint   time.Duration
	}{
		"nothing is counted yet":               {nil, false, 0},
		"there is room":                        {[]int64{999}, false, 0},
		"it is full, and nobody knows for how": {[]int64{1000}, true, unknownHint},
		"it grows":                             {[]int64{1000, 1200}, true, unknownHint},
		"it drains":                            {[]int64{1150, 1100}, true, 20 * time.Second}, // 10 a second; 200 until a tenth is free
		"it drains slower than before":         {[]int64{1210, 1110, 1100}, true, 200 * time.Second / 11},
		"it hardly drains":                     {[]int64{2001, 2000}, true, longestHint},
		"it drains fast":                       {[]int64{500000, 1000}, true, shortestHint},
		"it has drained":                       {[]int64{1200, 900}, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			now := time.Unix(1_700_000_000, 0)
			b := newBackpressure(1000, nil, nil, nil)
			for _, n := range c.counts {
				b.learn(waiting(n), now)
				now = now.Add(5 * time.Second)
			}
			got := b.full("shop", "mail")
			if (got != nil) != c.full {
				t.Fatalf("full is %+v", got)
			}
			if c.full && (got.RetryAfter.Round(time.Millisecond) != c.hint.Round(time.Millisecond) || got.Waiting != c.counts[len(c.counts)-1]) {
				t.Errorf("got %+v, want a hint of %v", got, c.hint)
			}
			if b.full("shop", "other") != nil || b.full("other", "mail") != nil {
				t.Error("another queue is full as well")
			}
		})
	}
}

func TestWithoutALimitNothingIsFull(t *testing.T) {
	b := newBackpressure(0, nil, nil, nil)
	b.learn(waiting(1_000_000), time.Unix(1, 0))
	if got := b.full("shop", "mail"); got != nil {
		t.Errorf("full is %+v", got)
	}
}
