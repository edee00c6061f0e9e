package outbox

import "time"

// pace is when to look again.
type pace struct {
	first, longest time.Duration
	idle           int // looks in a row that found nothing
}

// next is the pause before the next look: the first one after a look that found something, twice as long after each that
// did not, up to the longest. Jitter takes off up to half, so that servers that started together do not look together.
func (p *pace) next(found bool, jitter float64) time.Duration {
	if found {
		p.idle = 0
		return p.first
	}
	bound := p.longest
	if p.idle < 20 && p.first<<p.idle < bound {
		bound = p.first << p.idle
	}
	p.idle++
	return bound - time.Duration(jitter*float64(bound)/2)
}

// The bounds of RetryAfter.
const (
	MinRetry = time.Second
	MaxRetry = time.Minute
)

// RetryAfter is the pause before an item that failed is tried again: as long as the item is late already, so that pauses
// grow with each failure although nobody counts them, and anything between half of it and the whole, so that items that
// failed together do not come back together.
func RetryAfter(late time.Duration, jitter float64) time.Duration {
	bound := min(max(late, MinRetry), MaxRetry)
	return bound - time.Duration(jitter*float64(bound)/2)
}
