package crashtest

import (
	"fmt"
	"sync"
)

// provider is the outside world: it makes effects, counts them, and finds them again. What it says is the truth that the
// ledger is held against.
type provider struct {
	mu      sync.Mutex
	made    int
	effects map[string][]string // by intent: the effects that were really made
	byKey   map[string]string   // by vendor key, where requests carry one
	byRef   map[string]string   // by client reference
}

func newProvider() *provider {
	return &provider{effects: map[string][]string{}, byKey: map[string]string{}, byRef: map[string]string{}}
}

// send carries out a request at once. A vendor key that is known is answered from its own record.
func (p *provider) send(intent, vendorKey, reference string) (effect string, replayed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if vendorKey != "" {
		if known, ok := p.byKey[vendorKey]; ok {
			return known, true
		}
	}
	p.made++
	effect = fmt.Sprintf("eff_%d", p.made)
	p.effects[intent] = append(p.effects[intent], effect)
	p.byRef[reference] = effect
	if vendorKey != "" {
		p.byKey[vendorKey] = effect
	}
	return effect, false
}

// find looks an effect up by a client reference, as fresh as a read of its own writes.
func (p *provider) find(reference string) (effect string, found bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	effect, found = p.byRef[reference]
	return effect, found
}

// counts are how many effects each intent has.
func (p *provider) counts() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	counts := map[string]int{}
	for intent, effects := range p.effects {
		counts[intent] = len(effects)
	}
	return counts
}
