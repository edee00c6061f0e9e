package policy

import (
	"fmt"
	"testing"
	"time"
)

// TestRoomComesWhenEnoughHasLeft: who is told to come back later finds room then, and not before.
func TestRoomComesWhenEnoughHasLeft(t *testing.T) {
	const period = time.Hour
	for name, c := range map[string]struct {
		most, amount int64
		open, past   []int64 // amounts; what is past happened a minute apart, the last one now
		leaves       int     // which of the past has to leave; below zero: only an open one can make room
	}{
		"one over":                      {3, 1, nil, []int64{1, 1, 1}, 0},
		"two over":                      {3, 2, nil, []int64{1, 1, 1}, 1},
		"all over":                      {3, 3, nil, []int64{1, 1, 1}, 2},
		"beside an open one":            {2, 1, []int64{1}, []int64{1}, 0},
		"beside open ones that fill it": {2, 1, []int64{1, 1}, []int64{1}, -1},
		"an old one of many":            {10, 1, nil, []int64{1, 8, 1}, 0},
		"the great one of many":         {10, 3, nil, []int64{1, 8, 1}, 1},
	} {
		b := newBench(t, limited(Limit{Max: c.most, SumOf: "/amount", Period: period}))
		for i, amount := range c.past {
			f := refund(fmt.Sprint("op_past_", i), amount)
			b.release(f)
			b.succeed(f)
			if i < len(c.past)-1 {
				b.now = b.now.Add(time.Minute)
			}
		}
		for i, amount := range c.open {
			b.release(refund(fmt.Sprint("op_open_", i), amount))
		}
		v := b.expect(refund("op_new", c.amount), Later)
		if c.leaves < 0 {
			if v.RetryAfter != 0 {
				t.Errorf("%s: it says %s", name, v.RetryAfter)
			}
			continue
		}
		b.now = b.now.Add(v.RetryAfter - 1)
		b.expect(refund("op_new", c.amount), Later)
		b.now = b.now.Add(1)
		b.expect(refund("op_new", c.amount), Pass)
		// A bucket of an hour's sliding period is a minute wide, and leaves as a whole.
		if left := b.now.Sub(start); left != period+time.Duration(c.leaves+1)*time.Minute {
			t.Errorf("%s: there is room after %s", name, left)
		}
	}
}

// TestNobodyWaitsForOnesOwnToLeave: what one's earlier revisions did counts not at all, so nothing is gained when it leaves.
func TestNobodyWaitsForOnesOwnToLeave(t *testing.T) {
	b := newBench(t, limited(Limit{Max: 10, SumOf: "/amount", Period: time.Hour}))
	for _, f := range []Facts{refund("op_other", 5), refund("op_1", 5)} {
		b.release(f)
		b.succeed(f)
		b.now = b.now.Add(10 * time.Minute)
	}
	revision := refund("op_2", 6)
	revision.Root, revision.Revision = "op_1", 2
	if v := b.expect(revision, Later); !b.now.Add(v.RetryAfter).Equal(start.Add(time.Hour + time.Minute)) {
		t.Errorf("it waits for %s, and the other's refund has left after an hour and its minute", v.RetryAfter)
	}
}

// TestARowIsEmptyWhenNothingCounts: it may go then, and not while something is open or has happened.
func TestARowIsEmptyWhenNothingCounts(t *testing.T) {
	open, past := []Hold{{Root: "op_1", Operation: "op_1"}}, []Past{{At: start, Root: "op_2", Operation: "op_2"}}
	if !(History{}).Empty() || (History{Open: open}).Empty() || (History{Past: past}).Empty() || (History{Open: open, Past: past}).Empty() {
		t.Error("a row is empty if nothing is open in it and nothing has happened")
	}
}

// TestACounterNamesTheNewest: by its name an operation's end that is told twice counts once; beyond so many they are sums.
func TestACounterNamesTheNewest(t *testing.T) {
	ch, h := Charge{Kind: ChargeCounter, Amount: 1, Period: day}, History{}
	const operations = namedInCounter + 3
	for i := range operations {
		op := fmt.Sprint("op_", i)
		h = h.Settle(ch, op, op, start.Add(time.Duration(i)*time.Second), start.Add(time.Hour))
	}
	named, sums, total := 0, 0, int64(0)
	for i, past := range h.Past {
		if past.Root != "" {
			named++
		} else if sums++; i != 0 {
			t.Errorf("the sum of the oldest stands in place %d", i)
		}
		total += past.Sum
	}
	if named != namedInCounter || sums != 1 || total != operations {
		t.Errorf("%d are named, beside %d sums; all count %d", named, sums, total)
	}
	if again := h.Settle(ch, "op_66", "op_66", start.Add(66*time.Second), start.Add(time.Hour)); len(again.Past) != len(h.Past) || again.counted(asker{}, ch.period(), start.Add(time.Hour)) != operations {
		t.Errorf("an end that was told twice counts twice: %+v", again.Past)
	}
}
