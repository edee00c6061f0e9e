package ledger

import (
	"time"

	"github.com/opledger/opledger/locks"
)

// LookAtEntity tells who holds and keeps an entity. It changes nothing.
type LookAtEntity struct {
	Namespace Namespace
	Entity    locks.Entity
}

// EntityStanding is the reply.
type EntityStanding struct {
	Lease        *Lease // nil: nobody has one. One that has expired is shown until another is granted
	KeptBy       []Holder
	WaitingCount int
	At           time.Time
}

// Claims are none.
func (c *LookAtEntity) Claims() []Claim { return nil }

// Reads are the lease scope and its lease.
func (c *LookAtEntity) Reads(v *View) []Read {
	return leaseScopes(v, c.Namespace, []locks.Entity{c.Entity})
}

// Decide looks.
func (c *LookAtEntity) Decide(v *View, _ Env) Decided {
	s := v.Scope(locks.LeaseRefOf(string(c.Namespace), c.Entity))
	return Decided{Reply: &EntityStanding{Lease: unended(leaseOn(v, s)), KeptBy: KeepersOf(s), WaitingCount: s.InLine(v.Now), At: v.Now}}
}

// unended is the lease, or nil where it was given back, broken or taken over.
func unended(l *Lease) *Lease {
	if l == nil || !l.EndedAt.IsZero() {
		return nil
	}
	return l
}
