package registry

import (
	"fmt"
	"slices"

	"github.com/opledger/opledger/policy"
)

// Capabilities says what a server can enforce. The zero value is a server that knows identity, permits, retries,
// exclusive groups and reconciliation by evidence, with callers that act themselves.
type Capabilities struct {
	Approvals         bool
	Limits            bool
	Guards            bool
	DedupeWindows     bool
	Conflicts         bool
	Leases            bool
	EntityStates      bool
	Playbooks         bool
	Shadow            bool
	ProposerRoles     bool
	RevisionBounds    bool // a tool's own bound on revisions
	RepeatGrants      bool // occurrences that need a grant
	Workers           bool // the executor WORKER
	HTTP              bool // the executor SERVER_HTTP
	PlainHTTP         bool // its requests without TLS, which a server's operator allows
	InboundEvents     bool // webhooks as evidence
	SourceEvents      bool // time buckets of the workflow's source event
	ReconcileOrder    bool // another order of strategies than the class's
	EmptyAnswers      bool // more than one empty answer before "not found"
	KeyFormats        bool // vendor keys in other forms than text
	ProviderBases     bool // shipped provider profiles
	EffectIdentities  bool // effect ids that are not those of created objects
	RateLimits        bool // a provider's stated rate, kept to beforehand
	ConcurrencyBounds bool
	BlockedEscalation bool // a time of its own after which a person is asked about who is held up
	ReadCache         bool
	LookFirst         bool // the look before the first dispatch
}

// Missing lists what a definition needs and a server cannot enforce. Such a definition is refused when it is applied:
// what is accepted is enforced, never ignored.
func Missing(d Definition, can Capabilities) []Problem {
	d = WithDefaults(d)
	var problems Problems
	need := func(needed, can bool, path, format string, args ...any) {
		if needed && !can {
			problems.add(path, CodeCapability, "This server cannot enforce "+fmt.Sprintf(format, args...)+". Take it out, or use a server that can; it is never accepted and ignored.")
		}
	}
	p, w := &d.Provider, &d.Waiting
	r := &d.Policy
	need(r.Approval != nil, can.Approvals, "policy.approval", "approvals")
	need(len(r.Guards) > 0, can.Guards, "policy.guards", "guards")
	need(len(r.Limits) > 0, can.Limits, "policy.limits", "limits")
	need(len(r.Windows) > 0, can.DedupeWindows, "policy.dedupe_windows", "dedupe windows")
	need(len(r.Conflicts) > 0, can.Conflicts, "policy.conflicts", "conflicts between tools")
	need(r.LeaseHeld, can.Leases, "policy.lease", "leases")
	need(r.SetsEntityState != "", can.EntityStates, "policy.sets_entity_state", "states of entities")
	for _, path := range shadowed(r) {
		need(true, can.Shadow, path, "shadow mode")
	}
	need(len(r.ProposerRoles) > 0, can.ProposerRoles, "policy.proposer_roles", "roles of proposers per tool")
	need(r.MaxRevisions != policy.DefaultMaxRevisions, can.RevisionBounds, pathMaxRevisions, "a bound of the tool's own on revisions")
	need(d.Playbook != nil, can.Playbooks, "playbook", "compensation by playbooks")
	need(d.HTTP != nil, can.HTTP, "http", "HTTP requests of its own")
	for _, path := range unencrypted(d.HTTP) {
		need(true, can.PlainHTTP, path, "requests that are not encrypted unless its operator allows them; write https")
	}
	need(d.Executor == Worker, can.Workers, "executor", "the executor WORKER; the caller acts itself (INLINE)")
	need(d.Executor == ServerHTTP, can.HTTP, "executor", "the executor SERVER_HTTP; the caller acts itself (INLINE)")
	need(d.Identity.Occurrence == OccurrenceRepeatGrant, can.RepeatGrants, "identity.occurrence", "repeat grants, by which the class %s admits occurrences; state occurrence: NOBODY, or another policy", d.Class)
	need(d.Identity.SourceEventBucket, can.SourceEvents, "identity.bucket.source_event", "source events; take the bucket from an argument")
	need(p.WebhookSource != "", can.InboundEvents, "provider.webhook_source", "webhooks as evidence")
	need(p.Base != "", can.ProviderBases, "provider.base", "shipped provider profiles; write the profile out")
	need(p.VendorKey.Supported && p.VendorKey.Format != KeyText, can.KeyFormats, "provider.idempotency_key.format", "vendor keys of the format %s; they are text", p.VendorKey.Format)
	for i, l := range p.Lookups {
		need(l.EmptyAnswers > 1, can.EmptyAnswers, indexed("provider.lookups", i)+".empty_answers", "more than one empty answer before \"not found\"")
	}
	need(p.RateLimit.MaxRequests > 0, can.RateLimits, "provider.rate_limit", "a provider's stated rate beforehand; its refusals are heeded without it")
	need(p.MaxConcurrent > 0, can.ConcurrencyBounds, "provider.max_concurrent", "bounds on concurrent requests")
	need(d.Permit.MaxConcurrent > 0, can.ConcurrencyBounds, pathMaxConcurrent, "bounds on concurrent permits")
	need(w.BlockedHumanAfter > 0, can.BlockedEscalation, pathBlockedAfter, "a time of its own for who is held up; human_after holds for both")
	need(d.Effect != EffectCreatedObject, can.EffectIdentities, "effect_identity", "effect ids of the kind %s; they are those of created objects", d.Effect)
	need(d.ReadCacheFor > 0, can.ReadCache, "read_cache_for", "cached reads")
	need(d.LookBeforeDispatch, can.LookFirst, "look_before_dispatch", "a look before the first dispatch")
	row, _ := DefaultsOf(d.Class)
	need(!slices.Equal(d.Reconcile, usable(row.Reconcile, &d)), can.ReconcileOrder, "reconcile", "another order of reconciliation than the class's")
	return problems
}

// shadowed lists, by path, where a tool asks for shadow mode.
func shadowed(r *policy.ToolRules) []string {
	var paths []string
	note := func(shadow bool, path string) {
		if shadow {
			paths = append(paths, path+".shadow")
		}
	}
	note(r.Shadow, "policy")
	for i, g := range r.Guards {
		note(g.Shadow, indexed("policy.guards", i))
	}
	for i, l := range r.Limits {
		note(l.Shadow, indexed("policy.limits", i))
	}
	for i, w := range r.Windows {
		note(w.Shadow, indexed("policy.dedupe_windows", i))
	}
	for i, c := range r.Conflicts {
		note(c.Shadow, indexed("policy.conflicts", i))
	}
	return paths
}
