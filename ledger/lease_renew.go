package ledger

import (
	"time"

	"github.com/opledger/opledger/locks"
)

// RenewLease lengthens a lease that is still held, up to its greatest age.
type RenewLease struct {
	Namespace Namespace
	Actor     Actor
	Proof     LeaseProof
	TTL       time.Duration // from now; zero: the one that it was acquired with
	RenewalID string        // fixed before the first try
}

// HeldLease is the reply: the lease as it stands.
type HeldLease struct {
	Lease *Lease
	At    time.Time
}

// Claims are none.
func (c *RenewLease) Claims() []Claim { return nil }

// Reads are the lease and its workflow.
func (c *RenewLease) Reads(v *View) []Read {
	reads := []Read{LeaseKey(c.Namespace, c.Proof.LeaseID).Read()}
	if l, known := v.records[reads[0]].(*Lease); known && l.WorkflowID != "" {
		reads = append(reads, WorkflowKey(c.Namespace, l.WorkflowID).Read())
	}
	return reads
}

// Decide renews the lease. A renewal never shortens it.
func (c *RenewLease) Decide(v *View, _ Env) Decided {
	if c.TTL != 0 && (c.TTL < locks.MinTTL || c.TTL > locks.MaxTTL) {
		return Decided{Err: invalid("a lease lasts %s to %s without renewal, and not %s; renew it to hold it for longer", locks.MinTTL, locks.MaxTTL, c.TTL)}
	}
	l, no := c.Proof.lease(v, c.Namespace)
	if no == nil {
		no = l.lost(v.Now)
	}
	if no == nil {
		no = leaseWorkflow(v, c.Namespace, l.WorkflowID, l.RunID)
	}
	switch {
	case no != nil:
		return Decided{Err: no}
	case l.RenewalID == c.RenewalID && c.RenewalID != "":
		return Decided{Reply: &HeldLease{Lease: l, At: v.Now}} // a retry that sees its own write
	case !l.ExpiresAt.Before(l.GreatestEnd):
		return Decided{Err: refuse(CodeFailedPrecondition, ReasonLeaseTooOld,
			"the lease has its greatest age of %s and is not renewed; give it back and acquire anew", locks.GreatestAge).with("lease_id", l.ID)}
	}
	ttl := c.TTL
	if ttl == 0 {
		ttl = l.TTL
	}
	l = l.nextVersion()
	l.Extend(v.Now, ttl)
	l.Renewals++
	l.RenewalID = c.RenewalID
	return Decided{Reply: &HeldLease{Lease: l, At: v.Now}, Changes: &Changes{Records: []Record{l}}}
}
