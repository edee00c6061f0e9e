package provider

import (
	"slices"
	"time"
)

// Delivery is one delivery of a webhook.
type Delivery struct {
	ID              string    `json:"id"`   // of the event: a repeated delivery has the same
	Type            string    `json:"type"` // the collection and the status, "charges.succeeded"
	Collection      string    `json:"collection"`
	Status          string    `json:"status"`
	ObjectID        string    `json:"object_id"`
	ClientReference string    `json:"client_reference,omitempty"`
	VendorKey       string    `json:"idempotency_key,omitempty"`
	BusinessKey     string    `json:"business_key"`
	Occurred        time.Time `json:"occurred"` // when the fact came to be
	At              time.Time `json:"at"`       // when it is delivered
}

// hook is a delivery that is still to be made, or was.
type hook struct {
	Delivery
	done bool
}

// announce plans the webhooks of an effect.
func (p *Provider) announce(e *effect, a *account, b behaviour) {
	after := p.profile.WebhookAfter
	event := func(status string, occurred, at time.Time) Delivery {
		d := Delivery{
			ID: name("evt", "events", e.Key, a.events), Type: e.collection + "." + status, Collection: e.collection, Status: status,
			ObjectID: e.ID, ClientReference: e.Reference, VendorKey: e.VendorKey, BusinessKey: e.Key, Occurred: occurred, At: at,
		}
		a.events++
		a.hooks = append(a.hooks, hook{Delivery: d})
		return d
	}
	switch b.tells {
	case late:
		event(Succeeded, e.finished, e.finished.Add(p.profile.WebhookLate))
	case twice:
		again := event(Succeeded, e.finished, e.finished.Add(after))
		again.At = again.At.Add(after)
		a.hooks = append(a.hooks, hook{Delivery: again})
	case unordered:
		at := e.finished.Add(after)
		event(Succeeded, e.finished, at)
		event(Failed, e.At.Add(-usualTook), at.Add(after/2))
		event(Pending, e.At.Add(-2*usualTook), at.Add(after))
	default:
		if e.finished.After(e.At) {
			event(Pending, e.At, e.At.Add(after))
		}
		event(Succeeded, e.finished, e.finished.Add(after))
	}
}

// Webhooks hands out the deliveries that are due by a time (which is not later than the provider's), in order of time, each
// once.
func (p *Provider) Webhooks(until time.Time) []Delivery {
	return p.handOut(handOut{All: true, Until: until})
}

// WebhooksOf hands out those of one business key.
func (p *Provider) WebhooksOf(businessKey string, until time.Time) []Delivery {
	return p.handOut(handOut{BusinessKey: businessKey, Until: until})
}

func (p *Provider) handOut(h handOut) []Delivery {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	p.settle(now)
	if len(p.waiting(h)) == 0 {
		return nil
	}
	if p.record(entry{At: now, HandOut: &h}) != nil {
		return nil // nothing is handed out that could be handed out again
	}
	return p.hand(h)
}

// hand takes the deliveries out of what is waiting.
func (p *Provider) hand(h handOut) (due []Delivery) {
	for _, w := range p.waiting(h) {
		w.done = true
		due = append(due, w.Delivery)
	}
	slices.SortStableFunc(due, byTime)
	return due
}

// dueWebhooks lists what is due and was not handed out, in order of time, and leaves it so.
func (p *Provider) dueWebhooks() (due []Delivery) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	p.settle(now)
	for _, w := range p.waiting(handOut{All: true, Until: now}) {
		due = append(due, w.Delivery)
	}
	slices.SortStableFunc(due, byTime)
	return due
}

// delivered notes that a delivery was made.
func (p *Provider) delivered(d Delivery) {
	p.handOut(handOut{BusinessKey: d.BusinessKey, EventID: d.ID, Until: d.At})
}

func byTime(a, b Delivery) int { return a.At.Compare(b.At) }

func (p *Provider) waiting(h handOut) (waiting []*hook) {
	accounts := p.opened
	if !h.All {
		accounts = nil
		if a := p.accounts[h.BusinessKey]; a != nil {
			accounts = []*account{a}
		}
	}
	for _, a := range accounts {
		for i := range a.hooks {
			if w := &a.hooks[i]; !w.done && !w.At.After(h.Until) && (h.EventID == "" || h.EventID == w.ID) {
				waiting = append(waiting, w)
			}
		}
	}
	return waiting
}

// NextOf is when the provider next does something by itself for a business key: a late commit, or a webhook. False: nothing
// is to come.
func (p *Provider) NextOf(businessKey string) (at time.Time, some bool) {
	commit, hook := p.upcoming(businessKey)
	at = earlier(commit, hook)
	return at, !at.IsZero()
}

// upcoming is when the next commit and the next webhook come, for one business key or for all; zero: none is to come.
func (p *Provider) upcoming(businessKey ...string) (commit, hook time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settle(p.now())
	accounts := p.opened
	for _, k := range businessKey {
		accounts = nil
		if a := p.accounts[k]; a != nil {
			accounts = []*account{a}
		}
	}
	for _, d := range p.due {
		if len(businessKey) == 0 || d.request.BusinessKey == businessKey[0] {
			commit = earlier(commit, d.at)
		}
	}
	for _, a := range accounts {
		for _, h := range a.hooks {
			if !h.done {
				hook = earlier(hook, h.At)
			}
		}
	}
	return commit, hook
}

// earlier is the earlier one of two times, of which either may be missing (zero).
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
