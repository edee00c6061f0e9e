package ledger

import (
	"math"
	"strconv"
	"time"

	"github.com/opledger/opledger/registry"
)

// The backoff of questions: the first soon, then less and less often. Once a person is asked they go on slowly, since an
// answer may still come and is worth more than a person's word.
const (
	firstQuestion = 2 * time.Second
	lastQuestion  = 5 * time.Minute
	slowQuestion  = time.Hour
	// moreQuestions are how many are put after the empty answers that would do, before the tool's next strategy has its
	// turn: an executor may have lost one, and a provider may have been down.
	moreQuestions = 2
)

// askable reports whether somebody is to ask the provider about the operation while it stands as it does.
func (o *Operation) askable() bool {
	switch {
	case !o.Terms.Queued() || len(o.Terms.Lookups) == 0:
		return false
	case o.looksFirst():
		return true
	}
	return (o.State == UnknownOutcome || o.State == Acknowledged) && o.Terms.tries(registry.StrategyLookup)
}

// followLooking keeps the questions in step with the operation, before it is saved. A state is searched from its
// beginning. However far the backoff has come, one question is put right when "not found" can first count.
func (d *draft) followLooking() {
	o := d.op
	if !o.askable() {
		o.Looking = nil
		return
	}
	if o.Looking == nil {
		o.Looking = &Looking{NextAt: d.now.Add(time.Duration(float64(firstQuestion) * d.jitter))}
	}
	l := o.Looking
	n := int64(len(o.Attempts))
	for _, quiet := range []time.Time{o.quietAt(n, d.env, false), o.quietAt(n, d.env, o.stallCounts())} {
		if quiet.After(later(l.AskedAt, o.StateSince)) && quiet.Before(l.NextAt) {
			l.NextAt = later(quiet, d.now)
		}
	}
}

// question hands out the next question of a look or a search.
func (t *Take) question(d *draft) Decided {
	if d.lookUnanswered() {
		return d.handed(&Handed{Because: "the look before the first dispatch is given up"})
	}
	if n := d.askRoom(); n != nil {
		d.op.Looking.NextAt = d.now.Add(n.wait)
		d.event(EventPostponed, 0, "rule", n.rule, "because", n.because, "check_at", d.op.Looking.NextAt.Format(time.RFC3339Nano))
		return d.handed(&Handed{Because: n.because})
	}
	return d.handed(&Handed{Lookup: d.handQuestion(t.WorkerID)})
}

// handQuestion hands out the next question, and says when it is put again if no answer settles it.
func (d *draft) handQuestion(workerID string) *Lookup {
	o := d.op
	l := o.Looking
	l.Tries++
	l.AskedAt = d.now
	if !d.now.Before(o.quietAt(int64(len(o.Attempts)), d.env, o.stallCounts())) {
		l.Late++
	}
	last := lastQuestion
	if o.Human != nil {
		last = slowQuestion
	}
	l.NextAt = d.now.Add(growing(firstQuestion, last, l.Tries, d.jitter))
	d.event(EventLookupHanded, 0, "try", strconv.Itoa(l.Tries), "worker_id", workerID, "next_at", l.NextAt.Format(time.RFC3339Nano))
	return d.lookup()
}

// growing is an exponential backoff of which half is certain, so that it grows whatever is drawn, and half spreads many
// that began together.
func growing(first, last time.Duration, tries int, jitter float64) time.Duration {
	bound := min(float64(first)*math.Pow(2, float64(max(tries-1, 0))), float64(last))
	return time.Duration(bound/2 + bound/2*jitter)
}

// lookNow makes the next question, or the next check of a permit, due at once: somebody has asked for it.
func (d *draft) lookNow() {
	o := d.op
	d.hurry(&o.CheckAt)
	if o.Looking != nil {
		d.hurry(&o.Looking.NextAt)
	}
}

func (d *draft) hurry(at *time.Time) {
	if at.After(d.now) {
		*at = d.now
		d.event(EventHurried, 0)
	}
}
