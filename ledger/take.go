package ledger

import (
	"time"

	"github.com/opledger/opledger/policy"
)

// Take takes up work of an operation: the permit of its next attempt, or the question that is to be put to its provider.
// Workers and the server's own executor send it for what they have claimed. A claim is a hint: whatever has become of the
// operation since, this decides.
type Take struct {
	Work     Work  // of which Namespace, OperationID, Kind and Stamp count
	Actor    Actor // who acts: the worker's principal, or the server
	WorkerID string
	Epoch    int64 // the configuration epoch that the rules were read at
	Rules    *policy.Set

	NewAttempt  AttemptID
	NewDecision DecisionID
	Jitter      float64
}

// Handed is the reply: a permit to act on, or a question to put, or neither.
type Handed struct {
	Operation *Operation
	Permit    *Permit // present: act
	Lookup    *Lookup // present: ask the provider, by the first of its ways that the executor has
	// Because says why there is nothing to do now. WorkOf the operation says when there is.
	Because string
}

// Claims are none.
func (t *Take) Claims() []Claim { return nil }

// Reads are the operation, and for a permit what it is judged by.
func (t *Take) Reads(v *View) []Read {
	reads := append(readsOf(v, t.Work.Namespace, t.Work.OperationID), ReadOf(ReadEpoch, t.Work.Namespace, ""))
	if o, ok := v.known(t.Work.Namespace, t.Work.OperationID); ok && t.Work.Kind == WorkDispatch {
		reads = append(reads, judgedBy(v, o, t.asking(o))...)
	}
	return reads
}

// Decide hands out what the operation's state asks for now. Work with another stamp is not there any more: somebody has
// looked at the operation since and left new work. A retry of the same command finds its own attempt.
func (t *Take) Decide(v *View, env Env) Decided {
	if epoch := v.Epoch(t.Work.Namespace); epoch != t.Epoch && t.Work.Kind == WorkDispatch {
		return Decided{Err: &EpochMovedError{Have: t.Epoch, Now: epoch}}
	}
	o := v.Operation(t.Work.Namespace, t.Work.OperationID)
	if o == nil {
		return Decided{Err: notFound(t.Work.OperationID)}
	}
	d := change(v, env, o, t.Actor.Principal, t.Jitter)
	if live := o.LiveAttempt(); live != nil && live.ID == t.NewAttempt && d.now.Before(live.Deadline) {
		return Decided{Reply: &Handed{Operation: o, Permit: d.permit()}}
	}
	if o.Version != t.Work.Stamp {
		return Decided{Reply: &Handed{Operation: o, Because: "the operation has changed since the work was listed"}}
	}
	d.tick()
	w, there := WorkOf(d.op)
	switch {
	case !there || w.Kind != t.Work.Kind:
		return d.handed(&Handed{Because: "nothing of the kind is to be done any more"})
	case d.now.Before(w.At):
		return d.handed(&Handed{Because: "it is not due yet"})
	case w.Kind == WorkLookup:
		return t.question(d)
	}
	return t.dispatch(d)
}

// handed closes the decision.
func (d *draft) handed(h *Handed) Decided {
	changes := d.changes()
	h.Operation = d.op
	return Decided{Reply: h, Changes: changes}
}

// asking is what the permit is judged by: the rules are asked about who proposed the operation, not about who carries it
// out, and the ledger acts for the workflow whose proposal proved its lease.
func (t *Take) asking(o *Operation) asking {
	return asking{
		rules: t.Rules, actor: o.proposer(), executor: &t.Actor, workerID: t.WorkerID,
		workflowID: o.WorkflowID, runID: o.RunID,
	}
}

// proposer is who proposed the operation, as rules are asked about it.
func (o *Operation) proposer() Actor {
	return Actor{Principal: o.Proposer, Person: o.Person, Teams: o.ProposerTeams, Local: o.ProposedLocally}
}

// dispatch judges the next attempt as a proposal would be, and grants it. A "no" leaves the operation where it is, with
// the decision and the time of the next check.
func (t *Take) dispatch(d *draft) Decided {
	if d.closed() {
		d.close(workflowOf(d.view, d.op.Namespace, d.op.WorkflowID))
		return d.handed(&Handed{Because: becauseWorkflowEnded})
	}
	q := t.asking(d.op)
	n := d.judgeResend()
	if n == nil {
		n = d.judge(q)
	}
	if n != nil {
		return t.postponed(d, q, n)
	}
	d.takeCharges(q)
	d.grant(try{attempt: t.NewAttempt, asking: q})
	permit := d.permit()
	out := d.handed(&Handed{Permit: permit})
	if len(d.verdicts) > 0 {
		out.Changes.Decisions = append(out.Changes.Decisions, t.decision(d, &no{decision: DecisionExecute}))
	}
	return out
}

// judgeResend asks whether an unknown operation may be sent once more.
func (d *draft) judgeResend() *no {
	if d.op.State != UnknownOutcome {
		return nil
	}
	r := d.mayResend()
	if r.allowed {
		return nil
	}
	return &no{because: r.because, wait: r.wait}
}

// The bounds of the backoff of rechecks. A "no" that says how long it holds is not asked again before.
const (
	firstCheck = time.Second
	lastCheck  = time.Minute
	lastRoom   = 10 * time.Second // where only room is waited for
)

// postponed writes down the "no", asks the persons who have not been asked yet, and says when it is judged again.
func (t *Take) postponed(d *draft, q asking, n *no) Decided {
	o := d.op
	var others []*draft
	if n.decision == DecisionAwaitingApproval {
		for _, a := range append(d.ask(q, n.wanted), n.asked...) {
			n.wait = max(n.wait, a.ExpiresAt.Sub(d.now))
		}
	}
	if n.holder != nil && n.holder.OperationID != "" {
		if other := d.keptBy(n.holder.OperationID, o.Key); other != nil {
			others = append(others, other)
		}
	}
	o.Checks++
	last := lastCheck
	if n.passing {
		last = lastRoom
	}
	wait := growing(firstCheck, last, o.Checks, d.jitter)
	if n.decision != DecisionBlocked { // who blocks may end long before the latest moment that is known of it
		wait = max(wait, n.wait)
	}
	o.CheckAt = d.now.Add(wait)
	d.event(EventPostponed, 0, "rule", n.rule, "because", n.because, "check_at", o.CheckAt.Format(time.RFC3339Nano))
	out := d.handed(&Handed{Because: n.because})
	if n.decision != "" && !n.passing {
		out.Changes.Decisions = append(out.Changes.Decisions, t.decision(d, n))
	}
	for _, other := range others {
		c := other.changes()
		out.Changes.Operations, out.Changes.Events = append(out.Changes.Operations, c.Operations...), append(out.Changes.Events, c.Events...)
	}
	return out
}

// decision records what was decided about the permit.
func (t *Take) decision(d *draft, n *no) Decision {
	o := d.op
	dec := Decision{
		Namespace: o.Namespace, ID: t.NewDecision, At: d.now, Principal: t.Actor.Principal, Tool: o.Tool, ToolVersion: o.ToolVersion,
		Key: o.Key, OperationID: o.ID, Kind: n.decision, Rule: n.rule, Explanation: n.because, Entity: o.Entity, WorkflowID: o.WorkflowID,
		Fingerprint: o.Fingerprint, Verdicts: d.verdicts,
		Inputs: map[string]string{"workflow_id": o.WorkflowID, "run_id": o.RunID, "fingerprint": string(o.Fingerprint)},
	}
	if n.holder != nil {
		dec.Inputs["holder"] = string(n.holder.OperationID)
	}
	return dec
}
