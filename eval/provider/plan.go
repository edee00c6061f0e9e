package provider

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"github.com/opledger/opledger/eval"
)

// Plan is what is to befall the next requests for a business key, in their order.
type Plan struct {
	BusinessKey string       `json:"business_key"`
	Faults      []eval.Fault `json:"faults"`
}

// Chance lets requests without a plan meet faults that are drawn.
type Chance struct {
	// Seed decides them: the n-th request for a business key meets the same fault whatever came in between.
	Seed uint64 `json:"seed"`
	// Share of the requests meet a fault, from 0 to 1; the faults are those of eval.ProviderFaults.
	Share float64 `json:"share"`
}

// Plan adds faults to the plan of a business key.
func (p *Provider) Plan(plan Plan) error {
	for _, f := range plan.Faults {
		if !Behaves(f) {
			return fmt.Errorf("%q is no fault of a provider", f)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.record(entry{At: p.now(), Plan: &plan}); err != nil {
		return err
	}
	p.add(plan)
	return nil
}

func (p *Provider) add(plan Plan) {
	a := p.account(plan.BusinessKey)
	a.plan = append(a.plan, plan.Faults...)
}

// WriteAsPlanned carries out a request that meets the next fault of its plan, or what chance brings.
func (p *Provider) WriteAsPlanned(r Request, c Chance) Answer {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.account(r.BusinessKey)
	if len(a.plan) > 0 {
		return p.enter(r, a.plan[0], true)
	}
	return p.enter(r, c.draw(r.BusinessKey, a.writes), false)
}

// draw is the fault of the n-th request for a business key.
func (c Chance) draw(businessKey string, n int) eval.Fault {
	h := fnv.New64a()
	_, _ = h.Write([]byte(businessKey))
	luck := rand.New(rand.NewPCG(c.Seed^h.Sum64(), uint64(n)))
	if luck.Float64() >= c.Share {
		return eval.NoFault
	}
	faults := eval.ProviderFaults[1:] // the first one is none
	return faults[luck.IntN(len(faults))]
}
