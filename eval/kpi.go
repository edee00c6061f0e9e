package eval

import (
	"math"
	"slices"
	"time"
)

// perRuns is the number of runs to which counts are related.
const perRuns = 10_000

// PerTenThousand relates a count to 10,000 runs. It is false where nothing ran: then there is no such figure.
func PerTenThousand(n, runs int) (float64, bool) {
	if runs <= 0 {
		return 0, false
	}
	return float64(n) * perRuns / float64(runs), true
}

// Share is a part of a whole, from 0 to 1. It is false where the whole is empty: none of nothing is neither all nor none.
func Share(part, whole int) (float64, bool) {
	if whole <= 0 {
		return 0, false
	}
	return float64(part) / float64(whole), true
}

// Mean is the arithmetic mean of times; zero where there are none.
func Mean(times []time.Duration) time.Duration {
	if len(times) == 0 {
		return 0
	}
	sum := 0.0 // a sum of durations can overflow, days of virtual time over many runs do
	for _, t := range times {
		sum += float64(t)
	}
	return time.Duration(sum / float64(len(times)))
}

// Percentile is the smallest of the times that at least the share p of them does not exceed (the nearest rank), so it is
// always a time that was measured; zero where there are none.
func Percentile(times []time.Duration, p float64) time.Duration {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	rank := int(math.Ceil(p * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}
