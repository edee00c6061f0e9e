//go:build unix

package crashtest

import "math/rand/v2"

// freshAttempts bounds at which of its attempts a worker meets its fate.
const freshAttempts = 15

// lot is what is to become of a worker, beside that any may be killed at any moment.
type lot int

const (
	lotFreezable  lot = iota // it may be frozen at any moment, for longer than its permits last
	lotStands                // it freezes at the failpoint, for as long as all classes promise something
	lotStandsLong            // it serves revocations alone and freezes at the failpoint until a person was asked
	lotDiesEarly
	lotDiesLate
)

// lots are the deck that workers draw from. It is drawn to its end before it is shuffled again, so that a short storm has
// all of it too.
var lots = []lot{
	lotFreezable, lotFreezable, lotFreezable, lotFreezable, lotFreezable, lotFreezable, lotFreezable, lotFreezable,
	lotStands, lotStands, lotStands, lotStands, lotStands, lotStandsLong, lotDiesEarly, lotDiesLate,
}

// draw draws the lot of the next worker. The lock is held.
func (c *crew) draw() lot {
	if len(c.deck) == 0 {
		c.deck = append(c.deck, lots...)
		c.random.Shuffle(len(c.deck), func(i, j int) { c.deck[i], c.deck[j] = c.deck[j], c.deck[i] })
	}
	drawn := c.deck[0]
	c.deck = c.deck[1:]
	return drawn
}

// tools are what a worker of the lot serves.
func (l lot) tools() []string {
	if l == lotStandsLong {
		return []string{stormRevoke}
	}
	return stormNames
}

// fate says when the lot falls.
func (l lot) fate(random *rand.Rand) fate {
	at := 1 + random.Int64N(freshAttempts)
	switch l {
	case lotStands:
		return fate{Stands: at}
	case lotStandsLong:
		return fate{Stands: 1}
	case lotDiesEarly:
		return fate{DiesEarly: at}
	case lotDiesLate:
		return fate{DiesLate: at}
	}
	return fate{}
}
