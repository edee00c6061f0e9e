package ledger

import (
	"time"

	"github.com/opledger/opledger/locks"
)

// SweepWorkflow is due work: it gives up what an ended workflow has left over, a bounded number at a time.
type SweepWorkflow struct {
	Namespace  Namespace
	WorkflowID string
	Leftovers  Leftovers
	// Done: a look found no more than these. Only one at LateCommits after the end is the last.
	Done   bool
	Jitter float64
}

// Claims are none.
func (c *SweepWorkflow) Claims() []Claim { return nil }

// Reads are the workflow and what it gives up.
func (c *SweepWorkflow) Reads(v *View) []Read {
	return append([]Read{WorkflowKey(c.Namespace, c.WorkflowID).Read()}, c.Leftovers.reads(v, c.Namespace)...)
}

// Decide gives up. A workflow that is open keeps what it has.
func (c *SweepWorkflow) Decide(v *View, env Env) Decided {
	w := workflowOf(v, c.Namespace, c.WorkflowID)
	if w == nil || w.State == WorkflowOpen || w.SweepAt.IsZero() {
		return Decided{Reply: &WorkflowEnded{Workflow: w}}
	}
	reply := &WorkflowEnded{}
	changes := giveUp(v, env, w, "", c.Jitter, c.Leftovers, reply)
	w = w.next(w.UpdatedAt) // what its reader sees of it stays
	last := w.EndedAt.Add(LateCommits)
	switch within := c.Leftovers.bounded(); {
	case !c.Done || len(within.Operations) < len(c.Leftovers.Operations) || len(within.Leases) < len(c.Leftovers.Leases):
		w.SweepAt = v.Now
	case v.Now.Before(last):
		w.SweepAt = last
	default:
		w.SweepAt = time.Time{}
	}
	reply.Workflow = w
	changes.Records = append(changes.Records, w)
	return Decided{Reply: reply, Changes: changes}
}

// giveUp closes operations of an ended workflow and gives its leases back. Each operation is a draft of its own; what they
// change together goes from one to the next.
func giveUp(v *View, env Env, w *Workflow, by Principal, jitter float64, left Leftovers, reply *WorkflowEnded) *Changes {
	all := &Changes{}
	left = left.bounded()
	for _, id := range left.Operations {
		o := v.Operation(w.Namespace, id)
		if o == nil || o.WorkflowID != w.ID {
			continue
		}
		d := change(v, env, o, by, jitter)
		d.scopes, d.records = all.Scopes, all.Records
		d.tick()
		d.close(w)
		changes := d.changes()
		if changes == nil {
			continue
		}
		all.Operations = append(all.Operations, changes.Operations...)
		all.Events = append(all.Events, changes.Events...)
		all.Claims = append(all.Claims, changes.Claims...)
		all.Scopes, all.Records = changes.Scopes, changes.Records
		reply.Operations = append(reply.Operations, d.op)
	}
	for _, id := range left.Leases {
		l, found := recordOf[Lease](v, LeaseKey(w.Namespace, id))
		if !found || l.WorkflowID != w.ID || !l.EndedAt.IsZero() {
			continue
		}
		l = l.nextVersion()
		l.End(v.Now, locks.EndedReleased)
		all.Records = append(all.Records, l)
		reply.Leases = append(reply.Leases, l)
	}
	return all
}

// becauseWorkflowEnded is why an operation is cancelled with its workflow.
const becauseWorkflowEnded = "its workflow has ended"

// close closes an operation of a workflow that has ended. What is undispatched is cancelled. Of what may have been sent
// nothing is taken back: its executor goes on, its outcome is found out, and as soon as it is known not to have happened it
// ends cancelled. What undoes something goes on as well.
func (d *draft) close(w *Workflow) {
	o := d.op
	if o.State.Ended() || o.State == Compensating || o.Undoes != nil || !o.ClosedAt.IsZero() {
		return
	}
	o.ClosedAt = d.now
	d.event(EventWorkflowEnded, 0, "workflow_id", w.ID, "state", string(w.State), "reason", w.EndReason)
	if o.undispatched() {
		d.end(CategoryCancelled, "", becauseWorkflowEnded)
	}
}

// closed reports whether the operation's workflow has ended, whether or not due work has written that down. It asks for
// the row only where the answer decides something.
func (d *draft) closed() bool {
	o := d.op
	if !o.ClosedAt.IsZero() || o.Undoes != nil {
		return o.Undoes == nil
	}
	w := workflowOf(d.view, o.Namespace, o.WorkflowID)
	return w != nil && w.State != WorkflowOpen
}

// notice tells subscribers that the workflow has ended.
func (w *Workflow) notice() *Notice {
	return &Notice{
		row:        row{Namespace: w.Namespace, ID: "ntc_" + derive("opledger-workflow-notice/1", w.Namespace, IdempotencyKey(w.ID), w.Version)[:40], Version: 1},
		NoticeKind: NoticeWorkflowEnded, Because: string(w.State), At: w.EndedAt, NextAt: w.EndedAt, Detail: map[string]string{"workflow_id": w.ID},
	}
}
