package ledger

import (
	"slices"
	"time"

	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
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
	GrantID     string // where the proposer may not revise by itself; empty: none is named
}

// Propose is a proposal, canonical and checked against its tool's schema.
type Propose struct {
	Namespace   Namespace
	Principal   Principal
	RequestID   RequestID
	RequestHash string // of everything that makes this proposal what it is, to tell a repeat from another one
	Epoch       int64  // the configuration epoch that tool and rules were read at
	// Actor is the principal with the person behind it; its Principal may be left out.
	Actor Actor
	Rules *policy.Set
	Lease *LeaseProof // the lease token that came with the proposal; nil: none

	EntityVersion  *int64   // of the entity that the proposal was reasoned from; nil: none is named
	OverrideGrants []string // by id
	RepeatGrant    string   // by which the occurrence is named
	RepeatNeeded   bool     // the tool admits occurrences by grant only
	Requester      string   // the person who asked for the workflow, where that is known

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
	// Undoes is the compensation step that the ledger itself proposes; nil: it is anybody's proposal. No permit is given for
	// it: whoever carries it out takes it up, or proposes the same.
	Undoes *Undoes
	// QueueFull: too much waits for the tool's executor, so that nothing new is taken on; nil: there is room.
	QueueFull *QueueFull

	NewOperation OperationID
	NewAttempt   AttemptID
	NewDecision  DecisionID
	Jitter       float64
}

// QueueFull says how much waits for an executor, and when it is worth asking again.
type QueueFull struct {
	Waiting    int64
	RetryAfter time.Duration
}

// MaxRevisions bounds how often one identity may be tried afresh: more is a loop, not a correction.
const MaxRevisions = 20

// Claims are the request id and, for a new operation, the key under every version that continues.
func (p *Propose) Claims() []Claim {
	claims := []Claim{p.requestClaim(p.NewOperation, p.NewAttempt)}
	if p.PlanOnly || p.Revise != nil || p.reads() {
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
	fresh := p.operation()
	reads = append(reads, p.stepReads(v)...)
	reads = append(reads, followedBy(fresh)...)
	reads = append(reads, judgedBy(v, fresh, p.asking())...)
	if p.reads() {
		reads = append(reads, p.readReads(v)...)
	} else {
		for _, k := range p.keys() {
			reads = append(reads, p.keyClaim(k, 1).Read())
		}
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
	if p.Undoes != nil {
		return s.undo()
	}
	if p.Revise != nil {
		return s.revise()
	}
	if p.reads() {
		return s.read()
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

	refusal *Refusal // an error of the caller's that came up on the way to an answer
	others  []*draft // of other operations that the answer touches
}

// who is the actor with its principal.
func (p *Propose) who() Actor {
	a := p.Actor
	a.Principal = p.Principal
	return a
}

// asking is what the proposal is judged by.
func (p *Propose) asking() asking {
	return asking{rules: p.Rules, actor: p.who(), workflowID: p.WorkflowID, runID: p.RunID, proof: p.Lease}
}

// operation is the operation as the proposal would make it.
func (p *Propose) operation() *Operation {
	f := p.Forms[0]
	return &Operation{
		Namespace: p.Namespace, ID: p.NewOperation, Tool: p.Tool, ToolVersion: f.ToolVersion, Terms: p.Terms,
		Intent: f.Intent, Entity: f.Entity, Touches: f.Touches, Occurrence: f.Occurrence,
		Key: f.Key, Revision: 1, Fingerprint: f.Fingerprint, Canonical: f.Canonical, Arguments: p.Arguments,
		Ignored: p.Ignored, Sensitive: p.Sensitive, WorkflowID: p.WorkflowID, RunID: p.RunID, Proposer: p.Principal,
		Person: p.Actor.Person, ProposerTeams: p.Actor.Teams, ProposedLocally: p.Actor.Local, Requester: p.Requester, EntityVersion: p.EntityVersion,
		IntentNote: p.IntentNote, Correlation: p.Correlation, Undoes: p.Undoes,
	}
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
