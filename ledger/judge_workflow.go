package ledger

import "github.com/opledger/opledger/registry"

// ruleWorkflow names this judgement in answers and decisions.
const ruleWorkflow = "workflow"

// judgeWorkflow asks whether the workflow that acts, and the one that the operation belongs to, may still act. A workflow
// that has ended gets no new operation or permit; a run that is not the current one gets no new operation, permit or begin.
// What undoes something is excepted, and so is the extension of what may have been sent already. A workflow that was never
// started is a name: nothing stands against it.
func (d *draft) judgeWorkflow(q asking) *no {
	o := d.op
	if o.Undoes != nil || q.attempt != nil && (q.attempt.Begun() || !o.Terms.BeginRequired) {
		return nil
	}
	acting := workflowOf(d.view, o.Namespace, q.workflowID)
	for _, w := range []*Workflow{acting, d.owner(q, acting)} {
		if w != nil && w.State != WorkflowOpen {
			return workflowNo(w.ended())
		}
	}
	if acting == nil || !d.asRun(q) || q.runID == acting.Current() {
		return nil
	}
	return workflowNo(acting.superseded(q.runID))
}

// owner is the workflow that the operation belongs to.
func (d *draft) owner(q asking, acting *Workflow) *Workflow {
	if d.op.WorkflowID == q.workflowID {
		return acting
	}
	return workflowOf(d.view, d.op.Namespace, d.op.WorkflowID)
}

// asRun reports whether it is a run that asks. Workers and the server take up what a run has left to them: for the
// workflow, whichever run is its current one by then. An attempt that was permitted to nobody's run stays nobody's.
func (d *draft) asRun(q asking) bool {
	switch {
	case d.created:
		return true
	case q.attempt != nil && q.runID == "":
		return false
	}
	return d.op.Terms.Executor == registry.Inline
}

func workflowNo(r *Refusal) *no {
	return &no{decision: DecisionDenied, rule: ruleWorkflow, because: r.Message, refusal: r}
}

// workflowReads are the workflows that a judgement reads. Most names were never started, and a look at a row that is not
// there can lock the place where another's is to come (RecordKind.Awaited). Here it costs nothing that can be measured: 180
// proposals under such names and 60 starts at once at three servers on PostgreSQL take as many tries as the same proposals
// under no name, and an empty row for each name would cost one insert each (storetest, Workflows).
func workflowReads(o *Operation, q asking) []Read {
	var reads []Read
	for _, id := range []string{q.workflowID, o.WorkflowID} {
		if id != "" {
			reads = append(reads, WorkflowKey(o.Namespace, id).Read())
		}
	}
	return reads
}

// leaseWorkflow refuses a lease to a workflow that has ended and to a run that is not its current one.
func leaseWorkflow(v *View, ns Namespace, id, run string) *Refusal {
	w := workflowOf(v, ns, id)
	switch {
	case w == nil:
		return nil
	case w.State != WorkflowOpen:
		return w.ended()
	case run != w.Current():
		return w.superseded(run)
	}
	return nil
}
