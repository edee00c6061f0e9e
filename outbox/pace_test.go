package outbox

import (
	"testing"
	"time"
)

func TestPausesGrowWhileNothingIsFound(t *testing.T) {
	p := pace{first: 50 * time.Millisecond, longest: time.Second}
	for i, want := range []time.Duration{50, 100, 200, 400, 800, 1000, 1000} {
		if got := p.next(false, 0); got != want*time.Millisecond {
			t.Errorf("pause %d is %v", i, got)
		}
	}
	if got := p.next(false, 0.999); got < 500*time.Millisecond || got > 501*time.Millisecond {
		t.Errorf("with all jitter: %v", got)
	}
	if got := p.next(true, 0.5); got != 50*time.Millisecond {
		t.Errorf("after a find: %v", got)
	}
	if got := p.next(false, 0); got != 50*time.Millisecond {
		t.Errorf("the first that finds nothing again: %v", got)
	}
}

func TestRetriesWaitAsLongAsTheItemIsLate(t *testing.T) {
	for late, want := range map[time.Duration]time.Duration{-time.Hour: MinRetry, 0: MinRetry, 20 * time.Second: 20 * time.Second, time.Hour: MaxRetry} {
		if got := RetryAfter(late, 0); got != want {
			t.Errorf("late by %v: %v", late, got)
		}
	}
	if got := RetryAfter(20*time.Second, 0.5); got != 15*time.Second {
		t.Errorf("with jitter: %v", got)
	}
}
