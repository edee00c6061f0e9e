package dispatch

import "time"

// Clocks are the two clocks of this machine by which a permit is measured. One of them stands still in a suspended
// machine, the other one may be set; whichever has run further is heeded.
type Clocks struct {
	Monotonic func() time.Duration // since some fixed moment
	Wall      func() time.Time
}

// SystemClocks are the machine's own.
func SystemClocks() Clocks {
	start := time.Now()
	return Clocks{
		Monotonic: func() time.Duration { return time.Since(start) },
		Wall:      func() time.Time { return time.Now().Round(0) }, // without the monotonic reading
	}
}

// moment is one reading of both.
type moment struct {
	monotonic time.Duration
	wall      time.Time
}

func (c Clocks) now() moment { return moment{c.Monotonic(), c.Wall()} }

// since is how long ago a moment was, at the most.
func (c Clocks) since(m moment) time.Duration {
	now := c.now()
	return max(now.monotonic-m.monotonic, now.wall.Sub(m.wall))
}

// lease is how long something lasts, counted from before it was asked for: its answer took a while.
type lease struct {
	asked moment
	lasts time.Duration
}

// left is how much of it is left.
func (l lease) left(c Clocks) time.Duration { return l.lasts - c.since(l.asked) }
