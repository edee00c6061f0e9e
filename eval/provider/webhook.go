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

// Times between deliveries.
const (
	repeatAfter = time.Minute     // from a delivery to its repetition
	disorder    = 5 * time.Second // between deliveries in the wrong order
)

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
		again.At = again.At.Add(repeatAfter)
		a.hooks = append(a.hooks, hook{Delivery: again})
	case unordered:
		at := e.finished.Add(after)
		event(Succeeded, e.finished, at)
		event(Failed, e.At.Add(-usualTook), at.Add(disorder))
		event(Pending, e.At.Add(-2*usualTook), at.Add(2*disorder))
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
	slices.SortStableFunc(due, func(a, b Delivery) int { return a.At.Compare(b.At) })
	return due
}

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
			if w := &a.hooks[i]; !w.done && !w.At.After(h.Until) {
				waiting = append(waiting, w)
			}
		}
	}
	return waiting
}

// NextOf is when the provider next does something by itself for a business key: a late commit, or a webhook. False: nothing
// is to come.
func (p *Provider) NextOf(businessKey string) (at time.Time, some bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.settle(p.now())
	take := func(t time.Time) {
		if !some || t.Before(at) {
			at, some = t, true
		}
	}
	for _, d := range p.due {
		if d.request.BusinessKey == businessKey {
			take(d.at)
		}
	}
	if a := p.accounts[businessKey]; a != nil {
		for _, h := range a.hooks {
			if !h.done {
				take(h.At)
			}
		}
	}
	return at, some
}
