package toolfile

import (
	"fmt"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	opledgerv1 "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry"
)

// ToProto turns the plain types into a definition of the API.
func ToProto(d registry.Definition) *opledgerv1.ToolDefinition {
	w := writer{d.StatedZero}
	m := &opledgerv1.ToolDefinition{
		Name: d.Name, Class: value[opledgerv1.ToolClass](d.Class), Title: d.Title, Description: d.Description,
		Executor:           value[opledgerv1.Executor](d.Executor),
		EffectIdentity:     value[opledgerv1.EffectIdentity](d.Effect),
		LookBeforeDispatch: d.LookBeforeDispatch, Labels: d.Labels,
		ReadCacheFor: w.duration("read_cache_for", d.ReadCacheFor),
		Identity:     w.identity(&d.Identity),
		Permit:       w.permit(&d.Permit),
		Retry:        w.retry(&d.Retry),
		Waiting:      w.waiting(&d.Waiting),
		Exclusive:    exclusiveTerms(&d.Exclusive),
		Provider:     w.provider(&d.Provider),
		Policy:       w.policy(&d),
		Http:         adapterOf(d.HTTP),
		Playbook:     playbookMessage(d.Playbook),
	}
	writeSchema(m, d.Schema)
	for _, s := range d.Reconcile {
		m.Reconcile = append(m.Reconcile, value[opledgerv1.ReconcileStrategy](s))
	}
	for state, texts := range d.Messages {
		if m.Messages == nil {
			m.Messages = map[string]*opledgerv1.AnswerTexts{}
		}
		m.Messages[state] = &opledgerv1.AnswerTexts{SafeUserMessage: texts.SafeUser, ModelMessage: texts.Model}
	}
	return m
}

// Effective gives a definition with every default of its class filled in: what the ledger goes by.
func Effective(applied *opledgerv1.ToolDefinition) (*opledgerv1.ToolDefinition, error) {
	d, problems := FromProto(applied)
	if len(problems) > 0 {
		return nil, fmt.Errorf("a definition that was applied cannot be read: %w", registry.Problems(problems))
	}
	return ToProto(registry.WithDefaults(d)), nil
}

// writer writes settings, those that are stated as zero too.
type writer struct{ zero map[string]bool }

func (w writer) duration(path string, d time.Duration) *durationpb.Duration {
	if d == 0 && !w.zero[path] {
		return nil
	}
	return durationpb.New(d)
}

// set gives an optional setting: nothing where it is zero and was not stated so.
func set[T comparable](w writer, path string, field T) *T {
	var zero T
	if field == zero && !w.zero[path] {
		return nil
	}
	return &field
}

// orNil leaves out a message that says nothing.
func orNil[M interface {
	comparable
	proto.Message
}](m M) M {
	if proto.Size(m) == 0 {
		var none M
		return none
	}
	return m
}

func (w writer) permit(p *registry.Permit) *opledgerv1.PermitTerms {
	return orNil(&opledgerv1.PermitTerms{
		Duration:       w.duration("permit.duration", p.Duration),
		GreatestAge:    w.duration("permit.greatest_age", p.GreatestAge),
		BeginRequired:  set(w, "permit.begin_required", p.BeginRequired),
		WaiveReason:    p.WaiveReason,
		StallAllowance: w.duration("permit.stall_allowance", p.StallAllowance),
		MaxConcurrent:  set(w, "permit.max_concurrent", int32(p.MaxConcurrent)),
	})
}

func (w writer) retry(r *registry.Retry) *opledgerv1.RetryTerms {
	return orNil(&opledgerv1.RetryTerms{
		MaxAttempts:    set(w, "retry.max_attempts", int32(r.MaxAttempts)),
		MaxElapsed:     w.duration("retry.max_elapsed", r.MaxElapsed),
		InitialBackoff: w.duration("retry.initial_backoff", r.InitialBackoff),
		MaxBackoff:     w.duration("retry.max_backoff", r.MaxBackoff),
		Multiplier:     set(w, "retry.multiplier", r.Multiplier),
	})
}

func (w writer) waiting(t *registry.Waiting) *opledgerv1.WaitingTerms {
	return orNil(&opledgerv1.WaitingTerms{
		PendingMaxAge:     w.duration("waiting.pending_max_age", t.PendingMaxAge),
		RetryMaxAge:       w.duration("waiting.retry_max_age", t.RetryMaxAge),
		HumanAfter:        w.duration("waiting.human_after", t.HumanAfter),
		LookupWait:        w.duration("waiting.lookup_wait", t.LookupWait),
		HumanOwner:        t.HumanOwner,
		HumanDue:          w.duration("waiting.human_due", t.HumanDue),
		HumanEscalate:     t.HumanEscalate,
		BlockedHumanAfter: w.duration("waiting.blocked_human_after", t.BlockedHumanAfter),
	})
}

func exclusiveTerms(e *registry.Exclusive) *opledgerv1.ExclusiveTerms {
	switch {
	case e.Group != "":
		return &opledgerv1.ExclusiveTerms{Choice: &opledgerv1.ExclusiveTerms_Group{Group: e.Group}}
	case e.Stated:
		return &opledgerv1.ExclusiveTerms{Choice: &opledgerv1.ExclusiveTerms_None{None: &opledgerv1.NotExclusive{Reason: e.Reason}}}
	}
	return nil
}

func (w writer) provider(p *registry.Provider) *opledgerv1.ProviderProfile {
	m := &opledgerv1.ProviderProfile{
		Name: p.Name, Account: p.Account, RetryableCodes: p.RetryableCodes, WebhookSource: p.WebhookSource,
		StoresClientReference: p.StoresClientReference, Base: p.Base,
		LongestFlight:    w.duration("provider.longest_flight", p.LongestFlight),
		PropagationDelay: w.duration("provider.propagation_delay", p.PropagationTime),
		TimeToFinish:     w.duration("provider.time_to_finish", p.TimeToFinish),
		FiveXxMayCommit:  set(w, "provider.five_xx_may_commit", p.FiveXXMayCommit),
		MaxConcurrent:    set(w, "provider.max_concurrent", int32(p.MaxConcurrent)),
	}
	m.RateLimit = orNil(&opledgerv1.RateLimitProfile{
		MaxRequests: set(w, "provider.rate_limit.max_requests", int32(p.RateLimit.MaxRequests)),
		Period:      w.duration("provider.rate_limit.period", p.RateLimit.Period), RetryAfterHeader: p.RateLimit.RetryAfterHeader,
	})
	k := &p.VendorKey
	m.IdempotencyKey = orNil(&opledgerv1.VendorKeyProfile{
		Supported: k.Supported, Header: k.Header, BodyField: k.BodyField,
		MaxLength:           set(w, "provider.idempotency_key.max_length", int32(k.MaxLength)),
		Retention:           w.duration("provider.idempotency_key.retention", k.Retention),
		MatchedAtAcceptance: k.MatchedAtAcceptance, RecordsRefusals: k.RecordsRefusals,
		Format: value[opledgerv1.VendorKeyFormat](k.Format), Scope: value[opledgerv1.VendorKeyScope](k.Scope),
	})
	for _, l := range p.Lookups {
		m.Lookups = append(m.Lookups, &opledgerv1.LookupProfile{
			By: value[opledgerv1.LookupBy](l.By), Search: l.Search, How: l.Description, ReadAfterWrite: l.ReadAfterWrite,
			EmptyAnswers: set(writer{}, "", int32(l.EmptyAnswers)),
		})
	}
	return orNil(m)
}
