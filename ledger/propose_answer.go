package ledger

import (
	"slices"
	"time"

	"github.com/opledger/opledger/policy"
)

// answer answers from a recorded operation.
func (s *proposal) answer(o *Operation) Decided {
	d := change(s.view, s.env, o, s.Principal, s.Jitter)
	d.tick()
	a := s.answerFrom(d)
	if s.refusal != nil {
		return Decided{Err: s.refusal, Changes: d.changes()}
	}
	a.Created = o.ID == s.NewOperation // a retry that sees its own write
	a.IgnoredDifferences = ignoredDifferences(o.Ignored, s.Ignored)
	var earned AttemptID
	if a.Permit != nil {
		earned = a.Permit.Attempt.ID
	} else if live := d.op.LiveAttempt(); live != nil && live.ID == s.request.AttemptID {
		earned = live.ID // the earlier answer keeps its claim on the attempt
	}
	return s.reply(d, a, earned)
}

// answerFrom decides by the operation's state, after time has been applied.
func (s *proposal) answerFrom(d *draft) *Answer {
	o := d.op
	if o.SupersededBy != "" {
		a := &Answer{Decision: DecisionReplayed, Successor: o.SupersededBy, Because: "this revision ended and was succeeded by another"}
		if !o.State.Ended() {
			a.Decision = DecisionReconciling
			a.Because = "this revision was succeeded by another, and is now said to have had the effect"
		}
		return a
	}
	if s.PlanOnly {
		return s.planned(d)
	}
	return s.byState(d)
}

// planned answers a plan for an operation that exists: what a proposal would be answered, without making it so.
func (s *proposal) planned(d *draft) *Answer {
	plan := change(s.view, s.env, d.op, s.Principal, s.Jitter)
	would := s.byState(plan)
	d.verdicts = plan.verdicts
	if s.refusal != nil {
		would = &Answer{Decision: DecisionDenied, Because: s.refusal.Message}
		s.refusal = nil
	}
	return &Answer{Decision: DecisionPlanned, Planned: would.Decision, Rule: policy.RulePlanOnly, Approvals: would.Approvals, Holder: would.Holder,
		Because: "the operation exists already; a proposal would be answered " + string(would.Decision)}
}

// byState decides by where the operation stands.
func (s *proposal) byState(d *draft) *Answer {
	o := d.op
	switch o.State {
	case PendingDispatch:
		return s.try(d)
	case FailedRetryable:
		if wait := o.RetryAt.Sub(d.now); wait > 0 && !o.Terms.Queued() {
			return &Answer{Decision: DecisionRetryLater, RetryAfter: wait, Rule: policy.RuleBackoff, Because: "the last try had no effect; the next one is not due yet"}
		}
		return s.try(d)
	case Dispatched:
		return s.inFlight(d)
	case Acknowledged:
		a := &Answer{Decision: DecisionInFlight, Holder: holderOf(d.op), RetryAfter: max(0, o.FinishBy.Sub(d.now)),
			Because: "the provider took it, and is to finish it by the stated time"}
		a.Holder.Until = o.FinishBy
		return a
	case UnknownOutcome:
		return s.reconciling(d)
	case Planned:
		return s.try(d)
	case FailedPermanent:
		if o.Failure != nil && o.Failure.Category == CategoryApprovalDenied {
			return &Answer{Decision: DecisionDenied, Rule: policy.RuleApprovalDenied, Because: o.Failure.Message}
		}
	}
	return &Answer{Decision: DecisionReplayed}
}

// try grants the next attempt if nothing stands against it now. A "no" leaves the operation where it is; that its own
// workflow has ended is none, and cancels it.
func (s *proposal) try(d *draft) *Answer {
	if d.closed() {
		d.close(workflowOf(s.view, s.Namespace, d.op.WorkflowID))
		return &Answer{Decision: DecisionReplayed}
	}
	if d.op.Terms.Queued() && d.op.State != Planned {
		return s.enqueued(d)
	}
	q, n := s.judge(d)
	switch {
	case s.refusal != nil:
		return &Answer{}
	case n != nil:
		return s.noAnswer(d, n)
	}
	d.takeCharges(q)
	if d.op.State == Planned {
		d.move(PendingDispatch, "because", "nothing asks for an approval any more, or all are given")
	}
	if d.op.Terms.Queued() {
		return s.enqueued(d)
	}
	d.grant(try{attempt: s.NewAttempt, asking: q})
	return &Answer{Decision: DecisionExecute, Permit: d.permit()}
}

// enqueued answers that others carry the operation out, and from when.
func (s *proposal) enqueued(d *draft) *Answer {
	a := &Answer{Decision: DecisionEnqueued}
	if w, there := WorkOf(d.op); there {
		a.RetryAfter = max(0, w.At.Sub(d.now))
	}
	return a
}

// judge judges a recorded operation for a new permit, and opens what persons are to be asked. A refusal is kept in the
// proposal.
func (s *proposal) judge(d *draft) (asking, *no) {
	q := s.asking()
	if q.grants, s.refusal = s.overrides(d.op); s.refusal != nil {
		return q, nil
	}
	if s.EntityVersion != nil {
		d.op.EntityVersion = s.EntityVersion
	}
	n := d.judge(q)
	if n != nil && n.refusal != nil {
		s.refusal = n.refusal.about(d.op)
	}
	return q, n
}

// awaiting asks the persons who have not been asked yet, and says who is asked.
func (s *proposal) awaiting(d *draft, n *no, q asking) *Answer {
	return &Answer{
		Decision: DecisionAwaitingApproval, Rule: n.rule, Because: n.because, Approvals: append(d.ask(q, n.wanted), n.asked...),
	}
}

// inFlight answers while a permit is out. The request that earned the permit gets it again only where that is safe
// whoever asks; a retry of this very command after an ambiguous commit finds its own attempt and answers with it.
func (s *proposal) inFlight(d *draft) *Answer {
	live := d.op.LiveAttempt()
	switch {
	case s.earns(live.ID) && d.now.Before(live.Deadline):
		return &Answer{Decision: DecisionExecute, Permit: d.permit()}
	case s.request.AttemptID == live.ID && d.mayHandAgain():
		q := s.asking()
		q.attempt = live
		if n := d.judge(q); n == nil {
			if !live.HandedAgain {
				live.HandedAgain = true
				d.event(EventHandedAgain, live.Number, "run_id", s.RunID)
			}
			return &Answer{Decision: DecisionExecute, Permit: d.permit(), Because: "the same request was given its live permit again"}
		}
	}
	return &Answer{Decision: DecisionInFlight, Holder: holderOf(d.op), RetryAfter: live.Deadline.Sub(d.now), Because: "somebody holds the permit"}
}

// reconciling answers while the outcome is not known: a resend of the same request where that is safe, else what the
// caller may look up.
func (s *proposal) reconciling(d *draft) *Answer {
	if d.op.Terms.Queued() {
		a := s.enqueued(d)
		a.Decision, a.Because = DecisionReconciling, "the outcome is not known yet; it is being found out"
		return a
	}
	r := d.mayResend()
	var approvals []*Approval
	if r.allowed {
		q, n := s.judge(d)
		switch {
		case s.refusal != nil:
			r.because, s.refusal = s.refusal.Message, nil // the outcome is open all the same, and may be looked up
		case n == nil:
			d.takeCharges(q)
			d.grant(try{attempt: s.NewAttempt, asking: q})
			return &Answer{Decision: DecisionExecute, Permit: d.permit(), Because: "the same request may be sent once more under the same identity"}
		default:
			if n.decision == DecisionAwaitingApproval {
				approvals = append(d.ask(q, n.wanted), n.asked...)
			}
			r.because = n.because
		}
	}
	return &Answer{Decision: DecisionReconciling, Lookup: d.lookup(), RetryAfter: r.wait, Approvals: approvals, Because: "the outcome is not known yet; " + r.because}
}

// openWait is how long somebody is told to wait for a limit that only open operations fill. Nobody knows when they end; most
// do within their permit, which lasts half a minute to a minute, and asking again is cheap.
const openWait = 30 * time.Second

// noAnswer turns a "no" about now into an answer.
func (s *proposal) noAnswer(d *draft, n *no) *Answer {
	if n.decision == DecisionAwaitingApproval && !d.created {
		return s.awaiting(d, n, s.asking())
	}
	a := &Answer{Decision: n.decision, Rule: n.rule, Because: n.because, RetryAfter: n.wait, Holder: n.holder, Stale: n.stale, Approvals: n.asked}
	if n.decision == DecisionRetryLater && n.wait == 0 {
		a.RetryAfter, a.Unsure = openWait, true
	}
	if n.earlier != "" {
		a.Earlier = d.view.Operation(d.op.Namespace, n.earlier)
	}
	if h := n.holder; h != nil && h.OperationID != "" {
		s.blocks(d, h.OperationID)
	}
	return a
}

// blocks notes on an operation that it keeps another from its entity, from the first time on.
func (s *proposal) blocks(d *draft, id OperationID) {
	if s.PlanOnly {
		return
	}
	if other := d.keptBy(id, s.Forms[0].Key); other != nil {
		s.others = append(s.others, other)
	}
}

// keptBy notes on an operation that it keeps another, with that key, from its entity; nil where that was noted before.
func (d *draft) keptBy(id OperationID, key IdempotencyKey) *draft {
	o := d.view.Operation(d.op.Namespace, id)
	if o == nil || !o.BlockingSince.IsZero() || !o.State.Released() {
		return nil
	}
	other := change(d.view, d.env, o, d.by, d.jitter)
	other.op.BlockingSince = other.now
	other.event(EventBlocking, 0, "kept", string(key))
	return other
}

// addOthers adds what changed of other operations.
func (s *proposal) addOthers(c *Changes) {
	for _, other := range s.others {
		if more := other.changes(); more != nil {
			c.Operations = append(c.Operations, more.Operations...)
			c.Events = append(c.Events, more.Events...)
		}
	}
}

// holderOf describes who holds the operation: the newest attempt's bearer, while its permit is out.
func holderOf(o *Operation) *Holder {
	h := &Holder{OperationID: o.ID, WorkflowID: o.WorkflowID, Entity: o.Entity, Since: o.StateSince, State: o.State}
	if len(o.Attempts) > 0 {
		a := &o.Attempts[len(o.Attempts)-1]
		h.AttemptID, h.Principal, h.RunID, h.Since, h.Begun = a.ID, a.Principal, a.RunID, a.GrantedAt, a.Begun()
		if o.Live != 0 {
			h.Until = a.Deadline
		}
	}
	return h
}

// reply closes a decision on an existing or new operation: what is to be saved, and what the caller is told.
func (s *proposal) reply(d *draft, a *Answer, earned AttemptID) Decided {
	if d.op.State == UnknownOutcome && a.Lookup == nil && a.Decision == DecisionReconciling && !d.op.Terms.Queued() {
		a.Lookup = d.lookup()
	}
	changes := d.changes()
	if changes == nil {
		changes = &Changes{}
	}
	changes.Claims = append(changes.Claims, s.requestClaim(d.op.ID, earned))
	s.addOthers(changes)
	a.Operation, a.Verdicts = d.op, d.verdicts
	a.Recorded = a.Rule != "" && a.Rule != policy.RuleBackoff && a.Rule != policy.RuleApprovalDenied || len(d.verdicts) > 0
	if a.Recorded {
		changes.Decisions = append(changes.Decisions, s.decision(d.op, a))
	}
	a.At, a.Told = s.view.Now, tell(a, s.view.Now)
	return Decided{Reply: a, Changes: changes}
}

// decision records a "no" about now.
func (s *proposal) decision(o *Operation, a *Answer) Decision {
	dec := Decision{
		Namespace: s.Namespace, ID: s.NewDecision, At: s.view.Now, Principal: s.Principal, Tool: s.Tool,
		ToolVersion: s.Forms[0].ToolVersion, Key: s.Forms[0].Key, Kind: a.Decision, Rule: a.Rule, Explanation: a.Because,
		Inputs: map[string]string{"workflow_id": s.WorkflowID, "run_id": s.RunID, "fingerprint": string(s.Forms[0].Fingerprint)},
		Entity: s.Forms[0].Entity, WorkflowID: s.WorkflowID, Fingerprint: s.Forms[0].Fingerprint, Verdicts: a.Verdicts,
	}
	if o != nil {
		dec.OperationID = o.ID
	}
	if a.Holder != nil {
		dec.Inputs["holder"] = string(a.Holder.OperationID)
	}
	return dec
}

// ignoredDifferences names the fields that identity leaves out and that differ from the recorded ones.
func ignoredDifferences(recorded, proposed map[string]string) []string {
	var pointers []string
	for p, v := range proposed {
		if old, ok := recorded[p]; !ok || old != v {
			pointers = append(pointers, p)
		}
	}
	for p := range recorded {
		if _, ok := proposed[p]; !ok {
			pointers = append(pointers, p)
		}
	}
	slices.Sort(pointers)
	return pointers
}
