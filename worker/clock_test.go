package worker

import (
	"errors"
	"testing"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// hands are clocks that the test moves.
type hands struct {
	monotonic time.Duration
	wall      time.Time
}

func (h *hands) Monotonic() time.Duration { return h.monotonic }
func (h *hands) Wall() time.Time          { return h.wall }

// TestAPermitEndsOnWhicheverClockHasRunFurther: a suspended machine stops the one, and the other can be set back.
func TestAPermitEndsOnWhicheverClockHasRunFurther(t *testing.T) {
	for name, c := range map[string]struct {
		monotonic, wall time.Duration
		left            time.Duration
	}{
		"both":                         {10 * time.Second, 10 * time.Second, 50 * time.Second},
		"the machine was suspended":    {time.Second, 59 * time.Second, time.Second},
		"the clock was set back":       {59 * time.Second, -time.Hour, time.Second},
		"over, by the steady clock":    {time.Minute, 0, 0},
		"over, by the clock of a wall": {0, time.Hour, 0},
	} {
		t.Run(name, func(t *testing.T) {
			clock := &hands{wall: time.Unix(1_700_000_000, 0)}
			a := &Attempt{worker: &worker{config: Config{Clock: clock}}, permit: &pb.Permit{}}
			a.count(time.Minute, time.Hour, now(clock))
			clock.monotonic += c.monotonic
			clock.wall = clock.wall.Add(c.wall)
			if left := a.TimeLeft(); left != c.left {
				t.Fatalf("%v are left, want %v", left, c.left)
			}
			err := a.Send(t.Context())
			var lost *LostError
			if c.left > 0 && err != nil || c.left == 0 && !errors.As(err, &lost) {
				t.Fatalf("the gate says %v", err)
			}
			if err := a.Send(t.Context()); err == nil {
				t.Fatal("the gate opens twice")
			}
		})
	}
}

// TestAPollsWaitIsNotCountedAway: the permit was given when the call had waited.
func TestAPollsWaitIsNotCountedAway(t *testing.T) {
	clock := &hands{wall: time.Unix(1_700_000_000, 0)}
	asked := now(clock)
	clock.monotonic += 20 * time.Second
	clock.wall = clock.wall.Add(20 * time.Second)
	if got := asked.later(19 * time.Second).elapsed(clock); got != time.Second {
		t.Fatalf("it counts %v", got)
	}
}
