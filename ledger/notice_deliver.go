package ledger

import (
	"maps"
	"time"
)

// The bounds of a delivery. Tries back off exponentially with full jitter: each pause is anything up to its bound, so that
// receivers that came back are not met by everybody at once.
const (
	DeliveryFirstPause   = 10 * time.Second
	DeliveryLongestPause = 3 * time.Hour
	// DeliveryShortestPause keeps a small jitter from making two tries of one.
	DeliveryShortestPause = time.Second
	// DeliveryMaxAge is how long after the event its delivery is given up, whatever became of it.
	DeliveryMaxAge = 24 * time.Hour
	// DeliveryMaxTries bounds the tries within that age. Pauses that average half of their bounds make about 25.
	DeliveryMaxTries = 30
	// DeliveryLongestWait bounds the pause of what was not tried: its receiver was busy, or is paused.
	DeliveryLongestWait = time.Minute
)

// DeliveryOutcome is what came of telling one subscriber.
type DeliveryOutcome string

// The outcomes.
const (
	DeliveryDone      DeliveryOutcome = "delivered"
	DeliveryFailed    DeliveryOutcome = "failed"    // it is tried again
	DeliveryRefused   DeliveryOutcome = "refused"   // the receiver wants no more; it is given up
	DeliveryPostponed DeliveryOutcome = "postponed" // it was not tried now
	DeliveryDropped   DeliveryOutcome = "dropped"   // there is nobody to be told any more
)

// DeliveryResult is the outcome of one try to tell one subscriber.
type DeliveryResult struct {
	SubscriptionID string
	// Try is the number that the try has, or would have had, from 1. A result that is recorded already changes nothing, nor
	// does one that came after another server's of the same number.
	Try        int
	Outcome    DeliveryOutcome
	Status     int           // of HTTP; zero: none was received
	Fault      string        // what went wrong, for people: never an address, a secret or what a receiver wrote
	RetryAfter time.Duration // that the receiver asked for
	Jitter     float64       // in [0, 1), chosen with the command
}

// RecordDeliveries stores what came of telling subscribers of a notice. Its first one also says who is told at all: those
// that it has a result of.
type RecordDeliveries struct {
	Namespace Namespace
	NoticeID  string
	Results   []DeliveryResult
	// NobodyLeft: the namespace has no subscription, so that what still waits is dropped.
	NobodyLeft bool
}

// DeliveriesRecorded is the reply: the notice as it stands; nil where there is none.
type DeliveriesRecorded struct{ Notice *Notice }

// NoticeKey names a notice.
func NoticeKey(ns Namespace, id string) RecordKey { return RecordKey{RecordNotice, ns, id} }

// Claims are none.
func (r *RecordDeliveries) Claims() []Claim { return nil }

// Reads are the notice, and the subscriptions whose failures in a row are counted.
func (r *RecordDeliveries) Reads(*View) []Read {
	reads := []Read{NoticeKey(r.Namespace, r.NoticeID).Read()}
	for _, res := range r.Results {
		reads = append(reads, SubscriptionKey(r.Namespace, res.SubscriptionID).Read())
	}
	return reads
}

// Decide records the results that are news, and when the notice is due again.
func (r *RecordDeliveries) Decide(v *View, _ Env) Decided {
	have, exists := recordOf[Notice](v, NoticeKey(r.Namespace, r.NoticeID))
	if !exists {
		return Decided{Reply: &DeliveriesRecorded{}}
	}
	next := *have
	next.row, next.Tries = have.next(), maps.Clone(have.Tries)
	changes := &Changes{}
	for _, res := range r.Results {
		if !next.record(res, v.Now) {
			continue
		}
		if s := r.counted(v, res); s != nil {
			changes.Records = append(changes.Records, s)
		}
	}
	if r.NobodyLeft {
		next.drop()
	}
	next.NextAt = next.nextTry()
	if next.NextAt.Equal(have.NextAt) && maps.Equal(next.Tries, have.Tries) {
		return Decided{Reply: &DeliveriesRecorded{Notice: have}}
	}
	changes.Records = append(changes.Records, &next)
	return Decided{Reply: &DeliveriesRecorded{Notice: &next}, Changes: changes}
}

// counted is the subscription with its failures in a row after a result; nil where they stay as they are.
func (r *RecordDeliveries) counted(v *View, res DeliveryResult) *Subscription {
	have, exists := recordOf[Subscription](v, SubscriptionKey(r.Namespace, res.SubscriptionID))
	failures := have.Failures
	switch res.Outcome {
	case DeliveryDone:
		failures = 0
	case DeliveryFailed, DeliveryRefused:
		failures++
	}
	if !exists || failures == have.Failures {
		return nil
	}
	next := *have
	next.row, next.Failures = have.next(), failures
	return &next
}

// record takes a result in, and reports whether it is news.
func (n *Notice) record(r DeliveryResult, now time.Time) bool {
	t := n.Tries[r.SubscriptionID]
	switch {
	case t.Delivered:
		return false
	case r.Outcome == DeliveryDone: // also of a try that another server has given up meanwhile
		t.Count, t.Delivered, t.GivenUp = max(t.Count, r.Try), true, false
	case t.GivenUp || r.Try != t.Count+1:
		return false
	case r.Outcome == DeliveryFailed || r.Outcome == DeliveryRefused:
		t.Count = r.Try
	}
	switch r.Outcome {
	case DeliveryPostponed:
		t.NextAt = now.Add(postponed(now.Sub(n.At), r.Jitter))
	case DeliveryFailed:
		t.NextAt = now.Add(deliveryPause(r))
	default:
		t.NextAt = time.Time{}
	}
	if r.Outcome == DeliveryDone || r.Outcome == DeliveryFailed || r.Outcome == DeliveryRefused {
		t.LastAt, t.Status = now, r.Status
	}
	t.Fault = r.Fault
	late := t.NextAt.After(n.At.Add(DeliveryMaxAge)) || t.Count >= DeliveryMaxTries
	if !t.Delivered && (t.NextAt.IsZero() || late) {
		t.GivenUp, t.NextAt = true, time.Time{}
	}
	if n.Tries == nil {
		n.Tries = map[string]Tried{}
	}
	n.Tries[r.SubscriptionID] = t
	return true
}

// drop gives up whatever still waits.
func (n *Notice) drop() {
	for id, t := range n.Tries {
		if t.waits() {
			t.GivenUp, t.NextAt, t.Fault = true, time.Time{}, "the subscription has ended"
			n.Tries[id] = t
		}
	}
}

// nextTry is when the first of those that wait is due; zero where nobody waits.
func (n *Notice) nextTry() (first time.Time) {
	for _, t := range n.Tries {
		if t.waits() && (first.IsZero() || t.NextAt.Before(first)) {
			first = t.NextAt
		}
	}
	return first
}

func (t Tried) waits() bool { return !t.Delivered && !t.GivenUp }

// deliveryPause is the pause after a failed try: anything up to a bound that doubles with each, or what the receiver
// asked for where that is longer.
func deliveryPause(r DeliveryResult) time.Duration {
	bound := DeliveryLongestPause
	if shift := r.Try - 1; shift < 20 && DeliveryFirstPause<<shift < bound {
		bound = DeliveryFirstPause << shift
	}
	pause := max(DeliveryShortestPause, time.Duration((1-r.Jitter)*float64(bound)))
	return max(pause, min(r.RetryAfter, DeliveryLongestPause))
}

// postponed is the pause of what was not tried: as long as the event is old already, so that it grows although nobody
// counts, and anything between half of that and the whole.
func postponed(age time.Duration, jitter float64) time.Duration {
	bound := min(max(age, DeliveryShortestPause), DeliveryLongestWait)
	return bound - time.Duration(jitter*float64(bound)/2)
}
