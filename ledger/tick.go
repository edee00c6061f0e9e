package ledger

import "time"

// tick applies what the passing of time has decided by now. Every command does it first, so that an operation never
// depends on how punctual the due work is; due work does nothing else.
func (d *draft) tick() {
	d.catchUp()
	d.expirePermit()
	d.lapseAcknowledgement()
	d.expireApprovals()
	d.expireWaiting()
	d.callPerson()
}

// byNow is an operation as the passing of time leaves it: what is decided by another operation's row is asked of that,
// whether or not anybody has written so yet. Nothing is saved by it.
func byNow(v *View, env Env, o *Operation, jitter float64) *Operation {
	if !o.lapsed(v.Now) {
		return o
	}
	d := change(v, env, o, "", jitter)
	d.tick()
	return d.op
}

// lapsed reports whether something about the operation has changed by the passing of time that its row does not say.
func (o *Operation) lapsed(now time.Time) bool {
	due, any := DueOf(o)
	return any && !now.Before(due.At)
}

// catchUp applies to a reading what time has decided of it, each at its own moment: no due work does, and the next command
// may come at any time. So what is seen of it does not depend on when one looks.
func (d *draft) catchUp() {
	if d.reading == nil {
		return
	}
	now := d.now
	if a := d.op.LiveAttempt(); a != nil {
		d.now = earlier(now, a.Deadline.Add(d.env.ClockError))
		d.expirePermit()
	}
	if end := retryEnds(d.op); d.op.State == FailedRetryable && !end.IsZero() {
		d.now = earlier(now, end)
		d.expireWaiting()
	}
	d.now = now
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// expirePermit ends a permit at its deadline. Silence proves nothing, except where a begin was required and never
// accepted: then nothing was sent. A read has no effect to be unsure of.
func (d *draft) expirePermit() {
	a := d.op.LiveAttempt()
	if a == nil || d.now.Before(a.Deadline.Add(d.env.ClockError)) {
		return
	}
	d.event(EventPermitEnded, a.Number, "deadline", a.Deadline.Format(time.RFC3339Nano))
	d.endPermit()
	switch {
	case d.op.Terms.BeginRequired && !a.Begun():
		d.clear(a, "a begin was required and none was accepted")
		d.giveBack(a.Number)
		d.op.Failure = &Failure{Category: CategoryNotSent, Message: "the permit ended before the executor began"}
	case !d.op.Terms.Mutates():
		d.clear(a, becauseRead)
		d.op.Failure = &Failure{Category: CategoryTimeout, Message: becauseUnreported}
	default:
		d.op.Failure = &Failure{Category: CategoryTimeout, Message: "the permit ended without a report; the effect may exist"}
	}
	d.weigh()
	d.settle("the permit ended at its deadline")
}

// lapseAcknowledgement gives up waiting for the provider to finish; what it took on may still come.
func (d *draft) lapseAcknowledgement() {
	if d.op.State != Acknowledged || d.now.Before(d.op.FinishBy.Add(d.env.ClockError)) {
		return
	}
	d.event(EventAcknowledgeLapsed, 0, "finish_by", d.op.FinishBy.Format(time.RFC3339Nano))
	d.op.FinishBy = time.Time{}
	if !d.op.Terms.Mutates() {
		for i := range d.op.Attempts {
			d.clear(&d.op.Attempts[i], becauseRead)
		}
	}
	d.settle("the provider did not finish by the stated time")
}

// expireWaiting ends what waited too long. What is not known never expires.
func (d *draft) expireWaiting() {
	o := d.op
	switch o.State {
	case PendingDispatch:
		if end := after(o.StateSince, o.Terms.PendingMaxAge); !end.IsZero() && !d.now.Before(end) {
			d.end(CategoryExpired, "", "nobody took the permit within the tool's waiting age")
		}
	case FailedRetryable:
		if end := retryEnds(o); !end.IsZero() && !d.now.Before(end) {
			category := CategoryExpired
			if o.elapsed(d.now) {
				category = CategoryAttemptsExhausted
			}
			d.end(category, o.failureCode(), "no further try came within the tool's waiting age")
		}
	}
}

// callPerson puts what stayed unknown before a person, and a question that nobody answered before the next one.
func (d *draft) callPerson() {
	o := d.op
	if at := o.humanAt(); o.Human == nil && !at.IsZero() && !d.now.Before(at) {
		d.askPerson(HumanUnknown)
	}
	d.callAboutUndoing()
	if o.Human == nil && !o.BlockingSince.IsZero() {
		if at := after(o.BlockingSince, o.Terms.BlockedAfter); !at.IsZero() && !d.now.Before(at) {
			d.askPerson(HumanBlocking)
		}
	}
	if h := o.Human; h != nil && !h.Escalated && !h.Due.IsZero() && !d.now.Before(h.Due) {
		h.Escalated = true
		d.event(EventEscalated, 0, "reason", h.Reason, "to", h.EscalateTo)
		d.notice(NoticeEscalated, h.Reason, "", h.EscalateTo)
	}
}
