package callers

import (
	"context"
	"crypto/subtle"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

const (
	// knownFor is how long a token is let in after it was withdrawn, at most.
	knownFor = 5 * time.Second
	// unknownFor is how long a new token may have to wait after it was tried too early.
	unknownFor = time.Second
	// maxRemembered bounds each of what is known and what is not, so that whoever sends made-up tokens fills nothing but
	// the place for those.
	maxRemembered = 10_000
	// lookupTimeout bounds one question to the store.
	lookupTimeout = 10 * time.Second
)

// Remembered asks a store for a token once in a while and not for every call. Calls that come at once share one question.
type Remembered struct {
	store Store
	clock func() time.Time

	asking singleflight.Group
	mu     sync.Mutex
	known  memory
	not    memory
}

var _ Store = (*Remembered)(nil)

// Remember makes a store that keeps the answers of another one for some seconds.
func Remember(store Store, clock func() time.Time) *Remembered {
	return &Remembered{store: store, clock: clock, known: memory{lasts: knownFor}, not: memory{lasts: unknownFor}}
}

// LookupToken answers from memory, or asks the store. Where the store cannot be asked nobody is let in from memory that
// has run out.
func (r *Remembered) LookupToken(ctx context.Context, hash TokenHash) (Caller, bool, error) {
	if caller, found, sure := r.recall(hash); sure {
		return caller, found, nil
	}
	answer := r.asking.DoChan(string(hash[:]), func() (any, error) {
		// The answer is everybody's: the end of the one call that asked does not end the question.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookupTimeout)
		defer cancel()
		asked := r.clock() // what is withdrawn while the question is under way counts from here
		caller, found, err := r.store.LookupToken(ctx, hash)
		if err != nil {
			return nil, err
		}
		r.keep(hash, caller, found, asked)
		return remembered{hash: hash, caller: caller, found: found}, nil
	})
	select {
	case <-ctx.Done():
		return Caller{}, false, ctx.Err()
	case a := <-answer:
		if a.Err != nil {
			return Caller{}, false, a.Err
		}
		m := a.Val.(remembered)
		return m.caller, m.found, nil
	}
}

func (r *Remembered) recall(hash TokenHash) (caller Caller, found, sure bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.clock()
	if m, ok := r.known.recall(hash, now); ok {
		return m.caller, true, true
	}
	_, sure = r.not.recall(hash, now)
	return Caller{}, false, sure
}

func (r *Remembered) keep(hash TokenHash, caller Caller, found bool, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	in := &r.not
	if found {
		in = &r.known
	}
	in.keep(remembered{hash: hash, caller: caller, found: found, at: at})
}

// remembered is one answer of the store.
type remembered struct {
	hash   TokenHash
	caller Caller
	found  bool
	at     time.Time
}

// memory keeps answers by the first bytes of the hash; the whole of it is compared in constant time. Two hashes that begin
// alike take each other's place.
type memory struct {
	lasts time.Duration
	by    map[[8]byte]remembered
}

func (m *memory) recall(hash TokenHash, now time.Time) (remembered, bool) {
	r, ok := m.by[[8]byte(hash[:8])]
	age := now.Sub(r.at)
	if !ok || age < 0 || age >= m.lasts || subtle.ConstantTimeCompare(r.hash[:], hash[:]) != 1 {
		return remembered{}, false
	}
	return r, true
}

func (m *memory) keep(r remembered) {
	if m.by == nil || len(m.by) >= maxRemembered { // everything is asked for anew, at most every few seconds
		m.by = map[[8]byte]remembered{}
	}
	m.by[[8]byte(r.hash[:8])] = r
}
