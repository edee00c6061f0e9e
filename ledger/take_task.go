package ledger

import (
	"time"

	"github.com/opledger/opledger/policy"
)

// TakeTask says that a person has taken up what waits for one, which holds its escalation off for a while.
type TakeTask struct {
	Namespace Namespace
	Actor     Actor
	RequestID RequestID // kept in the request's repeats
	// One of the two: an operation that needs a person, or an approval.
	OperationID OperationID
	ApprovalID  string
	Hold        time.Duration // how long it does not escalate; zero: its owner's due time anew
	Comment     string
	Etag        string // of the operation or the approval; empty: any
}

// TaskTaken is the reply.
type TaskTaken struct {
	Operation *Operation
	Approval  *Approval // of an approval's task
}

// Claims are none.
func (c *TakeTask) Claims() []Claim { return nil }

// Reads are what waits, with its operation.
func (c *TakeTask) Reads(v *View) []Read {
	if c.ApprovalID == "" {
		return readsOf(v, c.Namespace, c.OperationID)
	}
	key := ApprovalKey(c.Namespace, c.ApprovalID)
	reads := []Read{key.Read()}
	if a, ok := v.records[key.Read()].(*Approval); ok {
		reads = append(reads, readsOf(v, c.Namespace, a.OperationID)...)
	}
	return reads
}

// Decide takes it up. What is settled by now cannot be taken up any more.
func (c *TakeTask) Decide(v *View, env Env) Decided {
	if c.ApprovalID != "" {
		return c.takeApproval(v, env)
	}
	o := v.Operation(c.Namespace, c.OperationID)
	if o == nil {
		return Decided{Err: notFound(c.OperationID)}
	}
	d := change(v, env, o, c.Actor.Principal, 0)
	d.tick()
	h := d.op.Human
	switch {
	case h == nil:
		return Decided{Err: refuse(CodeFailedPrecondition, ReasonStateNotSuitable, "operation %s waits for nobody any more; nothing is to be taken up", o.ID).about(d.op), Changes: d.changes()}
	case c.took(h.Taken):
		changes := d.changes()
		return Decided{Reply: &TaskTaken{Operation: d.op}, Changes: changes}
	case c.Etag != "" && c.Etag != o.Etag():
		return Decided{Err: etagMismatch("the operation", string(o.ID)).about(d.op), Changes: d.changes()}
	}
	hold := c.Hold
	if hold <= 0 {
		hold = d.op.Terms.HumanDue
	}
	h.Taken = c.taking(d.now, hold)
	if !h.Escalated && !h.Due.IsZero() {
		h.Due = h.Taken.Until
	}
	d.event(EventTaken, 0, "reason", h.Reason, "until", h.Taken.Until.Format(time.RFC3339Nano))
	changes := d.changes()
	return Decided{Reply: &TaskTaken{Operation: d.op}, Changes: changes}
}

// took reports whether this very request has been carried out already.
func (c *TakeTask) took(t *Taken) bool {
	return t != nil && t.By == c.Actor.Principal && t.RequestID == c.RequestID
}

func (c *TakeTask) taking(now time.Time, hold time.Duration) *Taken {
	return &Taken{By: c.Actor.Principal, Comment: c.Comment, At: now, Until: now.Add(hold), RequestID: c.RequestID}
}

// takeApproval takes an approval up. One that would go to the next roles waits until the hold is over; the moment at
// which it is denied by itself is never moved.
func (c *TakeTask) takeApproval(v *View, env Env) Decided {
	seen, found := recordOf[Approval](v, ApprovalKey(c.Namespace, c.ApprovalID))
	if !found {
		return Decided{Err: refuse(CodeNotFound, ReasonApprovalNotFound, "there is no approval %s in this namespace; list the approvals that wait", c.ApprovalID)}
	}
	d := change(v, env, v.Operation(c.Namespace, seen.OperationID), c.Actor.Principal, 0)
	d.tick()
	a := d.currentApproval(seen)
	switch {
	case a.State != ApprovalOpen:
		return Decided{Err: refuse(CodeFailedPrecondition, ReasonStateNotSuitable, "the approval %s is %s and waits for nobody any more; nothing is to be taken up", a.ID, a.State).about(d.op), Changes: d.changes()}
	case c.took(a.Taken):
		changes := d.changes()
		return Decided{Reply: &TaskTaken{Operation: d.op, Approval: d.storedApproval(seen)}, Changes: changes}
	case c.Etag != "" && c.Etag != seen.Etag():
		return Decided{Err: etagMismatch("the approval", a.ID).about(d.op), Changes: d.changes()}
	}
	hold := c.Hold
	if hold <= 0 {
		hold = a.Need.ExpiresAfter
	}
	a.Taken = c.taking(d.now, hold)
	if a.Need.OnExpiry == policy.ExpiryEscalate && !a.Escalated && a.Taken.Until.After(a.ExpiresAt) {
		a.ExpiresAt = a.Taken.Until
	}
	d.putApproval(a)
	d.event(EventTaken, 0, "approval_id", a.ID, "until", a.Taken.Until.Format(time.RFC3339Nano))
	changes := d.changes()
	return Decided{Reply: &TaskTaken{Operation: d.op, Approval: a}, Changes: changes}
}
