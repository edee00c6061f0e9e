package ledger

import "time"

// CachedRead leads from a read's key to the newest operation that made this read, so that others are answered from it:
// while it is under way, and afterwards for as long as the tool lets a result be used again. Its id is a digest of the key.
type CachedRead struct {
	row
	Operation OperationID `json:"operation_id"`
	// At is the moment from which on the operation tells how things were.
	At time.Time `json:"at"`
}

// CachedReadKey names what a read's key leads to.
func CachedReadKey(ns Namespace, key IdempotencyKey) RecordKey {
	return RecordKey{RecordCachedRead, ns, derive("opledger-read/1", ns, key, 0)}
}

// Key names it.
func (c *CachedRead) Key() RecordKey { return c.key(RecordCachedRead) }

// Index is that of a kind which is found by its key alone.
func (c *CachedRead) Index() RecordIndex {
	return RecordIndex{Subject: string(c.Operation), At: c.At}
}

// remember lets the operation's key lead to it, unless that leads to a newer read already: whoever began first may report
// last.
func (d *draft) remember() {
	c, _ := drafted[CachedRead](d, CachedReadKey(d.op.Namespace, d.op.Key))
	at := d.op.readAt()
	if c.At.After(at) {
		return
	}
	c.Operation, c.At = d.op.ID, at
	d.put(c)
}

// rememberFresh remembers a result that may still answer others.
func (d *draft) rememberFresh() {
	o := d.op
	if (o.State == CompletedSuccess || o.State == CompletedNoop) && d.now.Before(o.readUntil(&o.Terms)) {
		d.remember()
	}
}

// readAt is the earliest moment of which a read's result may tell: that at which the permit was given under which it was
// read. Nobody knows a later one.
func (o *Operation) readAt() time.Time {
	for i := range o.Attempts {
		if a := &o.Attempts[i]; a.Verdict == VerdictEffect || a.Outcome == OutcomeNoop {
			return a.GrantedAt
		}
	}
	return o.CreatedAt
}

// readUntil is how long a read's result is used again: until it is as old as its tool allows, the version by which it was
// made and the one by which it is asked for.
func (o *Operation) readUntil(now *Terms) time.Time {
	return o.readAt().Add(min(o.Terms.ReadCacheFor, now.ReadCacheFor))
}

// answersRead reports whether the operation answers another proposal of the same read: while it is open, while its result
// is fresh enough, and where a person has refused it. A read that failed answers nobody.
func (o *Operation) answersRead(terms *Terms, now time.Time) bool {
	switch {
	case !o.State.Ended():
		return true
	case o.State == FailedPermanent:
		return o.failureCategory() == CategoryApprovalDenied
	}
	return now.Before(o.readUntil(terms))
}
