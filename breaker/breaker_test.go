package breaker

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

var testSettings = Settings{
	Window: 10 * time.Second, Least: 4, Share: 0.5, FirstPause: 2 * time.Second, LongestPause: 5 * time.Second, ProbeFor: 3 * time.Second,
}

var epoch = time.Unix(1_700_000_000, 0)

// step is one thing that happens to a breaker.
type step struct {
	after   time.Duration // since the step before
	do      string        // good, bad, take, give_back
	passes  bool          // of a take
	state   State         // afterwards
	waiting time.Duration // afterwards
}

func TestABreakersLife(t *testing.T) {
	second := time.Second
	for name, steps := range map[string][]step{
		"few failures say nothing": {{0, "bad", false, Closed, 0}, {0, "bad", false, Closed, 0}, {0, "bad", false, Closed, 0}, {0, "take", true, Closed, 0}},
		"half of enough results opens it": {
			{0, "good", false, Closed, 0}, {0, "good", false, Closed, 0}, {0, "bad", false, Closed, 0}, {0, "bad", false, Open, 2 * second},
			{second, "take", false, Open, second}, {second, "take", true, HalfOpen, 3 * second},
		},
		"less than half does not": {
			{0, "good", false, Closed, 0}, {0, "good", false, Closed, 0}, {0, "good", false, Closed, 0}, {0, "bad", false, Closed, 0}, {0, "bad", false, Closed, 0},
		},
		"a good result opens nothing": {
			{0, "bad", false, Closed, 0}, {0, "bad", false, Closed, 0}, {0, "bad", false, Closed, 0}, {0, "good", false, Closed, 0}, {0, "bad", false, Open, 2 * second},
		},
		"failures leave the window": {
			{0, "bad", false, Closed, 0}, {0, "bad", false, Closed, 0}, {0, "bad", false, Closed, 0}, {10 * second, "bad", false, Closed, 0},
		},
		"one probe passes, and a good one closes": {
			{0, "bad", false, Closed, 0}, {0, "bad", false, Closed, 0}, {0, "bad", false, Closed, 0}, {0, "bad", false, Open, 2 * second},
			{2 * second, "take", true, HalfOpen, 3 * second}, {0, "take", false, HalfOpen, 3 * second}, {0, "good", false, Closed, 0}, {0, "take", true, Closed, 0},
			{0, "bad", false, Closed, 0}, // what was counted before is forgotten
		},
		"a failed probe pauses twice as long, up to the longest": {
			{0, "bad", false, Closed, 0}, {0, "bad", false, Closed, 0}, {0, "bad", false, Closed, 0}, {0, "bad", false, Open, 2 * second},
			{2 * second, "take", true, HalfOpen, 3 * second}, {0, "bad", false, Open, 4 * second},
			{4 * second, "take", true, HalfOpen, 3 * second}, {0, "bad", false, Open, 5 * second},
		},
		"a probe that nobody tells of gives way to another": {
			{0, "bad", false, Closed, 0}, {0, "bad", false, Closed, 0}, {0, "bad", false, Closed, 0}, {0, "bad", false, Open, 2 * second},
			{2 * second, "take", true, HalfOpen, 3 * second}, {2 * second, "take", false, HalfOpen, second}, {second, "take", true, HalfOpen, 3 * second},
		},
		"a probe that came to nothing is given back": {
			{0, "bad", false, Closed, 0}, {0, "bad", false, Closed, 0}, {0, "bad", false, Closed, 0}, {0, "bad", false, Open, 2 * second},
			{2 * second, "take", true, HalfOpen, 3 * second}, {0, "give_back", false, HalfOpen, 0}, {0, "take", true, HalfOpen, 3 * second},
		},
		"what was on its way does not move an open one": {
			{0, "bad", false, Closed, 0}, {0, "bad", false, Closed, 0}, {0, "bad", false, Closed, 0}, {0, "bad", false, Open, 2 * second},
			{second, "good", false, Open, second}, {0, "bad", false, Open, second},
		},
	} {
		t.Run(name, func(t *testing.T) {
			b, now := New(testSettings), epoch
			for i, s := range steps {
				now = now.Add(s.after)
				switch s.do {
				case "good", "bad":
					b.Result(now, s.do == "good")
				case "give_back":
					b.GiveBack(now)
				case "take":
					if passes := b.Take(now); passes != s.passes {
						t.Errorf("step %d: passes is %v", i, passes)
					}
				}
				if got, wait := b.State(now), b.Wait(now); got != s.state || wait != s.waiting {
					t.Errorf("step %d, %s: %v for %v, want %v for %v", i, s.do, got, wait, s.state, s.waiting)
				}
			}
		})
	}
}

// TestABreakerKeepsItsPromises holds sequences of results and requests against what a breaker promises, by a record of
// everything that happened.
func TestABreakerKeepsItsPromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, now := New(testSettings), epoch
		type result struct {
			at   time.Time
			good bool
		}
		var since []result // results since it closed last
		var opened time.Time
		var probed time.Time // when the outstanding probe was taken
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 3000).Draw(t, "ms")) * time.Millisecond)
			before := b.State(now)
			if before == HalfOpen && opened.IsZero() {
				t.Fatal("half open without having been open")
			}
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				passes := b.Take(now)
				switch before {
				case Closed:
					if !passes {
						t.Fatal("a closed breaker held a request up")
					}
				case Open:
					if passes {
						t.Fatal("an open breaker let a request pass")
					}
				case HalfOpen:
					if free := probed.IsZero() || now.Sub(probed) >= testSettings.ProbeFor; passes != free {
						t.Fatalf("a probe passes is %v, with one taken %v ago", passes, now.Sub(probed))
					}
					if passes {
						probed = now
					}
				}
			default:
				good := rapid.Bool().Draw(t, "good")
				b.Result(now, good)
				after := b.State(now)
				if before == HalfOpen || before == Closed {
					since = append(since, result{now, good})
				}
				switch {
				case before == Open && after != Open:
					t.Fatal("a late result moved an open breaker")
				case before == HalfOpen && good != (after == Closed):
					t.Fatalf("a probe's result %v led to %v", good, after)
				case before == Closed:
					// The window slides by slices: it holds at least nine tenths of its length, at most all of it.
					var all, badly, sureAll int
					for _, r := range since {
						age := now.Sub(r.at)
						if age < testSettings.Window {
							all++
							if !r.good {
								badly++
							}
						}
						if age <= testSettings.Window*(buckets-1)/buckets {
							sureAll++
						}
					}
					if after == Open && (good || all < testSettings.Least || badly == 0) {
						t.Fatalf("it opened on %d failures of %d, the last one good: %v", badly, all, good)
					}
					if after == Closed && !good && sureAll >= testSettings.Least && badly == all {
						t.Fatalf("it stayed closed with %d failures of %d", badly, all)
					}
				}
				if after != before {
					since, probed = nil, time.Time{}
				}
				if after == Open && before != Open {
					opened = now
				}
			}
			if wait := b.Wait(now); b.State(now) == Open && (wait <= 0 || wait > testSettings.LongestPause) {
				t.Fatalf("it is open for %v", wait)
			}
		}
	})
}
