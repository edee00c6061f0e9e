package ledger

import (
	"fmt"
	"time"

	"github.com/opledger/opledger/policy"
)

// create makes a new operation and, the caller being the executor, grants its first permit in the same transaction. A
// "no" about now makes no operation and claims no key.
func (s *proposal) create(pred *draft) Decided {
	o := s.operation()
	if w := workflowOf(s.view, s.Namespace, s.WorkflowID); w != nil {
		o.Requester = w.Requester
	}
	if pred != nil {
		o.Root, o.Revision = OperationID(pred.op.root()), pred.op.Revision+1
		o.inherits(pred.op)
	}
	d := create(s.view, s.env, o, s.Principal, s.Jitter)
	if pred != nil { // the successor carries on what its predecessor left in scopes and histories
		d.scopes, pred.scopes = pred.scopes, nil
		d.records, pred.records = pred.records, nil
	}
	q := s.asking()
	if q.grants, s.refusal = s.overrides(nil); s.refusal == nil {
		s.refusal = d.reservedOccurrence()
	}
	if s.refusal == nil {
		s.refusal = s.takeRepeatGrant(d)
	}
	if s.refusal != nil {
		return Decided{Err: s.refusal}
	}
	n := d.judge(q)
	if n == nil || n.decision == DecisionAwaitingApproval {
		n = s.judgeQueue(n)
	}
	waits := n != nil && n.decision == DecisionAwaitingApproval
	switch {
	case n != nil && n.refusal != nil && !s.PlanOnly:
		return Decided{Err: n.refusal}
	case n != nil && !waits, s.PlanOnly:
		return s.withoutOperation(d, n)
	}
	inline := s.inlineRead() && !waits
	switch {
	case !s.reads():
		s.claimKeys(d, pred)
	case !inline:
		d.remember()
	}
	s.deriveKeys(d, pred)
	d.creation("tool", s.Tool, "class", string(s.Terms.Class), "key", string(o.Key), "revision_reason", o.ReviseReason)
	d.takeCharges(q)
	d.takeStep()
	a := &Answer{Decision: DecisionEnqueued, Created: true}
	var earned AttemptID
	heard := s.heard(d)
	switch {
	case heard != nil:
		a = heard
	case waits:
		if d.op.State != Planned {
			d.move(Planned)
		}
		a = s.awaiting(d, n, q)
		a.Created = true
	case inline:
		earned = s.NewAttempt.ofReading()
		d.move(PendingDispatch)
		d.grant(try{attempt: earned, asking: q})
		d.asReading()
		a.Decision, a.Permit = DecisionExecute, d.permit()
	case !s.Terms.Queued() && s.Undoes == nil:
		d.move(PendingDispatch)
		d.grant(try{attempt: s.NewAttempt, asking: q})
		a.Decision, a.Permit, earned = DecisionExecute, d.permit(), s.NewAttempt
	default:
		d.move(PendingDispatch)
	}
	out := s.reply(d, a, earned)
	if pred != nil {
		pc := pred.changes()
		out.Changes.Operations = append([]*Operation{pc.Operations[0]}, out.Changes.Operations...)
		out.Changes.Events = append(pc.Events, out.Changes.Events...)
	}
	return out
}

// judgeQueue takes on nothing new for an executor that too much waits for. What exists is answered as ever.
func (s *proposal) judgeQueue(n *no) *no {
	if s.QueueFull == nil || !s.Terms.Queued() {
		return n
	}
	return &no{decision: DecisionRetryLater, rule: ruleBackpressure, wait: s.QueueFull.RetryAfter,
		because: fmt.Sprintf("%d operations wait for the executor of %s already", s.QueueFull.Waiting, s.Tool)}
}

// takeRepeatGrant uses the grant by which an occurrence is named, where the tool admits occurrences in no other way.
func (s *proposal) takeRepeatGrant(d *draft) *Refusal {
	if !s.RepeatNeeded || s.Forms[0].Occurrence == "" || d.op.Undoes != nil {
		return nil
	}
	if s.RepeatGrant == "" {
		return refuse(CodeInvalidArgument, ReasonOccurrenceRefused,
			"the tool %s admits an occurrence only with a repeat grant; have one given, or leave the occurrence out", s.Tool)
	}
	g, refusal := s.grantFor(s.RepeatGrant, GrantRepeat)
	if refusal == nil {
		d.takeGrant(g)
	}
	return refusal
}

// withoutOperation answers with a decision that makes nothing.
func (s *proposal) withoutOperation(d *draft, n *no) Decided {
	a := &Answer{Decision: DecisionPlanned, Planned: DecisionExecute, Rule: policy.RulePlanOnly, Because: "a proposal would be executed"}
	if n != nil {
		a = s.noAnswer(d, n)
		if s.PlanOnly {
			a.Planned = a.Decision
			a.Because = "planned only; a proposal would be answered " + string(a.Decision) + ": " + a.Because
			a.Decision = DecisionPlanned
		}
	}
	changes := &Changes{Claims: []Claim{s.requestClaim("", "")}}
	if looping := s.slowDown(a); looping != nil {
		changes.Records = append(changes.Records, looping)
	}
	a.Verdicts = d.verdicts
	a.Recorded = a.Rule != policy.RuleDenialLoop
	a.At, a.Told = s.view.Now, tell(a, s.view.Now)
	if a.Recorded {
		changes.Decisions = []Decision{s.decision(nil, a)}
	}
	s.addOthers(changes)
	return Decided{Reply: a, Changes: changes}
}

// slowDown counts denials in a row of their own, and answers a loop of them by a time to wait: a model that asks for the
// same refusal again and again costs nothing and fills nothing up.
func (s *proposal) slowDown(a *Answer) Record {
	if a.Decision != DecisionDenied || a.Rule == policy.RuleToolDisabled || a.Rule == policy.RulePaused {
		return nil // a switch says why, and no waiting changes it
	}
	key := HistoryKey(s.Namespace, policy.DenialCharge(string(s.Principal), s.WorkflowID, s.Tool).History)
	old, _ := recordOf[History](s.view, key)
	if wait, looping := policy.DeniedTooOften(old.History, s.view.Now); looping {
		a.Because = fmt.Sprintf("%s was denied too often in a short time (%s); wait before asking again, or ask a person", s.Tool, a.Because)
		a.Decision, a.Rule, a.RetryAfter = DecisionRetryLater, policy.RuleDenialLoop, wait
		return nil
	}
	next := *old
	next.Version++
	next.History = old.History.Denied(s.view.Now)
	return &next
}

// claimKeys claims the operation's identity: its key under every version that continues, and, for a revision, every key
// of its predecessor with the next number.
func (s *proposal) claimKeys(d *draft, pred *draft) {
	keys := s.keys()
	if pred != nil {
		keys = s.keysAfter(pred.op)
	}
	for _, k := range keys {
		number := int64(1)
		if held := s.view.Claims(s.keyClaim(k, 1)); len(held) > 0 {
			number = held[len(held)-1].Number + 1
		}
		d.op.Keys = append(d.op.Keys, KeyNumber{Key: k, Number: number})
		d.claims = append(d.claims, Claim{ClaimID: s.keyClaim(k, number), OperationID: d.op.ID})
	}
}

// deriveKeys gives the operation its vendor key and client reference: its own, unless a revision with unchanged
// arguments may keep its predecessor's.
func (s *proposal) deriveKeys(d *draft, pred *draft) {
	o := d.op
	if pred != nil {
		o.Supersedes, o.ReviseReason = pred.op.ID, s.Revise.Reason
		if s.keepsVendorKey(pred.op, d.now, o) {
			o.VendorKey, o.VendorKeySince, o.ClientReference = pred.op.VendorKey, pred.op.VendorKeySince, pred.op.ClientReference
			o.Arguments = pred.op.Arguments
			return
		}
	}
	number := int64(1)
	if len(o.Keys) > 0 {
		number = o.Keys[0].Number
	}
	o.ClientReference = ClientReferenceOf(o.Namespace, o.Key, number)
	if o.Terms.VendorKeyed && o.Terms.Mutates() { // a provider that knows a read's key would answer with what it was
		o.VendorKey = VendorKeyOf(o.Namespace, o.Key, number, o.Terms.KeyFormat, o.Terms.KeyLength)
	}
}

// keepsVendorKey: unchanged arguments, the old key within the provider's retention, and no refusal by the provider itself
// (which it may have recorded under the key).
func (s *proposal) keepsVendorKey(pred *Operation, now time.Time, next *Operation) bool {
	if pred.State == Compensated {
		return false // the provider would answer with what was undone
	}
	for i := range pred.Attempts {
		if pred.Attempts[i].Outcome == OutcomeRejected {
			return false
		}
	}
	return pred.VendorKey != "" && next.Terms.VendorKeyed && pred.Fingerprint == next.Fingerprint && pred.Key == next.Key &&
		(pred.VendorKeySince.IsZero() || now.Before(pred.VendorKeySince.Add(pred.Terms.Retention)))
}
