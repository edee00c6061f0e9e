package ledger

import (
	"slices"
	"time"
)

// MaxClosedAtOnce bounds the operations and the leases that one transaction ends with their workflow, well under the 32
// rows of a table from which PostgreSQL by default locks the whole of it. The rest is due work: nothing of the workflow can
// be acted on in between, since every permit reads the workflow's row.
const MaxClosedAtOnce = 16

// When due work looks for what an ended workflow still has to give up.
const (
	// sweepPause is how long it waits for whoever ended the workflow to give up the rest by itself.
	sweepPause = 2 * time.Second
	// LateCommits is how long after the end the last look is. A transaction that counts as before the end can commit after
	// it by the clock, and none lives for that long (transact.DefaultTimeout, and what an engine adds).
	LateCommits = 30 * time.Second
)

// CompleteWorkflow ends a task: what is undispatched is cancelled, leases are given back, and what the user was told is
// recorded. A claim that the ledger contradicts is refused, and nothing ends.
type CompleteWorkflow struct {
	Request
	WorkflowID string
	RunID      string // that ends it; empty: a person does
	Person     bool   // the caller may end it without a run
	Conclusion *Conclusion
	Cancelled  bool // it ends unfinished
	Reason     string
	Etag       string // empty: whatever it is by now
	// Leftovers are what a look beside the transaction has found to be given up; what it missed is due work.
	Leftovers Leftovers
	Jitter    float64
}

// Leftovers are what an ended workflow still has to give up.
type Leftovers struct {
	Operations []OperationID // that have not ended; at most MaxClosedAtOnce count
	Leases     []string      // ids of leases that are held; at most MaxClosedAtOnce count
}

// WorkflowEnded is the reply.
type WorkflowEnded struct {
	Workflow *Workflow
	// Operations are those that this command changed, and Leases those that it gave back.
	Operations []*Operation
	Leases     []*Lease
}

// reads are the rows of what is given up.
func (l Leftovers) reads(v *View, ns Namespace) []Read {
	var reads []Read
	for _, id := range l.bounded().Operations {
		reads = append(reads, readsOf(v, ns, id)...)
	}
	for _, id := range l.bounded().Leases {
		reads = append(reads, LeaseKey(ns, id).Read())
	}
	return reads
}

func (l Leftovers) bounded() Leftovers {
	return Leftovers{Operations: l.Operations[:min(len(l.Operations), MaxClosedAtOnce)], Leases: l.Leases[:min(len(l.Leases), MaxClosedAtOnce)]}
}

// Reads are the workflow, what it gives up, and the operations that the user was told of.
func (c *CompleteWorkflow) Reads(v *View) []Read {
	reads := append([]Read{WorkflowKey(c.Namespace, c.WorkflowID).Read()}, c.Leftovers.reads(v, c.Namespace)...)
	if c.Conclusion != nil {
		for _, t := range c.Conclusion.Claims {
			reads = append(reads, claimedReads(v, c.Namespace, t.OperationID)...)
		}
	}
	return reads
}

// claimedReads are the rows by which one operation stands as it does: its own, or a reading's, and what follows it only
// where time has decided something of it, since a conclusion may claim of very many.
func claimedReads(v *View, ns Namespace, id OperationID) []Read {
	row := ReadOf(ReadOperation, ns, string(id))
	o, known := v.known(ns, id)
	if known && !o.lapsed(v.Now) || !known && !v.Loaded(row) {
		return []Read{row}
	}
	return readsOf(v, ns, id)
}

// Decide ends the workflow where its current run, or a person, may.
func (c *CompleteWorkflow) Decide(v *View, env Env) Decided {
	w := workflowOf(v, c.Namespace, c.WorkflowID)
	if w == nil {
		return Decided{Err: workflowNotFound(c.WorkflowID)}
	}
	repeated, no := c.repeated(v)
	switch {
	case no != nil:
		return Decided{Err: no}
	case repeated:
		return Decided{Reply: &WorkflowEnded{Workflow: w}}
	case w.State != WorkflowOpen:
		return Decided{Err: w.ended()}
	case c.RunID == "" && !c.Person:
		return Decided{Err: refuse(CodePermissionDenied, ReasonPermissionDenied, "only a person with the right to resolve ends a workflow without being its run; name the current run")}
	case c.RunID != "" && c.RunID != w.Current():
		return Decided{Err: w.superseded(c.RunID)}
	case c.Etag != "" && c.Etag != w.Etag():
		return Decided{Err: refuse(CodeAborted, ReasonVersionSeenOutdated, "workflow %s has changed since it was read; look again", w.ID).with("workflow_id", w.ID)}
	}
	w = w.next(v.Now)
	w.State, w.EndedAt, w.EndedBy, w.EndReason = WorkflowCompleted, v.Now, c.Principal, c.Reason
	if c.Cancelled {
		w.State = WorkflowCancelled
	}
	w.Runs[len(w.Runs)-1].EndedAt = v.Now
	w.SweepAt = v.Now.Add(sweepPause)
	if c.Conclusion != nil {
		told := *c.Conclusion
		told.At = v.Now
		w.Conclusion = &told
	}
	reply := &WorkflowEnded{Workflow: w}
	changes := giveUp(v, env, w, c.Principal, c.Jitter, c.Leftovers, reply)
	if no := c.contradicted(v, env, w, reply.Operations); no != nil {
		return Decided{Err: no}
	}
	changes.Records = append(changes.Records, w, w.notice())
	return Decided{Reply: reply, Changes: c.kept(changes)}
}

// contradicted holds each claim against its operation as it stands by now when the workflow has ended. What was not dispatched
// is not done, since it is given no permit any more, also where due work is still to write that down.
func (c *CompleteWorkflow) contradicted(v *View, env Env, w *Workflow, changed []*Operation) *Refusal {
	if c.Conclusion == nil {
		return nil
	}
	var list []Contradiction
	for i, t := range c.Conclusion.Claims {
		o := v.Operation(c.Namespace, t.OperationID)
		switch {
		case o == nil:
			return notFound(t.OperationID)
		case o.WorkflowID != w.ID:
			return invalid("operation %s is none of workflow %s; claim what was told of its own operations", o.ID, w.ID).about(o)
		case slices.ContainsFunc(c.Conclusion.Claims[:i], func(other ToldUser) bool { return other.OperationID == t.OperationID }):
			return invalid("operation %s is claimed twice; say one thing of it", o.ID)
		}
		if i := slices.IndexFunc(changed, func(by *Operation) bool { return by.ID == o.ID }); i >= 0 {
			o = changed[i]
		} else {
			o = byNow(v, env, o, c.Jitter)
		}
		state := o.State
		if o.undispatched() && o.Undoes == nil {
			state = FailedPermanent
		}
		if !t.Kind.borneOutBy(state) {
			list = append(list, Contradiction{Claim: t, Operation: o, Told: tellState(o, v.Now)})
		}
	}
	if len(list) == 0 {
		return nil
	}
	return contradictedError(list)
}

// undispatched reports whether nothing of the operation is out and nothing is unknown, so that it can be cancelled.
func (o *Operation) undispatched() bool {
	switch o.State {
	case Planned, PendingDispatch, FailedRetryable:
		return true
	}
	return false
}
