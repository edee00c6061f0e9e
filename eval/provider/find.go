package provider

import (
	"errors"
	"strings"
	"time"
)

// ErrLookupDown: the lookup failed (503). It says nothing about what there is.
var ErrLookupDown = errors.New("lookups are down")

// Query says what is looked for. Fields that are set must all fit; with none set it lists everything.
type Query struct {
	Collection      string
	VendorKey       string
	ClientReference string
	ObjectID        string
	Text            string // stands somewhere in the parameters
}

// fits reports whether an effect is what is looked for.
func (q Query) fits(e *effect) bool {
	return (q.Collection == "" || q.Collection == e.collection) && (q.VendorKey == "" || q.VendorKey == e.VendorKey) &&
		(q.ClientReference == "" || q.ClientReference == e.Reference) && (q.ObjectID == "" || q.ObjectID == e.ID) &&
		(q.Text == "" || strings.Contains(string(e.body), q.Text))
}

// Find lists, in order of their making, the objects that lookups show now. It changes nothing.
func (p *Provider) Find(q Query) ([]Object, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	p.settle(now)
	found := []Object{}
	for _, e := range p.effects.candidates(q) {
		switch {
		case !q.fits(e):
		case e.downUntil.After(now):
			return nil, ErrLookupDown
		case e.visible(now, p.profile.Lag):
			found = append(found, e.object(now))
		}
	}
	return found, nil
}

// turns is how often, within the lag, the replica that answers is another one.
const turns = 8

// visible reports whether lookups show the effect. Where that goes by turns, the first replica that is asked has not heard
// of it, the next one has, and so on until the lag is over: what was seen once is gone again.
func (e *effect) visible(now time.Time, lag time.Duration) bool {
	if !now.Before(e.shown) {
		return true
	}
	return e.byTurns && (now.Sub(e.At)*turns/lag)%2 == 1
}
