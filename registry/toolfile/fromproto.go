package toolfile

import (
	"fmt"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	opledgerv1 "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/yamlproto"
	"github.com/opledger/opledger/providers"
	"github.com/opledger/opledger/registry"
)

// FromProto turns a definition of the API into the plain types. What it cannot turn is a problem. Whether the definition
// is a good one is for registry.Check to say.
func FromProto(m *opledgerv1.ToolDefinition) (registry.Definition, []registry.Problem) {
	r := &reader{}
	d := registry.Definition{
		Name: m.GetName(), Class: yamlproto.Word[registry.Class](m.GetClass()), Title: m.GetTitle(), Description: m.GetDescription(),
		Executor: yamlproto.Word[registry.Executor](m.GetExecutor()), Effect: yamlproto.Word[registry.EffectIdentity](m.GetEffectIdentity()),
		Labels: m.GetLabels(), LookBeforeDispatch: m.GetLookBeforeDispatch(),
		Schema:       r.schema(m),
		Identity:     r.identity(m.GetIdentity()),
		Permit:       r.permit(m.GetPermit()),
		Retry:        r.retry(m.GetRetry()),
		Waiting:      r.waiting(m.GetWaiting()),
		Exclusive:    exclusive(m.GetExclusive()),
		Provider:     r.provider(m.GetProvider()),
		Policy:       r.policy(m),
		Playbook:     r.playbook(m),
		HTTP:         r.http(m.GetHttp()),
		LooserReason: m.GetPolicy().GetLoosenReason(),
		ReadCacheFor: r.duration("read_cache_for", m.GetReadCacheFor()),
	}
	for _, s := range m.GetReconcile() {
		d.Reconcile = append(d.Reconcile, yamlproto.Word[registry.Strategy](s))
	}
	for state, texts := range m.GetMessages() {
		if d.Messages == nil {
			d.Messages = map[string]registry.Texts{}
		}
		d.Messages[state] = registry.Texts{SafeUser: texts.GetSafeUserMessage(), Model: texts.GetModelMessage()}
	}
	d.StatedZero = r.zero
	return d, r.problems
}

// reader collects what one definition states as zero, and what is wrong with it.
type reader struct {
	zero     map[string]bool
	problems []registry.Problem
}

func (r *reader) add(path string, code registry.Code, message string) {
	r.problems = append(r.problems, registry.Problem{Path: path, Code: code, Message: message})
}

func (r *reader) state(path string) {
	if r.zero == nil {
		r.zero = map[string]bool{}
	}
	r.zero[path] = true
}

// duration reads a duration. One that is stated as zero is noted.
func (r *reader) duration(path string, m *durationpb.Duration) time.Duration {
	d := m.AsDuration()
	if m != nil && d == 0 {
		r.state(path)
	}
	return d
}

// stated reads an optional setting. One that is stated as zero or false is noted.
func stated[T comparable](r *reader, path string, field *T) T {
	var zero T
	if field == nil {
		return zero
	}
	if *field == zero {
		r.state(path)
	}
	return *field
}

func (r *reader) permit(m *opledgerv1.PermitTerms) registry.Permit {
	if m == nil {
		return registry.Permit{}
	}
	return registry.Permit{
		Duration:       r.duration("permit.duration", m.GetDuration()),
		GreatestAge:    r.duration("permit.greatest_age", m.GetGreatestAge()),
		BeginRequired:  stated(r, "permit.begin_required", m.BeginRequired),
		WaiveReason:    m.GetWaiveReason(),
		StallAllowance: r.duration("permit.stall_allowance", m.GetStallAllowance()),
		MaxConcurrent:  int(stated(r, "permit.max_concurrent", m.MaxConcurrent)),
	}
}

func (r *reader) retry(m *opledgerv1.RetryTerms) registry.Retry {
	if m == nil {
		return registry.Retry{}
	}
	return registry.Retry{
		MaxAttempts:    int(stated(r, "retry.max_attempts", m.MaxAttempts)),
		MaxElapsed:     r.duration("retry.max_elapsed", m.GetMaxElapsed()),
		InitialBackoff: r.duration("retry.initial_backoff", m.GetInitialBackoff()),
		MaxBackoff:     r.duration("retry.max_backoff", m.GetMaxBackoff()),
		Multiplier:     stated(r, "retry.multiplier", m.Multiplier),
	}
}

func (r *reader) waiting(m *opledgerv1.WaitingTerms) registry.Waiting {
	if m == nil {
		return registry.Waiting{}
	}
	return registry.Waiting{
		PendingMaxAge:     r.duration("waiting.pending_max_age", m.GetPendingMaxAge()),
		RetryMaxAge:       r.duration("waiting.retry_max_age", m.GetRetryMaxAge()),
		HumanAfter:        r.duration("waiting.human_after", m.GetHumanAfter()),
		LookupWait:        r.duration("waiting.lookup_wait", m.GetLookupWait()),
		HumanOwner:        m.GetHumanOwner(),
		HumanDue:          r.duration("waiting.human_due", m.GetHumanDue()),
		HumanEscalate:     m.GetHumanEscalate(),
		BlockedHumanAfter: r.duration("waiting.blocked_human_after", m.GetBlockedHumanAfter()),
	}
}

func exclusive(m *opledgerv1.ExclusiveTerms) registry.Exclusive {
	switch choice := m.GetChoice().(type) {
	case *opledgerv1.ExclusiveTerms_Group:
		return registry.Exclusive{Stated: true, Group: choice.Group}
	case *opledgerv1.ExclusiveTerms_None:
		return registry.Exclusive{Stated: true, Reason: choice.None.GetReason()}
	}
	return registry.Exclusive{}
}

func (r *reader) provider(m *opledgerv1.ProviderProfile) registry.Provider {
	if m == nil {
		return registry.Provider{}
	}
	if m.GetBase() != "" {
		merged, ok := providers.Merge(m)
		if !ok {
			r.add("provider.base", registry.CodeValue, fmt.Sprintf("No profile of the name %q ships with this release; it has %s.", m.GetBase(), strings.Join(providers.Names(), ", ")))
			merged = m
		}
		m = merged
	}
	p := registry.Provider{
		Name: m.GetName(), Account: m.GetAccount(), RetryableCodes: m.GetRetryableCodes(), WebhookSource: m.GetWebhookSource(),
		StoresClientReference: m.GetStoresClientReference(), Base: m.GetBase(),
		LongestFlight:   r.duration("provider.longest_flight", m.GetLongestFlight()),
		PropagationTime: r.duration("provider.propagation_delay", m.GetPropagationDelay()),
		TimeToFinish:    r.duration("provider.time_to_finish", m.GetTimeToFinish()),
		FiveXXMayCommit: stated(r, "provider.five_xx_may_commit", m.FiveXxMayCommit),
		MaxConcurrent:   int(stated(r, "provider.max_concurrent", m.MaxConcurrent)),
	}
	if limit := m.GetRateLimit(); limit != nil {
		p.RateLimit = registry.RateLimit{
			MaxRequests: int(stated(r, "provider.rate_limit.max_requests", limit.MaxRequests)),
			Period:      r.duration("provider.rate_limit.period", limit.GetPeriod()), RetryAfterHeader: limit.GetRetryAfterHeader(),
		}
	}
	if k := m.GetIdempotencyKey(); k != nil {
		p.VendorKey = registry.VendorKey{
			Supported: k.GetSupported(), Header: k.GetHeader(), BodyField: k.GetBodyField(),
			MaxLength:           int(stated(r, "provider.idempotency_key.max_length", k.MaxLength)),
			Retention:           r.duration("provider.idempotency_key.retention", k.GetRetention()),
			MatchedAtAcceptance: k.GetMatchedAtAcceptance(), RecordsRefusals: k.GetRecordsRefusals(),
			Format: yamlproto.Word[registry.VendorKeyFormat](k.GetFormat()), Scope: yamlproto.Word[registry.VendorKeyScope](k.GetScope()),
		}
	}
	for _, l := range m.GetLookups() {
		p.Lookups = append(p.Lookups, registry.Lookup{
			By: yamlproto.Word[registry.LookupBy](l.GetBy()), Search: l.GetSearch(), Description: l.GetHow(),
			ReadAfterWrite: l.GetReadAfterWrite(), EmptyAnswers: int(l.GetEmptyAnswers()),
		})
	}
	return p
}
