package ledger

import (
	"fmt"
	"slices"

	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
)

// judgeLeases asks whether the workflow that acts may mutate the entity and what it touches. Another workflow's lease
// blocks every mutating operation, whether or not its tool takes leases; a workflow's own lease is proven by its token
// alone.
func (d *draft) judgeLeases(q asking) *no {
	o := d.op
	entities := o.entities()
	if !o.Terms.Mutates() || len(entities) == 0 {
		return nil
	}
	q = d.toUndo(q)
	refusal := d.proofLost(q, entities)
	for _, e := range entities {
		if refusal == nil {
			refusal = d.outrun(q, e)
		}
	}
	if refusal != nil {
		return &no{rule: policy.RuleLease, decision: DecisionDenied, because: refusal.Message, refusal: refusal}
	}
	for _, e := range entities {
		if n := d.judgeLease(q, e, d.leaseOn(q, e)); n != nil {
			return n
		}
	}
	return nil
}

// lastLease is the lease that was granted last on an entity, whatever has become of it, or nil.
func (d *draft) lastLease(e locks.Entity) *Lease {
	ref := d.scope(locks.LeaseRefOf(string(d.op.Namespace), e)).Lease
	if ref == nil {
		return nil
	}
	lease, found := recordOf[Lease](d.view, LeaseKey(d.op.Namespace, ref.LeaseID))
	if !found {
		return nil
	}
	return lease
}

// outrun refuses a run of the workflow whose place another run has taken on the entity, with a token or without one: it
// is answered about what exists, and gets no new operation, permit or begin. What it left in a queue is the workflow's.
func (d *draft) outrun(q asking, e locks.Entity) *Refusal {
	lease := d.lastLease(e)
	if lease == nil || lease.WorkflowID != q.workflowID || q.runID == "" || q.executor != nil {
		return nil
	}
	by, outrun := lease.Outrun(q.runID)
	if !outrun {
		return nil
	}
	return refuse(CodeFailedPrecondition, ReasonRunSuperseded, "run %s of the workflow has taken the place of %s on %s; stop this run", by, q.runID, e).
		with("current_run_id", by)
}

// leaseOn is the lease that holds an entity now, or nil. It bars other workflows for the clock's error longer than it is
// its holder's, so that no two readings of the engine's clock ever let both pass.
func (d *draft) leaseOn(q asking, e locks.Entity) *Lease {
	lease := d.lastLease(e)
	switch {
	case lease == nil:
		return nil
	case lease.WorkflowID != q.workflowID && lease.Bars(e, d.now, d.env.ClockError), lease.Active(d.now) && lease.Fence(e) != 0:
		return lease
	}
	return nil
}

// judgeLease asks one entity. A permit that was given under a lease on it holds under that grant alone; on an entity that
// was nobody's then, an attempt stands as a proposal without a token does.
func (d *draft) judgeLease(q asking, e locks.Entity, lease *Lease) *no {
	under := int64(0) // the grant, by its fencing number
	if q.attempt != nil {
		under = q.attempt.leaseFence(e)
	}
	switch {
	case lease != nil && (q.workflowID == "" || lease.WorkflowID != q.workflowID):
		return &no{
			decision: DecisionBlocked, rule: policy.RuleLease, wait: max(0, lease.ExpiresAt.Sub(d.now)),
			because: fmt.Sprintf("workflow %s holds the lease on %s", lease.WorkflowID, e),
			holder: &Holder{WorkflowID: lease.WorkflowID, RunID: lease.RunID, Principal: Principal(lease.Principal),
				Since: lease.AcquiredAt, Until: lease.ExpiresAt, Entity: e, Scope: locks.LeaseName},
		}
	case under != 0 && (lease == nil || lease.Fence(e) != under):
		return d.leaseNo(ReasonLeaseLost, "the lease on %s under which the permit was given is lost; do not send. If nothing was sent, report not_sent", e)
	case under != 0:
		return nil
	case lease != nil && q.executor == nil && (q.proof == nil || !q.proof.Proven || q.proof.LeaseID != lease.ID):
		return d.leaseNo(ReasonLeaseRequired, "workflow %s holds the lease on %s, and the proposal does not prove it; send the lease token with it", lease.WorkflowID, e)
	case lease == nil && d.op.Undoes == nil && q.rules.Rules(d.op.Tool).LeaseHeld:
		return d.leaseNo(ReasonLeaseRequired, "the tool %s needs the lease on %s; acquire it and send its token with the proposal", d.op.Tool, e)
	}
	return nil
}

// proofLost refuses a lease token that proves nothing any more. A run whose lease was taken over gets no new operation,
// permit or begin, whether or not the tool needs a lease.
func (d *draft) proofLost(q asking, entities []locks.Entity) *Refusal {
	if q.proof == nil {
		return nil
	}
	lease, found := recordOf[Lease](d.view, LeaseKey(d.op.Namespace, q.proof.LeaseID))
	switch {
	case !q.proof.Proven || !found || lease.WorkflowID != q.workflowID:
		return refuse(CodePermissionDenied, ReasonLeaseTokenMismatch,
			"the lease token belongs to no lease of this workflow; use the one that AcquireEntityLease gave")
	case lease.lost(d.now) != nil:
		return lease.lost(d.now)
	case !slices.ContainsFunc(entities, func(e locks.Entity) bool { return lease.Fence(e) != 0 }):
		return refuse(CodePermissionDenied, ReasonLeaseTokenMismatch, "the lease token belongs to no lease of %s; use the one that AcquireEntityLease gave", entities[0])
	}
	return nil
}

func (d *draft) leaseNo(reason Reason, format string, args ...any) *no {
	r := refuse(CodeFailedPrecondition, reason, format, args...)
	return &no{decision: DecisionDenied, rule: policy.RuleLease, because: r.Message, refusal: r}
}

// leaseFence is the fencing number of the lease that the attempt's permit carries for an entity, or zero.
func (a *Attempt) leaseFence(e locks.Entity) int64 {
	for _, f := range a.Fences {
		if f.Entity == e && f.Scope == locks.LeaseName {
			return f.Number
		}
	}
	return 0
}

// fence gives the new attempt the numbers that its executor hands on: of its group, and of the lease on each entity.
func (d *draft) fence(a *Attempt, q asking) {
	o := d.op
	if ref, grouped := o.GroupRef(); grouped {
		s, number := d.scope(ref).Grant()
		a.Fences = append(a.Fences, Fence{Entity: ref.Entity, Scope: ref.Name, Number: number})
		d.putScope(s)
	}
	if q.proof == nil && q.executor == nil || !o.Terms.Mutates() {
		return
	}
	for _, e := range o.entities() {
		if lease := d.leaseOn(q, e); lease != nil && (q.executor != nil || lease.ID == q.proof.LeaseID) {
			a.LeaseID = first(a.LeaseID, lease.ID)
			a.Fences = append(a.Fences, Fence{Entity: e, Scope: locks.LeaseName, Number: lease.Fence(e)})
		}
	}
	if a.LeaseID != "" && q.proof != nil {
		lease, _ := drafted[Lease](d, LeaseKey(o.Namespace, a.LeaseID))
		lease.ProvedAt = d.now
		d.put(lease)
	}
}

// keeps reports whether an operation in this state keeps its entities from other workflows: its effect may still come.
func (s State) keeps() bool {
	switch s {
	case Dispatched, Acknowledged, UnknownOutcome, Compensating:
		return true
	}
	return false
}

// followEntities keeps the lease scopes of the operation's entities in step: it keeps them while its effect may come,
// under a lease or not.
func (d *draft) followEntities(from, to State) {
	o := d.op
	if !o.Terms.Mutates() || from.keeps() == to.keeps() && to != Dispatched {
		return
	}
	for _, e := range o.entities() {
		s := d.scope(locks.LeaseRefOf(string(o.Namespace), e))
		if to.keeps() {
			s = s.Keep(string(o.ID), o.actingWorkflow(), d.now)
		} else {
			s = s.Leave(string(o.ID))
		}
		d.putScope(s)
	}
}

// actingWorkflow is the workflow whose run holds, or last held, the permit.
func (o *Operation) actingWorkflow() string {
	if n := len(o.Attempts); n > 0 && o.Attempts[n-1].WorkflowID != "" {
		return o.Attempts[n-1].WorkflowID
	}
	return o.WorkflowID
}
