package provider

import (
	"maps"

	"github.com/opledger/opledger/eval"
)

// Effects lists what was really done under a business key, undone effects included, in the order of their making.
func (p *Provider) Effects(businessKey string) []eval.Effect {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settle(p.now())
	a := p.accounts[businessKey]
	if a == nil {
		return nil
	}
	return truth(a.effects)
}

// All lists every effect that was ever made.
func (p *Provider) All() []eval.Effect {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settle(p.now())
	return truth(p.effects.all)
}

func truth(effects []*effect) []eval.Effect {
	all := make([]eval.Effect, len(effects))
	for i, e := range effects {
		all[i] = e.Effect
	}
	return all
}

// Counts are the provider's figures, by collection.
type Counts struct {
	Writes  map[string]int `json:"writes"`  // requests that were sent, whether they arrived or not
	Effects map[string]int `json:"effects"` // effects that were made
	Undone  map[string]int `json:"undone"`  // those of them that were undone
	// Late is how many commits are still to come.
	Late int `json:"late"`
	// Webhooks is how many deliveries are.
	Webhooks int `json:"webhooks"`
}

// Counts gives the figures.
func (p *Provider) Counts() Counts {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settle(p.now())
	c := Counts{Writes: map[string]int{}, Effects: map[string]int{}, Undone: map[string]int{}, Late: len(p.due)}
	maps.Copy(c.Writes, p.writes)
	for _, e := range p.effects.all {
		c.Effects[e.collection]++
		if e.Undone {
			c.Undone[e.collection]++
		}
	}
	for _, a := range p.opened {
		for _, h := range a.hooks {
			if !h.done {
				c.Webhooks++
			}
		}
	}
	return c
}

func (c Counts) equal(d Counts) bool {
	return c.Late == d.Late && c.Webhooks == d.Webhooks && maps.Equal(c.Writes, d.Writes) && maps.Equal(c.Effects, d.Effects) && maps.Equal(c.Undone, d.Undone)
}
