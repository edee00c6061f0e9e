package ledger

import (
	"time"

	"github.com/opledger/opledger/locks"
)

// ReleaseLease gives a lease back, or some of its entities. Giving back one's own lost lease is harmless.
type ReleaseLease struct {
	Namespace Namespace
	Actor     Actor
	Proof     LeaseProof
	Entities  []locks.Entity // none: all that it covers. One that it does not cover, or not any more, changes nothing
}

// ReleasedLease is the reply.
type ReleasedLease struct {
	Lease   *Lease // nil where nothing is known of it any more
	WasLost bool   // another may have acted in between
	// KeptBy are the operations that keep the given entities from others all the same.
	KeptBy []Holder
	At     time.Time
}

// Claims are none.
func (c *ReleaseLease) Claims() []Claim { return nil }

// Reads are the lease and the scopes of its entities.
func (c *ReleaseLease) Reads(v *View) []Read {
	reads := []Read{LeaseKey(c.Namespace, c.Proof.LeaseID).Read()}
	if l, known := v.records[reads[0]].(*Lease); known {
		for _, e := range c.gives(l) {
			reads = append(reads, ReadScopeOf(locks.LeaseRefOf(string(c.Namespace), e)))
		}
	}
	return reads
}

// gives lists what is given back.
func (c *ReleaseLease) gives(l *Lease) []locks.Entity {
	if len(c.Entities) > 0 {
		return c.Entities
	}
	return l.Names()
}

// Decide gives back what is still held.
func (c *ReleaseLease) Decide(v *View, _ Env) Decided {
	l, no := c.Proof.lease(v, c.Namespace)
	switch {
	case no != nil && no.Reason == ReasonLeaseLost:
		return Decided{Reply: &ReleasedLease{WasLost: true, At: v.Now}}
	case no != nil:
		return Decided{Err: no}
	}
	given := c.gives(l)
	reply := &ReleasedLease{Lease: l, WasLost: l.WasLost(v.Now), At: v.Now}
	for _, e := range given {
		reply.KeptBy = append(reply.KeptBy, KeepersOf(v.Scope(locks.LeaseRefOf(string(c.Namespace), e)))...)
	}
	if !l.Active(v.Now) {
		return Decided{Reply: reply}
	}
	next := l.nextVersion()
	next.Drop(given)
	switch len(next.Entities) {
	case len(l.Entities):
		return Decided{Reply: reply} // it covers none of them any more
	case 0:
		next.Entities = l.Entities // for the record
		next.End(v.Now, locks.EndedReleased)
	}
	reply.Lease = next
	return Decided{Reply: reply, Changes: &Changes{Records: []Record{next}}}
}
