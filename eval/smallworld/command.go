package smallworld

import (
	"strconv"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
)

// Who and what the commands of the small world name.
const (
	namespace ledger.Namespace = "small"
	agent     ledger.Principal = "agent"
	someone   ledger.Principal = "someone"
	tool                       = "act"
)

var entity = locks.Entity{Type: "order", ID: "1"}

func number(i int) string { return strconv.Itoa(i + 1) }

func operationID(i int) ledger.OperationID { return ledger.OperationID("op_" + number(i)) }

func attemptID(i, n int) ledger.AttemptID {
	return ledger.AttemptID("att_" + number(i) + "_" + strconv.Itoa(n))
}

func workflow(i int) string { return "wf_" + number(i) }

// pausing are the rules by which the operator forbids the tool.
var pausing, _ = policy.Compile(policy.Config{Switches: []policy.Switch{{Tool: tool, Paused: true, Reason: "an operator has forbidden it"}}})

// read is the policy of a configuration epoch: the operator forbids the tool in the first.
func read(epoch int64) *policy.Set {
	if epoch == 0 {
		return nil
	}
	return pausing
}

// propose makes the proposal of an operation, under the request that asks for its nth attempt.
func (r rules) propose(w *world, i, n int, epoch int64) *ledger.Propose {
	f := ledger.Form{
		ToolVersion: 1, Key: ledger.IdempotencyKey("key_" + number(i)), Canonical: []byte("{}"),
		Fingerprint: ledger.Fingerprint("sha256:" + number(i)), Intent: tool,
	}
	if r.group || r.leases {
		f.Entity = entity
	}
	p := &ledger.Propose{
		Namespace: namespace, Principal: agent, Actor: ledger.Actor{Principal: agent}, Tool: tool, Terms: r.terms(),
		RequestID:   ledger.RequestID("req_" + number(i) + "_" + strconv.Itoa(n)),
		RequestHash: number(i), Epoch: epoch, Rules: read(epoch), Forms: []ledger.Form{f}, Arguments: []byte("{}"),
		WorkflowID: workflow(i), RunID: "run_1",
		NewOperation: operationID(i), NewAttempt: attemptID(i, n), NewDecision: "dec_1",
	}
	if l := w.lease(i); l != nil {
		p.Lease = &ledger.LeaseProof{LeaseID: l.ID, Proven: true}
	}
	return p
}

func (w *world) bearer(p *process) ledger.Bearer {
	return ledger.Bearer{
		Namespace: namespace, Principal: agent, OperationID: operationID(p.operation),
		AttemptID: w.operation(p.operation).Attempts[p.attempt-1].ID, TokenProven: true,
	}
}

func (w *world) begin(p *process, epoch int64) *ledger.Begin {
	return &ledger.Begin{Bearer: w.bearer(p), NonceHash: p.nonce(), Epoch: epoch, Rules: read(epoch)}
}

func (w *world) extend(p *process) *ledger.Extend {
	e := &ledger.Extend{Bearer: w.bearer(p), By: (permit + 1) * tick, ExtensionID: "ext" + p.suffix(), Epoch: w.rows.epoch, Rules: read(w.rows.epoch)}
	if p.phase == begun {
		e.NonceHash = p.nonce()
	}
	return e
}

// report makes the report of a process, or of a layer round it whose sender has not returned.
func (w *world) report(r rules, p *process, o ledger.Outcome, returned bool) *ledger.Report {
	id := "rep" + p.suffix() + "_" + string(o)
	if !returned {
		id += "_outer"
	}
	if p.again {
		id += "_again"
	}
	rep := &ledger.Report{Bearer: w.bearer(p), ReportID: ledger.EvidenceID(id), SenderReturned: returned, Outcome: o, EffectID: p.effect}
	if a := &w.operation(p.operation).Attempts[p.attempt-1]; r.begin && a.NonceHash == p.nonce() {
		rep.NonceHash = p.nonce()
	}
	return rep
}

// reconcile hands in the answer of a question.
func (w *world) reconcile(s server) *ledger.Reconcile {
	o := w.operation(s.operation)
	said := &ledger.Statement{
		ID: ledger.EvidenceID("look_" + strconv.FormatInt(o.Version, 10)), Source: ledger.SourceLookup, Says: ledger.SaysNot,
		By: registry.ByClientReference, Ticket: ledger.Ticket{IssuedAt: timeOf(s.asked), Attempts: s.attempts}.String(),
	}
	if s.found {
		said.Says, said.ClientReference, said.EffectID = ledger.SaysHappened, o.ClientReference, effectID(s.operation, 0)
	}
	return &ledger.Reconcile{Namespace: namespace, OperationID: o.ID, Statement: said}
}

func (w *world) wake(due ledger.Due, stamp int64) *ledger.Wake {
	due.Stamp = stamp
	return &ledger.Wake{Due: due}
}

func (w *world) take(o *ledger.Operation, i int, s server) *ledger.Take {
	have, _ := ledger.WorkOf(o)
	have.Namespace, have.OperationID, have.Stamp = namespace, o.ID, s.stamp
	return &ledger.Take{
		Work: have, Actor: ledger.Actor{Principal: agent}, NewAttempt: attemptID(i, len(o.Attempts)+1), NewDecision: "dec_1",
		Epoch: w.rows.epoch, Rules: read(w.rows.epoch),
	}
}

// lease is the lease that a workflow holds now; nil: none.
func (w *world) lease(i int) *ledger.Lease {
	for _, have := range w.rows.records {
		if l, ok := have.(*ledger.Lease); ok && l.WorkflowID == workflow(i) && l.Active(w.time()) {
			return l
		}
	}
	return nil
}

func (w *world) acquire(i int) *ledger.AcquireLease {
	id := "lea_" + strconv.Itoa(len(w.rows.records)+1)
	return &ledger.AcquireLease{
		Namespace: namespace, Actor: ledger.Actor{Principal: agent}, RequestID: ledger.RequestID(id), NewLease: id,
		Entities: []locks.Entity{entity}, WorkflowID: workflow(i), RunID: "run_1", TTL: leaseTTL * time.Duration(tick),
	}
}
