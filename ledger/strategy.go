package ledger

import (
	"slices"
	"time"

	"github.com/opledger/opledger/registry"
)

// anyOrder is the order of terms that state none.
var anyOrder = []registry.Strategy{registry.StrategyLookup, registry.StrategyWebhook, registry.StrategyResend, registry.StrategyPerson}

// order are the strategies of reconciliation as the tool has them tried.
func (t *Terms) order() []registry.Strategy {
	if len(t.Reconcile) == 0 {
		return anyOrder
	}
	return t.Reconcile
}

// tries reports whether a strategy is the tool's at all.
func (t *Terms) tries(s registry.Strategy) bool { return slices.Contains(t.order(), s) }

// comesBefore reports whether one strategy is tried before another.
func (t *Terms) comesBefore(a, b registry.Strategy) bool {
	i, j := slices.Index(t.order(), a), slices.Index(t.order(), b)
	return i >= 0 && i < j
}

// resends reports whether the ledger ever has a request sent once more: where the class and the provider make it safe,
// and the tool does not leave it to a person first.
func (t *Terms) resends() bool {
	return t.ResendsUnderKey() && t.tries(registry.StrategyResend) && !t.comesBefore(registry.StrategyPerson, registry.StrategyResend)
}

// waitsForLookup reports whether an allowed resend lets what comes before it in the tool's order have its time: a
// lookup that has not answered, or a webhook that has not come.
func (o *Operation) waitsForLookup() bool {
	t := &o.Terms
	if o.ResendCleared {
		return false
	}
	return len(t.Lookups) > 0 && t.comesBefore(registry.StrategyLookup, registry.StrategyResend) ||
		t.WebhookSource != "" && t.comesBefore(registry.StrategyWebhook, registry.StrategyResend)
}

// exhaustedAt is when the strategies that come before a person have had their turn, of an unknown operation that is
// carried out by a worker or the server; zero: they have not, and the tool's waiting age alone bounds it. A silent
// attempt is given its time to report first.
func (o *Operation) exhaustedAt() time.Time {
	if o.State != UnknownOutcome || !o.Terms.Queued() {
		return time.Time{}
	}
	at := later(o.StateSince, o.quietAt(int64(len(o.Attempts)), Env{}, o.stallCounts()))
	for _, s := range o.Terms.order() {
		switch s {
		case registry.StrategyLookup:
			if len(o.Terms.Lookups) == 0 {
				continue
			}
			if o.Looking == nil || o.Looking.Late < o.enoughQuestions() {
				return time.Time{}
			}
			at = later(at, o.Looking.NextAt) // the last question's answer is waited for
		case registry.StrategyWebhook:
			if o.Terms.WebhookSource != "" {
				return time.Time{} // nobody knows when it comes
			}
		case registry.StrategyResend:
			if !o.resendAt().IsZero() {
				return time.Time{}
			}
		case registry.StrategyPerson:
			return at
		}
	}
	return at
}

// enoughQuestions are how many questions that can count are put before the next strategy has its turn.
func (o *Operation) enoughQuestions() int {
	enough := 1
	for _, l := range o.Terms.Lookups {
		enough = max(enough, l.EmptyAnswers)
	}
	return enough + moreQuestions
}
