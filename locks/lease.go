package locks

import (
	"slices"
	"time"
)

// The bounds of a lease.
const (
	// MinTTL and MaxTTL bound how long a lease lasts without renewal. Zero is refused: it is not "unlimited".
	MinTTL = time.Second
	MaxTTL = time.Hour
	// GreatestAge is how long a lease can last, renewals included: a run that holds an entity for longer has forgotten it.
	GreatestAge = 12 * time.Hour
	// MaxEntities bounds what one lease covers.
	MaxEntities = 16
	// maxSuperseded bounds the runs that a lease remembers to have been taken over.
	maxSuperseded = 64
)

// LeaseName is the name of an entity's lease scope.
const LeaseName = "lease"

// LeaseRefOf names the lease scope of an entity.
func LeaseRefOf(namespace string, entity Entity) Ref {
	return Ref{Namespace: namespace, Entity: entity, Name: LeaseName}
}

// Lease is the right of one workflow to mutate entities, in the hands of its current run.
type Lease struct {
	WorkflowID string `json:"workflow_id"`
	RunID      string `json:"run_id"`
	Principal  string `json:"principal"`
	RequestID  string `json:"request_id"` // of the acquisition, so that its repeat gets this lease
	// Asked are the entities that the acquisition named. What it covers can be more, or by now less.
	Asked []Entity `json:"asked"`
	// Entities that it covers, each with the fencing number of this grant.
	Entities    []Fenced      `json:"entities"`
	AcquiredAt  time.Time     `json:"acquired_at"`
	ExpiresAt   time.Time     `json:"expires_at"`
	GreatestEnd time.Time     `json:"greatest_end"` // bounds every renewal
	TTL         time.Duration `json:"ttl_ns"`
	Renewals    int64         `json:"renewals,omitempty"`
	RenewalID   string        `json:"renewal_id,omitempty"` // of the last renewal, so that its retry finds itself
	ProvedAt    time.Time     `json:"proved_at,omitzero"`   // when it last proved a proposal
	EndedAt     time.Time     `json:"ended_at,omitzero"`
	EndedBy     Ending        `json:"ended_by,omitempty"`
	TakenBy     string        `json:"taken_by,omitempty"`  // the run that took it over
	BrokenBy    string        `json:"broken_by,omitempty"` // the principal, with the reason
	BrokenFor   string        `json:"broken_for,omitempty"`
	// Superseded are earlier runs of the workflow whose lease was taken over. They get no lease of it again.
	Superseded []string `json:"superseded,omitempty"`
}

// Fenced is an entity with the fencing number under which it is held.
type Fenced struct {
	Entity Entity `json:"entity"`
	Fence  int64  `json:"fence"`
}

// Ending says how a lease ended before its time.
type Ending string

// The endings of a lease. One that expired has none, also when another was granted in its place.
const (
	EndedReleased  Ending = "released"
	EndedTakenOver Ending = "taken_over" // by another run of its workflow, or by the same one asking anew
	EndedBroken    Ending = "broken"     // by a permitted person
)

// Active reports whether the lease holds at the given moment. Nobody's clock but the database's is asked.
func (l *Lease) Active(now time.Time) bool { return l.EndedAt.IsZero() && now.Before(l.ExpiresAt) }

// Bars reports whether the lease keeps other workflows from an entity. It does so a clock error longer than it is its
// holder's, so that two nodes' readings of the time never give the entity to two.
func (l *Lease) Bars(e Entity, now time.Time, clockError time.Duration) bool {
	return l.EndedAt.IsZero() && now.Before(l.ExpiresAt.Add(clockError)) && l.Fence(e) != 0
}

// Fence is the fencing number under which the lease holds an entity, or zero.
func (l *Lease) Fence(e Entity) int64 {
	for _, f := range l.Entities {
		if f.Entity == e {
			return f.Fence
		}
	}
	return 0
}

// Covers reports whether the lease holds every one of the entities.
func (l *Lease) Covers(entities []Entity) bool {
	return !slices.ContainsFunc(entities, func(e Entity) bool { return l.Fence(e) == 0 })
}

// Names lists the entities that it covers.
func (l *Lease) Names() []Entity {
	names := make([]Entity, len(l.Entities))
	for i, f := range l.Entities {
		names[i] = f.Entity
	}
	return names
}

// Supersede remembers a run that was taken over.
func (l *Lease) Supersede(runs ...string) {
	l.Superseded = slices.Clone(l.Superseded)
	for _, run := range runs {
		if run != l.RunID && !slices.Contains(l.Superseded, run) {
			l.Superseded = append(l.Superseded, run)
		}
	}
	if n := len(l.Superseded); n > maxSuperseded {
		l.Superseded = l.Superseded[n-maxSuperseded:]
	}
}

// Outrun names the run that has taken the place of one of the workflow's, as far as this lease remembers.
func (l *Lease) Outrun(run string) (by string, outrun bool) {
	current := l.RunID
	if l.EndedBy == EndedTakenOver {
		current = l.TakenBy
	}
	return current, run != current && (run == l.RunID || slices.Contains(l.Superseded, run))
}

// Inherit remembers the runs that an earlier lease of the workflow remembers, and its own where that was taken over.
func (l *Lease) Inherit(earlier *Lease) {
	l.Supersede(earlier.Superseded...)
	if earlier.EndedBy == EndedTakenOver {
		l.Supersede(earlier.RunID)
	}
}

// Extend moves the expiry to so long from now, within the greatest age. It never shortens what was granted.
func (l *Lease) Extend(now time.Time, ttl time.Duration) {
	end := now.Add(ttl)
	if end.After(l.GreatestEnd) {
		end = l.GreatestEnd
	}
	if end.After(l.ExpiresAt) {
		l.ExpiresAt = end
	}
}

// End ends the lease before its time.
func (l *Lease) End(now time.Time, by Ending) { l.EndedAt, l.EndedBy = now, by }

// WasLost reports whether its holder had lost the lease before giving it back, so that another may have acted since.
func (l *Lease) WasLost(now time.Time) bool {
	if l.EndedAt.IsZero() {
		return !now.Before(l.ExpiresAt)
	}
	return l.EndedBy != EndedReleased || !l.EndedAt.Before(l.ExpiresAt)
}

// Drop takes entities out of the lease. Those that it does not cover change nothing.
func (l *Lease) Drop(entities []Entity) {
	l.Entities = slices.DeleteFunc(slices.Clone(l.Entities), func(f Fenced) bool { return slices.Contains(entities, f.Entity) })
}

// LeaseRef is what an entity's scope knows of the lease on it: which one was granted last. The lease itself says how long
// it holds, what it still covers and whether it has ended, so that a renewal and a release write one row, and that the
// runs which were taken over stay known.
type LeaseRef struct {
	LeaseID    string `json:"lease_id"`
	WorkflowID string `json:"workflow_id"`
}

// Lend puts the entity under a lease and gives the fencing number of the grant.
func (s Scope) Lend(ref LeaseRef) (Scope, int64) {
	s, fence := s.Grant()
	s.Lease = &ref
	return s, fence
}

// Keepers are the operations of other workflows that keep the entity: their effect may still come. An operation without
// a workflow is another's.
func (s Scope) Keepers(workflowID string) []Holder {
	var others []Holder
	for _, h := range s.Holders {
		if h.WorkflowID == "" || h.WorkflowID != workflowID {
			others = append(others, h)
		}
	}
	return others
}
