package registry_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
)

// TestMissing: each thing that a definition can ask for is refused by a server without it, and taken by one that has it.
func TestMissing(t *testing.T) {
	type change = func(*registry.Definition)
	cases := map[string]struct {
		from   func() registry.Definition
		change change
		want   []string
	}{
		"Approvals":      {mail, func(d *registry.Definition) { d.Policy.Approval = &policy.ApprovalNeed{Roles: []string{"finance"}} }, []string{"policy.approval"}},
		"Limits":         {mail, func(d *registry.Definition) { d.Policy.Limits = []policy.Limit{{Name: "daily"}} }, []string{"policy.limits"}},
		"Guards":         {mail, func(d *registry.Definition) { d.Policy.Guards = []policy.Guard{{Name: "open"}} }, []string{"policy.guards"}},
		"DedupeWindows":  {mail, func(d *registry.Definition) { d.Policy.Windows = []policy.DedupeWindow{{Name: "hourly"}} }, []string{"policy.dedupe_windows"}},
		"Conflicts":      {mail, func(d *registry.Definition) { d.Policy.Conflicts = []policy.Conflict{{Name: "credit"}} }, []string{"policy.conflicts"}},
		"Leases":         {mail, func(d *registry.Definition) { d.Policy.LeaseHeld = true }, []string{"policy.lease"}},
		"EntityStates":   {mail, func(d *registry.Definition) { d.Policy.SetsEntityState = "sent" }, []string{"policy.sets_entity_state"}},
		"Playbooks":      {mail, func(d *registry.Definition) { d.Playbook = &registry.Playbook{} }, []string{"playbook"}},
		"Shadow":         {mail, func(d *registry.Definition) { d.Policy.Shadow = true }, []string{"policy.shadow"}},
		"ProposerRoles":  {mail, func(d *registry.Definition) { d.Policy.ProposerRoles = []string{"support"} }, []string{"policy.proposer_roles"}},
		"RevisionBounds": {mail, func(d *registry.Definition) { d.Policy.MaxRevisions = 2 }, []string{"policy.max_revisions"}},
		"RepeatGrants":   {revoke, func(d *registry.Definition) { d.Identity.Occurrence = "" }, []string{"identity.occurrence"}},
		"Workers":        {mail, func(d *registry.Definition) { d.Executor = registry.Worker }, []string{"executor"}},
		"HTTP":           {mail, func(d *registry.Definition) { d.Executor, d.HTTP = registry.ServerHTTP, &registry.HTTPAdapter{} }, []string{"http", "executor"}},
		"PlainHTTP": {mail, func(d *registry.Definition) {
			d.HTTP = &registry.HTTPAdapter{Request: registry.HTTPRequest{URL: "http://x"}, Lookups: []registry.HTTPLookup{{Request: registry.HTTPRequest{URL: "HTTP://x"}}}}
		}, []string{"http.request.url", "http.lookups[0].request.url"}},
		"InboundEvents":    {mail, func(d *registry.Definition) { d.Provider.WebhookSource = "mail" }, []string{"provider.webhook_source"}},
		"SourceEvents":     {mail, func(d *registry.Definition) { d.Identity.SourceEventBucket = true }, []string{"identity.bucket.source_event"}},
		"ReconcileOrder":   {capture, func(d *registry.Definition) { d.Reconcile = []registry.Strategy{registry.StrategyPerson} }, []string{"reconcile"}},
		"EmptyAnswers":     {capture, func(d *registry.Definition) { d.Provider.Lookups[1].EmptyAnswers = 2 }, []string{"provider.lookups[1].empty_answers"}},
		"KeyFormats":       {capture, func(d *registry.Definition) { d.Provider.VendorKey.Format = registry.KeyUUID }, []string{"provider.idempotency_key.format"}},
		"ProviderBases":    {capture, func(d *registry.Definition) { d.Provider.Base = "stripe.v1" }, []string{"provider.base"}},
		"EffectIdentities": {capture, func(d *registry.Definition) { d.Effect = registry.EffectNone }, []string{"effect_identity"}},
		"RateLimits": {capture, func(d *registry.Definition) {
			d.Provider.RateLimit = registry.RateLimit{MaxRequests: 10, Period: time.Second}
		}, []string{"provider.rate_limit"}},
		"ConcurrencyBounds": {capture, func(d *registry.Definition) { d.Permit.MaxConcurrent = 4 }, []string{"permit.max_concurrent"}},
		"BlockedEscalation": {capture, func(d *registry.Definition) { d.Waiting.BlockedHumanAfter = time.Hour }, []string{"waiting.blocked_human_after"}},
		"ReadCache":         {read, func(d *registry.Definition) { d.ReadCacheFor = time.Minute }, []string{"read_cache_for"}},
		"LookFirst":         {capture, func(d *registry.Definition) { d.LookBeforeDispatch = true }, []string{"look_before_dispatch"}},
	}
	all := reflect.TypeFor[registry.Capabilities]()
	for i := range all.NumField() {
		name := all.Field(i).Name
		c, ok := cases[name]
		if !ok {
			t.Errorf("no case for the capability %s", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			d := with(c.from(), c.change)
			var want []string
			for _, path := range c.want {
				want = append(want, path+" capability_missing")
			}
			// To be without TLS, there has to be something to be without it.
			without := registry.Capabilities{HTTP: name == "PlainHTTP"}
			wantCodes(t, registry.Missing(d, without), want...)
			can := without
			reflect.ValueOf(&can).Elem().Field(i).SetBool(true)
			wantCodes(t, registry.Missing(d, can))
		})
	}
}

func TestNothingIsMissingFromPlainDefinitions(t *testing.T) {
	for _, d := range []registry.Definition{capture(), mail(), revoke(), read(), contact()} {
		wantCodes(t, registry.Missing(d, registry.Capabilities{}))
	}
}

// TestShadowOfOneRule: a server without shadow mode refuses it wherever it is asked for, and says where.
func TestShadowOfOneRule(t *testing.T) {
	d := mail()
	d.Policy = policy.ToolRules{
		Guards:  []policy.Guard{{Name: "a"}, {Name: "b", Shadow: true}},
		Limits:  []policy.Limit{{Name: "c", Shadow: true}},
		Windows: []policy.DedupeWindow{{Name: "d", Shadow: true}}, Conflicts: []policy.Conflict{{Name: "e", Shadow: true}},
	}
	all := registry.Capabilities{Guards: true, Limits: true, DedupeWindows: true, Conflicts: true}
	wantCodes(t, registry.Missing(d, all), "policy.guards[1].shadow capability_missing", "policy.limits[0].shadow capability_missing",
		"policy.dedupe_windows[0].shadow capability_missing", "policy.conflicts[0].shadow capability_missing")
	all.Shadow = true
	wantCodes(t, registry.Missing(d, all))
}
