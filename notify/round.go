package notify

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/opledger/opledger/ledger"
)

// subscriber is a subscription with its terms.
type subscriber struct {
	stored *ledger.Subscription
	terms  *Terms
}

// errand is a notice that was claimed, with what is to be done about it. One without anything to send is closed already.
type errand struct {
	notice  *ledger.Notice
	sends   []send
	dropped []ledger.DeliveryResult
	now     time.Time
}

// claim takes notices that are due and says what is to be done about each. Those that nothing has to be sent of are closed
// at once, and share transactions. What cannot be read comes back when its claim runs out.
func (d *Deliverer) claim(ctx context.Context, limit int) ([]*errand, error) {
	due, err := d.engine.ClaimDueRecords(ctx, ledger.RecordNotice, d.config.Claimer, limit, d.config.Hold)
	if err != nil || len(due) == 0 {
		return nil, err
	}
	errands := make([]*errand, len(due)) // as many as were claimed: the loop looks again at once after a full claim
	for i := range errands {
		errands[i] = &errand{}
	}
	now, err := d.engine.Time(ctx)
	if err != nil {
		return errands, err
	}
	var closing []ledger.Command
	namespaces := map[ledger.Namespace][]subscriber{}
	for i, key := range due {
		subscribers, known := namespaces[key.Namespace]
		if !known {
			if subscribers, err = d.subscribers(ctx, key.Namespace); err != nil {
				d.config.Logger.Warn("subscriptions could not be read; it is tried again", "error", err, "namespace", key.Namespace)
				continue
			}
			namespaces[key.Namespace] = subscribers
		}
		if len(subscribers) == 0 { // then the notice need not even be read
			closing = append(closing, &ledger.RecordDeliveries{Namespace: key.Namespace, NoticeID: key.ID, NobodyLeft: true})
			continue
		}
		found, err := d.engine.GetRecord(ctx, key)
		if err != nil {
			d.config.Logger.Warn("a notice could not be read; it is tried again", "error", err, "namespace", key.Namespace, "notice", key.ID)
			continue
		}
		n := found.(*ledger.Notice)
		sends, dropped := plan(n, subscribers, now)
		if len(sends) == 0 {
			closing = append(closing, &ledger.RecordDeliveries{Namespace: key.Namespace, NoticeID: key.ID, Results: dropped})
			continue
		}
		errands[i] = &errand{n, sends, dropped, now}
	}
	d.record(ctx, closing)
	return errands, nil
}

// run sends what has to be sent of one notice.
func (d *Deliverer) run(ctx context.Context, e *errand) {
	if len(e.sends) > 0 {
		d.deliver(ctx, e.notice, e.sends, e.dropped, e.now)
	}
}

// subscribers are the subscriptions of a namespace that hold. One whose terms cannot be read is left out and told of.
func (d *Deliverer) subscribers(ctx context.Context, ns ledger.Namespace) (all []subscriber, err error) {
	const page = 200
	q := ledger.RecordQuery{Kind: ledger.RecordSubscription, Namespace: ns, Limit: page}
	for {
		found, err := d.engine.ListRecords(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, r := range found {
			s := r.(*ledger.Subscription)
			q.After, q.AfterID = s.Index().At, s.ID
			if !s.EndedAt.IsZero() {
				continue
			}
			terms, err := DecodeTerms(s.Definition)
			if err != nil {
				d.config.Logger.Error("the terms of a subscription cannot be read; it is told nothing", "namespace", ns, "subscription_id", s.ID)
				continue
			}
			all = append(all, subscriber{s, terms})
		}
		if len(found) < page {
			return all, nil
		}
	}
}

// send is one delivery that is due.
type send struct {
	to  subscriber
	try int
}

// plan says whom to send a notice to now, and which of those that were to be told are there no more. Who is told is
// decided once, when a notice is looked at first.
func plan(n *ledger.Notice, subscribers []subscriber, now time.Time) (sends []send, dropped []ledger.DeliveryResult) {
	if n.NextAt.IsZero() {
		return nil, nil // another server was faster
	}
	there := map[string]bool{}
	for _, s := range subscribers {
		there[s.stored.ID] = true
		t, chosen := n.Tries[s.stored.ID]
		switch {
		case !chosen && (len(n.Tries) > 0 || !s.stored.Hears(n.At) || !s.terms.Want(n)):
		case t.Delivered || t.GivenUp || t.NextAt.After(now):
		default:
			sends = append(sends, send{s, t.Count + 1})
		}
	}
	for id, t := range n.Tries {
		if !there[id] && !t.Delivered && !t.GivenUp {
			dropped = append(dropped, ledger.DeliveryResult{
				SubscriptionID: id, Try: t.Count + 1, Outcome: ledger.DeliveryDropped, Fault: "the subscription has ended",
			})
		}
	}
	return sends, dropped
}

// deliver sends a notice to those that it is due for, all at once, and records what came of it.
func (d *Deliverer) deliver(ctx context.Context, n *ledger.Notice, sends []send, results []ledger.DeliveryResult, now time.Time) {
	outcomes := make([]ledger.DeliveryResult, len(sends))
	var all sync.WaitGroup
	for i, s := range sends {
		all.Go(func() {
			r := d.try(ctx, n, s, now)
			r.SubscriptionID, r.Try, r.Jitter = s.to.stored.ID, s.try, d.config.Jitter()
			outcomes[i] = r
		})
	}
	all.Wait()
	for _, r := range outcomes {
		d.config.Observer.DueWork("notification", string(r.Outcome))
		if r.Outcome == ledger.DeliveryFailed || r.Outcome == ledger.DeliveryRefused {
			d.config.Logger.Info("a delivery failed", "namespace", n.Namespace, "subscription_id", r.SubscriptionID,
				"delivery_id", DeliveryID(n.Namespace, n.ID, r.SubscriptionID), "try", r.Try, "fault", r.Fault)
		}
	}
	d.record(ctx, []ledger.Command{&ledger.RecordDeliveries{Namespace: n.Namespace, NoticeID: n.ID, Results: append(results, outcomes...)}})
}

// failing is how many failures in a row make a receiver one that is tried by one delivery at a time.
const failing = 3

// try sends one delivery, if its receiver can be sent to now.
func (d *Deliverer) try(ctx context.Context, n *ledger.Notice, s send, now time.Time) ledger.DeliveryResult {
	if s.to.stored.Paused() {
		return ledger.DeliveryResult{Outcome: ledger.DeliveryPostponed, Fault: "the subscription is paused"}
	}
	release, ok := d.receivers.take(s.to.stored.Key(), s.to.stored.Failures >= failing, func() <-chan time.Time { return d.config.After(d.config.Patience) })
	if !ok {
		return ledger.DeliveryResult{Outcome: ledger.DeliveryPostponed, Fault: "the receiver is busy with other deliveries"}
	}
	defer release()
	return d.poster.post(ctx, s.to.terms, MessageOf(n, s.to.stored.ID), now)
}

// record hands in what came of notices. Where that fails, they are sent again when their claims have run out, under the
// same ids.
func (d *Deliverer) record(ctx context.Context, commands []ledger.Command) {
	if len(commands) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, recordTimeout)
	defer cancel()
	var faults []error
	for _, out := range d.config.Ledger.DoAll(ctx, commands) {
		faults = append(faults, out.Err)
	}
	if err := errors.Join(faults...); err != nil {
		d.config.Logger.Warn("what came of deliveries could not be recorded; they are sent again, under the same ids", "error", err)
	}
}
