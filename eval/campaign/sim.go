package campaign

import (
	"encoding/json"
	"time"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/provider"
	"github.com/opledger/opledger/eval/reply"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry"
)

// sim is the run's provider, and what of its effects the ledger has heard.
type sim struct {
	play   *play
	p      *provider.Provider
	writes int
	told   map[string]bool // effects of which a statement has reached the ledger
}

func newSim(p *play) *sim {
	return &sim{play: p, p: newProvider(p.tool, p.clock), told: map[string]bool{}}
}

// newProvider is the provider that a tool's profile speaks of. The store of an internal write is one too: it keeps the keys
// of its transactions for ever.
func newProvider(t *tool, clock func() time.Time) *provider.Provider {
	profile := provider.Stated(t.keyed)
	if t.class == registry.InternalDeterministicWrite {
		profile.Retention = 0
	}
	return provider.New(provider.Options{Clock: clock, Profile: profile})
}

// undoKey is the business key under which the provider counts what undoes the run's effect.
func (s *sim) undoKey() string { return s.play.ref + "/undo" }

// request is the one request of a permit.
func (s *sim) request(p *permit) provider.Request {
	t := tools()[p.Tool]
	r := provider.Request{
		Method: provider.Create, Collection: t.intent + "s", BusinessKey: s.play.ref, VendorKey: p.VendorIdempotencyKey,
		ClientReference: p.ClientReference, Body: []byte(p.DispatchArgumentsJson),
	}
	switch {
	case t.class == registry.PureRead:
		r.Method = provider.Read
	case t.class == registry.InternalDeterministicWrite:
		r.VendorKey = p.OperationId // its own transaction is keyed by it
	case p.Tool == undoing:
		var a struct{ Of string }
		_ = json.Unmarshal(r.Body, &a) // of the playbook's template
		r.Method, r.BusinessKey, r.Undoes = provider.Undo, s.undoKey(), a.Of
	}
	return r
}

// fault is what the next write meets: the promise of the provider's that the run breaks, then its other faults in their
// order.
func (s *sim) fault() eval.Fault {
	if broken := s.play.run.Broken; broken != "" && provider.Behaves(broken) && s.play.breaks(broken) {
		return broken
	}
	f := eval.NoFault
	if s.writes < len(s.play.run.Provider) {
		f = s.play.run.Provider[s.writes]
		s.play.meet(f)
	}
	s.writes++
	return f
}

// write sends it. It takes no time: the answer says how long its sender waits for it.
func (s *sim) write(a *actor, p *permit, patience time.Duration) reply.Reply {
	r, f := s.request(p), s.fault()
	r.Patience = patience
	c := s.play.opened(a, "send")
	answer := s.p.Write(r, f)
	s.play.done(c)
	understood := reply.Understand(answer, tick)
	s.play.step(a.name, "sends attempt %d of %s (%s): %s", p.AttemptNumber, s.play.name(p.OperationId), f, understood)
	if understood.Code == "idempotency_key_reused" {
		s.play.find("expect", eval.RetrySafety, "a resend of %s is another request under the same vendor key", s.play.name(p.OperationId))
	}
	return understood
}

// find puts a question of the ledger's to the provider.
func (s *sim) find(a *actor, t *tool, q *pb.LookupQuestion) finding {
	query := provider.Query{Collection: t.intent + "s"}
	switch q.By {
	case pb.LookupBy_LOOKUP_BY_VENDOR_KEY:
		query.VendorKey = q.Value
	case pb.LookupBy_LOOKUP_BY_CLIENT_REFERENCE:
		query.ClientReference = q.Value
	default:
		query.ObjectID = q.Value
	}
	c := s.play.opened(a, "lookup")
	found, err := s.p.Find(query)
	s.play.done(c)
	switch {
	case err != nil:
		return finding{verdict: pb.Verdict_VERDICT_STILL_UNKNOWN, says: err.Error()}
	case len(found) == 0:
		return finding{verdict: pb.Verdict_VERDICT_DID_NOT_HAPPEN, says: "not found"}
	}
	o := found[0]
	f := finding{verdict: pb.Verdict_VERDICT_HAPPENED, effect: o.ID, vendorKey: o.VendorKey, reference: o.ClientReference, says: "it happened"}
	if o.Status == provider.Pending {
		f.verdict, f.says = pb.Verdict_VERDICT_IN_PROGRESS, "in progress"
	}
	return f
}

// busy reports whether something is still to come from the provider.
func (s *sim) busy() bool {
	for _, key := range []string{s.play.ref, s.undoKey()} {
		if _, some := s.p.NextOf(key); some {
			return true
		}
	}
	return false
}

// effects is the provider's own count, what undoes included.
func (s *sim) effects() []eval.Effect {
	return append(s.p.Effects(s.play.ref), s.p.Effects(s.undoKey())...)
}

// allHeard reports whether the ledger has heard of each of the effects.
func (s *sim) allHeard(effects []eval.Effect) bool {
	for _, e := range effects {
		if !s.told[e.ID] {
			return false
		}
	}
	return true
}

// heard notes that a statement of an effect has reached the ledger.
func (p *play) heard(effect string) {
	if effect != "" {
		p.sim.told[effect] = true
	}
}
