package registry

import (
	"slices"
	"strings"
	"time"
)

// The bounds of durations and counts. The lower ones keep a setting from meaning "at once" or "never" by accident: zero
// is a value and too short, never "without limit".
const (
	MinPermit       = time.Second // shorter than a request with its way over the network
	MaxPermit       = time.Hour   // longer work extends its permit, so that its death is noticed
	MaxGreatestAge  = 24 * time.Hour
	MaxStall        = 24 * time.Hour
	MaxAttempts     = 100
	MaxMultiplier   = 10.0
	MinWait         = time.Second
	MaxWait         = 30 * 24 * time.Hour // what waited for a month is settled by people
	MaxBackoffDelay = 24 * time.Hour
	MaxLookupWait   = 24 * time.Hour
	MaxFlight       = 24 * time.Hour
	MaxPropagation  = 7 * 24 * time.Hour
	MaxRetention    = 3650 * 24 * time.Hour
	MaxReadCache    = 24 * time.Hour
	MaxConcurrency  = 100_000
	uuidLength      = 36
	MaxEmptyAnswers = 10
	// MinVendorKeyLength keeps 96 bits of the hash that a vendor key is cut from, so that two operations never share one
	// by accident. The ledger cuts by the same bound.
	MinVendorKeyLength = 24
	MaxVendorKeyLength = 1024
)

// between checks a duration, bounds included.
func (k *checker) between(path string, value, least, most time.Duration) {
	switch {
	case value < least:
		k.add(path, CodeBounds, "%s is too short; the least is %s. Zero is a value and never means without limit.", value, least)
	case value > most:
		k.add(path, CodeBounds, "%s is too long; the most is %s.", value, most)
	}
}

func (k *checker) permit() {
	p := &k.d.Permit
	k.between(pathDuration, p.Duration, MinPermit, MaxPermit)
	k.between(pathGreatestAge, p.GreatestAge, MinPermit, MaxGreatestAge)
	if p.GreatestAge < p.Duration {
		k.add(pathGreatestAge, CodeUnusable, "A permit's greatest age (%s) is at least its duration (%s).", p.GreatestAge, p.Duration)
	}
	k.between(pathStall, p.StallAllowance, 0, MaxStall)
	k.concurrency(pathMaxConcurrent, p.MaxConcurrent)
	if p.WaiveReason != "" && p.BeginRequired {
		k.add("permit.waive_reason", CodeUnusable, "A begin is required and waived at once; state begin_required: false, or remove the reason.")
	}
}

func (k *checker) concurrency(path string, n int) {
	if n < 0 || n > MaxConcurrency || (n == 0 && k.d.StatedZero[path]) {
		k.add(path, CodeBounds, "The bound must be 1 to %d; leave it out for none.", MaxConcurrency)
	}
}

func (k *checker) retry() {
	r := &k.d.Retry
	if r.MaxAttempts < 1 || r.MaxAttempts > MaxAttempts {
		k.add(pathAttempts, CodeBounds, "The attempts must be 1 to %d, the first included.", MaxAttempts)
	}
	k.between(pathElapsed, r.MaxElapsed, MinWait, MaxWait)
	k.between(pathInitialBackoff, r.InitialBackoff, time.Millisecond, MaxBackoffDelay)
	k.between(pathMaxBackoff, r.MaxBackoff, time.Millisecond, MaxBackoffDelay)
	if r.MaxBackoff < r.InitialBackoff {
		k.add(pathMaxBackoff, CodeUnusable, "The greatest backoff (%s) is at least the first one (%s).", r.MaxBackoff, r.InitialBackoff)
	}
	if !(r.Multiplier >= 1 && r.Multiplier <= MaxMultiplier) { // written so that NaN is refused
		k.add(pathMultiplier, CodeBounds, "The multiplier must be 1 to %g.", MaxMultiplier)
	}
}

func (k *checker) waiting() {
	w := &k.d.Waiting
	k.between(pathPendingAge, w.PendingMaxAge, MinWait, MaxWait)
	k.between(pathRetryAge, w.RetryMaxAge, MinWait, MaxWait)
	k.between(pathHumanAfter, w.HumanAfter, 0, MaxWait) // zero: a person is asked at once
	k.between(pathLookupWait, w.LookupWait, 0, MaxLookupWait)
	k.between(pathHumanDue, w.HumanDue, MinWait, MaxWait)
	if w.BlockedHumanAfter != 0 || k.d.StatedZero[pathBlockedAfter] {
		k.between(pathBlockedAfter, w.BlockedHumanAfter, MinWait, MaxWait)
	}
}

// exclusive checks whether operations of a group hold each other up.
func (k *checker) exclusive() {
	e, id := &k.d.Exclusive, &k.d.Identity
	row, _ := DefaultsOf(k.d.Class)
	if e.Group != "" && !groupName.MatchString(e.Group) {
		k.add("exclusive.group", CodeName, "A group's name has letters, digits, _, . and -, begins with a letter, and has at most 128 characters.")
	}
	if e.Group != "" && id.Entity == nil {
		k.add("exclusive.group", CodeUnusable, "Operations exclude each other on an entity, and the tool names none; name identity.entity, or remove the group.")
	}
	if !e.Stated && k.d.Class == ExternalIdempotentWrite && id.Entity != nil {
		k.add("exclusive", CodeRequired, "The tool names an entity, and only its owner knows whether two different calls on one entity may be under way at once; state exclusive.group, or exclusive.none with a reason.")
	}
	if e.Stated && e.Group == "" && row.OwnGroup && id.Entity != nil && strings.TrimSpace(e.Reason) == "" {
		k.add("exclusive.none.reason", CodeReason, "The class %s is exclusive on its entity; say why this tool is not.", k.d.Class)
	}
}

func (k *checker) provider() {
	p := &k.d.Provider
	if p.Name == "" {
		switch {
		case k.d.Class == ExternalIdempotentWrite, k.d.Class == ExternalNonIdempotentWrite, k.d.Class == Irreversible:
			k.add("provider", CodeRequired, "The class %s needs a provider's profile: it decides what may be resent and what an answer proves.", k.d.Class)
		case p.named():
			k.add("provider.name", CodeRequired, "The provider's profile needs a name, such as stripe.")
		}
		return
	}
	if !entityType.MatchString(p.Name) {
		k.add("provider.name", CodeName, "A provider's name has letters, digits, _, . and -, begins with a letter, and has at most 64 characters.")
	}
	k.text("provider.account", p.Account, MaxNameBytes)
	k.text("provider.webhook_source", p.WebhookSource, 64)
	k.between(pathFlight, p.LongestFlight, 0, MaxFlight)
	k.between(pathPropagation, p.PropagationTime, 0, MaxPropagation)
	k.between(pathTimeToFinish, p.TimeToFinish, MinWait, MaxWait)
	k.concurrency("provider.max_concurrent", p.MaxConcurrent)
	k.count("provider.retryable_codes", len(p.RetryableCodes), MaxRetryCodes)
	for i, code := range p.RetryableCodes {
		if code == "" || len(code) > MaxRetryCodeSize {
			k.add(indexed("provider.retryable_codes", i), CodeBounds, "A code has 1 to %d bytes.", MaxRetryCodeSize)
		}
	}
	k.vendorKey()
	k.lookups()
	k.rateLimit()
}

// named reports whether a profile says anything that needs a provider.
func (p *Provider) named() bool {
	return p.Account != "" || p.VendorKey.Supported || len(p.Lookups) > 0 || p.WebhookSource != "" || len(p.RetryableCodes) > 0
}

func (k *checker) vendorKey() {
	const path = "provider.idempotency_key"
	v := &k.d.Provider.VendorKey
	if !v.Supported {
		if *v != (VendorKey{}) {
			k.add(path+".supported", CodeUnusable, "The profile describes an idempotency key that it does not say the provider supports; state supported: true, or remove the rest.")
		}
		return
	}
	known(k, path+".format", v.Format, KeyText, KeyUUID, KeyHex)
	known(k, path+".scope", v.Scope, KeyPerAccount, KeyPerEndpoint, KeyPerProvider)
	if v.Format == KeyUUID && v.MaxLength < uuidLength {
		k.add(pathKeyLength, CodeUnusable, "A UUID has %d characters, and the provider takes %d.", uuidLength, v.MaxLength)
	}
	if v.MaxLength < MinVendorKeyLength || v.MaxLength > MaxVendorKeyLength {
		k.add(pathKeyLength, CodeBounds, "A vendor key has %d to %d characters; a shorter one could be shared by two operations.", MinVendorKeyLength, MaxVendorKeyLength)
	}
	switch {
	case v.Retention == 0 && k.d.Class == ExternalIdempotentWrite:
		k.add(pathRetention, CodeRequired, "Say how long the provider remembers a key; without it nothing may be resent, and the class promises that it may.")
	case v.Retention != 0 || k.d.StatedZero[pathRetention]:
		k.between(pathRetention, v.Retention, MinWait, MaxRetention)
		k.retention()
	}
}

// retention requires that a resend can lie wholly inside the provider's memory of the key: one permit, a sender that
// wakes late, the longest flight, and the time to finish where only a finished request is remembered.
func (k *checker) retention() {
	p := &k.d.Provider
	if k.d.Class != ExternalIdempotentWrite {
		return
	}
	least, sum := k.d.Permit.Duration+k.d.Permit.StallAllowance+p.LongestFlight, "permit, stall allowance and longest flight"
	if !p.VendorKey.MatchedAtAcceptance {
		least, sum = least+p.TimeToFinish, "permit, stall allowance, longest flight and time to finish"
	}
	if p.VendorKey.Retention > 0 && p.VendorKey.Retention < least {
		k.add(pathRetention, CodeRetention, "The provider forgets a key after %s, but a resend needs %s (%s); no resend would ever be allowed.", p.VendorKey.Retention, least, sum)
	}
}

func (k *checker) lookups() {
	p := &k.d.Provider
	k.count("provider.lookups", len(p.Lookups), MaxLookups)
	for i, l := range p.Lookups {
		path := indexed("provider.lookups", i)
		known(k, path+".by", l.By, ByVendorKey, ByClientReference, ByProviderRequestID, ByObjectID)
		switch {
		case l.By == "":
			k.add(path+".by", CodeRequired, "Say by which reference the provider is asked.")
		case l.By == ByVendorKey && !p.VendorKey.Supported:
			k.add(path+".by", CodeUnusable, "The provider takes no idempotency key, so it cannot be asked by one.")
		case l.By == ByClientReference && !p.StoresClientReference:
			k.add(path+".by", CodeUnusable, "A lookup by client reference proves something only where the provider keeps it; state stores_client_reference: true.")
		}
		k.text(path+".how", l.Description, MaxReasonChars)
		if l.EmptyAnswers < 1 || l.EmptyAnswers > MaxEmptyAnswers {
			k.add(path+".empty_answers", CodeBounds, "The clean empty answers must be 1 to %d.", MaxEmptyAnswers)
		}
	}
}

func (k *checker) reconcile() {
	for i, s := range k.d.Reconcile {
		path := indexed("reconcile", i)
		known(k, path, s, StrategyLookup, StrategyWebhook, StrategyResend, StrategyPerson)
		if why := k.d.cannot(s); why != "" {
			k.add(path, CodeUnusable, "%s cannot be tried: %s.", s, why)
		}
		if slices.Contains(k.d.Reconcile[:i], s) {
			k.add(path, CodeUnusable, "%s is listed twice.", s)
		}
	}
}

// classRules checks what a class asks for, and that what is looser than its default says why.
func (k *checker) classRules() {
	d := k.d
	row, ok := DefaultsOf(d.Class)
	if !ok {
		return
	}
	if d.Class == ExternalIdempotentWrite && d.Provider.Name != "" && !d.Provider.VendorKey.Supported {
		k.add("provider.idempotency_key.supported", CodeRequired, "EXTERNAL_IDEMPOTENT_WRITE means that the provider deduplicates by a key; state it with its retention, or use EXTERNAL_NON_IDEMPOTENT_WRITE.")
	}
	if row.Begin && !d.Permit.BeginRequired && strings.TrimSpace(d.Permit.WaiveReason) == "" {
		k.add("permit.waive_reason", CodeReason, "The class %s requires a begin before the first byte; say why this tool waives it.", d.Class)
	}
	if d.ReadCacheFor != 0 {
		k.between("read_cache_for", d.ReadCacheFor, 0, MaxReadCache)
		if d.Class != PureRead {
			k.add("read_cache_for", CodeUnusable, "Only a pure read can be answered again without asking; remove the setting.")
		}
	}
	for _, l := range Loosened(*d) {
		if strings.TrimSpace(l.Reason) == "" && !slices.ContainsFunc(k.problems, func(p Problem) bool { return p.Path == l.reasonPath }) {
			k.add(l.Path, CodeReason, "The setting is looser than the class's default (%s); say why in policy.loosen_reason.", l.ClassDefault)
		}
	}
}
