package ledger

import (
	"slices"
	"time"

	"github.com/opledger/opledger/locks"
)

// AcquireLease takes a lease on all the entities at once, or on none. A workflow owns it, in the hands of the run that
// asked last: another run of the workflow takes it over, and so does the same one where it asks anew.
type AcquireLease struct {
	Namespace  Namespace
	Actor      Actor
	RequestID  RequestID
	NewLease   string // the id of the lease that it may earn
	Entities   []locks.Entity
	WorkflowID string
	RunID      string
	TTL        time.Duration
	// Wait is how long the caller goes on asking. While it is above zero the acquisition has a place in the line for each
	// entity; at zero it leaves the line.
	Wait time.Duration
	Join *LeaseProof // a lease of this run that the entities join; nil: a new lease
}

// AcquiredLease is the reply: the lease, or who holds and keeps the entities.
type AcquiredLease struct {
	Lease         *Lease // nil: it was not granted
	Granted       bool
	Holders       []Holder
	WaitingBefore int // acquisitions before this one, each once
	At            time.Time
}

// Claims are none: a lease is found again through the entities that it covers.
func (c *AcquireLease) Claims() []Claim { return nil }

// Reads are the entities' lease scopes, the leases that they name, and what else the workflow's own leases cover.
func (c *AcquireLease) Reads(v *View) []Read {
	reads := append(leaseScopes(v, c.Namespace, c.Entities), WorkflowKey(c.Namespace, c.WorkflowID).Read())
	if c.Join != nil && c.Join.Proven {
		reads = append(reads, LeaseKey(c.Namespace, c.Join.LeaseID).Read())
	}
	for _, r := range slices.Clone(reads) {
		if l, known := v.records[r].(*Lease); known && l.WorkflowID == c.WorkflowID && l.Active(v.Now) {
			reads = append(reads, leaseScopes(v, c.Namespace, l.Names())...)
		}
	}
	return reads
}

// Decide grants the lease where nothing stands against it.
func (c *AcquireLease) Decide(v *View, env Env) Decided {
	if no := c.check(); no != nil {
		return Decided{Err: no}
	}
	if no := leaseWorkflow(v, c.Namespace, c.WorkflowID, c.RunID); no != nil {
		return Decided{Err: no}
	}
	a := &acquisition{AcquireLease: c, view: v, env: env, now: v.Now}
	for _, e := range c.Entities {
		s := v.Scope(locks.LeaseRefOf(string(c.Namespace), e))
		a.scopes = append(a.scopes, s)
		a.meet(lastOn(v, s))
	}
	if l, no := a.repeated(); l != nil || no != nil {
		return a.answer(l, no)
	}
	for _, l := range a.own {
		if by, outrun := l.Outrun(c.RunID); outrun {
			return Decided{Err: refuse(CodeFailedPrecondition, ReasonRunSuperseded,
				"run %s is the workflow's current one; stop this run, or resume the workflow", by).with("current_run_id", by, "lease_id", l.ID)}
		}
	}
	joined, no := a.joins()
	if no != nil {
		return Decided{Err: no}
	}
	if joined != nil && joined.Covers(c.Entities) {
		return a.answer(joined, nil)
	}
	if holders, before := a.blocked(); len(holders)+before > 0 {
		reply := &AcquiredLease{Holders: holders, WaitingBefore: before, At: a.now}
		return Decided{Reply: reply, Changes: a.line()}
	}
	return a.grant(joined)
}

func (c *AcquireLease) check() *Refusal {
	switch {
	case c.TTL < locks.MinTTL || c.TTL > locks.MaxTTL:
		return invalid("a lease lasts %s to %s, and not %s; renew it to hold it for longer", locks.MinTTL, locks.MaxTTL, c.TTL)
	case c.Wait < 0 || c.Wait > locks.MaxWait:
		return invalid("an acquisition waits at most %s, and not %s; ask for less, and again where it was in vain", locks.MaxWait, c.Wait)
	case len(c.Entities) == 0 || len(c.Entities) > locks.MaxEntities:
		return invalid("a lease covers 1 to %d entities, and not %d; ask for as many at once", locks.MaxEntities, len(c.Entities))
	case c.WorkflowID == "" || c.RunID == "":
		return invalid("a lease is a workflow's, in the hands of a run; name both")
	}
	for i, e := range c.Entities {
		if slices.Contains(c.Entities[:i], e) {
			return invalid("the entity %s is named twice; name each once", e)
		}
	}
	return nil
}

// acquisition is one acquisition under decision.
type acquisition struct {
	*AcquireLease
	view   *View
	env    Env
	now    time.Time
	scopes []locks.Scope // of the entities that it names, in their order
	own    []*Lease      // of this workflow, that were granted last on one of them; each once
	others []*Lease      // of other workflows
}

func (a *acquisition) meet(l *Lease) {
	switch {
	case l == nil:
	case l.WorkflowID == a.WorkflowID && !slices.Contains(a.own, l):
		a.own = append(a.own, l)
	case l.WorkflowID != a.WorkflowID && !slices.Contains(a.others, l):
		a.others = append(a.others, l)
	}
}

func (a *acquisition) answer(l *Lease, no *Refusal) Decided {
	if no != nil {
		return Decided{Err: no}
	}
	return Decided{Reply: &AcquiredLease{Lease: l, Granted: true, At: a.now}}
}

// repeated finds the lease that the request id has earned already and that is still held.
func (a *acquisition) repeated() (*Lease, *Refusal) {
	for _, l := range slices.Concat(a.own, a.others) {
		if l.RequestID != string(a.RequestID) || l.Principal != string(a.Actor.Principal) || !l.Active(a.now) {
			continue
		}
		if l.WorkflowID != a.WorkflowID || l.RunID != a.RunID || !sameEntities(l.Asked, a.Entities) || !l.Covers(a.Entities) {
			return nil, refuse(CodeFailedPrecondition, ReasonRequestReused,
				"the request id has earned lease %s, for another run or other entities; make a new UUID for each new request", l.ID).with("lease_id", l.ID)
		}
		return l, nil
	}
	return nil, nil
}

func sameEntities(a, b []locks.Entity) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(e locks.Entity) bool { return !slices.Contains(b, e) })
}

// joins finds the lease that the entities are to join.
func (a *acquisition) joins() (*Lease, *Refusal) {
	if a.Join == nil {
		return nil, nil
	}
	l, no := a.Join.lease(a.view, a.Namespace)
	if no != nil {
		return nil, no
	}
	if l.WorkflowID != a.WorkflowID || l.RunID != a.RunID {
		return nil, refuse(CodePermissionDenied, ReasonLeaseTokenMismatch,
			"the lease token is another workflow's or run's; use the one that this run was given").with("lease_id", l.ID)
	}
	return l, l.lost(a.now)
}

// blocked says what stands against the grant: another workflow's lease, another workflow's operation whose effect may
// still come, whatever has expired or been given back, and other workflows' acquisitions that came before. An entity
// that the workflow holds already is its own: nobody is waited for.
func (a *acquisition) blocked() (holders []Holder, before int) {
	waiting := map[[2]string]bool{}
	for _, s := range a.scopes {
		l := leaseOn(a.view, s)
		if l != nil && l.WorkflowID == a.WorkflowID && l.Active(a.now) {
			continue
		}
		if l != nil && l.WorkflowID != a.WorkflowID && l.Bars(s.Ref.Entity, a.now, a.env.ClockError) {
			holders = append(holders, l.holder(s.Ref.Entity))
		}
		for _, h := range s.Keepers(a.WorkflowID) {
			holders = append(holders, keeperOf(h, s.Ref))
		}
		for _, w := range s.Before(string(a.Actor.Principal), string(a.RequestID), a.now) {
			if w.WorkflowID != a.WorkflowID {
				waiting[[2]string{w.Principal, w.RequestID}] = true
			}
		}
	}
	return holders, len(waiting)
}

// line keeps the acquisition's place in the line for every entity, or gives all of them up. All are written together, so
// that two acquisitions stand in the same order before every entity that both want.
func (a *acquisition) line() *Changes {
	principal, request := string(a.Actor.Principal), string(a.RequestID)
	w := locks.Waiter{
		RequestID: request, Principal: principal, WorkflowID: a.WorkflowID, RunID: a.RunID,
		Since: a.now, Until: a.now.Add(min(a.Wait, locks.Presence)),
	}
	write := slices.ContainsFunc(a.scopes, func(s locks.Scope) bool {
		if a.Wait > 0 {
			return s.Unsure(w, a.now)
		}
		return s.Waits(principal, request)
	})
	if !write {
		return nil
	}
	changes := &Changes{}
	for _, s := range a.scopes {
		if a.Wait > 0 {
			s = s.Wait(w, a.now)
		} else {
			s = s.StopWaiting(principal, request, a.now)
		}
		changes.Scopes = append(changes.Scopes, s)
	}
	return changes
}
