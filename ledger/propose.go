package ledger

import (
	"slices"
	"time"

	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
)

// Form is a proposal's identity under one version of its tool. A proposal has one for each version whose identity
// continues, so that operations made under an earlier version are met and compared by the rules that made them.
type Form struct {
	ToolVersion int64
	Key         IdempotencyKey
	Canonical   []byte
	Fingerprint Fingerprint
	Intent      string
	Entity      locks.Entity
	Touches     []locks.Entity
	Occurrence  string
}

// Revise asks for a fresh try of an operation that is known to have ended without effect.
type Revise struct {
	OperationID OperationID // the revision that is to be succeeded; empty: by its number
	Number      int64       // the revision under the proposal's own key; zero: by its operation id
	Reason      string
}

// Propose is a proposal, canonical and checked against its tool's schema.
type Propose struct {
	Namespace   Namespace
	Principal   Principal
	RequestID   RequestID
	RequestHash string // of everything that makes this proposal what it is, to tell a repeat from another one
	Epoch       int64  // the configuration epoch that the tool was read at

	Tool      string
	Terms     Terms
	Forms     []Form // the current version's first
	Arguments []byte // what is dispatched
	Ignored   map[string]string
	Sensitive []string

	WorkflowID, RunID, IntentNote string
	Correlation                   map[string]string

	PlanOnly bool
	Revise   *Revise

	NewOperation OperationID
	NewAttempt   AttemptID
	NewDecision  DecisionID
	Jitter       float64
}

// MaxRevisions bounds how often one identity may be tried afresh: more is a loop, not a correction.
const MaxRevisions = 20

// Claims are the request id and, for a new operation, the key under every version that continues.
func (p *Propose) Claims() []Claim {
	claims := []Claim{p.requestClaim(p.NewOperation, p.NewAttempt)}
	if p.PlanOnly || p.Revise != nil {
		return claims
	}
	for _, k := range p.keys() {
		claims = append(claims, Claim{ClaimID: p.keyClaim(k, 1), OperationID: p.NewOperation})
	}
	return claims
}

func (p *Propose) requestClaim(op OperationID, attempt AttemptID) Claim {
	return Claim{
		ClaimID:     ClaimID{Namespace: p.Namespace, Kind: ClaimRequest, Value: RequestValue(p.Principal, p.RequestID)},
		OperationID: op, AttemptID: attempt, Fingerprint: p.RequestHash,
	}
}

func (p *Propose) keyClaim(k IdempotencyKey, number int64) ClaimID {
	return ClaimID{Namespace: p.Namespace, Kind: ClaimKey, Value: string(k), Number: number}
}

// keys are the distinct keys of the proposal, the current version's first.
func (p *Propose) keys() []IdempotencyKey {
	var keys []IdempotencyKey
	for _, f := range p.Forms {
		if !slices.Contains(keys, f.Key) {
			keys = append(keys, f.Key)
		}
	}
	return keys
}

// Reads are the configuration, the tool's switch, the group that a new operation would join, and whatever the keys lead
// to.
func (p *Propose) Reads(v *View) []Read {
	reads := []Read{ReadOf(ReadEpoch, p.Namespace, ""), ReadOf(ReadTool, p.Namespace, p.Tool)}
	if ref, grouped := p.groupRef(); grouped {
		reads = append(reads, ReadScopeOf(ref))
		for _, h := range v.scopes[ReadScopeOf(ref)].Holders { // whoever blocks is described
			reads = append(reads, ReadOf(ReadOperation, p.Namespace, h.OperationID))
		}
	}
	for _, k := range p.keys() {
		reads = append(reads, p.keyClaim(k, 1).Read())
	}
	if named := p.predecessor(v); named != "" {
		reads = append(reads, readsOf(v, p.Namespace, named)...)
		if pred, ok := v.known(p.Namespace, named); ok {
			for _, k := range pred.Keys {
				reads = append(reads, p.keyClaim(k.Key, 1).Read())
			}
			if pred.SupersededBy != "" {
				reads = append(reads, readsOf(v, p.Namespace, pred.SupersededBy)...)
			}
		}
	}
	for _, r := range slices.Clone(reads) {
		if r.Kind == ReadKey {
			for _, c := range v.claims[r] {
				reads = append(reads, readsOf(v, p.Namespace, c.OperationID)...)
			}
		}
	}
	return reads
}

// predecessor is the operation that a revision names, by id or by its number under the proposal's own key; empty where
// there is none, or none is known yet.
func (p *Propose) predecessor(v *View) OperationID {
	if p.Revise == nil || p.Revise.OperationID != "" || p.Revise.Number == 0 {
		if p.Revise == nil {
			return ""
		}
		return p.Revise.OperationID
	}
	for _, c := range v.claims[p.keyClaim(p.Forms[0].Key, 1).Read()] {
		if c.Number == p.Revise.Number {
			return c.OperationID
		}
	}
	return ""
}

func (p *Propose) groupRef() (locks.Ref, bool) {
	f := p.Forms[0]
	if p.Terms.Group == "" || f.Entity.IsZero() {
		return locks.Ref{}, false
	}
	return locks.GroupRef(string(p.Namespace), f.Entity, p.Terms.Group), true
}

// readsOf are the rows that a command about one operation depends on: the operation, and its group once it is known.
func readsOf(v *View, ns Namespace, id OperationID) []Read {
	reads := []Read{ReadOf(ReadOperation, ns, string(id))}
	if o, ok := v.known(ns, id); ok {
		reads = append(reads, ReadOf(ReadTool, ns, o.Tool))
		if ref, grouped := o.GroupRef(); grouped {
			reads = append(reads, ReadScopeOf(ref))
		}
		if o.hasRelatives() {
			reads = append(reads, relativesOf(v, o)...)
		}
	}
	return reads
}

// relativesOf are the other revisions of the operation's keys.
func relativesOf(v *View, o *Operation) []Read {
	var reads []Read
	for _, k := range o.Keys {
		r := k.claimID(o.Namespace).Read()
		reads = append(reads, r)
		for _, c := range v.claims[r] {
			reads = append(reads, ReadOf(ReadOperation, o.Namespace, string(c.OperationID)))
		}
	}
	return reads
}

// known finds an operation where it is loaded already.
func (v *View) known(ns Namespace, id OperationID) (*Operation, bool) {
	o := v.operations[ReadOf(ReadOperation, ns, string(id))]
	return o, o != nil
}

// Decide answers the proposal: from the record where its identity is known, else by making the operation.
func (p *Propose) Decide(v *View, env Env) Decided {
	request, repeated := v.Claim(p.requestClaim("", "").ClaimID)
	if repeated && request.Fingerprint != p.RequestHash {
		return Decided{Err: refuse(CodeFailedPrecondition, ReasonRequestReused,
			"request id %s came with another proposal before; make a new request id for a new proposal", p.RequestID)}
	}
	if epoch := v.Epoch(p.Namespace); epoch != p.Epoch {
		return Decided{Err: &EpochMovedError{Have: p.Epoch, Now: epoch}}
	}
	s := &proposal{Propose: p, view: v, env: env, request: request}
	if p.Revise != nil {
		return s.revise()
	}
	found, refusal := s.find()
	switch {
	case refusal != nil:
		return Decided{Err: refusal}
	case found != nil:
		return s.answer(found)
	}
	return s.create(nil)
}

// proposal is one decision on a proposal.
type proposal struct {
	*Propose
	view    *View
	env     Env
	request Claim // what the request id earned before, if it came before
}

// revisions lists every operation under the proposal's keys, newest first.
func (s *proposal) revisions(keys []IdempotencyKey) []*Operation {
	var all []*Operation
	for _, k := range keys {
		for _, c := range s.view.Claims(s.keyClaim(k, 1)) {
			o := s.view.Operation(s.Namespace, c.OperationID)
			if o != nil && !slices.Contains(all, o) {
				all = append(all, o)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *Operation) int { return b.CreatedAt.Compare(a.CreatedAt) })
	slices.SortStableFunc(all, func(a, b *Operation) int { return int(b.Revision - a.Revision) })
	return all
}

// find looks for the recorded operation that the proposal means: every revision of its keys, newest first, each compared
// by the rules of the version that made it.
func (s *proposal) find() (*Operation, *Refusal) {
	known := s.revisions(s.keys())
	for _, o := range known {
		if f := s.formFor(o); f != nil && f.matches(o) {
			return o, nil
		}
	}
	if len(known) == 0 {
		return nil, nil
	}
	return nil, s.keyReused(known[0])
}

// formFor is the proposal's form under the version that made the operation; nil where that version does not continue or
// is another tool's.
func (s *proposal) formFor(o *Operation) *Form {
	if o.Tool != s.Tool {
		return nil
	}
	for i := range s.Forms {
		if s.Forms[i].ToolVersion == o.ToolVersion {
			return &s.Forms[i]
		}
	}
	return nil
}

func (f *Form) matches(o *Operation) bool {
	return f.Fingerprint == o.Fingerprint && f.Intent == o.Intent && f.Entity == o.Entity && f.Occurrence == o.Occurrence
}

// keyReused refuses a key that stands for another operation. The edge adds the pointers at which the arguments differ.
func (s *proposal) keyReused(o *Operation) *Refusal {
	f := s.formFor(o)
	if f == nil {
		f = &s.Forms[0]
	}
	r := refuse(CodeFailedPrecondition, ReasonKeyReused,
		"the idempotency key %s already stands for another operation (%s, %s). Its recorded result is not an answer to these arguments. %s",
		f.Key, o.ID, o.State, reuseHint(o))
	return r.about(o).with("recorded_fingerprint", string(o.Fingerprint), "proposed_fingerprint", string(f.Fingerprint),
		"recorded_tool", o.Tool, "recorded_key", string(o.Key))
}

func reuseHint(o *Operation) string {
	if o.State == FailedPermanent && o.SupersededBy == "" {
		return "It ended without effect: to try it afresh with corrected arguments, propose with revise, naming it, and a reason."
	}
	return "Propose what was meant under its own identity, or correct the arguments."
}

// answer answers from a recorded operation.
func (s *proposal) answer(o *Operation) Decided {
	d := change(s.view, s.env, o, s.Principal, s.Jitter)
	d.tick()
	a := s.answerFrom(d)
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
			a.Decision, a.Lookup = DecisionReconciling, d.lookup()
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
	would := s.byState(change(s.view, s.env, d.op, s.Principal, s.Jitter))
	return &Answer{Decision: DecisionPlanned, Planned: would.Decision, Rule: policy.RulePlanOnly,
		Because: "the operation exists already; a proposal would be answered " + string(would.Decision)}
}

// byState decides by where the operation stands.
func (s *proposal) byState(d *draft) *Answer {
	o := d.op
	switch o.State {
	case PendingDispatch:
		return s.try(d)
	case FailedRetryable:
		if wait := o.RetryAt.Sub(d.now); wait > 0 {
			return &Answer{Decision: DecisionRetryLater, RetryAfter: wait, Rule: policy.RuleBackoff, Because: "the last try had no effect; the next one is not due yet"}
		}
		return s.try(d)
	case Dispatched:
		return s.inFlight(d)
	case Acknowledged:
		a := &Answer{Decision: DecisionInFlight, Holder: holderOf(d.op), RetryAfter: max(0, o.FinishBy.Sub(d.now)),
			Because: "the provider took it and will finish by the stated time"}
		a.Holder.Until = o.FinishBy
		return a
	case UnknownOutcome:
		return s.reconciling(d)
	case Planned:
		return &Answer{Decision: DecisionAwaitingApproval}
	}
	return &Answer{Decision: DecisionReplayed}
}

// try grants the next attempt if nothing stands against it now. A "no" leaves the operation where it is.
func (s *proposal) try(d *draft) *Answer {
	if d.op.Terms.Executor != registry.Inline {
		return &Answer{Decision: DecisionEnqueued}
	}
	if no := d.judge(); no != nil {
		return noAnswer(d, no)
	}
	d.grant(try{attempt: s.NewAttempt, principal: s.Principal, runID: s.RunID})
	return &Answer{Decision: DecisionExecute, Permit: d.permit()}
}

// inFlight answers while a permit is out. The request that earned the permit gets it again only where that is safe
// whoever asks; a retry of this very command after an ambiguous commit finds its own attempt and answers with it.
func (s *proposal) inFlight(d *draft) *Answer {
	live := d.op.LiveAttempt()
	switch {
	case live.ID == s.NewAttempt && d.now.Before(live.Deadline):
		return &Answer{Decision: DecisionExecute, Permit: d.permit()}
	case s.request.AttemptID == live.ID && d.mayHandAgain():
		if no := d.judge(); no == nil {
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
	r := d.mayResend()
	if r.allowed {
		no := d.judge()
		if no == nil {
			d.grant(try{attempt: s.NewAttempt, principal: s.Principal, runID: s.RunID})
			return &Answer{Decision: DecisionExecute, Permit: d.permit(), Because: "the same request may be sent once more under the same identity"}
		}
		r.because = no.Because
	}
	return &Answer{Decision: DecisionReconciling, Lookup: d.lookup(), RetryAfter: r.wait, Because: "the outcome is not known yet; " + r.because}
}

// noAnswer turns a policy's "no" about now into an answer.
func noAnswer(d *draft, no *policy.No) *Answer {
	a := &Answer{Decision: DecisionDenied, Rule: no.Rule, Because: no.Because}
	if no.Blocker != nil {
		a.Decision = DecisionBlocked
		a.Holder = &Holder{OperationID: OperationID(no.Blocker.OperationID), WorkflowID: no.Blocker.WorkflowID}
		if o, known := d.view.known(d.op.Namespace, a.Holder.OperationID); known {
			a.Holder = holderOf(o)
		}
		a.Holder.Since, a.Holder.Entity, a.Holder.Scope = no.Blocker.Since, d.op.Entity, "group/"+d.op.Terms.Group
		if !a.Holder.Until.IsZero() {
			a.RetryAfter = max(0, a.Holder.Until.Sub(d.now))
		}
	}
	return a
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
	if d.op.State == UnknownOutcome && a.Lookup == nil && a.Decision == DecisionReconciling {
		a.Lookup = d.lookup()
	}
	changes := d.changes()
	if changes == nil {
		changes = &Changes{}
	}
	changes.Claims = append(changes.Claims, s.requestClaim(d.op.ID, earned))
	if a.Rule != "" && a.Decision != DecisionRetryLater {
		changes.Decisions = append(changes.Decisions, s.decision(d.op, a))
	}
	a.Operation = d.op
	a.At, a.Told = s.view.Now, tell(a, s.view.Now)
	return Decided{Reply: a, Changes: changes}
}

// decision records a "no" about now.
func (s *proposal) decision(o *Operation, a *Answer) Decision {
	dec := Decision{
		Namespace: s.Namespace, ID: s.NewDecision, At: s.view.Now, Principal: s.Principal, Tool: s.Tool,
		ToolVersion: s.Forms[0].ToolVersion, Key: s.Forms[0].Key, Kind: a.Decision, Rule: a.Rule, Explanation: a.Because,
		Inputs: map[string]string{"workflow_id": s.WorkflowID, "run_id": s.RunID, "fingerprint": string(s.Forms[0].Fingerprint)},
	}
	if o != nil && o.Version > 0 {
		dec.OperationID = o.ID
	}
	if a.Holder != nil {
		dec.Inputs["holder"] = string(a.Holder.OperationID)
	}
	return dec
}

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
	if ref, grouped := o.GroupRef(); grouped && pred != nil && pred.scope != nil && pred.scope.Ref == ref {
		d.scope, pred.scope = pred.scope, nil // one group: the successor carries on what its predecessor left
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
