package bench

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestPercentiles(t *testing.T) {
	var hundred []time.Duration
	for n := range 100 {
		hundred = append(hundred, time.Duration(n+1))
	}
	for _, c := range []struct {
		sorted []time.Duration
		p      int
		want   time.Duration
	}{
		{nil, 50, 0}, {hundred[:1], 50, 1}, {hundred[:1], 99, 1}, {hundred[:2], 50, 1}, {hundred, 50, 50}, {hundred, 99, 99},
	} {
		if got := percentile(c.sorted, c.p); got != c.want {
			t.Errorf("p%d of %d values is %d, want %d", c.p, len(c.sorted), got, c.want)
		}
	}
}

func TestMedianLeavesItsValuesAlone(t *testing.T) {
	values := []float64{3, 1, 2}
	if got := median(values); got != 2 || !slices.Equal(values, []float64{3, 1, 2}) {
		t.Errorf("got %v, values are now %v", got, values)
	}
	if got := median([]float64{4, 1, 2, 3}); got != 2.5 {
		t.Errorf("of an even number: got %v, want 2.5", got)
	}
}

func TestMeasureCountsWhatWasDone(t *testing.T) {
	var done atomic.Int64
	s, err := measure(t.Context(), 4, 10*time.Millisecond, func(context.Context, int) error { done.Add(1); return nil })
	if err != nil || s.units != int(done.Load()) || s.units < 4 || s.rate() <= 0 {
		t.Errorf("measured %+v of %d units, %v", s, done.Load(), err)
	}
}

func TestMeasureEndsAtTheFirstError(t *testing.T) {
	broken := errors.New("broken")
	_, err := measure(t.Context(), 4, time.Hour, func(ctx context.Context, worker int) error {
		if worker == 3 {
			return broken
		}
		<-ctx.Done()
		return ctx.Err()
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v, want the error itself and not what follows from it", err)
	}
}

func TestARowComparesWithTheSameRound(t *testing.T) {
	s := &series{}
	// The machine was twice as slow in the second round: the ratio is the same, and the median of the rates would mislead.
	s.add(sample{units: 50, elapsed: time.Second, p50: 2 * time.Millisecond}, 100)
	s.add(sample{units: 25, elapsed: time.Second, p50: 4 * time.Millisecond}, 50)
	s.addServed(counters{retries: 3, transactions: 10, commands: 50})
	r := s.row(16, unitCycle)
	if r.Ratio != 0.5 || r.Rate != 37.5 || r.Slowest != 25 || r.Fastest != 50 || r.P50 != 3 {
		t.Errorf("got %+v", r)
	}
	if *r.RetriesPerUnit != 0.04 || *r.CommandsPerTransaction != 5 {
		t.Errorf("got %v retries a unit and %v commands a transaction", *r.RetriesPerUnit, *r.CommandsPerTransaction)
	}
}

func TestCountersAreReadFromMetrics(t *testing.T) {
	got, err := parseCounters(strings.NewReader(`# HELP opledger_transaction_retries_total Transactions.
opledger_transaction_retries_total{reason="40001"} 3
opledger_transaction_retries_total{reason="connection"} 1
opledger_transaction_commands_bucket{le="1"} 7
opledger_transaction_commands_sum 120
opledger_transaction_commands_count 1e+01
opledger_transactions_total{outcome="committed"} 10
`))
	if want := (counters{retries: 4, transactions: 10, commands: 120}); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
}
