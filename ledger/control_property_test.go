package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
)

// contest is three workflows, each with two runs, over two entities: leases are taken, taken over, lost and broken while
// operations are proposed with and without them, begun, extended, reported and left alone.
type contest struct {
	t       *rapid.T
	w       *ledgertest.World
	leases  []string // every lease that was ever granted
	holders []*ledgertest.Holder
}

var contested = []locks.Entity{{Type: "order", ID: "order_1"}, {Type: "order", ID: "order_2"}}

func (c *contest) workflow() string {
	return rapid.SampledFrom([]string{"wf_1", "wf_2", "wf_3"}).Draw(c.t, "workflow")
}

func (c *contest) run() string { return rapid.SampledFrom([]string{"run_1", "run_2"}).Draw(c.t, "run") }

func (c *contest) lease(id string) *ledger.Lease {
	l, _ := c.w.Record(ledger.LeaseKey(ledgertest.North, id)).(*ledger.Lease)
	return l
}

// on is the lease that holds an entity now, or nil.
func (c *contest) on(e locks.Entity) *ledger.Lease {
	for _, r := range c.w.Records(ledger.RecordLease) {
		if l := r.(*ledger.Lease); l.Active(c.w.Now) && l.Fence(e) != 0 {
			return l
		}
	}
	return nil
}

func (c *contest) proof() *ledger.LeaseProof {
	if len(c.leases) == 0 || rapid.IntRange(0, 3).Draw(c.t, "without token") == 0 {
		return nil
	}
	return &ledger.LeaseProof{LeaseID: rapid.SampledFrom(c.leases).Draw(c.t, "token"), Proven: true}
}

func (c *contest) acquire() {
	entities := contested
	if n := rapid.IntRange(0, 2).Draw(c.t, "entities"); n < 2 {
		entities = contested[n : n+1]
	}
	before := map[locks.Entity]*ledger.Lease{}
	for _, e := range contested {
		before[e] = c.on(e)
	}
	a := &ledger.AcquireLease{
		Namespace: ledgertest.North, Actor: ledger.Actor{Principal: ledgertest.Agent}, RequestID: ledger.RequestID(c.w.ID("request")), NewLease: c.w.ID("lea"),
		Entities: entities, WorkflowID: c.workflow(), RunID: c.run(), TTL: time.Duration(rapid.IntRange(1, 120).Draw(c.t, "ttl")) * time.Second,
	}
	reply, err := c.w.Do(pure{a, c.t})
	if err != nil {
		return
	}
	got := reply.(*ledger.AcquiredLease)
	if !got.Granted {
		return
	}
	c.leases = append(c.leases, got.Lease.ID)
	for _, e := range entities {
		if was := before[e]; was != nil && was.WorkflowID != a.WorkflowID {
			c.t.Fatalf("%s was granted to %s while %s holds it", e, a.WorkflowID, was.WorkflowID)
		}
		for _, o := range c.w.Operations() {
			if keepsFrom(o, e, a.WorkflowID) {
				c.t.Fatalf("%s was granted to %s while operation %s of another workflow is %s", e, a.WorkflowID, o.ID, o.State)
			}
		}
	}
}

// keepsFrom reports whether an operation of another workflow may still have its effect on the entity.
func keepsFrom(o *ledger.Operation, e locks.Entity, workflow string) bool {
	about := o.Entity == e
	for _, t := range o.Touches {
		about = about || t == e
	}
	if !about || !o.Terms.Mutates() || o.Lifted != nil {
		return false
	}
	switch o.State {
	case ledger.Dispatched, ledger.Acknowledged, ledger.UnknownOutcome, ledger.Compensating:
	default:
		return false
	}
	for _, a := range o.Attempts { // one that is known to be without effect keeps nothing
		if a.Verdict != ledger.VerdictNone && a.WorkflowID != workflow {
			return true
		}
	}
	return false
}

func (c *contest) propose() {
	tool := rapid.SampledFrom([]ledgertest.Tool{ledgertest.PaymentCapture, ledgertest.EmailSend, ledgertest.ContactUpsert}).Draw(c.t, "tool")
	if tool.Name != ledgertest.ContactUpsert.Name {
		tool.Terms.Group = "money"
	}
	e := rapid.SampledFrom(contested).Draw(c.t, "entity")
	key := fmt.Sprint(tool.Name, ":", e, ":", rapid.IntRange(1, 3).Draw(c.t, "key"))
	call := ledgertest.Call{Tool: tool, Key: key, Order: e.ID, Args: fmt.Sprintf(`{"key":%q}`, key), Workflow: c.workflow(), Run: c.run(), Lease: c.proof()}
	command := c.w.Command(call)
	if rapid.IntRange(0, 3).Draw(c.t, "touches") == 0 {
		other := contested[0]
		if e == other {
			other = contested[1]
		}
		command.Forms[0].Touches = []locks.Entity{other}
	}
	reply, err := c.w.Do(pure{command, c.t})
	if err != nil {
		return
	}
	a := reply.(*ledger.Answer)
	if a.Permit == nil {
		return
	}
	h := c.w.HolderOf(a)
	c.holders = append(c.holders, h)
	c.mayAct(h, "was given a permit")
}

// mayAct fails the test where an attempt acts that must not: another workflow holds the entity or what is touched, or the
// lease that the tool needs, or that the permit was given under, is lost.
func (c *contest) mayAct(h *ledgertest.Holder, what string) {
	o := h.Now()
	a := o.Attempts[h.Number-1]
	for _, e := range append([]locks.Entity{o.Entity}, o.Touches...) {
		l := c.on(e)
		switch {
		case l != nil && l.WorkflowID != a.WorkflowID:
			c.t.Fatalf("attempt %d of %s (%s) %s on %s, which %s holds", a.Number, o.ID, a.WorkflowID, what, e, l.WorkflowID)
		case l != nil && a.LeaseID != l.ID:
			c.t.Fatalf("attempt %d of %s %s on %s without the proof of the lease on it", a.Number, o.ID, what, e)
		case a.LeaseID != "" && l == nil && fenced(&a, e):
			c.t.Fatalf("attempt %d of %s %s under a lost lease", a.Number, o.ID, what)
		case l == nil && o.Tool == ledgertest.EmailSend.Name:
			c.t.Fatalf("%s needs a lease, and attempt %d of %s %s without one", o.Tool, a.Number, o.ID, what)
		}
	}
}

func fenced(a *ledger.Attempt, e locks.Entity) bool {
	for _, f := range a.Fences {
		if f.Entity == e && f.Scope == locks.LeaseName {
			return true
		}
	}
	return false
}

func (c *contest) act() {
	if len(c.holders) == 0 {
		return
	}
	h := rapid.SampledFrom(c.holders).Draw(c.t, "holder")
	switch rapid.IntRange(0, 3).Draw(c.t, "act") {
	case 0:
		before := h.Now().Attempts[h.Number-1]
		if h.Begin() == nil && !before.Begun() { // repeated, it is one begin
			c.mayAct(h, "was begun")
		}
	case 1:
		if _, err := h.Extend(time.Minute); err == nil {
			c.mayAct(h, "was extended")
		}
	default:
		outcome := rapid.SampledFrom([]ledger.Outcome{ledger.OutcomeSucceeded, ledger.OutcomeNotSent, ledger.OutcomeAmbiguous, ledger.OutcomeRejected}).Draw(c.t, "outcome")
		_, _ = c.w.Do(pure{h.Report(outcome, ledgertest.Effect(string(h.Operation)+":e")), c.t})
	}
}

func (c *contest) disturb() {
	switch rapid.IntRange(0, 4).Draw(c.t, "disturbance") {
	case 0:
		c.w.Advance(time.Duration(rapid.IntRange(1, 200).Draw(c.t, "seconds")) * time.Second)
		c.w.RunDue()
	case 1, 2:
		if p := c.proof(); p != nil {
			_, _ = c.w.Do(pure{&ledger.ReleaseLease{Namespace: ledgertest.North, Actor: ledger.Actor{Principal: ledgertest.Agent}, Proof: *p}, c.t})
		}
	case 3:
		if p := c.proof(); p != nil {
			_, _ = c.w.Do(pure{&ledger.RenewLease{Namespace: ledgertest.North, Actor: ledger.Actor{Principal: ledgertest.Agent}, Proof: *p, RenewalID: c.w.ID("renewal")}, c.t})
		}
	case 4:
		c.breakLease()
	}
}

func (c *contest) breakLease() {
	e := rapid.SampledFrom(contested).Draw(c.t, "entity")
	b := &ledger.BreakLease{Namespace: ledgertest.North, Actor: ledger.Actor{Principal: "ops"}, Entity: e, Reason: "test", Jitter: 0.5}
	if l := c.on(e); l != nil {
		b.Etag = l.Etag()
	}
	for _, h := range c.w.Scope(locks.LeaseRefOf(string(ledgertest.North), e)).Holders {
		b.Seen = append(b.Seen, ledger.OperationID(h.OperationID))
	}
	_, _ = c.w.Do(pure{b, c.t})
}

// TestThreeWorkflowsOnTwoEntities: random interleavings never give two live permits for one exclusive entity, nor a
// permit, begin or extension under a lost lease or beside another workflow's. The audit of the World runs after each step.
func TestThreeWorkflowsOnTwoEntities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &contest{t: t, w: ledgertest.New(t)}
		c.w.Policy(nil, ledgertest.EmailSend.WithRules(func(r *policy.ToolRules) { r.LeaseHeld = true }))
		for range rapid.IntRange(5, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0, 1:
				c.acquire()
			case 2, 3, 4, 5:
				c.propose()
			case 6, 7:
				c.act()
			default:
				c.disturb()
			}
		}
	})
}
