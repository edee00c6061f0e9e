package main

import (
	"io"
	"time"
)

// barEvery is how often the bar of an evaluation is drawn: a campaign has thousands of steps a second.
const barEvery = 100 * time.Millisecond

// evalBar is a progress bar that counts steps, or seconds where the evaluation goes on for as long as told.
type evalBar struct {
	progressBar
	lasts time.Duration
	drawn time.Time
}

func newEvalBar(out io.Writer, lasts time.Duration) *evalBar {
	return &evalBar{progressBar: progressBar{out: out, shown: isTerminal(out), began: time.Now()}, lasts: lasts}
}

// step takes steps as they come, one call at a time, and draws some of them.
func (b *evalBar) step(done, all int, part string) {
	now := time.Now()
	if now.Sub(b.drawn) < barEvery {
		return
	}
	b.drawn = now
	if b.lasts > 0 {
		all = max(int(b.lasts/time.Second), 1)
		done = min(int(now.Sub(b.began)/time.Second), all)
	}
	b.progressBar.step(done, all, printable(part))
}
