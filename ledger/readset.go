package ledger

import (
	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
)

// ReadKind is a kind of row that a command may depend on: one of those below, or a RecordKind.
type ReadKind string

// The kinds of reads.
const (
	ReadOperation ReadKind = "operation" // one operation by id
	ReadKey       ReadKind = "key"       // every revision under one idempotency key, with their operations
	ReadRequest   ReadKind = "request"   // what a request id earned
	ReadEffect    ReadKind = "effect"    // which operation owns a provider's object
	ReadScope     ReadKind = "scope"     // an exclusive group or lease on an entity
	ReadTool      ReadKind = "tool"      // a tool's head: newest version, enabled or not
	ReadEpoch     ReadKind = "epoch"     // a namespace's configuration epoch
	ReadReference ReadKind = "reference" // which operation carries a client reference, a vendor key or a provider's object
)

// Read names one row (or one small set of rows) in a namespace. It is comparable, so that a batch loads each once.
type Read struct {
	Kind      ReadKind
	Namespace Namespace
	ID        string       // operation id, key, principal and request id, provider object, tool name, counter name
	Entity    locks.Entity // of a scope or an entity
}

// ReadOf builds a read of a kind that an id names.
func ReadOf(kind ReadKind, ns Namespace, id string) Read {
	return Read{Kind: kind, Namespace: ns, ID: id}
}

// ReadScopeOf builds the read of a scope.
func ReadScopeOf(ref locks.Ref) Read {
	return Read{Kind: ReadScope, Namespace: Namespace(ref.Namespace), ID: ref.Name, Entity: ref.Entity}
}

// ScopeRef gives back the scope that a read of kind ReadScope names.
func (r Read) ScopeRef() locks.Ref {
	return locks.Ref{Namespace: string(r.Namespace), Entity: r.Entity, Name: r.ID}
}

// ClaimKind is a kind of uniqueness that the ledger holds as a constraint, never as a look-up.
type ClaimKind string

// The kinds of claims.
const (
	ClaimKey     ClaimKind = "key"     // (key, revision number) names one operation
	ClaimRequest ClaimKind = "request" // (principal, request id) names one proposal
	ClaimEffect  ClaimKind = "effect"  // (provider, account, effect id) belongs to one operation
	// ClaimReference: a reference by which a provider's events name an operation belongs to one operation.
	ClaimReference ClaimKind = "reference"
)

// ClaimID is what is unique: one row under one unique constraint (namespace, kind, value, number).
type ClaimID struct {
	Namespace Namespace
	Kind      ClaimKind
	Value     string
	Number    int64 // the revision under a key, from 1; zero for the other kinds
}

// Claim is a claimed identity and what it stands for.
type Claim struct {
	ClaimID
	OperationID OperationID // may be empty for a request that made and met no operation
	AttemptID   AttemptID   // of a request: the attempt that it earned
	Fingerprint string      // of a request: the hash of its proposal, so that another one is told apart
}

// Read is the read that finds whoever holds the claim.
func (c ClaimID) Read() Read {
	kind := map[ClaimKind]ReadKind{ClaimKey: ReadKey, ClaimRequest: ReadRequest, ClaimEffect: ReadEffect, ClaimReference: ReadReference}[c.Kind]
	return Read{Kind: kind, Namespace: c.Namespace, ID: c.Value}
}

// RequestValue is the claim value of a request id, scoped to its principal.
func RequestValue(p Principal, id RequestID) string { return string(p) + "\x1f" + string(id) }

// EffectValue is the claim value of a provider's object.
func EffectValue(provider, account, effectID string) string {
	return provider + "\x1f" + account + "\x1f" + effectID
}

// readsOf are the rows that a command about one operation depends on: the operation, and its group once it is known.
func readsOf(v *View, ns Namespace, id OperationID) []Read {
	reads := []Read{ReadOf(ReadOperation, ns, string(id)), wantedKey(ns).Read()}
	o, ok := v.known(ns, id)
	switch {
	case ok:
		reads = append(reads, ReadOf(ReadTool, ns, o.Tool))
		reads = append(reads, followedBy(o)...)
		if o.hasRelatives() {
			reads = append(reads, relativesOf(v, o)...)
		}
	case v.Loaded(reads[0]):
		reads = append(reads, ReadingKey(ns, id).Read())
	}
	return reads
}

// followedBy are the rows that follow an operation's changes of state: its group, the lease scopes of its entities, its
// histories and approvals, and the entity's state where the tool sets it.
func followedBy(o *Operation) []Read {
	var reads []Read
	if ref, grouped := o.GroupRef(); grouped {
		reads = append(reads, ReadScopeOf(ref))
	}
	if o.Terms.Mutates() {
		for _, e := range o.entities() {
			reads = append(reads, ReadScopeOf(locks.LeaseRefOf(string(o.Namespace), e)))
		}
	}
	for _, c := range o.Charges {
		reads = append(reads, HistoryKey(o.Namespace, c.History).Read())
	}
	for _, u := range o.usages() {
		reads = append(reads, HistoryKey(o.Namespace, u.id).Read())
	}
	for _, a := range o.Approvals {
		reads = append(reads, ApprovalKey(o.Namespace, a.ID).Read())
	}
	if o.Terms.SetsEntityState != "" && !o.Entity.IsZero() {
		reads = append(reads, EntityKey(o.Namespace, o.Entity).Read())
	}
	if o.Undoes != nil {
		reads = append(reads, StepKey(o.Namespace, o.Undoes.StepID).Read())
	}
	return reads
}

// judgedBy are the rows that a judgement of the operation reads beside those that follow it: whoever holds its group before
// it, the leases on its entities, its entity where a version of that is stated, and what the rules that apply to it read.
func judgedBy(v *View, o *Operation, q asking) []Read {
	var reads []Read
	if ref, grouped := o.GroupRef(); grouped {
		if holder, blocked := v.scopes[ReadScopeOf(ref)].Blocker(string(o.ID)); blocked { // it is described
			reads = append(reads, ReadOf(ReadOperation, o.Namespace, holder.OperationID))
		}
	}
	if o.Terms.Mutates() {
		for _, e := range o.entities() {
			if lease := v.scopes[ReadScopeOf(locks.LeaseRefOf(string(o.Namespace), e))].Lease; lease != nil {
				reads = append(reads, LeaseKey(o.Namespace, lease.LeaseID).Read())
			}
		}
	}
	if q.proof != nil {
		reads = append(reads, LeaseKey(o.Namespace, q.proof.LeaseID).Read())
	}
	reads = append(reads, workflowReads(o, q)...)
	if o.EntityVersion != nil && !o.Entity.IsZero() {
		reads = append(reads, EntityKey(o.Namespace, o.Entity).Read())
	}
	c, err := q.rules.For(o.facts(q))
	if err != nil || c.Empty() {
		return reads
	}
	for _, id := range c.Histories() {
		reads = append(reads, HistoryKey(o.Namespace, id).Read())
	}
	if c.ReadsEntity() && !o.Entity.IsZero() {
		reads = append(reads, EntityKey(o.Namespace, o.Entity).Read())
	}
	if ref, known := o.approvalScope(); known && c.MayAsk() { // an approver's no holds there
		reads = append(reads, ReadScopeOf(ref))
	}
	return reads
}

// judgedReads are the rows of a begin or an extension.
func judgedReads(v *View, ns Namespace, id OperationID, rules *policy.Set) []Read {
	reads := readsOf(v, ns, id)
	if o, ok := v.known(ns, id); ok {
		reads = append(reads, judgedBy(v, o, asking{rules: rules, workflowID: o.actingWorkflow()})...)
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
	if r := v.openReading(ns, id); r != nil {
		return r.Operation, true
	}
	o := v.operations[ReadOf(ReadOperation, ns, string(id))]
	return o, o != nil
}
