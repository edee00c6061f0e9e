package ledgertest

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/registry"
)

// The caller of a Call that names none.
const (
	North ledger.Namespace = "north"
	Agent ledger.Principal = "agent"
)

// Call is a proposal in the words of a test. Zero fields take the caller's defaults.
type Call struct {
	Tool       Tool
	Key        string // the idempotency key
	Args       string // canonical arguments, as JSON
	Order      string // the entity order/<Order>; empty: none
	Occurrence string
	Namespace  ledger.Namespace
	Principal  ledger.Principal
	Run        string
	Request    string // a request id; empty: a fresh one
	Revise     ledger.OperationID
	PlanOnly   bool
	Ignored    map[string]string
	// Earlier are the forms under versions that this one continues.
	Earlier []ledger.Form

	Workflow string // empty: wf_1
	Person   string // behind the principal
	Teams    []string
	Local    bool // the one caller of a server without credentials
	Lease    *ledger.LeaseProof
	// EntityVersion is the version that the proposal was reasoned from; nil: none.
	EntityVersion *int64
	Overrides     []string // grants, by id
	RepeatGrant   string
	ReviseGrant   string
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// Command makes the proposal, with identifiers of its own: run twice it is one command's two tries.
func (w *World) Command(c Call) *ledger.Propose {
	if c.Namespace == "" {
		c.Namespace = North
	}
	if c.Principal == "" {
		c.Principal = Agent
	}
	if c.Run == "" {
		c.Run = "run_1"
	}
	if c.Request == "" {
		c.Request = w.ID("request")
	}
	if c.Args == "" {
		c.Args = "{}"
	}
	if c.Workflow == "" {
		c.Workflow = "wf_1"
	}
	f := ledger.Form{
		ToolVersion: c.Tool.Version, Key: ledger.IdempotencyKey(c.Key), Canonical: []byte(c.Args),
		Fingerprint: ledger.Fingerprint("sha256:" + hash(c.Args)), Intent: c.Tool.Name, Occurrence: c.Occurrence,
	}
	if c.Order != "" {
		f.Entity = locks.Entity{Type: "order", ID: c.Order}
	}
	p := &ledger.Propose{
		Namespace: c.Namespace, Principal: c.Principal, RequestID: ledger.RequestID(c.Request),
		RequestHash: hash(c.Tool.Name + c.Key + c.Args + c.Occurrence + string(c.Revise)), Epoch: w.rows.epochs[c.Namespace],
		Tool: c.Tool.Name, Terms: c.Tool.Terms, Forms: append([]ledger.Form{f}, c.Earlier...), Arguments: []byte(c.Args),
		Ignored: c.Ignored, WorkflowID: c.Workflow, RunID: c.Run, PlanOnly: c.PlanOnly,
		Actor: ledger.Actor{Principal: c.Principal, Person: c.Person, Teams: c.Teams, Local: c.Local}, Rules: w.Rules, Lease: c.Lease,
		EntityVersion: c.EntityVersion, OverrideGrants: c.Overrides, RepeatGrant: c.RepeatGrant,
		NewOperation: ledger.OperationID(w.ID("op")), NewAttempt: ledger.AttemptID(w.ID("att")), NewDecision: ledger.DecisionID(w.ID("dec")),
		Jitter: 0.5,
	}
	if c.Revise != "" {
		p.Revise = &ledger.Revise{OperationID: c.Revise, Reason: "on purpose", GrantID: c.ReviseGrant}
	}
	return p
}

// Propose proposes and expects an answer.
func (w *World) Propose(c Call) *ledger.Answer {
	w.t.Helper()
	reply, err := w.Do(w.Command(c))
	if err != nil {
		w.t.Fatalf("propose %s: %v", c.Key, err)
	}
	return reply.(*ledger.Answer)
}

// Execute proposes and expects a permit.
func (w *World) Execute(c Call) *Holder {
	w.t.Helper()
	a := w.Propose(c)
	if a.Permit == nil || a.Decision != ledger.DecisionExecute {
		w.t.Fatalf("propose %s: %s (%s), wanted a permit", c.Key, a.Decision, a.Because)
	}
	return w.HolderOf(a)
}

// Holder is a process that was given a permit.
type Holder struct {
	World     *World
	Namespace ledger.Namespace
	Operation ledger.OperationID
	Attempt   ledger.AttemptID
	Number    int64
	Nonce     string // born in the process's memory
	begun     bool
}

// HolderOf makes a process that holds the answer's permit.
func (w *World) HolderOf(a *ledger.Answer) *Holder {
	w.t.Helper()
	return &Holder{
		World: w, Namespace: a.Operation.Namespace, Operation: a.Operation.ID, Attempt: a.Permit.Attempt.ID,
		Number: a.Permit.Attempt.Number, Nonce: hash(w.ID("nonce")),
	}
}

// Copy is another process that holds the same permit.
func (h *Holder) Copy() *Holder {
	c := *h
	c.Nonce, c.begun = hash(h.World.ID("nonce")), false
	return &c
}

func (h *Holder) bearer() ledger.Bearer {
	return ledger.Bearer{Namespace: h.Namespace, Principal: Agent, OperationID: h.Operation, AttemptID: h.Attempt, TokenProven: true}
}

// Begin says that the first byte is about to leave.
func (h *Holder) Begin() error {
	h.World.t.Helper()
	_, err := h.World.Do(&ledger.Begin{Bearer: h.bearer(), NonceHash: h.Nonce, Epoch: h.World.Epoch(h.Namespace), Rules: h.World.Rules})
	h.begun = h.begun || err == nil
	return err
}

// Extend asks for more time.
func (h *Holder) Extend(by time.Duration) (*ledger.Held, error) {
	h.World.t.Helper()
	e := &ledger.Extend{Bearer: h.bearer(), By: by, ExtensionID: h.World.ID("ext"), Epoch: h.World.Epoch(h.Namespace), Rules: h.World.Rules}
	if h.begun {
		e.NonceHash = h.Nonce
	}
	reply, err := h.World.Do(e)
	if err != nil {
		return nil, err
	}
	return reply.(*ledger.Held), nil
}

// Report makes a report by the process, its sender having returned.
func (h *Holder) Report(o ledger.Outcome, change ...func(*ledger.Report)) *ledger.Report {
	r := &ledger.Report{
		Bearer: h.bearer(), ReportID: ledger.EvidenceID(h.World.ID("rep")), SenderReturned: true, Outcome: o, Jitter: 0.5,
	}
	if h.begun {
		r.NonceHash = h.Nonce
	}
	for _, c := range change {
		c(r)
	}
	return r
}

// Says reports.
func (h *Holder) Says(o ledger.Outcome, change ...func(*ledger.Report)) error {
	h.World.t.Helper()
	_, err := h.World.Do(h.Report(o, change...))
	return err
}

// Now is the operation as it stands.
func (h *Holder) Now() *ledger.Operation {
	h.World.t.Helper()
	return h.World.Operation(h.Namespace, h.Operation)
}

// Effect names the provider's object in a report.
func Effect(id string) func(*ledger.Report) { return func(r *ledger.Report) { r.EffectID = id } }

// StillRunning makes a report that of a layer round the sender, which has not returned.
func StillRunning(r *ledger.Report) { r.SenderReturned = false }

// Ask asks what may be looked up.
func (w *World) Ask(o *ledger.Operation) *ledger.Lookup {
	w.t.Helper()
	reply, err := w.Do(&ledger.Reconcile{Namespace: o.Namespace, Principal: Agent, OperationID: o.ID})
	if err != nil {
		w.t.Fatalf("reconcile %s: %v", o.ID, err)
	}
	return reply.(*ledger.Reconciliation).Lookup
}

// Statement makes evidence of an operation; a lookup is by its first way.
func (w *World) Statement(o *ledger.Operation, source ledger.Source, says ledger.Says, change ...func(*ledger.Statement)) *ledger.Reconcile {
	s := &ledger.Statement{ID: ledger.EvidenceID(w.ID("ev")), Source: source, Says: says, SeenVersion: o.Version}
	if source == ledger.SourceLookup && len(o.Terms.Lookups) > 0 {
		s.By = o.Terms.Lookups[0].By
	}
	for _, c := range change {
		c(s)
	}
	by := Agent
	if source == ledger.SourcePerson {
		by = "kim"
	}
	return &ledger.Reconcile{Namespace: o.Namespace, Principal: by, OperationID: o.ID, Statement: s, Jitter: 0.5}
}

// Tell hands in evidence and expects it to be taken.
func (w *World) Tell(r *ledger.Reconcile) *ledger.Reconciliation {
	w.t.Helper()
	reply, err := w.Do(r)
	if err != nil {
		w.t.Fatalf("reconcile %s: %v", r.OperationID, err)
	}
	return reply.(*ledger.Reconciliation)
}

// NotFound asks, lets the lookup take some time, and hands in that nothing was found.
func (w *World) NotFound(o *ledger.Operation, took time.Duration) *ledger.Reconciliation {
	w.t.Helper()
	ticket := w.Ask(o).Ticket
	w.Advance(took)
	return w.Tell(w.Statement(o, ledger.SourceLookup, ledger.SaysNot, func(s *ledger.Statement) { s.Ticket = ticket }))
}

// Found hands in that the effect was found by the operation's own client reference.
func (w *World) Found(o *ledger.Operation, effect string) *ledger.Reconciliation {
	w.t.Helper()
	return w.Tell(w.Statement(o, ledger.SourceLookup, ledger.SaysHappened, func(s *ledger.Statement) {
		s.By, s.ClientReference, s.EffectID = registry.ByClientReference, o.ClientReference, effect
	}))
}

// Person hands in an authorized person's word.
func (w *World) Person(o *ledger.Operation, says ledger.Says) *ledger.Reconciliation {
	w.t.Helper()
	return w.Tell(w.Statement(o, ledger.SourcePerson, says))
}

// Overrule hands in an authorized person's decision against stronger statements.
func (w *World) Overrule(o *ledger.Operation, says ledger.Says) *ledger.Reconciliation {
	w.t.Helper()
	return w.Tell(w.Statement(o, ledger.SourcePerson, says, func(s *ledger.Statement) { s.Overrule = true }))
}
