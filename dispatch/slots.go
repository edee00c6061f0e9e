package dispatch

import (
	"sync"

	"github.com/opledger/opledger/breaker"
	"github.com/opledger/opledger/ledger"
)

// slots bound the requests under way to each provider, dispatches and lookups together, so that one that is slow takes a
// share of this process and no more. The bounds that a tool's contract states, over all servers, are the ledger's.
//
// Providers are as many as a namespace names, so that a namespace is bounded as well: with slow ones of many names it would
// have every place, and hold all others up for as long as requests may take.
type slots struct {
	bound, ofNamespace int
	breakers           *breaker.Set
	mu                 sync.Mutex
	taken              map[breaker.Key]int
	namespaces         map[ledger.Namespace]int
}

// newSlots bounds requests to a provider and, of all places, those of a namespace: a quarter is left for others.
func newSlots(bound, all int, breakers *breaker.Set) *slots {
	return &slots{bound: bound, ofNamespace: all - all/4, breakers: breakers, taken: map[breaker.Key]int{}, namespaces: map[ledger.Namespace]int{}}
}

// slotOf is what a queue's requests are counted under.
func slotOf(q ledger.Queue) breaker.Key {
	key := breaker.KeyOf(q)
	key.Kind = ""
	return key
}

// round is the room of one look: it takes a slot for each yes.
func (s *slots) round() room {
	passes := map[breaker.Key]int{}
	return func(q ledger.Queue) bool {
		key := breaker.KeyOf(q)
		if _, asked := passes[key]; !asked {
			passes[key] = s.breakers.Room(key, s.bound)
		}
		if passes[key] == 0 || !s.take(slotOf(q)) {
			return false
		}
		passes[key]--
		return true
	}
}

func (s *slots) take(key breaker.Key) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken[key] >= s.bound || s.namespaces[key.Namespace] >= s.ofNamespace {
		return false
	}
	s.taken[key]++
	s.namespaces[key.Namespace]++
	return true
}

// free gives slots back.
func (s *slots) free(q ledger.Queue, n int) {
	key := slotOf(q)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken[key] -= n; s.taken[key] <= 0 {
		delete(s.taken, key)
	}
	if s.namespaces[key.Namespace] -= n; s.namespaces[key.Namespace] <= 0 {
		delete(s.namespaces, key.Namespace)
	}
}
