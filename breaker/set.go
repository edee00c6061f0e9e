package breaker

import (
	"log/slog"
	"sync"
	"time"

	"github.com/opledger/opledger/ledger"
)

// Key names a breaker: what is asked of one provider, with its account, for one namespace. Lookups have one of their own:
// a provider that refuses new work can often still say what it did.
type Key struct {
	Namespace ledger.Namespace
	Provider  string // as ledger.ProviderOf gives it; of a tool that names none: the tool's name
	Kind      ledger.WorkKind
}

// KeyOf is the key of a queue's work.
func KeyOf(q ledger.Queue) Key {
	if q.Provider == "" {
		return Key{q.Namespace, "tool:" + q.Tool, q.Kind}
	}
	return Key{q.Namespace, q.Provider, q.Kind}
}

// The settings that ship. Those of lookups are more lenient: an outcome that is not known is worse than a question that
// is put in vain.
var (
	DispatchSettings = Settings{
		Window: 30 * time.Second, Least: 10, Share: 0.5, FirstPause: 5 * time.Second, LongestPause: time.Minute, ProbeFor: 2 * time.Minute,
	}
	LookupSettings = Settings{
		Window: 30 * time.Second, Least: 20, Share: 0.8, FirstPause: 2 * time.Second, LongestPause: 15 * time.Second, ProbeFor: time.Minute,
	}
)

// Observer is told when a breaker's state changes, for metrics. Its methods must not block.
type Observer interface {
	Breaker(key Key, state State)
}

// Config is what a set is made of. Zero fields take the defaults.
type Config struct {
	Dispatch, Lookup Settings
	Observer         Observer
	Logger           *slog.Logger
	Clock            func() time.Time // the process's; replaced in tests alone
}

// Set are the breakers of one process. A nil set lets everything pass.
type Set struct {
	config Config
	mu     sync.Mutex
	all    map[Key]*entry
	adds   int // since breakers that nothing is known of were last dropped
}

type entry struct {
	*Breaker
	told State // what was said of it last
}

// sweepEvery is how many new breakers come before those that nothing is known of are dropped.
const sweepEvery = 256

// NewSet makes a set.
func NewSet(config Config) *Set {
	if config.Dispatch == (Settings{}) {
		config.Dispatch = DispatchSettings
	}
	if config.Lookup == (Settings{}) {
		config.Lookup = LookupSettings
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	if config.Clock == nil {
		config.Clock = time.Now
	}
	return &Set{config: config, all: map[Key]*entry{}}
}

// Room is how many requests may be started now: 0 where the breaker is open, 1 for a probe, most otherwise.
func (s *Set) Room(key Key, most int) int {
	if s == nil {
		return most
	}
	room := most
	s.with(key, false, func(b *Breaker, now time.Time) {
		switch {
		case !b.Passes(now):
			room = 0
		case b.state == HalfOpen:
			room = min(1, most)
		}
	})
	return room
}

// Allow lets one request pass, where one may; a half open breaker lets the probe pass. Who was let pass tells what came
// of it by Result, or by GiveBack that it came to no request.
func (s *Set) Allow(key Key) bool {
	if s == nil {
		return true
	}
	allowed := true
	s.with(key, false, func(b *Breaker, now time.Time) { allowed = b.Take(now) })
	return allowed
}

// GiveBack says that what was allowed led to no request.
func (s *Set) GiveBack(key Key) {
	if s != nil {
		s.with(key, false, (*Breaker).GiveBack)
	}
}

// Result tells what came of a request.
func (s *Set) Result(key Key, good bool) {
	if s != nil {
		s.with(key, true, func(b *Breaker, now time.Time) { b.Result(now, good) })
	}
}

// Wait is how long the breaker lets nothing pass from now on; zero where something may.
func (s *Set) Wait(key Key) (wait time.Duration) {
	if s != nil {
		s.with(key, false, func(b *Breaker, now time.Time) { wait = b.Wait(now) })
	}
	return wait
}

// with runs a function on a breaker, and tells of a change of its state. A breaker that does not exist yet is closed; it
// is kept only where it is to learn something.
func (s *Set) with(key Key, keep bool, do func(*Breaker, time.Time)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.config.Clock()
	e := s.all[key]
	switch {
	case e == nil && !keep:
		return
	case e == nil:
		settings := s.config.Dispatch
		if key.Kind == ledger.WorkLookup {
			settings = s.config.Lookup
		}
		s.sweep(now)
		e = &entry{Breaker: New(settings)}
		s.all[key] = e
	}
	do(e.Breaker, now)
	if state := e.State(now); state != e.told {
		s.config.Logger.Info("a circuit breaker changed: "+e.told.String()+" to "+state.String(),
			"namespace", key.Namespace, "provider", key.Provider, "kind", key.Kind, "pause", e.Wait(now).String())
		e.told = state
		if s.config.Observer != nil {
			s.config.Observer.Breaker(key, state)
		}
	}
}

// sweep drops breakers of which nothing is known any more, now and then.
func (s *Set) sweep(now time.Time) {
	if s.adds++; s.adds < sweepEvery {
		return
	}
	s.adds = 0
	for key, e := range s.all {
		if e.told == Closed && e.Idle(now) {
			delete(s.all, key)
		}
	}
}
