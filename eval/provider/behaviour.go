package provider

import "github.com/opledger/opledger/eval"

// behaviour is what a fault means, in four questions.
type behaviour struct {
	makes making
	says  saying
	shows showing
	tells telling
	// lookupsDown: lookups that would find the effect fail for the profile's outage.
	lookupsDown bool
	forgets     forgetting
}

// making is whether and when the effect is made.
type making int

const (
	atOnce   making = iota
	never           // the request has no consequence, and no key is looked at
	inFlight        // at the end of the longest flight; until then the provider works on it, and its key says so
	overrun         // the request is still on the road, and arrives when nobody expects it any more
	refuse          // a definite no, to every request for the same business key from now on
	accept          // taken on, and finished later
)

// saying is what the sender sees.
type saying int

const (
	inFull saying = iota
	nothing
	reset
	tooMany     // 429 with Retry-After
	tooManyBare // 429 without
	serverError // 500
	garbage     // a good status over a body that is no JSON
	cut         // the body ends before its announced length
	drip        // the body comes so slowly that the sender gives up
)

// showing is when lookups show the effect.
type showing int

const (
	immediately showing = iota
	afterLag            // at the end of the stated lag
	byTurns             // within the lag it depends on the replica that is asked
	afterLies           // long after the stated lag
)

// telling is how webhooks tell of the effect.
type telling int

const (
	once      telling = iota
	twice             // the same event, with the same id, again
	unordered         // the last event first, and a failure that is past at the end
	late              // long after the usual time
)

// forgetting is what becomes of the idempotency key.
type forgetting int

const (
	byRetention forgetting = iota
	// afterOutage: writes under the key are refused (503) until the stated retention is over; then the key is forgotten.
	afterOutage
	forgetsAtOnce
)

// behaviours say what each fault does. The package comment names where each was seen.
var behaviours = map[eval.Fault]behaviour{
	"":                       {},
	eval.NoFault:             {},
	eval.TimeoutBeforeCommit: {makes: never, says: nothing},
	eval.TimeoutAfterCommit:  {says: nothing},
	eval.LateCommit:          {makes: inFlight, says: nothing, shows: afterLag},
	eval.ResetBeforeCommit:   {makes: never, says: reset},
	eval.ResetAfterCommit:    {says: reset},
	eval.RateLimited:         {makes: never, says: tooMany},
	eval.RateLimitedBare:     {makes: never, says: tooManyBare},
	eval.ErrorCommitted:      {says: serverError, shows: afterLag},
	eval.ErrorClean:          {makes: never, says: serverError},
	eval.EventualConsistency: {says: reset, shows: byTurns},
	eval.Malformed:           {says: garbage},
	eval.Truncated:           {says: cut},
	eval.SlowBody:            {says: drip},
	eval.LongPropagation:     {says: nothing, shows: afterLag},
	eval.LookupDown:          {says: nothing, lookupsDown: true},
	eval.KeyForgotten:        {says: nothing, forgets: afterOutage},
	eval.DuplicateWebhook:    {says: nothing, tells: twice},
	eval.UnorderedWebhook:    {says: nothing, tells: unordered},
	eval.LateWebhook:         {says: nothing, tells: late},
	eval.Accepted:            {makes: accept},
	eval.Refused:             {makes: refuse},

	eval.DelayLongerThanStated: {makes: overrun, says: nothing},
	eval.KeyForgottenEarly:     {says: nothing, shows: afterLag, forgets: forgetsAtOnce},
	eval.LookupLies:            {says: nothing, shows: afterLies},
}

// Behaves reports whether a fault is one of a provider: the others befall processes and clocks.
func Behaves(f eval.Fault) bool {
	_, known := behaviours[f]
	return known
}
