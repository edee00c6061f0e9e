package vendor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
)

// Effect is something that the provider has really done.
type Effect struct {
	ID             string          `json:"id"`
	Collection     string          `json:"collection"`
	Status         string          `json:"status"` // "succeeded", or "pending" while it was only taken on
	Reference      string          `json:"client_reference,omitempty"`
	IdempotencyKey string          `json:"idempotency_key,omitempty"`
	Body           json.RawMessage `json:"body"`
	// Shown: lookups find it.
	Shown bool `json:"shown"`
}

// request is one write as it came in.
type request struct {
	keyed          bool
	collection     string
	key, reference string
	body           json.RawMessage
}

// books are what the provider knows.
type books struct {
	mu      sync.Mutex
	plan    plan
	effects []*Effect
	late    []request
	working map[string]bool // keys whose first request is under way
	writes  map[string]int  // requests that arrived, by collection
	made    int
	changed chan struct{} // closed at each change
}

func newBooks() *books {
	return &books{working: map[string]bool{}, writes: map[string]int{}, changed: make(chan struct{})}
}

// touch tells those who wait. The lock is held.
func (b *books) touch() {
	close(b.changed)
	b.changed = make(chan struct{})
}

// arrive counts a request and finds its fault.
func (b *books) arrive(r request) (Planned, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.writes[r.collection]++
	b.touch()
	return b.plan.take(r.collection, func(reference string) bool {
		return r.reference == reference || bytes.Contains(r.body, []byte(reference))
	})
}

// replay finds the effect that a key stands for. Other parameters under it are a conflict.
func (b *books) replay(r request) (made *Effect, conflict bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !r.keyed || r.key == "" {
		return nil, false
	}
	for _, e := range b.effects {
		if e.IdempotencyKey == r.key && e.Collection == r.collection {
			return copied(e), !bytes.Equal(e.Body, r.body)
		}
	}
	return nil, false
}

// make makes the effect of a request. A key that stands for one already makes no second.
func (b *books) make(r request, status string, shown bool) *Effect {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.keyed && r.key != "" {
		for _, e := range b.effects {
			if e.IdempotencyKey == r.key && e.Collection == r.collection {
				return copied(e)
			}
		}
	}
	b.made++
	e := &Effect{
		ID: fmt.Sprintf("%s_%d", r.collection, b.made), Collection: r.collection, Status: status, Reference: r.reference,
		IdempotencyKey: r.key, Body: r.body, Shown: shown,
	}
	b.effects = append(b.effects, e)
	b.touch()
	return copied(e)
}

func copied(e *Effect) *Effect {
	c := *e
	return &c
}

// list lists effects of a collection, all of them or those that lookups find.
func (b *books) list(collection string, want func(*Effect) bool) []*Effect {
	b.mu.Lock()
	defer b.mu.Unlock()
	found := []*Effect{}
	for _, e := range b.effects {
		if (collection == "" || e.Collection == collection) && want(e) {
			found = append(found, copied(e))
		}
	}
	return found
}

// change changes effects, and answers those that it changed.
func (b *books) change(which func(*Effect) bool, change func(*Effect)) []*Effect {
	b.mu.Lock()
	defer b.mu.Unlock()
	changed := []*Effect{}
	for _, e := range b.effects {
		if which(e) {
			change(e)
			changed = append(changed, copied(e))
		}
	}
	b.touch()
	return changed
}

// keep puts a request aside whose commit comes later.
func (b *books) keep(r request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.late = append(b.late, r)
	b.touch()
}

// takeLate hands out the requests that were put aside.
func (b *books) takeLate() []request {
	b.mu.Lock()
	defer b.mu.Unlock()
	late := b.late
	b.late = nil
	return late
}

func (b *books) add(p Planned) {
	b.mu.Lock()
	defer b.mu.Unlock()
	p.Times = max(p.Times, 1)
	b.plan = append(slices.Clone(b.plan), p)
}

// count gives the writes that arrived and the effects that were made, and a channel that is closed at the next change.
func (b *books) count() (Counts, <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := Counts{Writes: map[string]int{}, Effects: map[string]int{}, Late: len(b.late), Faults: len(b.plan)}
	for name, n := range b.writes {
		c.Writes[name] = n
	}
	for _, e := range b.effects {
		c.Effects[e.Collection]++
	}
	return c, b.changed
}

// Counts are the provider's own figures.
type Counts struct {
	Writes  map[string]int `json:"writes"`  // requests that arrived, by collection
	Effects map[string]int `json:"effects"` // effects that were made, by collection
	Late    int            `json:"late"`    // requests whose commit is still to come
	Faults  int            `json:"faults"`  // planned faults that no request has met yet
}
