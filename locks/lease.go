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
	// MaxWait bounds how long an acquisition waits.
	MaxWait = time.Minute
	// Presence is how long a waiting acquisition keeps its place without asking again, so that one whose caller died
	// holds up nobody for long.
	Presence = 10 * time.Second
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

// The endings of a lease. One that expired has none.
const (
	EndedReleased  Ending = "released"
	EndedTakenOver Ending = "taken_over" // by another run of its workflow, or by the same one asking anew
	EndedBroken    Ending = "broken"     // by a permitted person
)

// Active reports whether the lease holds at the given moment. Nobody's clock but the database's is asked.
func (l *Lease) Active(now time.Time) bool { return l.EndedAt.IsZero() && now.Before(l.ExpiresAt) }

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

// Supersede remembers a run that was taken over.
func (l *Lease) Supersede(runs ...string) {
	for _, run := range runs {
		if run != l.RunID && !slices.Contains(l.Superseded, run) {
			l.Superseded = append(l.Superseded, run)
		}
	}
	if n := len(l.Superseded); n > maxSuperseded {
		l.Superseded = l.Superseded[n-maxSuperseded:]
	}
}

// LeaseRef is what an entity's scope knows of the lease on it: which one. The lease itself says how long it holds, so
// that a renewal writes one row.
type LeaseRef struct {
	LeaseID    string `json:"lease_id"`
	WorkflowID string `json:"workflow_id"`
}

// Waiter is an acquisition that waits for an entity, in order of arrival.
type Waiter struct {
	RequestID  string    `json:"request_id"`
	Principal  string    `json:"principal"`
	WorkflowID string    `json:"workflow_id"`
	RunID      string    `json:"run_id"`
	Since      time.Time `json:"since"`
	Until      time.Time `json:"until"` // it gives its place up unless it asks again before
}

func (w *Waiter) is(principal, requestID string) bool {
	return w.RequestID == requestID && w.Principal == principal
}

// StandingNo is an approver's no, which holds for a group and entity for a stated time.
type StandingNo struct {
	OperationID string    `json:"operation_id"`
	ApprovalID  string    `json:"approval_id"`
	By          string    `json:"by"`
	Until       time.Time `json:"until"`
}

// Standing is the approver's no that holds now, or nil.
func (s Scope) Standing(now time.Time) *StandingNo {
	if s.No == nil || !now.Before(s.No.Until) {
		return nil
	}
	return s.No
}

// Deny records an approver's no. A longer one stands.
func (s Scope) Deny(no StandingNo) Scope {
	s = s.Clone()
	if s.No == nil || no.Until.After(s.No.Until) {
		s.No = &no
	}
	return s
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

// Before lists the acquisitions that stand before one in the line and have not given up. One that is not in the line
// would come last.
func (s Scope) Before(principal, requestID string, now time.Time) []Waiter {
	var before []Waiter
	for _, w := range s.Waiting {
		if w.is(principal, requestID) {
			break
		}
		if now.Before(w.Until) {
			before = append(before, w)
		}
	}
	return before
}

// Wait puts an acquisition in the line, or keeps its place, and drops those that have given up.
func (s Scope) Wait(w Waiter, now time.Time) Scope {
	s = s.leftBy(now)
	for i := range s.Waiting {
		if s.Waiting[i].is(w.Principal, w.RequestID) {
			s.Waiting[i].Until = w.Until
			return s
		}
	}
	s.Waiting = append(s.Waiting, w)
	return s
}

// StopWaiting takes an acquisition out of the line.
func (s Scope) StopWaiting(principal, requestID string, now time.Time) Scope {
	s = s.leftBy(now)
	s.Waiting = slices.DeleteFunc(s.Waiting, func(w Waiter) bool { return w.is(principal, requestID) })
	return s
}

func (s Scope) leftBy(now time.Time) Scope {
	s = s.Clone()
	s.Waiting = slices.DeleteFunc(s.Waiting, func(w Waiter) bool { return !now.Before(w.Until) })
	return s
}

// Lend puts the entity under a lease and gives the fencing number of the grant.
func (s Scope) Lend(ref LeaseRef) (Scope, int64) {
	s, fence := s.Grant()
	s.Lease = &ref
	return s, fence
}

// Free takes the entity out of a lease. Of another lease it changes nothing.
func (s Scope) Free(leaseID string) Scope {
	s = s.Clone()
	if s.Lease != nil && s.Lease.LeaseID == leaseID {
		s.Lease = nil
	}
	return s
}
