package registry

import (
	"slices"
	"time"
)

// The permits of the classes. A permit is long enough for one request with its time-out, and short enough that an
// executor's death is noticed while somebody still waits.
const (
	// ReadPermit: a read that takes longer is better asked again.
	ReadPermit = 15 * time.Second
	// InternalPermit: one transaction in one's own database.
	InternalPermit = 30 * time.Second
	// ExternalPermit: a provider's slow answer; payment providers advise time-outs of up to a minute.
	ExternalPermit = 60 * time.Second
)

// The attempts of the classes, the first included. Only what is known not to have happened, or may be sent again under
// the same identity, is tried again, so the bound guards against a provider that never recovers, not against duplicates.
const (
	ReadAttempts          = 3 // the caller can ask again itself
	InternalAttempts      = 5 // each is the same transaction, keyed by the operation id
	IdempotentAttempts    = 5 // the provider deduplicates by key
	NonIdempotentAttempts = 3 // each needs proof that the one before did nothing
	IrreversibleAttempts  = 2 // a second one needs what the first one needed
)

// The bounds of retries.
const (
	// MaxElapsed: what did not succeed within a day is no longer what the user waits for.
	MaxElapsed = 24 * time.Hour
	// InitialBackoff: most refusals of a loaded provider pass within a second or two.
	InitialBackoff = time.Second
	// MaxBackoff keeps a recovered provider from idling for long.
	MaxBackoff = 5 * time.Minute
	// BackoffMultiplier doubles the greatest delay each time, the common form of exponential backoff.
	BackoffMultiplier = 2.0
)

// The bounds of permits and waiting.
const (
	// PermitGreatestAge ends extensions: who has worked on one request for an hour has lost it.
	PermitGreatestAge = time.Hour
	// StallAllowance is how long past its deadline a frozen process may still send. Ten minutes outlast what has been
	// seen of garbage collection, live migration and a laptop's short sleep.
	StallAllowance = 10 * time.Minute
	// PendingMaxAge: an order to act that nobody took up within a day was meant for a world that has changed.
	PendingMaxAge = 24 * time.Hour
	// RetryMaxAge is the same for an operation that waits for its next attempt.
	RetryMaxAge = 24 * time.Hour
	// HumanAfter: machines settle most unknown outcomes within minutes; what they could not is a person's.
	HumanAfter = 15 * time.Minute
	// LookupWait is the time to make one lookup and hand its answer in.
	LookupWait = 30 * time.Second
	// HumanDue is half a working day.
	HumanDue = 4 * time.Hour
	// HumanOwner and HumanEscalate are roles that every installation has.
	HumanOwner    = "operator"
	HumanEscalate = "administrator"
)

// What is assumed of a provider whose profile is silent. Each is the careful reading.
const (
	// LongestFlight: proxies and load balancers give up on a request after a minute.
	LongestFlight = 60 * time.Second
	// PropagationTime: read replicas and logs of providers that state a figure lag by less.
	PropagationTime = 60 * time.Second
	// TimeToFinish bounds an acknowledgement without a stated time.
	TimeToFinish = time.Hour
)

// ClassDefaults is one row of the class table.
type ClassDefaults struct {
	Attempts       int
	Permit         time.Duration
	Begin          bool             // a begin is required before the first byte
	OwnGroup       bool             // exclusive in the tool's own group, if it names an entity
	StallAllowance time.Duration    // zero where absence is never proved by waiting, or needs no proof
	Occurrence     OccurrencePolicy // who may ask for a wanted repetition
	Reconcile      []Strategy       // of which a tool gets those that its profile allows
	StateApproval  bool             // the tool says who approves, or that nobody does and why; no class asks by itself
	LeaseBlocks    bool             // another workflow's lease on the entity blocks it; no class needs a lease of its own
}

var classTable = map[Class]ClassDefaults{
	PureRead: {Attempts: ReadAttempts, Permit: ReadPermit, Occurrence: OccurrenceAnyCaller},
	InternalDeterministicWrite: {Attempts: InternalAttempts, Permit: InternalPermit, LeaseBlocks: true, Occurrence: OccurrenceAnyCaller,
		Reconcile: []Strategy{StrategyResend, StrategyPerson}},
	ExternalIdempotentWrite: {Attempts: IdempotentAttempts, Permit: ExternalPermit, StallAllowance: StallAllowance, LeaseBlocks: true,
		Occurrence: OccurrenceAnyCaller, Reconcile: []Strategy{StrategyLookup, StrategyResend, StrategyPerson}},
	ExternalNonIdempotentWrite: {Attempts: NonIdempotentAttempts, Permit: ExternalPermit, Begin: true, OwnGroup: true, LeaseBlocks: true,
		StallAllowance: StallAllowance, Occurrence: OccurrenceAnyCaller,
		Reconcile: []Strategy{StrategyLookup, StrategyWebhook, StrategyPerson}},
	Irreversible: {Attempts: IrreversibleAttempts, Permit: ExternalPermit, Begin: true, OwnGroup: true, LeaseBlocks: true, StateApproval: true,
		Occurrence: OccurrenceRepeatGrant, Reconcile: []Strategy{StrategyLookup, StrategyWebhook, StrategyPerson}},
}

// DefaultsOf gives the row of a class; ok is false for a class that is unknown.
func DefaultsOf(class Class) (row ClassDefaults, ok bool) {
	row, ok = classTable[class]
	row.Reconcile = slices.Clone(row.Reconcile)
	return row, ok
}

// The paths of settings whose zero is a value, so that it can be stated.
const (
	pathDuration       = "permit.duration"
	pathGreatestAge    = "permit.greatest_age"
	pathBegin          = "permit.begin_required"
	pathStall          = "permit.stall_allowance"
	pathMaxConcurrent  = "permit.max_concurrent"
	pathAttempts       = "retry.max_attempts"
	pathElapsed        = "retry.max_elapsed"
	pathInitialBackoff = "retry.initial_backoff"
	pathMaxBackoff     = "retry.max_backoff"
	pathMultiplier     = "retry.multiplier"
	pathPendingAge     = "waiting.pending_max_age"
	pathRetryAge       = "waiting.retry_max_age"
	pathHumanAfter     = "waiting.human_after"
	pathLookupWait     = "waiting.lookup_wait"
	pathHumanDue       = "waiting.human_due"
	pathBlockedAfter   = "waiting.blocked_human_after"
	pathFlight         = "provider.longest_flight"
	pathPropagation    = "provider.propagation_delay"
	pathTimeToFinish   = "provider.time_to_finish"
	pathFiveXX         = "provider.five_xx_may_commit"
	pathKeyLength      = "provider.idempotency_key.max_length"
	pathRetention      = "provider.idempotency_key.retention"
	pathKeyVersion     = "identity.key_version"
	pathMaxRevisions   = "policy.max_revisions"
	pathApprovals      = "policy.approval.required.count"
	pathExpiresAfter   = "policy.approval.required.expires_after"
	pathNoHolds        = "policy.approval.required.no_holds_for"
)

// WithDefaults fills in what the definition leaves to its class. It changes nothing that is stated, and nothing at all
// when it is done twice. An unknown class brings no default; Check refuses it.
func WithDefaults(d Definition) Definition {
	row := classTable[d.Class]
	f := filler{&d}
	if d.Executor == "" {
		d.Executor = Inline
	}
	f.duration(pathDuration, &d.Permit.Duration, row.Permit)
	f.duration(pathGreatestAge, &d.Permit.GreatestAge, max(PermitGreatestAge, d.Permit.Duration))
	f.duration(pathStall, &d.Permit.StallAllowance, row.StallAllowance)
	if row.Begin && !d.StatedZero[pathBegin] && d.Permit.WaiveReason == "" {
		d.Permit.BeginRequired = true
	}
	fill(f, pathAttempts, &d.Retry.MaxAttempts, row.Attempts)
	f.duration(pathElapsed, &d.Retry.MaxElapsed, MaxElapsed)
	f.duration(pathInitialBackoff, &d.Retry.InitialBackoff, InitialBackoff)
	f.duration(pathMaxBackoff, &d.Retry.MaxBackoff, max(MaxBackoff, d.Retry.InitialBackoff))
	fill(f, pathMultiplier, &d.Retry.Multiplier, BackoffMultiplier)
	f.duration(pathPendingAge, &d.Waiting.PendingMaxAge, PendingMaxAge)
	f.duration(pathRetryAge, &d.Waiting.RetryMaxAge, RetryMaxAge)
	f.duration(pathHumanAfter, &d.Waiting.HumanAfter, HumanAfter)
	f.duration(pathLookupWait, &d.Waiting.LookupWait, LookupWait)
	f.duration(pathHumanDue, &d.Waiting.HumanDue, HumanDue)
	fill(f, "", &d.Waiting.HumanOwner, HumanOwner)
	fill(f, "", &d.Waiting.HumanEscalate, HumanEscalate)

	fill(f, pathKeyVersion, &d.Identity.KeyVersion, 1)
	fill(f, "", &d.Identity.Occurrence, row.Occurrence)
	if row.OwnGroup && d.Identity.Entity != nil && !d.Exclusive.Stated {
		d.Exclusive.Group = d.Name
	}
	fill(f, "", &d.Effect, EffectCreatedObject)
	f.provider()
	f.policy()
	if len(d.Reconcile) == 0 {
		d.Reconcile = usable(row.Reconcile, &d)
	}
	return d
}

// provider reads a silent profile carefully. A tool that names no provider has none to assume anything of.
func (f filler) provider() {
	p := &f.d.Provider
	if p.Name == "" {
		return
	}
	f.duration(pathFlight, &p.LongestFlight, LongestFlight)
	if !p.readsItsWrites() {
		f.duration(pathPropagation, &p.PropagationTime, PropagationTime)
	}
	f.duration(pathTimeToFinish, &p.TimeToFinish, TimeToFinish)
	if !f.d.StatedZero[pathFiveXX] {
		p.FiveXXMayCommit = true
	}
	if p.VendorKey.Supported {
		fill(f, pathKeyLength, &p.VendorKey.MaxLength, DefaultVendorKeyLength)
		fill(f, "", &p.VendorKey.Format, KeyText)
		fill(f, "", &p.VendorKey.Scope, KeyPerAccount)
	}
	p.Lookups = slices.Clone(p.Lookups)
	for i := range p.Lookups {
		if p.Lookups[i].EmptyAnswers == 0 {
			p.Lookups[i].EmptyAnswers = 1
		}
	}
}

// readsItsWrites reports whether every lookup of the profile shows a commit at once.
func (p *Provider) readsItsWrites() bool {
	return len(p.Lookups) > 0 && !slices.ContainsFunc(p.Lookups, func(l Lookup) bool { return !l.ReadAfterWrite })
}

// usable keeps the strategies that the definition can carry out.
func usable(order []Strategy, d *Definition) []Strategy {
	var list []Strategy
	for _, s := range order {
		if why := d.cannot(s); why == "" {
			list = append(list, s)
		}
	}
	return list
}

// cannot says why a strategy of reconciliation is out of the definition's reach; empty: it is not.
func (d *Definition) cannot(s Strategy) string {
	switch {
	case d.Class == PureRead:
		return "a read leaves nothing to be settled"
	case s == StrategyLookup && len(d.Provider.Lookups) == 0:
		return "the provider's profile lists no lookup"
	case s == StrategyWebhook && d.Provider.WebhookSource == "":
		return "the provider's profile names no webhook_source"
	case s == StrategyResend && d.Class == ExternalIdempotentWrite && !d.Provider.VendorKey.Supported:
		return "the provider takes no idempotency key"
	case s == StrategyResend && d.Class != ExternalIdempotentWrite && d.Class != InternalDeterministicWrite:
		return "nothing makes a resend safe in the class " + string(d.Class)
	}
	return ""
}
