// Package registry holds tool definitions as plain types: what a tool promises, how its calls are told apart, what its
// provider can do. It is pure: it checks and compares definitions and never reads or stores one. YAML and protobuf are
// turned into these types, and back, in registry/toolfile.
package registry

import (
	"time"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/policy"
)

// Class is a tool's side-effect class. It brings the defaults that DefaultsOf gives.
type Class string

// The side-effect classes, from harmless to irreversible.
const (
	PureRead                   Class = "PURE_READ"
	InternalDeterministicWrite Class = "INTERNAL_DETERMINISTIC_WRITE"
	ExternalIdempotentWrite    Class = "EXTERNAL_IDEMPOTENT_WRITE"
	ExternalNonIdempotentWrite Class = "EXTERNAL_NON_IDEMPOTENT_WRITE"
	Irreversible               Class = "IRREVERSIBLE"
)

// Classes lists every class in the order of the class table.
var Classes = []Class{PureRead, InternalDeterministicWrite, ExternalIdempotentWrite, ExternalNonIdempotentWrite, Irreversible}

// Executor says who acts under a permit.
type Executor string

// The executors. Worker and ServerHTTP are refused with CAPABILITY_MISSING by a server that has no dispatcher for them.
const (
	Inline     Executor = "INLINE"
	Worker     Executor = "WORKER"
	ServerHTTP Executor = "SERVER_HTTP"
)

// Definition is one immutable version of a tool's contract.
type Definition struct {
	Name        string
	Version     int64 // given by the ledger when applied, from 1
	Class       Class
	Title       string // a short name for people; empty: the name
	Description string
	Schema      []byte // JSON Schema (draft 2020-12) of the arguments, as JSON text
	Identity    Identity
	Executor    Executor
	Permit      Permit
	Retry       Retry
	Waiting     Waiting
	Exclusive   Exclusive
	Effect      EffectIdentity
	Provider    Provider
	Reconcile   []Strategy // in the order in which they are tried
	Messages    map[string]Texts
	Policy      policy.ToolRules // what decides about now: approval, guards, limits, windows, conflicts, lease
	Playbook    *Playbook        // how an effect is undone; nil: not by the ledger
	HTTP        *HTTPAdapter     // the server's own request, with ServerHTTP only
	Labels      map[string]string

	ReadCacheFor       time.Duration // pure reads: how long a result may be answered again; zero: not at all
	LookBeforeDispatch bool          // ask the provider before the first dispatch whether the effect already stands
	LooserReason       string        // why a setting is looser than its class's default; recorded with the version

	// StatedZero names, by path, the settings that the definition states as zero or false. Only so can a stated zero be
	// told from an absent setting: the one is judged as it stands, the other takes its default.
	StatedZero map[string]bool
}

// Identity says which arguments make one business operation.
type Identity struct {
	Rules       canon.Rules // field rules, null option, defaults, sensitive fields
	KeyTemplate string      // empty: tool, intent, entity, occurrence and the hash of the canonical arguments
	KeyVersion  int64       // from 1; raised when template or rules change the key
	Intent      string      // the tool's own word for what it does; part of the default key
	Entity      *EntityTemplate
	Touches     []EntityTemplate // other entities that the effect touches
	Occurrence  OccurrencePolicy // empty: the class decides
	// OccurrenceTemplate is set with OccurrenceByTemplate only.
	OccurrenceTemplate string
	CallerKey          bool   // a caller may bring its own key, scoped to the tool
	Change             Change // how this version's identity relates to the one before
	SourceEventBucket  bool   // the key's time bucket is that of the workflow's source event
}

// EntityTemplate names the business object that a call acts on: a constant type and an id made from canonical arguments.
type EntityTemplate struct {
	Type string // "order"
	ID   string // a template over canonical arguments: "{order_id}"
}

// OccurrencePolicy says who may name an occurrence, that is, ask for a wanted repetition.
type OccurrencePolicy string

// The occurrence policies. The class decides the default: any caller for classes 1 to 4, a repeat grant for class 5.
const (
	OccurrenceAnyCaller   OccurrencePolicy = "ANY_CALLER"
	OccurrenceRepeatGrant OccurrencePolicy = "REPEAT_GRANT"
	OccurrenceByTemplate  OccurrencePolicy = "TEMPLATE"
	OccurrenceNobody      OccurrencePolicy = "NOBODY"
)

// Change states how a version's identity relates to that of the version before it.
type Change struct {
	// Continues: proposals claim the keys of the versions before, too. Until (zero: for ever) is allowed only where
	// the old key itself holds a time bucket that ends before it.
	Continues bool
	Until     time.Time
	// Separate: another business meaning; the reason is recorded.
	Separate bool
	Reason   string
}

// Stated reports whether the change is stated at all.
func (c Change) Stated() bool { return c.Continues || c.Separate }

// Permit bounds the right to run an attempt.
type Permit struct {
	Duration       time.Duration // from grant to deadline, without extension
	GreatestAge    time.Duration // of one permit, extensions included
	BeginRequired  bool
	WaiveReason    string        // required where a class asks for begin and the tool waives it
	StallAllowance time.Duration // how long past its deadline a frozen process may wake (class 3 and 4)
	MaxConcurrent  int           // permits of the tool that may be out at once; zero: no bound of its own
}

// Retry bounds the attempts of one revision.
type Retry struct {
	MaxAttempts    int
	MaxElapsed     time.Duration // from the first grant
	InitialBackoff time.Duration // full jitter between zero and this, then growing
	MaxBackoff     time.Duration
	Multiplier     float64
}

// Waiting bounds every waiting state.
type Waiting struct {
	PendingMaxAge time.Duration // pending_dispatch ends as expired after this
	RetryMaxAge   time.Duration // failed_retryable ends as expired after this
	HumanAfter    time.Duration // unknown_outcome without an answer gets needs_human after this
	LookupWait    time.Duration // an allowed resend waits this long for a lookup's answer
	HumanOwner    string        // who is asked
	HumanDue      time.Duration // from needs_human to its escalation
	HumanEscalate string        // who is asked next
	// BlockedHumanAfter is how long an operation may hold up others of its group before a person is asked; zero:
	// HumanAfter.
	BlockedHumanAfter time.Duration
}

// Exclusive says whether at most one operation of a group may be open on one entity.
type Exclusive struct {
	Group  string // empty with Stated: none; by default the tool's own name
	Stated bool   // the definition says it (group or none), as class 3 with an entity must
	Reason string // required to state "none" where the class brings a group
}

// EffectIdentity says what the effect id of a tool names.
type EffectIdentity string

// The effect identities.
const (
	EffectCreatedObject EffectIdentity = "CREATED_OBJECT" // the default: the object that the call created
	EffectChange        EffectIdentity = "CHANGE"         // the change itself, where the call changes an object
	EffectNone          EffectIdentity = "NONE"           // the effect has no id: two claimed successes are two effects
)

// LookupBy names the reference by which a provider can be asked.
type LookupBy string

// The references of a lookup.
const (
	ByVendorKey         LookupBy = "VENDOR_KEY"
	ByClientReference   LookupBy = "CLIENT_REFERENCE"
	ByProviderRequestID LookupBy = "PROVIDER_REQUEST_ID"
	ByObjectID          LookupBy = "OBJECT_ID"
)

// Strategy is one step of reconciliation.
type Strategy string

// The strategies of reconciliation.
const (
	StrategyLookup  Strategy = "LOOKUP"
	StrategyWebhook Strategy = "WEBHOOK"
	StrategyResend  Strategy = "RESEND"
	StrategyPerson  Strategy = "PERSON"
)

// Provider is what the other side can do, as its profile states it. The profile, not code, decides.
type Provider struct {
	Name            string
	Account         string // effect ids and vendor keys are scoped to (provider, account)
	VendorKey       VendorKey
	Lookups         []Lookup
	LongestFlight   time.Duration // after its sender's last moment a request commits within this, or never
	PropagationTime time.Duration // until a commit shows in lookups; zero: read-after-write
	TimeToFinish    time.Duration // default bound of an acknowledgement
	FiveXXMayCommit bool          // whether a 5xx answer can have committed; absent: it can
	RetryableCodes  []string      // by which it says that it did nothing and may later
	WebhookSource   string        // the source of its events; empty: it sends none
	// StoresClientReference: it keeps the client reference of a request, so that the effect can be found by it.
	StoresClientReference bool
	MaxConcurrent         int // requests in flight to this provider and account; zero: no bound
	RateLimit             RateLimit
	Base                  string // the shipped profile that this one starts from; empty: none
}

// VendorKey is the provider's own idempotency key.
type VendorKey struct {
	Supported           bool
	Header              string
	BodyField           string
	MaxLength           int           // zero: DefaultVendorKeyLength
	Retention           time.Duration // from the first request under the key
	MatchedAtAcceptance bool          // a repeat is matched as soon as the first was taken, not only when it finished
	RecordsRefusals     bool          // a final refusal is kept under the key as well
	Format              VendorKeyFormat
	Scope               VendorKeyScope
}

// VendorKeyFormat is the form that a provider's keys must have.
type VendorKeyFormat string

// The formats of a vendor key.
const (
	KeyText VendorKeyFormat = "TEXT" // the default: letters, digits, "-" and "_"
	KeyUUID VendorKeyFormat = "UUID"
	KeyHex  VendorKeyFormat = "HEX"
)

// VendorKeyScope is what a vendor key is unique in. The ledger's keys are unique everywhere, so it is recorded for people.
type VendorKeyScope string

// The scopes of a vendor key.
const (
	KeyPerAccount  VendorKeyScope = "ACCOUNT" // the default
	KeyPerEndpoint VendorKeyScope = "ENDPOINT"
	KeyPerProvider VendorKeyScope = "PROVIDER"
)

// Lookup is one way to ask the provider whether an effect exists.
type Lookup struct {
	By          LookupBy
	Search      bool   // a search index rather than a read by key: a weaker grade
	Description string // how a caller makes it, in a sentence
	// ReadAfterWrite: a commit shows at once. Where every lookup of a profile does, its propagation time is zero.
	ReadAfterWrite bool
	EmptyAnswers   int // how many clean empty answers make "not found"; zero: one
}

// Texts overrides the two sentences of an answer in one state.
type Texts struct {
	SafeUser string
	Model    string
}

// DefaultVendorKeyLength suits the providers that state a limit (Stripe takes up to 255 characters, several take 64).
const DefaultVendorKeyLength = 64

// Ref names one immutable version of a tool.
type Ref struct {
	Name    string
	Version int64
}
