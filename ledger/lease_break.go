package ledger

import (
	"slices"
	"strings"
	"time"

	"github.com/opledger/opledger/locks"
)

// BreakLease frees an entity by a permitted person's word, on the record: the lease on it ends, with all that it covers,
// and the operations that keep the entity keep it no longer. The person names what they have seen; nothing else is broken.
type BreakLease struct {
	Namespace Namespace
	Actor     Actor
	Entity    locks.Entity
	Reason    string
	Etag      string        // of the lease that the person saw; empty: none
	Seen      []OperationID // that the person saw keeping the entity
	Jitter    float64
}

// BrokenLease is the reply.
type BrokenLease struct {
	Lease *Lease // that was broken; nil: there was none
	// Lifted are the operations that keep the entity no longer, as they stand now.
	Lifted     []Holder
	Operations []*Operation // those of Lifted that changed
	At         time.Time
}

// Claims are none.
func (c *BreakLease) Claims() []Claim { return nil }

// Reads are the lease scope, its lease, the operations that keep the entity, and what follows each of them.
func (c *BreakLease) Reads(v *View) []Read {
	reads := leaseScopes(v, c.Namespace, []locks.Entity{c.Entity})
	for _, h := range v.scopes[reads[0]].Holders {
		reads = append(reads, readsOf(v, c.Namespace, OperationID(h.OperationID))...)
	}
	for _, id := range c.Seen {
		reads = append(reads, ReadOf(ReadOperation, c.Namespace, string(id)))
	}
	return reads
}

// Decide breaks what the person saw.
func (c *BreakLease) Decide(v *View, env Env) Decided {
	ref := locks.LeaseRefOf(string(c.Namespace), c.Entity)
	s := v.Scope(ref)
	last := leaseOn(v, s)
	l := unended(last)
	if no := c.unseen(l, s); no != nil {
		if done := c.done(v, last, s); done != nil {
			return Decided{Reply: done}
		}
		return Decided{Err: no}
	}
	if l == nil && len(s.Holders) == 0 {
		if len(c.Seen) == 0 {
			return Decided{Err: refuse(CodeNotFound, ReasonLeaseNotFound, "nobody has a lease on %s, and no operation keeps it; there is nothing to break", c.Entity)}
		}
		return Decided{Reply: c.done(v, nil, s)}
	}
	reply := &BrokenLease{At: v.Now}
	changes := c.liftAll(v, env, s, reply)
	if l != nil {
		l = l.nextVersion()
		l.End(v.Now, locks.EndedBroken)
		l.BrokenBy, l.BrokenFor = string(c.Actor.Principal), c.Reason
		changes.Records = append(changes.Records, l)
		reply.Lease = l
	}
	return Decided{Reply: reply, Changes: changes}
}

// unseen refuses to break what the person has not seen.
func (c *BreakLease) unseen(l *Lease, s locks.Scope) *Refusal {
	outdated := func(format string, args ...any) *Refusal {
		return refuse(CodeAborted, ReasonVersionSeenOutdated, format, args...).with("entity", c.Entity.String())
	}
	switch {
	case l == nil && c.Etag != "":
		return outdated("the lease on %s that was seen is there no longer; look again", c.Entity)
	case l != nil && c.Etag != l.Etag():
		return outdated("lease %s holds %s and was not seen as it is now; look again", l.ID, c.Entity).with("lease_id", l.ID)
	}
	var strangers []string
	for _, h := range s.Holders {
		if !slices.Contains(c.Seen, OperationID(h.OperationID)) {
			strangers = append(strangers, h.OperationID)
		}
	}
	if len(strangers) > 0 {
		all := strings.Join(strangers, ", ")
		return outdated("%s is kept by %s too, which was not seen; look again", c.Entity, all).with("unseen_operation_ids", all)
	}
	return nil
}

// done is the reply to a command that sees its own write: the lease that the same person saw and broke, and those of the
// seen operations that were lifted. Nil where it is somebody else's write, or where others keep the entity by now.
func (c *BreakLease) done(v *View, broken *Lease, s locks.Scope) *BrokenLease {
	reply := &BrokenLease{At: v.Now}
	if c.Etag != "" {
		if broken == nil || broken.EndedBy != locks.EndedBroken || broken.BrokenBy != string(c.Actor.Principal) || c.Etag != broken.etagAt(broken.Version-1) {
			return nil
		}
		reply.Lease = broken
	}
	if len(s.Holders) > 0 {
		return nil
	}
	for _, id := range c.Seen {
		if o := v.Operation(c.Namespace, id); o != nil && o.wasLifted() {
			reply.Lifted = append(reply.Lifted, liftedHolder(o, s.Ref, o.StateSince))
		}
	}
	return reply
}

// liftAll lifts every operation that keeps the entity. Each is a draft of its own; what they change together goes from one
// to the next.
func (c *BreakLease) liftAll(v *View, env Env, s locks.Scope, reply *BrokenLease) *Changes {
	all := &Changes{}
	for _, h := range s.Holders {
		o := v.Operation(c.Namespace, OperationID(h.OperationID))
		if o == nil {
			continue // no operation leaves the ledger while it keeps an entity
		}
		d := change(v, env, o, c.Actor.Principal, c.Jitter)
		d.scopes, d.records = all.Scopes, all.Records
		d.tick()
		if _, holds := d.holdIn(s.Ref); holds {
			d.lift(s.Ref, c.Reason)
		}
		changes := d.changes()
		if changes == nil {
			continue
		}
		all.Operations = append(all.Operations, changes.Operations...)
		all.Events = append(all.Events, changes.Events...)
		all.Claims = append(all.Claims, changes.Claims...)
		all.Scopes, all.Records = changes.Scopes, changes.Records
		reply.Lifted = append(reply.Lifted, liftedHolder(d.op, s.Ref, h.Since))
		reply.Operations = append(reply.Operations, d.op)
	}
	return all
}
