package provider

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/opledger/opledger/eval"
)

// Options say what provider it is.
type Options struct {
	// Clock is the provider's time. Nothing happens between two calls: what was due in between is made up for, at its own
	// time, when the next call comes.
	Clock   func() time.Time
	Profile Profile
}

// Provider is a provider. Its methods may be called at the same time.
type Provider struct {
	mu      sync.Mutex
	clock   func() time.Time
	profile Profile
	journal *journal // nil: the count lives as long as this process

	last     time.Time // time never goes back, whatever the clock does
	keys     map[string]*key
	accounts map[string]*account // by business key
	opened   []*account          // in order
	effects  index
	due      []pending // what is to happen by itself, in order of time
	writes   map[string]int
}

// account is what the provider has under one business key.
type account struct {
	effects []*effect
	hooks   []hook
	plan    []eval.Fault
	events  int
	writes  int
	refused bool
}

// New makes a provider whose count lives in memory.
func New(o Options) *Provider {
	return &Provider{
		clock: o.Clock, profile: o.Profile.whole(),
		keys: map[string]*key{}, accounts: map[string]*account{}, effects: newIndex(), writes: map[string]int{},
	}
}

// Profile is what the provider states.
func (p *Provider) Profile() Profile { return p.profile }

// Write carries out a request that meets a fault, and says what its sender sees. A fault that no provider has is a mistake
// of the caller's, and panics.
func (p *Provider) Write(r Request, f eval.Fault) Answer {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.enter(r, f, false)
}

// enter takes a request in: it is kept before anything comes of it.
func (p *Provider) enter(r Request, f eval.Fault, planned bool) Answer {
	b, known := behaviours[f]
	if !known {
		panic(fmt.Sprintf("provider: %q is no fault of a provider", f))
	}
	r = r.whole()
	now := p.now()
	if err := p.record(entry{At: now, Write: &r, Fault: f, Planned: planned}); err != nil {
		return refusal(http.StatusInternalServerError, "journal", err.Error())
	}
	return p.write(r, b, planned, now)
}

// write does it, the first time and when the journal is read back.
func (p *Provider) write(r Request, b behaviour, planned bool, now time.Time) Answer {
	p.settle(now)
	p.writes[r.Collection]++
	a := p.account(r.BusinessKey)
	a.writes++
	if planned {
		a.plan = a.plan[1:]
	}
	switch b.makes {
	case never:
		return b.wire(r, p.profile, Answer{})
	case overrun:
		if r.Method != Read {
			p.schedule(pending{at: now.Add(p.profile.InFlight + p.profile.Overrun), request: r, arrives: true})
		}
		return b.wire(r, p.profile, Answer{})
	}
	return b.wire(r, p.profile, p.take(r, b, now))
}

// take does what a request asks for once it has reached the provider, and answers as a wire without fault would carry it.
func (p *Provider) take(r Request, b behaviour, now time.Time) Answer {
	if r.Method == Read {
		return p.read(r, b)
	}
	if k, held := p.key(r, now); held {
		return p.replay(k, r, b, now)
	}
	a := p.account(r.BusinessKey)
	if a.refused = a.refused || b.makes == refuse; a.refused {
		return refusal(http.StatusUnprocessableEntity, "refused", "this is refused for good")
	}
	if r.Method == Undo && p.effects.byID[r.Undoes] == nil {
		return refusal(http.StatusNotFound, "no_such_object", "there is no object "+r.Undoes)
	}
	k := p.remember(r, b, now)
	if b.makes == inFlight {
		p.schedule(pending{at: now.Add(p.profile.InFlight), request: r, behaviour: b, key: k})
		return Answer{}
	}
	return object(p.make(r, b, k, now), now)
}

// account finds or opens an account.
func (p *Provider) account(businessKey string) *account {
	a := p.accounts[businessKey]
	if a == nil {
		a = &account{}
		p.accounts[businessKey] = a
		p.opened = append(p.opened, a)
	}
	return a
}

// now is the provider's time.
func (p *Provider) now() time.Time {
	if t := p.clock().UTC().Round(0); t.After(p.last) { // without the monotonic reading, which no journal keeps
		p.last = t
	}
	return p.last
}

// pending is something that happens by itself at its time: a commit, or the arrival of a request that was on the road.
type pending struct {
	at        time.Time
	request   Request
	behaviour behaviour
	key       *key
	arrives   bool
}

// schedule puts something in its place in time, behind what has the same time.
func (p *Provider) schedule(d pending) {
	at, _ := slices.BinarySearchFunc(p.due, d.at, func(x pending, t time.Time) int {
		if x.at.After(t) {
			return 1
		}
		return -1
	})
	p.due = slices.Insert(p.due, at, d)
}

// settle lets happen what was due.
func (p *Provider) settle(now time.Time) {
	p.last = now
	for len(p.due) > 0 && !p.due[0].at.After(now) {
		d := p.due[0]
		p.due = p.due[1:]
		if d.arrives {
			p.take(d.request, behaviour{}, d.at)
		} else {
			p.make(d.request, d.behaviour, d.key, d.at)
		}
	}
}
