package script

import (
	"maps"
	"slices"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/provider"
	"github.com/opledger/opledger/eval/world"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// newRunner makes the runner of a scenario in a fresh world.
func newRunner(s *Scenario, w *world.World, engine string) (*runner, error) {
	conn, err := w.Conn()
	if err != nil {
		return nil, err
	}
	return &runner{
		scenario: s, engine: engine, world: w, first: conn, began: w.Now(), labels: &labels{steps: map[string]*outcome{}},
		providers: map[string]*provider.Provider{}, keys: map[string][]string{}, faults: map[string][]eval.Fault{}, plans: map[string]*plan{},
	}, nil
}

// provider is the other side of a tool: a simulator with the numbers that the tool's own profile states. Tools of one
// provider share it, as they do in the world; the numbers are those of the first that is used.
func (r *runner) provider(tool string) *provider.Provider {
	profile := r.scenario.definition(tool).GetProvider()
	return r.simulator(profile.GetName(), profile.GetAccount(), stated(profile))
}

// simulator finds or makes the simulator of a provider's account.
func (r *runner) simulator(name, account string, profile provider.Profile) *provider.Provider {
	r.mu.Lock()
	defer r.mu.Unlock()
	name += "/" + account
	p := r.providers[name]
	if p == nil {
		p = provider.New(provider.Options{Clock: r.world.Now, Profile: profile})
		r.providers[name] = p
	}
	return p
}

// definition is a tool as the scenario starts with it, or as the shared file has it.
func (s *Scenario) definition(tool string) *pb.ToolDefinition {
	for _, t := range s.Tools {
		if t.Name == tool {
			return t
		}
	}
	return s.known[tool]
}

// stated is a tool's profile in the simulator's terms.
func stated(p *pb.ProviderProfile) provider.Profile {
	return provider.Profile{
		Keyed: p.GetIdempotencyKey().GetSupported(), Retention: p.GetIdempotencyKey().GetRetention().AsDuration(),
		InFlight: p.GetLongestFlight().AsDuration(), Lag: p.GetPropagationDelay().AsDuration(), Finish: p.GetTimeToFinish().AsDuration(),
		RetryAfter: provider.Stated(false).RetryAfter, WebhookAfter: provider.Stated(false).WebhookAfter,
	}
}

func (r *runner) providersInOrder() (all []*provider.Provider) {
	for _, name := range slices.Sorted(maps.Keys(r.providers)) {
		all = append(all, r.providers[name])
	}
	return all
}

// effects counts what was done under a business key, or with "all" under every one.
func (r *runner) effects(key string) (n int) {
	for _, p := range r.providersInOrder() {
		if key == "all" {
			n += len(p.All())
		} else {
			n += len(p.Effects(key))
		}
	}
	return n
}

// administrators are those who may apply tools: one of each namespace.
func (r *runner) administrators() (names []string) {
	if len(r.scenario.Callers) == 0 {
		return []string{""}
	}
	seen := map[string]bool{}
	for _, c := range r.scenario.Callers {
		if ns := string(c.Caller.Namespace); c.Caller.May("administer") && !seen[ns] {
			seen[ns] = true
			names = append(names, c.Name)
		}
	}
	return names
}
