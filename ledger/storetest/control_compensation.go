package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
)

// undo asks for the compensation of an operation in two steps, as it stands at the given version.
func (p *plane) undo(o *ledger.Operation, id string) *ledger.Compensate {
	step := func(name string) ledger.UndoStep {
		return ledger.UndoStep{Name: name, Tool: refundTool.Name, Arguments: fmt.Appendf(nil, `{"amount":1,"customer":%q}`, name)}
	}
	effect := o.Effects[0].EffectID
	return &ledger.Compensate{
		Namespace: tenant, Actor: ledger.Actor{Principal: "kim"}, OperationID: o.ID, EffectID: effect, Reason: "reason " + id, Epoch: p.epoch,
		PlannedAt: o.Version, Plan: &ledger.UndoPlan{EffectID: effect, Steps: []ledger.UndoStep{step("first"), step("second")}}, Jitter: 0.5,
	}
}

// stepping proposes a step, as the n-th server that found it due does.
func (p *plane) stepping(s *ledger.Step, n int) *ledger.Propose {
	c := p.refunding(string(s.Name), n, 1)
	c.Arguments = s.Arguments
	c.Forms[0].Canonical, c.Forms[0].Key, c.Forms[0].Occurrence = s.Arguments, ledger.IdempotencyKey("step:"+s.ID), s.Occurrence()
	c.Forms[0].Fingerprint, c.Forms[0].Entity = ledger.Fingerprint("sha256:"+s.ID), ordersOf("undone")[0]
	c.Undoes = &ledger.Undoes{Original: s.Original, StepID: s.ID}
	return c
}

// read reads an operation from the database.
func (p *plane) read(id ledger.OperationID) *ledger.Operation {
	p.t.Helper()
	o, err := p.next().Engine().GetOperation(p.t.Context(), tenant, id)
	if err != nil {
		p.t.Fatal(err)
	}
	return o
}

// steps reads the steps of an operation's first compensation.
func (p *plane) steps(o *ledger.Operation) []*ledger.Step {
	p.t.Helper()
	var list []*ledger.Step
	for _, id := range p.read(o.ID).Undoing[0].Steps {
		r, err := p.next().Engine().GetRecord(p.t.Context(), ledger.StepKey(tenant, id))
		if err != nil {
			p.t.Fatal(err)
		}
		list = append(list, r.(*ledger.Step))
	}
	return list
}

// compensation is begun, carried out and repeated by commands that go from server to server, and by many at once.
func compensation(t *testing.T, fresh Make) {
	t.Run("many at once, each step once", func(t *testing.T) {
		p := controlled(t, fresh)
		const servers = 12
		permit := p.decides(does[ledger.Answer](p, p.refunding("kim", 1, 100)), ledger.DecisionExecute)
		p.says(permit, ledger.OutcomeSucceeded)
		o := p.read(permit.Operation.ID)
		replies, errs := p.atOnce(servers, func(i int) ledger.Command { return p.undo(o, fmt.Sprint(i)) })
		for i, reply := range replies {
			var moved *ledger.OperationMovedError // built on the version before the first one's
			if errs[i] != nil && !errors.As(errs[i], &moved) {
				t.Fatal(errs[i])
			}
			if errs[i] == nil && len(reply.(*ledger.Compensation).Steps) != 2 {
				t.Fatalf("it has the steps %+v", reply)
			}
		}
		if n := len(p.steps(o)); n != 2 || len(p.read(o.ID).Undoing) != 1 {
			t.Fatalf("%d steps of %d compensations", n, len(p.read(o.ID).Undoing))
		}
		for number := range 2 {
			s := p.steps(o)[number]
			claimed, err := p.next().Engine().ClaimDueRecords(t.Context(), ledger.RecordStep, "claimer", 10, time.Minute)
			if err != nil || len(claimed) == 0 {
				t.Fatalf("nothing is due: %v, %v", claimed, err)
			}
			p.atOnce(servers, func(int) ledger.Command { return &ledger.AdvanceStep{Key: s.Key(), Jitter: 0.5} })
			replies, errs = p.atOnce(servers, func(i int) ledger.Command { return p.stepping(s, 100*(number+1)+i) })
			carries := p.steps(o)[number].OperationID
			for i, reply := range replies {
				if errs[i] != nil {
					t.Fatal(errs[i])
				}
				if a := reply.(*ledger.Answer); a.Permit != nil || a.Operation.ID != carries {
					t.Fatalf("the step is carried out by %s, and server %d was told of %s", carries, i, a.Operation.ID)
				}
			}
			executor := p.stepping(s, 1000+number)
			executor.Undoes = nil
			p.says(p.decides(does[ledger.Answer](p, executor), ledger.DecisionExecute), ledger.OutcomeSucceeded)
			for _, s := range p.steps(o) {
				p.atOnce(servers, func(int) ledger.Command { return &ledger.AdvanceStep{Key: s.Key(), Jitter: 0.5} })
			}
			if want := []ledger.State{ledger.Compensating, ledger.Compensated}[number]; p.read(o.ID).State != want {
				t.Fatalf("after step %d it is %s", number+1, p.read(o.ID).State)
			}
		}
		all, err := p.next().Engine().ListOperations(t.Context(), ledger.OperationQuery{Namespace: tenant, Limit: 100})
		if err != nil || len(all) != 3 {
			t.Fatalf("there are %d operations, %v; want the original and two steps", len(all), err)
		}
	})
	t.Run("a step that waits is due again", func(t *testing.T) {
		p := controlled(t, fresh)
		permit := p.decides(does[ledger.Answer](p, p.refunding("kim", 1, 100)), ledger.DecisionExecute)
		p.says(permit, ledger.OutcomeSucceeded)
		o := p.read(permit.Operation.ID)
		does[ledger.Compensation](p, p.undo(o, "1"))
		s := p.steps(o)[0]
		does[ledger.StepAdvanced](p, &ledger.PostponeStep{Key: s.Key(), Because: "not now", After: time.Minute, Jitter: 0.5})
		due := func() int {
			claimed, err := p.next().Engine().ClaimDueRecords(t.Context(), ledger.RecordStep, "claimer", 10, time.Second)
			if err != nil {
				t.Fatal(err)
			}
			return len(claimed)
		}
		if n := due(); n != 0 {
			t.Fatalf("%d steps are due before their time", n)
		}
		p.advance(2 * time.Minute)
		if n := due(); n != 1 {
			t.Fatalf("%d steps are due", n)
		}
		if again := does[ledger.StepAdvanced](p, &ledger.AdvanceStep{Key: s.Key(), Jitter: 0.5}); again.Propose == nil || again.Propose.WaitsFor != "not now" {
			t.Fatalf("%+v", again)
		}
	})
}
