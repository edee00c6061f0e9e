package ledger

import (
	"time"

	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
)

// create makes a new operation and, the caller being the executor, grants its first permit in the same transaction. A
// "no" about now makes no operation and claims no key.
func (s *proposal) create(pred *draft) Decided {
	f := s.Forms[0]
	o := &Operation{
		Namespace: s.Namespace, ID: s.NewOperation, Tool: s.Tool, ToolVersion: f.ToolVersion, Terms: s.Terms,
		Intent: f.Intent, Entity: f.Entity, Touches: f.Touches, Occurrence: f.Occurrence,
		Key: f.Key, Revision: 1, Fingerprint: f.Fingerprint, Canonical: f.Canonical, Arguments: s.Arguments,
		Ignored: s.Ignored, Sensitive: s.Sensitive, WorkflowID: s.WorkflowID, RunID: s.RunID, Proposer: s.Principal,
		IntentNote: s.IntentNote, Correlation: s.Correlation,
	}
	d := create(s.view, s.env, o, s.Principal, s.Jitter)
	if pred != nil { // the successor carries on what its predecessor left in scopes and histories
		d.scopes, pred.scopes = pred.scopes, nil
		d.records, pred.records = pred.records, nil
	}
	if no := d.judge(); no != nil || s.PlanOnly {
		return s.withoutOperation(d, no)
	}
	s.claimKeys(d, pred)
	s.deriveKeys(d, pred)
	d.event(EventCreated, 0, "tool", s.Tool, "class", string(s.Terms.Class), "key", string(o.Key), "revision_reason", o.ReviseReason)
	d.move(PendingDispatch)
	a := &Answer{Decision: DecisionEnqueued, Created: true}
	var earned AttemptID
	if s.Terms.Executor == registry.Inline {
		d.grant(try{attempt: s.NewAttempt, principal: s.Principal, runID: s.RunID})
		a.Decision, a.Permit, earned = DecisionExecute, d.permit(), s.NewAttempt
	}
	out := s.reply(d, a, earned)
	if pred != nil {
		pc := pred.changes()
		out.Changes.Operations = append([]*Operation{pc.Operations[0]}, out.Changes.Operations...)
		out.Changes.Events = append(pc.Events, out.Changes.Events...)
		out.Changes.Scopes = append(pc.Scopes, out.Changes.Scopes...)
	}
	return out
}

// withoutOperation answers with a decision that makes nothing.
func (s *proposal) withoutOperation(d *draft, no *policy.No) Decided {
	a := &Answer{Decision: DecisionPlanned, Planned: DecisionExecute, Rule: policy.RulePlanOnly, Because: "a proposal would be executed"}
	if no != nil {
		a = noAnswer(d, no)
		if s.PlanOnly {
			a.Planned = a.Decision
			a.Because = "planned only; a proposal would be answered " + string(a.Decision) + ": " + a.Because
			a.Decision = DecisionPlanned
		}
	}
	a.At, a.Told = s.view.Now, tell(a, s.view.Now)
	return Decided{Reply: a, Changes: &Changes{
		Claims:    []Claim{s.requestClaim("", "")},
		Decisions: []Decision{s.decision(nil, a)},
	}}
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
		o.Revision = pred.op.Revision + 1
		o.Supersedes, o.ReviseReason = pred.op.ID, s.Revise.Reason
		if s.keepsVendorKey(pred.op, d.now, o) {
			o.VendorKey, o.VendorKeySince, o.ClientReference = pred.op.VendorKey, pred.op.VendorKeySince, pred.op.ClientReference
			o.Arguments = pred.op.Arguments
			return
		}
	}
	number := o.Keys[0].Number
	o.ClientReference = ClientReferenceOf(o.Namespace, o.Key, number)
	if o.Terms.VendorKeyed {
		o.VendorKey = VendorKeyOf(o.Namespace, o.Key, number, o.Terms.KeyLength)
	}
}

// keepsVendorKey: unchanged arguments, the old key within the provider's retention, and no refusal by the provider itself
// (which it may have recorded under the key).
func (s *proposal) keepsVendorKey(pred *Operation, now time.Time, next *Operation) bool {
	for i := range pred.Attempts {
		if pred.Attempts[i].Outcome == OutcomeRejected {
			return false
		}
	}
	return pred.VendorKey != "" && next.Terms.VendorKeyed && pred.Fingerprint == next.Fingerprint && pred.Key == next.Key &&
		(pred.VendorKeySince.IsZero() || now.Before(pred.VendorKeySince.Add(pred.Terms.Retention)))
}
