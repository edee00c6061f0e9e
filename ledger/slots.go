package ledger

import (
	"fmt"
	"slices"
	"time"
)

// The rules by which a permit waits for room. What they say holds for a moment, so that a recheck records no decision.
const (
	ruleConcurrency  = "concurrency"   // as many permits of the tool, or for its provider, are out as may be
	ruleProviderRate = "provider_rate" // the provider's stated rate is used up
	ruleBackpressure = "backpressure"  // too much waits for its executor already
)

// Usage is what a tool or a provider has of a namespace's permits out, and how often it was sent to lately. It is kept in
// a row of history, which the transactions that give and end permits write: exact however many there are at once.
type Usage struct {
	// Out counts the permits that are out.
	Out int64 `json:"out,omitempty"`
	// Sent counts permits and questions by parts of the stated period, the oldest first.
	Sent []Tally `json:"sent,omitempty"`
}

// Tally counts what was handed out in one part of a period.
type Tally struct {
	Since time.Time `json:"since"`
	Count int       `json:"count"`
}

// rateParts is into how many parts a period is divided. The oldest is counted whole, so that no period that a provider
// can measure ever holds more than the stated requests.
const rateParts = 20

// in is how many were handed out in the period before now, and when the oldest part of them falls out of it.
func (u *Usage) in(now time.Time, period time.Duration) (count int, next time.Time) {
	for _, t := range u.Sent {
		if end := t.Since.Add(period/rateParts + period); end.After(now) {
			if count += t.Count; next.IsZero() {
				next = end
			}
		}
	}
	return count, next
}

// send counts one more.
func (u *Usage) send(now time.Time, period time.Duration) {
	part := period / rateParts
	u.Sent = slices.DeleteFunc(slices.Clone(u.Sent), func(t Tally) bool { return !t.Since.Add(part + period).After(now) })
	since := now.Truncate(part)
	if n := len(u.Sent); n > 0 && !u.Sent[n-1].Since.Before(since) {
		u.Sent[n-1].Count++
		return
	}
	u.Sent = append(u.Sent, Tally{Since: since, Count: 1})
}

// usages are the rows that count the operation's permits, with their bounds; none where its terms state none.
func (o *Operation) usages() []usage {
	var all []usage
	if o.Terms.ToolSlots > 0 {
		all = append(all, usage{id: "permits:tool/" + o.Tool, name: "the tool " + o.Tool, slots: o.Terms.ToolSlots})
	}
	if o.Terms.ProviderSlots > 0 || o.Terms.rated() {
		provider := ProviderOf(&o.Terms)
		u := usage{id: "permits:provider/" + provider, name: "the provider " + provider, slots: o.Terms.ProviderSlots}
		if o.Terms.rated() {
			u.requests, u.period = o.Terms.RateRequests, o.Terms.RatePeriod
		}
		all = append(all, u)
	}
	return all
}

// rated reports whether the provider states a rate that is kept to beforehand.
func (t *Terms) rated() bool { return t.RateRequests > 0 && t.RatePeriod >= rateParts }

// usage is one row that counts permits, and what it bounds.
type usage struct {
	id, name string
	slots    int // zero: no bound
	requests int // zero: no rate
	period   time.Duration
}

// judgeRoom asks whether one more permit may be out, and one more request made. It is asked last, since it changes from
// one moment to the next.
func (d *draft) judgeRoom() *no {
	for _, u := range d.op.usages() {
		row := d.history(u.id)
		if u.slots > 0 && row.Out >= int64(u.slots) {
			return &no{decision: DecisionRetryLater, rule: ruleConcurrency, wait: roomWait, passing: true,
				because: fmt.Sprintf("%d permits for %s are out, and no more may be at once", row.Out, u.name)}
		}
		if n := u.judgeRate(row, d.now); n != nil {
			return n
		}
	}
	return nil
}

// roomWait is how long somebody waits for another's permit to end: nobody knows, and it is cheap to ask.
const roomWait = time.Second

func (u *usage) judgeRate(row *History, now time.Time) *no {
	if u.requests == 0 {
		return nil
	}
	sent, next := row.in(now, u.period)
	if sent < u.requests {
		return nil
	}
	return &no{decision: DecisionRetryLater, rule: ruleProviderRate, wait: next.Sub(now), passing: true,
		because: fmt.Sprintf("%s takes %d requests in %s, and %d were made", u.name, u.requests, u.period, sent)}
}

// takeRoom counts a permit that is given.
func (d *draft) takeRoom(a *Attempt) {
	for _, u := range d.op.usages() {
		row := d.history(u.id)
		if row.Out++; u.requests > 0 {
			row.send(d.now, u.period)
		}
		a.Slots = append(a.Slots, u.id)
		d.put(row)
	}
}

// leaveRoom counts a permit that has ended.
func (d *draft) leaveRoom(a *Attempt) {
	for _, id := range a.Slots {
		row := d.history(id)
		row.Out--
		d.put(row)
	}
}

// askRoom counts a question against its provider's rate, or says until when it has to wait.
func (d *draft) askRoom() *no {
	for _, u := range d.op.usages() {
		if u.requests == 0 {
			continue
		}
		row := d.history(u.id)
		if n := u.judgeRate(row, d.now); n != nil {
			return n
		}
		row.send(d.now, u.period)
		d.put(row)
	}
	return nil
}
