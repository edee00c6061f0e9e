package ledger

import (
	"time"

	"github.com/opledger/opledger/locks"
)

// becauseLifted is why an attempt is cleared whose permit ended with the lifted hold.
const becauseLifted = "a person lifted the operation's hold, and it was not begun"

// LiftExclusion lets others of an exclusive group pass an operation that holds an entity, by a permitted person's word.
type LiftExclusion struct {
	Namespace   Namespace
	Actor       Actor
	Entity      locks.Entity
	Group       string
	OperationID OperationID
	SeenVersion int64 // of the operation, as the person saw it
	Reason      string
	Jitter      float64
}

// LiftedExclusion is the reply: the operation as it stands, and the hold that was lifted.
type LiftedExclusion struct {
	Operation *Operation
	Lifted    Holder
	At        time.Time
}

// Claims are none.
func (c *LiftExclusion) Claims() []Claim { return nil }

// Reads are the operation and what follows it.
func (c *LiftExclusion) Reads(v *View) []Read { return readsOf(v, c.Namespace, c.OperationID) }

// Decide lifts the hold. What can have been sent is never begun, extended or sent again; what cannot is ended, since it
// would have to hold the group again to be sent.
func (c *LiftExclusion) Decide(v *View, env Env) Decided {
	o := v.Operation(c.Namespace, c.OperationID)
	if o == nil {
		return Decided{Err: notFound(c.OperationID)}
	}
	ref := locks.GroupRef(string(c.Namespace), c.Entity, c.Group)
	if l := o.Lifted; l != nil && l.Scope == ref.Name && l.By == c.Actor.Principal && o.Version == c.SeenVersion+1 {
		return Decided{Reply: &LiftedExclusion{Operation: o, Lifted: liftedHolder(o, ref, o.StateSince), At: v.Now}} // it sees its own write
	}
	d := change(v, env, o, c.Actor.Principal, c.Jitter)
	d.tick()
	hold, holds := d.holdIn(ref)
	switch {
	case !holds:
		no := refuse(CodeFailedPrecondition, ReasonStateNotSuitable, "operation %s, which is %s, does not hold %s on %s; nothing is to be lifted",
			o.ID, d.op.State, ref.Name, c.Entity)
		return Decided{Err: no.about(d.op), Changes: d.changes()}
	case o.Version != c.SeenVersion:
		no := refuse(CodeAborted, ReasonVersionSeenOutdated, "operation %s is at version %d and not %d; look at it again before others pass it",
			o.ID, o.Version, c.SeenVersion)
		return Decided{Err: no.about(d.op), Changes: d.changes()}
	}
	d.lift(ref, c.Reason)
	if !d.op.effectMayCome() {
		d.end(CategoryCancelled, "", "a person let others pass it: "+c.Reason)
	}
	changes := d.changes()
	return Decided{Reply: &LiftedExclusion{Operation: d.op, Lifted: liftedHolder(d.op, ref, hold.Since), At: d.now}, Changes: changes}
}

// holdIn finds the operation's hold in a scope. One that waits for approval holds nobody up.
func (d *draft) holdIn(ref locks.Ref) (locks.Holder, bool) {
	for _, h := range d.scope(ref).Holders {
		if h.OperationID == string(d.op.ID) && !h.Waiting {
			return h, true
		}
	}
	return locks.Holder{}, false
}

// lift takes the operation out of a scope by a person's word. A permit that must be begun and was not ends; the others
// stay with their bearers, who are let nothing more: nobody can take back what may have been sent.
func (d *draft) lift(ref locks.Ref, reason string) {
	o, attempt := d.op, int64(0)
	a := o.LiveAttempt()
	if a != nil {
		attempt = a.Number
	}
	d.event(EventLifted, attempt, "scope", ref.Name, "entity", ref.Entity.String(), "reason", reason)
	inGroup := ref.Group() != ""
	if o.Lifted == nil || inGroup {
		o.Lifted = &Lifted{By: d.by, At: d.now, Reason: reason, Scope: ref.Name}
	}
	d.putScope(d.scope(ref).Leave(string(o.ID)))
	if a == nil || !o.Terms.BeginRequired || a.Begun() {
		return
	}
	d.endPermit()
	d.clear(a, becauseLifted)
	d.giveBack(a.Number)
	o.Failure = &Failure{Category: CategoryNotSent, Message: becauseLifted}
	d.weigh()
	d.settle(becauseLifted)
	if !inGroup && !o.effectMayCome() {
		o.Lifted = nil // nothing can come of it: it is judged by the lease of the day when its next permit is due
	}
}

// effectMayCome reports whether an effect of the operation may still come.
func (o *Operation) effectMayCome() bool { return o.State.keeps() }

// wasLifted reports whether a person lifted a hold of the operation: for good, or with the permit that it held last.
func (o *Operation) wasLifted() bool {
	if o.Lifted != nil {
		return true
	}
	n := len(o.Attempts)
	return n > 0 && o.Attempts[n-1].VerdictBecause == becauseLifted
}

// liftedHolder describes a hold that was lifted, with the operation as it stands now.
func liftedHolder(o *Operation, ref locks.Ref, since time.Time) Holder {
	return Holder{Entity: ref.Entity, Scope: ref.Name, Since: since}.Of(o)
}
