package bench

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// unit is one unit of work, done by one of the concurrent workers.
type unit func(ctx context.Context, worker int) error

// sample is what one measurement came to.
type sample struct {
	units    int
	elapsed  time.Duration
	p50, p99 time.Duration
}

// rate is units per second.
func (s sample) rate() float64 {
	if s.elapsed == 0 {
		return 0
	}
	return float64(s.units) / s.elapsed.Seconds()
}

// measure lets so many workers do units one after the other for the stated time, those under way to their end. The first
// error ends it.
func measure(ctx context.Context, concurrency int, duration time.Duration, do unit) (sample, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	latencies := make([][]time.Duration, concurrency)
	failures := make([]error, concurrency)
	var workers sync.WaitGroup
	began := time.Now()
	for w := range concurrency {
		workers.Go(func() {
			for ctx.Err() == nil && time.Since(began) < duration {
				at := time.Now()
				if err := do(ctx, w); err != nil {
					failures[w] = err
					cancel()
					return
				}
				latencies[w] = append(latencies[w], time.Since(at))
			}
		})
	}
	workers.Wait()
	elapsed := time.Since(began)
	if err := firstCause(failures); err != nil {
		return sample{}, err
	}
	all := slices.Concat(latencies...)
	slices.Sort(all)
	return sample{units: len(all), elapsed: elapsed, p50: percentile(all, 50), p99: percentile(all, 99)}, ctx.Err()
}

// firstCause prefers an error to the cancellations that follow from it.
func firstCause(failures []error) error {
	var cancelled error
	for _, err := range failures {
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
		cancelled = errors.Join(cancelled, err)
	}
	return cancelled
}

// percentile is the smallest of the sorted values below or at which p percent of them lie.
func percentile(sorted []time.Duration, p int) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min((len(sorted)*p+99)/100, len(sorted))-1]
}

// median is the middle of the values, or the mean of the two in the middle. It does not change them.
func median[T float64 | time.Duration](values []T) T {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}
