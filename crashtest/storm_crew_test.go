//go:build unix

package crashtest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

const (
	// crewSize is how many workers run at a time, those that are frozen not counted.
	crewSize = 6
)

// struck counts what was done to workers.
type struck struct {
	kills     int // by the test, at any moment
	deaths    int // by their own hand, right before the first byte or right after the answer
	freezes   int // at any moment
	stood     int // at the failpoint
	wokenLate int // of those that stood: after reconciliation had run
	wokenSoon int // of those that stood: before, since they could not be left any longer
	tooLong   int // found frozen for longer than the promises reach, and killed in place of woken
}

// crew is the workers in the test's hands.
type crew struct {
	t      *testing.T
	ctx    context.Context // ends where the storm is given up
	api    pb.OperationServiceClient
	post   stormPost // what all of them are started with
	wakers sync.WaitGroup

	mu      sync.Mutex
	random  *rand.Rand
	hands   []*stormHand // those that live
	deck    []lot
	started int
	closing bool
	struck  struck
}

// fill starts workers until enough of them run. The lock is held.
func (c *crew) fill() {
	running := 0
	for _, h := range c.hands {
		if h.frozen.IsZero() && !h.long() {
			running++
		}
	}
	for ; running < crewSize && !c.closing && !c.t.Failed(); running++ {
		p := c.post
		lot := c.draw()
		p.Tools, p.Fate = lot.tools(), lot.fate(c.random)
		if lot == lotStandsLong {
			running-- // beside the others
		}
		c.started++
		p.ID = fmt.Sprint("w", c.started)
		h, err := hire(p, lot == lotFreezable, c.heard, c.ended)
		if err != nil {
			c.t.Errorf("a worker does not start: %v", err)
			return
		}
		c.hands = append(c.hands, h)
	}
}

// begin starts the crew. Whatever becomes of the test, no worker outlives it.
func (c *crew) begin() {
	c.t.Cleanup(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.closing = true
		for _, h := range c.hands {
			h.killed = true
			_ = h.Signal(syscall.SIGKILL)
		}
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fill()
}

// strike kills a worker, or freezes one that may be frozen.
func (c *crew) strike(freeze bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	frozenToo := c.random.IntN(10) == 0 // most of those that are frozen are to wake
	var list []*stormHand
	for _, h := range c.hands {
		if freeze && h.freezable || !freeze && (h.frozen.IsZero() || frozenToo) {
			list = append(list, h)
		}
	}
	if len(list) == 0 {
		return
	}
	h := list[c.random.IntN(len(list))]
	if !freeze {
		c.kill(h)
		return
	}
	h.freezable = false // once in its life, so that no two freezes of one handler add up
	if h.Signal(syscall.SIGSTOP) != nil {
		return // it has just ended
	}
	h.frozen = time.Now()
	c.struck.freezes++
	// Longer than any permit lasts that it holds, and no longer than the promises reach.
	length := stormPermit + 500*time.Millisecond + time.Duration(c.random.Int64N(int64(stormLongest-stormPermit-time.Second)))
	c.wakers.Go(func() {
		hold(c.t, length)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.wake(h)
	})
	c.fill()
}

// kill ends a worker as a crash does. The lock is held.
func (c *crew) kill(h *stormHand) {
	h.killed = true
	c.struck.kills++
	_ = h.Signal(syscall.SIGKILL)
	c.leave(h)
	c.fill()
}

func (c *crew) leave(h *stormHand) {
	for i, other := range c.hands {
		if other == h {
			c.hands = append(c.hands[:i], c.hands[i+1:]...)
			return
		}
	}
}

// wake lets a frozen worker go on, and reports whether it does. One that was left for too long must not: a process of
// class 3 or 4 that sends so late is outside of what is promised. The lock is held.
func (c *crew) wake(h *stormHand) bool {
	if h.frozen.IsZero() || h.killed {
		return false
	}
	if !h.long() && time.Since(h.frozen) > stormTooLong {
		c.struck.tooLong++
		c.kill(h)
		return false
	}
	h.frozen = time.Time{}
	_ = h.Signal(syscall.SIGCONT)
	return true
}

// ended is told that a worker's process is gone.
func (c *crew) ended(h *stormHand) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.leave(h)
	switch {
	case h.killed, c.closing:
	case h.post.Fate.DiesEarly+h.post.Fate.DiesLate > 0:
		c.struck.deaths++
	default:
		c.t.Errorf("worker %s ended by itself: %v", h.post.ID, h.Wait())
	}
	c.fill()
}

// end wakes whoever is frozen, as reconciliation lets it, and lets all workers end what they have begun and report it.
func (c *crew) end() {
	c.wakers.Wait()
	c.mu.Lock()
	c.closing = true
	hands := append([]*stormHand(nil), c.hands...)
	c.mu.Unlock()
	for _, h := range hands {
		_ = h.Signal(syscall.SIGTERM)
	}
	for _, h := range hands {
		if err := h.Wait(); err != nil && h.post.Fate.DiesEarly+h.post.Fate.DiesLate == 0 {
			c.t.Errorf("worker %s does not end well: %v", h.post.ID, err)
		}
	}
}

// figures are what was done so far, and how many workers live and are frozen.
func (c *crew) figures() (s struck, alive, frozen int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, h := range c.hands {
		if !h.frozen.IsZero() {
			frozen++
		}
	}
	return c.struck, len(c.hands), frozen
}
