package ledger_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/locks"
)

// leaseMachine draws leases of three workflows in two runs each on two entities, with operations that keep them, and holds
// every step to what a lease promises.
type leaseMachine struct {
	w      *ledgertest.World
	leases []*ledger.Lease        // every lease that was ever granted, as it was granted
	alive  []*ledger.Lease        // those of them that have not been ended
	asking []*ledger.AcquireLease // acquisitions that go on asking
	open   []*ledgertest.Holder   // processes whose operations are begun and not reported
	fences map[locks.Entity]int64 // the greatest number that was given
	keys   int
}

var leased = orders("a", "b")

// some draws one or both of the entities, in any order.
func (m *leaseMachine) some(t *rapid.T) []locks.Entity {
	return rapid.SampledFrom([][]locks.Entity{{leased[0]}, {leased[1]}, leased, {leased[1], leased[0]}}).Draw(t, "entities")
}

func (m *leaseMachine) wish(t *rapid.T) *ledger.AcquireLease {
	workflow := rapid.SampledFrom([]string{"wf_1", "wf_2", "wf_3"}).Draw(t, "workflow")
	c := acquire(m.w, workflow, rapid.SampledFrom([]string{"run_1", "run_2"}).Draw(t, "run"), m.some(t)...)
	c.TTL = time.Duration(rapid.IntRange(1, 90).Draw(t, "ttl")) * time.Second
	return c
}

// Acquire asks once.
func (m *leaseMachine) Acquire(t *rapid.T) { m.ask(t, m.wish(t)) }

// Wait comes into the line.
func (m *leaseMachine) Wait(t *rapid.T) { m.ask(t, waiting(m.wish(t))) }

// AskAgain goes on asking, or stops.
func (m *leaseMachine) AskAgain(t *rapid.T) {
	if len(m.asking) == 0 {
		t.Skip("nobody waits")
	}
	c := *rapid.SampledFrom(m.asking).Draw(t, "waiting")
	c.Wait = rapid.SampledFrom([]time.Duration{0, time.Second, locks.MaxWait}).Draw(t, "wait")
	m.ask(t, &c)
}

// ask is held to the line: what the lease scopes say stands before an acquisition is what keeps it out, and nothing else.
func (m *leaseMachine) ask(t *rapid.T, c *ledger.AcquireLease) {
	free, outrun := m.free(c), m.outrun(c)
	reply, err := m.w.Do(pure{c, t})
	m.asking = slices.DeleteFunc(m.asking, func(a *ledger.AcquireLease) bool { return a.RequestID == c.RequestID })
	if outrun {
		if err == nil {
			t.Fatalf("run %s of %s was taken over, and is answered %+v", c.RunID, c.WorkflowID, reply)
		}
		return
	}
	if err != nil {
		t.Fatalf("acquire: %v", err)
	}
	a := reply.(*ledger.AcquiredLease)
	if a.Granted != free {
		t.Fatalf("granted %t to %s of %s, although that it was free is %t: %+v", a.Granted, c.RunID, c.WorkflowID, free, a)
	}
	if !a.Granted {
		if c.Wait > 0 {
			m.asking = append(m.asking, c)
		}
		return
	}
	for _, f := range a.Lease.Entities {
		if f.Fence <= m.fences[f.Entity] {
			t.Fatalf("the fencing number %d of %s was given after %d", f.Fence, f.Entity, m.fences[f.Entity])
		}
		m.fences[f.Entity] = f.Fence
	}
	m.leases, m.alive = append(m.leases, a.Lease), append(m.alive, a.Lease)
}

// now is a lease as it stands.
func (m *leaseMachine) now(l *ledger.Lease) *ledger.Lease {
	return m.w.Record(ledger.LeaseKey(ledgertest.North, l.ID)).(*ledger.Lease)
}

// holder finds the active lease on an entity among all that were ever granted; two are the end of the test. One that was
// ended is looked at no more: Renew shows that it does not come back.
func (m *leaseMachine) holder(e locks.Entity) (holder *ledger.Lease, two bool) {
	m.alive = slices.DeleteFunc(m.alive, func(l *ledger.Lease) bool { return !m.now(l).EndedAt.IsZero() })
	for _, granted := range m.alive {
		l := m.now(granted)
		if !l.Active(m.w.Now) || l.Fence(e) == 0 {
			continue
		}
		two = two || holder != nil
		holder = l
	}
	return holder, two
}

// free says what the answer must be, from all that was ever granted and from the scopes alone.
func (m *leaseMachine) free(c *ledger.AcquireLease) bool {
	for _, e := range c.Entities {
		l, _ := m.holder(e)
		if l != nil && l.WorkflowID == c.WorkflowID {
			continue
		}
		s := m.w.Scope(locks.LeaseRefOf(string(c.Namespace), e))
		if l != nil || slices.ContainsFunc(s.Holders, func(h locks.Holder) bool { return h.WorkflowID != c.WorkflowID }) {
			return false
		}
		for _, w := range s.Waiting {
			if w.RequestID == string(c.RequestID) && m.w.Now.Before(w.Until) {
				break
			}
			if m.w.Now.Before(w.Until) && w.WorkflowID != c.WorkflowID {
				return false
			}
		}
	}
	return true
}

// outrun reports whether another run of the workflow has taken over a lease of this run that was the last of an entity.
func (m *leaseMachine) outrun(c *ledger.AcquireLease) bool {
	for _, e := range c.Entities {
		ref := m.w.Scope(locks.LeaseRefOf(string(c.Namespace), e)).Lease
		if ref == nil || ref.WorkflowID != c.WorkflowID {
			continue
		}
		l := m.w.Record(ledger.LeaseKey(c.Namespace, ref.LeaseID)).(*ledger.Lease)
		if _, outrun := l.Outrun(c.RunID); outrun {
			return true
		}
	}
	return false
}

// Renew renews any lease that there ever was: it succeeds exactly where the lease is held.
func (m *leaseMachine) Renew(t *rapid.T) {
	if len(m.leases) == 0 {
		t.Skip("no lease yet")
	}
	l := m.now(rapid.SampledFrom(m.leases).Draw(t, "lease"))
	_, err := m.w.Do(pure{renew(m.w, l), t})
	if (err == nil) != l.Active(m.w.Now) {
		t.Fatalf("that lease %s is held is %t, and its renewal says %v", l.ID, l.Active(m.w.Now), err)
	}
}

// Release gives back any lease that there ever was, whole or in part: who has lost it is told so, and nobody else loses.
func (m *leaseMachine) Release(t *rapid.T) {
	if len(m.leases) == 0 {
		t.Skip("no lease yet")
	}
	l := m.now(rapid.SampledFrom(m.leases).Draw(t, "lease"))
	c := release(l)
	if rapid.Bool().Draw(t, "in part") {
		c.Entities = m.some(t)
	}
	before, _ := m.holder(leased[0])
	reply, err := m.w.Do(pure{c, t})
	if err != nil {
		t.Fatalf("release: %v", err)
	}
	if lost := reply.(*ledger.ReleasedLease).WasLost; lost != l.WasLost(m.w.Now) {
		t.Fatalf("that lease %s was lost is told as %t", l.ID, lost)
	}
	if after, _ := m.holder(leased[0]); before != nil && before.ID != l.ID && (after == nil || after.ID != before.ID) {
		t.Fatalf("giving back %s took %s from its holder", l.ID, before.ID)
	}
}

// Break frees an entity of all that is seen on it.
func (m *leaseMachine) Break(t *rapid.T) {
	e := rapid.SampledFrom(leased).Draw(t, "entity")
	reply, err := m.w.Do(&ledger.LookAtEntity{Namespace: ledgertest.North, Entity: e})
	if err != nil {
		t.Fatalf("look: %v", err)
	}
	c := breaks(e.ID, "")
	standing := reply.(*ledger.EntityStanding)
	if standing.Lease != nil {
		c.Etag = standing.Lease.Etag()
	}
	for _, h := range standing.KeptBy {
		c.Seen = append(c.Seen, h.OperationID)
	}
	_, err = m.w.Do(pure{c, t})
	if nothing := standing.Lease == nil && len(c.Seen) == 0; (err != nil) != nothing {
		t.Fatalf("break of %+v: %v", standing, err)
	}
	if l, _ := m.holder(e); l != nil {
		t.Fatalf("lease %s holds %s after it was broken", l.ID, e)
	}
}

// Operate sends an operation about an entity, by a workflow that the lease of the day lets through, and leaves it open.
func (m *leaseMachine) Operate(t *rapid.T) {
	e := rapid.SampledFrom(leased).Draw(t, "entity")
	m.keys++
	c := capture
	c.Workflow, c.Order, c.Key = rapid.SampledFrom([]string{"wf_1", "wf_2", "wf_3"}).Draw(t, "workflow"), e.ID, fmt.Sprint("capture:", m.keys)
	l, _ := m.holder(e)
	c.Run = "run_of_today" // which nobody has outrun
	if l != nil && l.WorkflowID == c.Workflow && rapid.Bool().Draw(t, "proves") {
		p := proof(l)
		c.Lease, c.Run = &p, l.RunID
	}
	reply, err := m.w.Do(pure{m.w.Command(c), t})
	allowed := l == nil || c.Lease != nil
	if err != nil && allowed {
		t.Fatalf("propose: %v", err)
	}
	if err != nil {
		return
	}
	a := reply.(*ledger.Answer)
	if (a.Permit != nil) != allowed {
		t.Fatalf("lease %+v, and %s is answered %s", l, c.Workflow, a.Decision)
	}
	if a.Permit != nil {
		m.open = append(m.open, m.w.HolderOf(a))
	}
}

// Report ends an operation, known or not.
func (m *leaseMachine) Report(t *rapid.T) {
	if len(m.open) == 0 {
		t.Skip("nothing is open")
	}
	i := rapid.IntRange(0, len(m.open)-1).Draw(t, "operation")
	h := m.open[i]
	m.open = slices.Delete(m.open, i, i+1)
	outcome := rapid.SampledFrom([]ledger.Outcome{ledger.OutcomeSucceeded, ledger.OutcomeRejected, ledger.OutcomeAmbiguous}).Draw(t, "outcome")
	_ = h.Says(outcome, ledgertest.Effect(string(h.Operation))) // a late one is refused and kept
}

// Pass lets time pass, and what is due run.
func (m *leaseMachine) Pass(t *rapid.T) {
	m.w.Advance(time.Duration(rapid.IntRange(1, 100).Draw(t, "seconds")) * time.Second)
	m.w.RunDue()
}

// Check holds after every step.
func (m *leaseMachine) Check(t *rapid.T) {
	for _, e := range leased {
		if _, two := m.holder(e); two {
			t.Fatalf("two leases hold %s", e)
		}
		s := m.w.Scope(locks.LeaseRefOf(string(ledgertest.North), e))
		if s.Fence != m.fences[e] {
			t.Fatalf("the fencing number of %s is %d, given were up to %d", e, s.Fence, m.fences[e])
		}
		for _, w := range s.Waiting {
			if w.Until.Sub(m.w.Now) > locks.Presence {
				t.Fatalf("%s keeps its place for longer than its presence: %+v at %s", w.RequestID, w, m.w.Now)
			}
		}
	}
}

// TestPropertyLeases: whatever three workflows of two runs do with two entities, no entity has two holders, fencing
// numbers only grow, the line is served in order, and no wait is in vain for longer than a presence.
func TestPropertyLeases(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := &leaseMachine{w: ledgertest.New(t), fences: map[locks.Entity]int64{}}
		t.Repeat(map[string]func(*rapid.T){
			"": m.Check, "acquire": m.Acquire, "wait": m.Wait, "ask again": m.AskAgain, "renew": m.Renew, "release": m.Release,
			"break": m.Break, "operate": m.Operate, "report": m.Report, "pass": m.Pass,
		})
		m.drain(t)
	})
}

// drain shows that nobody starves: once leases end and operations are settled, those who go on asking are granted, in the
// order of the line, within the longest lease and a presence each.
func (m *leaseMachine) drain(t *rapid.T) {
	line := []*ledger.AcquireLease{waiting(acquire(m.w, "wf_4", "run_1", leased...)), waiting(acquire(m.w, "wf_5", "run_1", leased...))}
	var served []string
	for range 100 {
		for _, c := range line {
			if slices.Contains(served, c.WorkflowID) {
				continue
			}
			reply, err := m.w.Do(c)
			if err != nil {
				t.Fatalf("acquire: %v", err)
			}
			if a := reply.(*ledger.AcquiredLease); a.Granted {
				served = append(served, c.WorkflowID)
				if _, err := m.w.Do(release(a.Lease)); err != nil {
					t.Fatalf("release: %v", err)
				}
			}
		}
		if len(served) == len(line) {
			break
		}
		m.w.Advance(locks.Presence / 3)
		m.settleAll(t)
	}
	if !slices.Equal(served, []string{"wf_4", "wf_5"}) {
		t.Fatalf("served were %q: %+v", served, m.w.Scope(locks.LeaseRefOf(string(ledgertest.North), leased[0])))
	}
}

// settleAll settles what is open by a person's word.
func (m *leaseMachine) settleAll(t *rapid.T) {
	m.w.RunDue()
	for _, o := range m.w.Operations() {
		if o.State == ledger.UnknownOutcome {
			if _, err := m.w.Do(m.w.Statement(o, ledger.SourcePerson, ledger.SaysHappened)); err != nil {
				t.Fatalf("settle: %v", err)
			}
		}
	}
}
