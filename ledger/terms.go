package ledger

import (
	"cmp"
	"time"

	"github.com/opledger/opledger/registry"
)

// Terms is the part of a tool's contract that the core decides by. It is kept with the operation, so that an operation
// lives and ends under the terms that it was made under, whatever becomes of the tool. Absent numbers are zero.
type Terms struct {
	Class          registry.Class            `json:"class"`
	Executor       registry.Executor         `json:"executor"`
	BeginRequired  bool                      `json:"begin_required,omitempty"`
	PermitDuration time.Duration             `json:"permit_ns"`
	PermitGreatest time.Duration             `json:"permit_greatest_ns"`
	StallAllowance time.Duration             `json:"stall_allowance_ns,omitempty"`
	MaxAttempts    int                       `json:"max_attempts"`
	MaxElapsed     time.Duration             `json:"max_elapsed_ns,omitempty"`
	InitialBackoff time.Duration             `json:"initial_backoff_ns,omitempty"`
	MaxBackoff     time.Duration             `json:"max_backoff_ns,omitempty"`
	Multiplier     float64                   `json:"multiplier,omitempty"`
	PendingMaxAge  time.Duration             `json:"pending_max_age_ns"`
	RetryMaxAge    time.Duration             `json:"retry_max_age_ns"`
	HumanAfter     time.Duration             `json:"human_after_ns"`
	LookupWait     time.Duration             `json:"lookup_wait_ns,omitempty"`
	HumanOwner     string                    `json:"human_owner,omitempty"`
	HumanDue       time.Duration             `json:"human_due_ns,omitempty"`
	HumanEscalate  string                    `json:"human_escalate,omitempty"`
	BlockedAfter   time.Duration             `json:"blocked_after_ns,omitempty"` // of keeping others from its entity
	Group          string                    `json:"group,omitempty"`
	Provider       string                    `json:"provider,omitempty"`
	Account        string                    `json:"account,omitempty"`
	VendorKeyed    bool                      `json:"vendor_keyed,omitempty"`
	KeyLength      int                       `json:"vendor_key_length,omitempty"`
	Retention      time.Duration             `json:"vendor_retention_ns,omitempty"`
	MatchedEarly   bool                      `json:"matched_at_acceptance,omitempty"`
	RecordsRefusal bool                      `json:"records_refusals,omitempty"`
	Lookups        []registry.Lookup         `json:"lookups,omitempty"`
	Flight         time.Duration             `json:"longest_flight_ns,omitempty"`
	Propagation    time.Duration             `json:"propagation_ns,omitempty"`
	TimeToFinish   time.Duration             `json:"time_to_finish_ns,omitempty"`
	Messages       map[string]registry.Texts `json:"messages,omitempty"`
	// SetsEntityState is the template of the state that the entity gets when the operation succeeds; empty: unchanged.
	SetsEntityState string `json:"sets_entity_state,omitempty"`

	Reconcile []registry.Strategy      `json:"reconcile,omitempty"` // in the order in which they are tried
	Effect    registry.EffectIdentity  `json:"effect_identity,omitempty"`
	KeyFormat registry.VendorKeyFormat `json:"vendor_key_format,omitempty"`
	// WebhookSource is whose events tell of the operation; empty: nobody's.
	WebhookSource string        `json:"webhook_source,omitempty"`
	LookFirst     bool          `json:"look_before_dispatch,omitempty"`
	ReadCacheFor  time.Duration `json:"read_cache_ns,omitempty"`
	// ToolSlots and ProviderSlots bound the permits of workers and of the server that may be out at once; zero: no bound.
	ToolSlots     int `json:"tool_slots,omitempty"`
	ProviderSlots int `json:"provider_slots,omitempty"`
	// Rate is the provider's stated rate, which is kept to beforehand; zero: none is stated.
	RateRequests int           `json:"rate_requests,omitempty"`
	RatePeriod   time.Duration `json:"rate_period_ns,omitempty"`
}

// TermsOf takes the terms from a definition whose defaults are filled in (registry.WithDefaults).
func TermsOf(d *registry.Definition) Terms {
	return Terms{
		Class: d.Class, Executor: d.Executor,
		BeginRequired: d.Permit.BeginRequired, PermitDuration: d.Permit.Duration, PermitGreatest: d.Permit.GreatestAge,
		StallAllowance: d.Permit.StallAllowance,
		MaxAttempts:    d.Retry.MaxAttempts, MaxElapsed: d.Retry.MaxElapsed, InitialBackoff: d.Retry.InitialBackoff,
		MaxBackoff: d.Retry.MaxBackoff, Multiplier: d.Retry.Multiplier,
		PendingMaxAge: d.Waiting.PendingMaxAge, RetryMaxAge: d.Waiting.RetryMaxAge, HumanAfter: d.Waiting.HumanAfter,
		LookupWait: d.Waiting.LookupWait, HumanOwner: d.Waiting.HumanOwner, HumanDue: d.Waiting.HumanDue,
		HumanEscalate: d.Waiting.HumanEscalate,
		Group:         d.Exclusive.Group,
		Provider:      d.Provider.Name, Account: d.Provider.Account,
		VendorKeyed: d.Provider.VendorKey.Supported, KeyLength: d.Provider.VendorKey.MaxLength,
		Retention: d.Provider.VendorKey.Retention, MatchedEarly: d.Provider.VendorKey.MatchedAtAcceptance,
		RecordsRefusal: d.Provider.VendorKey.RecordsRefusals,
		Lookups:        d.Provider.Lookups, Flight: d.Provider.LongestFlight, Propagation: d.Provider.PropagationTime,
		TimeToFinish: d.Provider.TimeToFinish, Messages: d.Messages,
		BlockedAfter: cmp.Or(d.Waiting.BlockedHumanAfter, d.Waiting.HumanAfter), SetsEntityState: d.Policy.SetsEntityState,
		Reconcile: d.Reconcile, Effect: d.Effect, KeyFormat: d.Provider.VendorKey.Format, WebhookSource: d.Provider.WebhookSource,
		LookFirst: d.LookBeforeDispatch, ReadCacheFor: d.ReadCacheFor,
		ToolSlots: d.Permit.MaxConcurrent, ProviderSlots: d.Provider.MaxConcurrent,
		RateRequests: d.Provider.RateLimit.MaxRequests, RatePeriod: d.Provider.RateLimit.Period,
	}
}

// Mutates reports whether the class has effects at all.
func (t *Terms) Mutates() bool { return t.Class != registry.PureRead }

// ResendsUnderKey reports whether a request may be sent once more under the same identity when its outcome is unknown:
// inside the provider's retention (external), or keyed by the operation id in one's own database (internal).
func (t *Terms) ResendsUnderKey() bool {
	switch t.Class {
	case registry.InternalDeterministicWrite:
		return true
	case registry.ExternalIdempotentWrite:
		return t.VendorKeyed
	}
	return false
}
