package server_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// provider is the outside world of a test, where effects are counted. It knows a request again by its vendor key, as the
// providers of the tests' tools do, and refuses who comes with a fencing number below one that it has seen.
type provider struct {
	t  *testing.T
	mu sync.Mutex

	effects map[string]string   // by vendor key, or by attempt where the tool has none
	made    map[string][]string // by operation: its effects
	amounts map[string]int64    // by effect
	fences  map[string]int64    // the greatest number seen, by entity and scope
}

func newProvider(t *testing.T) *provider {
	return &provider{t: t, effects: map[string]string{}, made: map[string][]string{}, amounts: map[string]int64{}, fences: map[string]int64{}}
}

// acts makes the effect that a permit is for, of an amount in minor units, and answers its id. One that comes with an
// outdated fencing number makes none.
func (p *provider) acts(permit *pb.Permit, amount int64) (effect string, err error) {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range permit.FencingNumbers {
		if seen := p.fences[scopeOf(f)]; f.Number < seen {
			return "", fmt.Errorf("fencing number %d of %s: %d was seen", f.Number, scopeOf(f), seen)
		}
	}
	for _, f := range permit.FencingNumbers {
		p.fences[scopeOf(f)] = f.Number
	}
	key := permit.VendorIdempotencyKey
	if key == "" {
		key = permit.AttemptId
	}
	if known := p.effects[key]; known != "" {
		return known, nil
	}
	effect = fmt.Sprintf("effect_%d", len(p.effects)+1)
	p.effects[key], p.amounts[effect] = effect, amount
	p.made[permit.OperationId] = append(p.made[permit.OperationId], effect)
	return effect, nil
}

// did expects acts to make its effect.
func (p *provider) did(permit *pb.Permit, amount int64) string {
	p.t.Helper()
	effect, err := p.acts(permit, amount)
	if err != nil {
		p.t.Fatalf("the provider refused: %v", err)
	}
	return effect
}

// totals are how many effects there are, and what their amounts sum up to.
func (p *provider) totals() (count int, sum int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, amount := range p.amounts {
		sum += amount
	}
	return len(p.amounts), sum
}

// of lists an operation's effects.
func (p *provider) of(operation string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.made[operation])
}

// counts fails the test unless there are so many effects.
func (p *provider) counts(want int) {
	p.t.Helper()
	if n, _ := p.totals(); n != want {
		p.t.Fatalf("%d effects are counted at the provider, want %d", n, want)
	}
}

// scopeOf names what a fencing number is about.
func scopeOf(f *pb.FencingNumber) string {
	return strings.Join([]string{f.Entity.GetType(), f.Entity.GetId(), f.Scope}, "/")
}
