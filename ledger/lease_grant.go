package ledger

import (
	"slices"

	"github.com/opledger/opledger/locks"
)

// grant gives the lease: a new one, or the joined one with more entities. Every lease that it takes the place of ends, so
// that none of them comes back, whatever the time.
func (a *acquisition) grant(joined *Lease) Decided {
	l := a.fresh()
	if joined != nil {
		l = joined.nextVersion()
		l.Extend(a.now, a.TTL)
	}
	covers := slices.Clone(a.Entities)
	changes := &Changes{}
	for _, old := range a.own {
		if joined != nil && old.ID == joined.ID {
			continue
		}
		if !a.overlaps(old) {
			l.Inherit(&old.Lease)
			continue
		}
		if old.Active(a.now) {
			covers = append(covers, old.Names()...)
			if old.RunID == a.RunID && l.GreatestEnd.After(old.GreatestEnd) {
				l.GreatestEnd = old.GreatestEnd // asking anew makes no run's hold any longer
			}
		}
		if old.EndedAt.IsZero() {
			old = old.nextVersion()
			old.End(a.now, locks.EndedTakenOver)
			old.TakenBy = a.RunID
			changes.Records = append(changes.Records, old)
		}
		l.Inherit(&old.Lease)
	}
	for _, old := range a.others {
		if old.EndedAt.IsZero() && a.overlaps(old) {
			old = old.nextVersion()
			old.End(a.now, "") // it had expired
			changes.Records = append(changes.Records, old)
		}
	}
	if l.GreatestEnd.Before(l.ExpiresAt) {
		l.ExpiresAt = l.GreatestEnd
	}
	changes.Scopes = a.lend(l, covers)
	if len(l.Entities) > locks.MaxEntities {
		return Decided{Err: invalid("with what the workflow holds already, the lease would cover %d entities, at most %d; ask for fewer at once, or give some back",
			len(l.Entities), locks.MaxEntities)}
	}
	changes.Records = append(changes.Records, l)
	return Decided{Reply: &AcquiredLease{Lease: l, Granted: true, At: a.now}, Changes: changes}
}

// overlaps reports whether a lease covers one of the entities still. One that has given them back is no hindrance.
func (a *acquisition) overlaps(l *Lease) bool {
	return slices.ContainsFunc(a.Entities, func(e locks.Entity) bool { return l.Fence(e) != 0 })
}

// fresh is a new lease that covers nothing yet.
func (a *acquisition) fresh() *Lease {
	return &Lease{
		row: row{Namespace: a.Namespace, ID: a.NewLease, Version: 1},
		Lease: locks.Lease{
			WorkflowID: a.WorkflowID, RunID: a.RunID, Principal: string(a.Actor.Principal), RequestID: string(a.RequestID),
			Asked: a.Entities, AcquiredAt: a.now, ExpiresAt: a.now.Add(a.TTL), GreatestEnd: a.now.Add(locks.GreatestAge), TTL: a.TTL,
		},
	}
}

// lend puts entities under the lease, each with a fencing number of its own, and takes the acquisition out of the line.
func (a *acquisition) lend(l *Lease, entities []locks.Entity) []locks.Scope {
	principal, request := string(a.Actor.Principal), string(a.RequestID)
	var changed []locks.Scope
	l.Entities = slices.Clone(l.Entities)
	for i, e := range entities {
		if slices.Contains(entities[:i], e) {
			continue
		}
		s := a.view.Scope(locks.LeaseRefOf(string(a.Namespace), e))
		held := l.Fence(e) != 0
		if held && !s.Waits(principal, request) {
			continue
		}
		if !held {
			var fence int64
			s, fence = s.Lend(locks.LeaseRef{LeaseID: l.ID, WorkflowID: l.WorkflowID})
			l.Entities = append(l.Entities, locks.Fenced{Entity: e, Fence: fence})
		}
		changed = append(changed, s.StopWaiting(principal, request, a.now))
	}
	return changed
}
