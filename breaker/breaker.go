// Package breaker keeps work away from a provider that fails. Its breakers decide nothing about operations: an open one
// leaves work where it is, unclaimed, until the provider answers again.
//
// They live in one process's memory. Each server sees for itself whether it reaches a provider, and one that has just
// started asks; nothing that must survive hangs on it.
//
// breaker.go has one breaker, a state machine that is fed results and the time; set.go has those of one process.
package breaker

import "time"

// State is what a breaker lets pass.
type State int

// The states.
const (
	Closed   State = iota // everything passes
	Open                  // nothing passes until its pause has ended
	HalfOpen              // one probe passes; what comes of it decides
)

func (s State) String() string { return [...]string{"closed", "open", "half_open"}[s] }

// Settings say when a breaker opens, and for how long.
type Settings struct {
	// Window is how far back results count. It is kept in as many slices as there are buckets.
	Window time.Duration
	// Least is the number of results in the window below which it never opens: a few failures say nothing.
	Least int
	// Share of failures among the results, in (0, 1], from which it opens.
	Share float64
	// FirstPause is how long it stays open, twice as long each time that a probe fails, up to LongestPause.
	FirstPause, LongestPause time.Duration
	// ProbeFor is how long a probe may take. After it another one passes: whoever took the first may have died with it.
	ProbeFor time.Duration
}

// buckets is the number of slices of a window: the oldest results leave it a slice at a time.
const buckets = 10

// bucket are the results of one slice of the window.
type bucket struct {
	slice       int64 // which one, counted from the beginning of time
	good, badly int
}

// Breaker is the breaker of one provider. It has no clock and no lock: who asks brings the time, which never goes back.
// The zero time is no time that it may be brought.
type Breaker struct {
	settings Settings
	state    State
	window   [buckets]bucket
	until    time.Time // of the pause while open, of the probe's time while half open
	probing  bool
	pauses   int // in a row
}

// New makes a closed breaker.
func New(s Settings) *Breaker { return &Breaker{settings: s} }

// State is its state at a moment. An open breaker whose pause has ended is half open.
func (b *Breaker) State(now time.Time) State {
	if b.state == Open && !now.Before(b.until) {
		b.state, b.probing = HalfOpen, false
	}
	return b.state
}

// Passes reports whether one more request may pass now. It takes nothing: Take does.
func (b *Breaker) Passes(now time.Time) bool {
	switch b.State(now) {
	case Closed:
		return true
	case HalfOpen:
		return !b.probing || !now.Before(b.until)
	}
	return false
}

// Take lets one request pass, where one may. In a half open breaker that is the probe.
func (b *Breaker) Take(now time.Time) bool {
	if !b.Passes(now) {
		return false
	}
	if b.state == HalfOpen {
		b.probing, b.until = true, now.Add(b.settings.ProbeFor)
	}
	return true
}

// GiveBack says that what was taken led to no request: another one may be the probe.
func (b *Breaker) GiveBack(now time.Time) {
	if b.State(now) == HalfOpen {
		b.probing = false
	}
}

// Result tells what came of a request, whoever made it and whenever it began: an answer is an answer.
func (b *Breaker) Result(now time.Time, good bool) {
	switch b.State(now) {
	case Open: // it was on its way before: the pause stands
	case HalfOpen:
		if good {
			*b = Breaker{settings: b.settings}
			return
		}
		b.open(now)
	case Closed:
		all, badly := b.count(now, good)
		if all >= b.settings.Least && float64(badly) >= b.settings.Share*float64(all) && !good {
			b.open(now)
		}
	}
}

// count adds a result to its slice, and answers how many the window holds, and how many of them failed.
func (b *Breaker) count(now time.Time, good bool) (all, badly int) {
	slice := now.UnixNano() / max(1, int64(b.settings.Window)/buckets)
	at := &b.window[int(((slice%buckets)+buckets)%buckets)]
	if at.slice != slice {
		*at = bucket{slice: slice}
	}
	if good {
		at.good++
	} else {
		at.badly++
	}
	for _, x := range b.window {
		if x.slice > slice-buckets && x.slice <= slice {
			all, badly = all+x.good+x.badly, badly+x.badly
		}
	}
	return all, badly
}

func (b *Breaker) open(now time.Time) {
	pause := b.settings.LongestPause
	if b.pauses < 20 && b.settings.FirstPause<<b.pauses < pause {
		pause = b.settings.FirstPause << b.pauses
	}
	b.state, b.until, b.probing = Open, now.Add(pause), false
	b.window = [buckets]bucket{}
	b.pauses++
}

// Idle reports whether nothing would be lost with the breaker: it is closed and its window is empty.
func (b *Breaker) Idle(now time.Time) bool {
	if b.State(now) != Closed {
		return false
	}
	slice := now.UnixNano() / max(1, int64(b.settings.Window)/buckets)
	for _, x := range b.window {
		if x.slice > slice-buckets && x.good+x.badly > 0 {
			return false
		}
	}
	return true
}

// Wait is how long it lets nothing pass from now on; zero where something may.
func (b *Breaker) Wait(now time.Time) time.Duration {
	if b.Passes(now) {
		return 0
	}
	return b.until.Sub(now)
}
