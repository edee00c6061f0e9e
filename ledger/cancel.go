package ledger

// CancelOperation ends an operation of which no permit is out and nothing is unknown. Later it is a wish that stands: no
// further permit, resend or begin is given, and as soon as the operation is known not to have happened it ends cancelled.
type CancelOperation struct {
	Namespace   Namespace
	Principal   Principal
	OperationID OperationID
	Reason      string
	Etag        string // the operation as the caller saw it; empty: whatever it is by now
	// GivesUp: the caller may give up the compensation that is under way.
	GivesUp bool
}

// Cancelled is the reply: whether the operation is cancelled, or its outcome still open.
type Cancelled struct {
	Operation *Operation
	Done      bool
	Told      Told
}

// Claims are none.
func (c *CancelOperation) Claims() []Claim { return nil }

// Reads are the operation, its tool's switch and its group.
func (c *CancelOperation) Reads(v *View) []Read { return readsOf(v, c.Namespace, c.OperationID) }

// Decide cancels, or keeps the wish.
func (c *CancelOperation) Decide(v *View, env Env) Decided {
	o := v.Operation(c.Namespace, c.OperationID)
	if o == nil {
		return Decided{Err: notFound(c.OperationID)}
	}
	if c.Etag != "" && c.Etag != o.Etag() && o.Cancel == nil {
		return Decided{Err: refuse(CodeAborted, ReasonVersionSeenOutdated, "the operation has changed since it was read; look again").about(o)}
	}
	d := change(v, env, o, c.Principal, 0)
	d.tick()
	if !d.op.State.Ended() && d.op.State != Compensating && d.op.Cancel == nil {
		d.op.Cancel = &Cancel{By: c.Principal, At: d.now, Reason: c.Reason}
		d.event(EventCancelWished, 0, "reason", c.Reason)
		switch d.op.State {
		case Planned, PendingDispatch, FailedRetryable:
			d.end(CategoryCancelled, "", "cancelled before anything was sent")
		}
	}
	if d.op.State == Compensating && c.GivesUp {
		d.giveUp(Cancel{By: c.Principal, At: d.now, Reason: c.Reason})
	}
	changes := d.changes()
	done := d.op.State == FailedPermanent && d.op.Failure != nil && d.op.Failure.Category == CategoryCancelled
	return Decided{Reply: &Cancelled{Operation: d.op, Done: done, Told: tellState(d.op, d.now)}, Changes: changes}
}

// Wake is due work: it applies what time has decided. One whose stamp is not the operation's version does nothing, since
// somebody looked at the operation in between and left new due work.
type Wake struct {
	Due    Due
	Jitter float64
}

// Woken is the reply: whether the operation changed.
type Woken struct {
	Operation *Operation
	Changed   bool
}

// Claims are none.
func (w *Wake) Claims() []Claim { return nil }

// Reads are the operation, its tool's switch and its group.
func (w *Wake) Reads(v *View) []Read { return readsOf(v, w.Due.Namespace, w.Due.OperationID) }

// Decide applies the time.
func (w *Wake) Decide(v *View, env Env) Decided {
	o := v.Operation(w.Due.Namespace, w.Due.OperationID)
	if o == nil || o.Version != w.Due.Stamp {
		return Decided{Reply: &Woken{Operation: o}}
	}
	d := change(v, env, o, "", w.Jitter)
	d.tick()
	changes := d.changes()
	return Decided{Reply: &Woken{Operation: d.op, Changed: changes != nil}, Changes: changes}
}
