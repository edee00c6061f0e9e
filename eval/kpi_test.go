package eval

import (
	"math"
	"testing"
	"time"
)

func TestFiguresOfNothingAreNone(t *testing.T) {
	if _, known := PerTenThousand(0, 0); known {
		t.Error("0 of 0 runs has a figure")
	}
	if _, known := Share(0, 0); known {
		t.Error("0 of 0 is a share")
	}
	if Mean(nil) != 0 || Percentile(nil, 0.99) != 0 {
		t.Error("no times have a mean or a percentile")
	}
}

func TestRatesAndShares(t *testing.T) {
	for _, c := range []struct {
		n, runs int
		want    float64
	}{{0, 10_000, 0}, {7, 10_000, 7}, {1, 400, 25}, {3, 20_000, 1.5}} {
		if got, known := PerTenThousand(c.n, c.runs); !known || got != c.want {
			t.Errorf("%d of %d: got %v, %v", c.n, c.runs, got, known)
		}
	}
	if got, known := Share(3, 4); !known || got != 0.75 {
		t.Errorf("3 of 4: got %v, %v", got, known)
	}
}

func TestTimes(t *testing.T) {
	var hundred []time.Duration
	for i := 100; i >= 1; i-- {
		hundred = append(hundred, time.Duration(i)*time.Second)
	}
	for p, want := range map[float64]time.Duration{0: 1, 0.5: 50, 0.99: 99, 0.991: 100, 1: 100} {
		if got := Percentile(hundred, p); got != want*time.Second {
			t.Errorf("p%v: got %v, want %v", p*100, got, want*time.Second)
		}
	}
	if hundred[0] != 100*time.Second {
		t.Error("the caller's times were sorted in their place")
	}
	if got := Percentile([]time.Duration{time.Second}, 0.99); got != time.Second {
		t.Errorf("of one: got %v", got)
	}
	if got := Mean(hundred); got != 50500*time.Millisecond {
		t.Errorf("mean: got %v", got)
	}
	if got := Mean([]time.Duration{math.MaxInt64 - 1023, math.MaxInt64 - 1023}); got <= 0 {
		t.Errorf("the mean of long times overflows: %v", got)
	}
}
