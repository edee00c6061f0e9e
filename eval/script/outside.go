package script

import (
	"context"
	"fmt"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/carrier"
	"github.com/opledger/opledger/eval/provider"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// plan is what befalls the attempts that servers make of one operation by themselves.
type plan struct {
	key    string       // the business key that the provider counts by
	faults []eval.Fault // of the attempts that are to come, in turn; then none
}

// readPlan reads {key: it, faults: [timeout_after_commit, none]}.
func readPlan(s *Step) (p plan, err error) {
	for _, f := range s.fields {
		words, err := texts(f.value)
		if err != nil {
			return p, err
		}
		switch f.name.Value {
		case "key":
			p.key = words[0]
		case "faults":
			for _, word := range words {
				if !carrier.Befalls(eval.Fault(word)) {
					return p, at(f.value, "%q is no fault that the attempt of a server can meet", word)
				}
				p.faults = append(p.faults, eval.Fault(word))
			}
		default:
			return p, unknown(f.name, "part of a plan", []string{"key", "faults"})
		}
	}
	if p.key == "" {
		return p, at(s.node, "a plan says for which business key the provider counts")
	}
	return p, nil
}

func checkPlan(x *filling, s *Step) error {
	_, err := readPlan(s)
	if err == nil {
		_, err = x.operationOf(s.subject)
	}
	return err
}

// planOf plans what befalls the attempts of the operation that a step was about. It is judged from then on, whether anything
// is sent for it or not.
func planOf(_ context.Context, r *runner, s *Step) error {
	p, err := readPlan(s)
	if err != nil {
		return err
	}
	id, err := (&filling{labels: r.labels}).operationOf(s.subject)
	if err != nil {
		return err
	}
	r.plans[id] = &p
	r.keys[p.key] = append(r.keys[p.key], id)
	return nil
}

// outside is what servers reach that make requests themselves. Several may act at once.
type outside struct{ *runner }

var _ carrier.Outside = outside{}

// Provider implements carrier.Outside.
func (o outside) Provider(tool *registry.Definition) *provider.Provider {
	p := &tool.Provider
	return o.simulator(p.Name, p.Account, provider.Profile{
		Keyed: p.VendorKey.Supported, Retention: p.VendorKey.Retention, InFlight: p.LongestFlight, Lag: p.PropagationTime, Finish: p.TimeToFinish,
		RetryAfter: provider.Stated(false).RetryAfter, WebhookAfter: provider.Stated(false).WebhookAfter,
	})
}

// Next implements carrier.Outside. An operation without a plan is its own business key.
func (o outside) Next(_ *registry.Definition, id ledger.OperationID) (key string, fault eval.Fault) {
	o.mu.Lock()
	defer o.mu.Unlock()
	p := o.plans[string(id)]
	if p == nil {
		p = &plan{key: string(id)}
		o.plans[string(id)], o.keys[p.key] = p, []string{string(id)}
	}
	fault = eval.NoFault
	if len(p.faults) > 0 {
		fault, p.faults = p.faults[0], p.faults[1:]
	}
	o.faults[p.key] = append(o.faults[p.key], fault)
	o.note("a server takes up %s (%s)", id, fault)
	return p.key, fault
}

// Sent implements carrier.Outside.
func (o outside) Sent(s carrier.Sent) {
	now := o.world.Now()
	c := eval.Call{By: "server", Method: "send", Began: now.Add(-s.Answer.Took), Ended: now, Sequence: o.next(), EndSeq: o.next()}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.calls = append(o.calls, c)
	o.note("a server sends for %s -> %s %d %s", s.OperationID, s.Answer.Kind, s.Answer.Status, s.Answer.EffectID)
}

// note adds a line to the history that belongs to no step.
func (o outside) note(format string, words ...any) {
	o.history = append(o.history, fmt.Sprintf("%s +%s %s", o.scenario.File, o.since(), fmt.Sprintf(format, words...)))
}
