package worker

import "time"

// machine reads this machine's clocks.
type machine struct{ start time.Time }

func newMachine() machine { return machine{time.Now()} }

func (m machine) Monotonic() time.Duration { return time.Since(m.start) }

func (m machine) Wall() time.Time { return time.Now().Round(0) } // without the monotonic reading

// moment is one moment on both clocks. It means something on this machine only.
type moment struct {
	monotonic time.Duration
	wall      time.Time
}

func now(c Clock) moment { return moment{c.Monotonic(), c.Wall()} }

// later is the moment so long after this one.
func (m moment) later(d time.Duration) moment { return moment{m.monotonic + d, m.wall.Add(d)} }

// elapsed is how long ago the moment was, on whichever clock has run further. Each alone can make a permit look alive after
// it has ended; together they can only end it too early, which is safe.
func (m moment) elapsed(c Clock) time.Duration {
	return max(c.Monotonic()-m.monotonic, c.Wall().Sub(m.wall))
}
