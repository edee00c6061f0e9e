package ledger

import (
	"fmt"
	"time"

	"github.com/opledger/opledger/locks"
)

// LeaseKey names a lease.
func LeaseKey(ns Namespace, id string) RecordKey { return RecordKey{RecordLease, ns, id} }

// Etag is the lease's version as a tag. It names the lease too: another lease on the same entity has versions of its own.
func (l *Lease) Etag() string { return l.etagAt(l.Version) }

func (l *Lease) etagAt(version int64) string { return fmt.Sprintf("%s.v%d", l.ID, version) }

// lease finds the lease that a token proves. One of which nothing is known any more has been lost for long.
func (p *LeaseProof) lease(v *View, ns Namespace) (*Lease, *Refusal) {
	if !p.Proven {
		return nil, refuse(CodePermissionDenied, ReasonLeaseTokenMismatch, "the lease token is no lease's; use the one that came with the lease")
	}
	l, found := recordOf[Lease](v, LeaseKey(ns, p.LeaseID))
	if !found {
		return nil, refuse(CodeFailedPrecondition, ReasonLeaseLost, "the lease %s is not known any more; acquire anew", p.LeaseID).with("lease_id", p.LeaseID)
	}
	return l, nil
}

// lost refuses what only the holder of a lease may do, if the lease is not held any more.
func (l *Lease) lost(now time.Time) *Refusal {
	if l.Active(now) {
		return nil
	}
	no := refuse(CodeFailedPrecondition, ReasonLeaseLost, "the lease expired; acquire anew, and look at the entity again, since another may have acted on it")
	switch {
	case l.EndedBy == locks.EndedReleased:
		no.Message = "the lease was given back; acquire anew"
	case l.EndedBy == locks.EndedBroken:
		no.Message = "the lease was broken by " + l.BrokenBy + " (" + l.BrokenFor + "); acquire anew, and look at the entity again"
	case l.EndedBy == locks.EndedTakenOver && l.TakenBy != l.RunID:
		no = refuse(CodeFailedPrecondition, ReasonRunSuperseded, "run %s of the workflow has taken the lease over; stop this run", l.TakenBy)
		no.with("current_run_id", l.TakenBy)
	case l.EndedBy == locks.EndedTakenOver:
		no.Message = "this run has acquired the lease anew; use its newest token"
	}
	return no.with("lease_id", l.ID, "workflow_id", l.WorkflowID, "run_id", l.RunID)
}

// holder says of a lease that it holds an entity.
func (l *Lease) holder(e locks.Entity) Holder {
	return Holder{
		Principal: Principal(l.Principal), WorkflowID: l.WorkflowID, RunID: l.RunID, Entity: e, Scope: locks.LeaseName,
		Since: l.AcquiredAt, Until: l.ExpiresAt,
	}
}

// keeperOf says of an operation that it keeps an entity. Where the operation stands is not known here.
func keeperOf(h locks.Holder, ref locks.Ref) Holder {
	return Holder{OperationID: OperationID(h.OperationID), WorkflowID: h.WorkflowID, Entity: ref.Entity, Scope: ref.Name, Since: h.Since}
}

// KeepersOf are the operations that keep an entity, by its lease scope.
func KeepersOf(s locks.Scope) []Holder {
	var keepers []Holder
	for _, h := range s.Holders {
		keepers = append(keepers, keeperOf(h, s.Ref))
	}
	return keepers
}

// leaseScopes are the reads of entities' lease scopes and of the leases that they name, as far as they are known.
func leaseScopes(v *View, ns Namespace, entities []locks.Entity) []Read {
	var reads []Read
	for _, e := range entities {
		r := ReadScopeOf(locks.LeaseRefOf(string(ns), e))
		reads = append(reads, r)
		if s := v.scopes[r]; s.Lease != nil {
			reads = append(reads, LeaseKey(ns, s.Lease.LeaseID).Read())
		}
	}
	return reads
}

// lastOn finds the lease that was granted last on an entity, whatever has become of it: it remembers the runs that were
// taken over. Nil where none ever was.
func lastOn(v *View, s locks.Scope) *Lease {
	if s.Lease == nil {
		return nil
	}
	l, found := recordOf[Lease](v, LeaseKey(Namespace(s.Ref.Namespace), s.Lease.LeaseID))
	if !found {
		return nil
	}
	return l
}

// leaseOn finds the lease that was granted last on an entity; nil where none was, or where it has given the entity back.
func leaseOn(v *View, s locks.Scope) *Lease {
	l := lastOn(v, s)
	if l == nil || l.Fence(s.Ref.Entity) == 0 {
		return nil
	}
	return l
}

// invalid refuses a request that breaks a bound of its own.
func invalid(format string, args ...any) *Refusal {
	return refuse(CodeInvalidArgument, ReasonInvalidRequest, format, args...)
}

// nextVersion is a copy of a lease to be changed.
func (l *Lease) nextVersion() *Lease {
	next := *l
	next.Version++
	return &next
}

// Of describes the hold with the operation as it stands: who bears its permit, and until when.
func (h Holder) Of(o *Operation) Holder {
	of := *holderOf(o)
	of.Entity, of.Scope, of.Since = h.Entity, h.Scope, h.Since
	return of
}
