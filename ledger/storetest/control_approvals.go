package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/policy"
)

// asking is a rule by which so many leads are asked within an hour.
func asking(count int) policy.Rule {
	return policy.Rule{ID: "asks", Version: 1, Approval: &policy.ApprovalNeed{
		Count: count, Roles: []string{"lead"}, ExpiresAfter: hour, OnExpiry: policy.ExpiryDeny, NoHoldsFor: 24 * hour,
	}}
}

// lead is a person who may be asked.
func lead(name string) ledger.Actor {
	return ledger.Actor{Principal: ledger.Principal("cred/" + name), Person: name, Teams: []string{"lead"}}
}

// asked proposes, and expects that persons are asked.
func (p *plane) asked(c *ledger.Propose) *ledger.Approval {
	p.t.Helper()
	a := p.decides(does[ledger.Answer](p, c), ledger.DecisionAwaitingApproval)
	if len(a.Approvals) != 1 || a.Permit != nil || a.Operation.State != ledger.Planned {
		p.t.Fatalf("asked are %+v", a.Approvals)
	}
	return a.Approvals[0]
}

// word is a person's word on an approval as it was seen.
func (p *plane) word(who ledger.Actor, seen *ledger.Approval, yes bool) *ledger.DecideApproval {
	return &ledger.DecideApproval{
		Namespace: tenant, Actor: who, RequestID: ledger.RequestID("word-" + who.Person), ApprovalID: seen.ID, Approve: yes, Etag: seen.Etag(),
		Epoch: p.epoch, Rules: p.rules,
	}
}

// stored is an approval as the database has it.
func (p *plane) stored(id string) *ledger.Approval {
	p.t.Helper()
	key := ledger.RecordKey{Kind: ledger.RecordApproval, Namespace: tenant, ID: id}
	a, found := view(p.t, p.engine, key.Read()).Record(key.Read()).(*ledger.Approval)
	if !found {
		p.t.Fatalf("there is no approval %s", id)
	}
	return a
}

// approvals are asked for, given, denied and left to expire by commands that go from server to server; of words that come
// at the same moment, each counts once, and there is one outcome.
func approvals(t *testing.T, fresh Make) {
	t.Run("two persons, and then the permit", func(t *testing.T) {
		p := controlled(t, fresh, asking(2))
		open := p.asked(p.refunding("kim", 1, 100))
		p.refusedAs(p.word(ledger.Actor{Principal: "x", Person: "ann", Teams: []string{"lead"}}, open, true), ledger.ReasonRolesNotApart)
		first := does[ledger.ApprovalDecided](p, p.word(lead("ben"), open, true)).Approval
		p.refusedAs(p.word(lead("cleo"), open, true), ledger.ReasonVersionSeenOutdated)
		p.decides(does[ledger.Answer](p, p.again("kim", 1, 100)), ledger.DecisionAwaitingApproval)
		second := does[ledger.ApprovalDecided](p, p.word(lead("cleo"), first, true))
		if second.Approval.State != ledger.ApprovalGranted || second.Operation.State != ledger.PendingDispatch {
			t.Fatalf("granted: %+v, and the operation is %s", second.Approval, second.Operation.State)
		}
		a := p.decides(does[ledger.Answer](p, p.again("kim", 1, 100)), ledger.DecisionExecute)
		if got := p.stored(open.ID).State; got != ledger.ApprovalReserved && got != ledger.ApprovalSpent {
			t.Fatalf("under its permit the approval is %s", got)
		}
		p.says(a, ledger.OutcomeSucceeded)
		if got := p.stored(open.ID).State; got != ledger.ApprovalSpent {
			t.Fatalf("after its use the approval is %s", got)
		}
	})
	t.Run("a no, and an end of time", func(t *testing.T) {
		p := controlled(t, fresh, asking(1))
		denied := p.asked(p.refunding("kim", 1, 100))
		if o := does[ledger.ApprovalDecided](p, p.word(lead("ben"), denied, false)).Operation; o.State != ledger.FailedPermanent {
			t.Fatalf("a denied operation is %s", o.State)
		}
		p.decides(does[ledger.Answer](p, p.again("kim", 1, 100)), ledger.DecisionDenied)
		p.refusedAs(p.word(lead("cleo"), p.stored(denied.ID), true), ledger.ReasonApprovalNotOpen)

		late := p.asked(p.refunding("kim", 2, 100))
		p.advance(hour - time.Minute)
		p.decides(does[ledger.Answer](p, p.again("kim", 2, 100)), ledger.DecisionAwaitingApproval)
		p.advance(2 * time.Minute)
		p.refusedAs(p.word(lead("ben"), p.stored(late.ID), true), ledger.ReasonApprovalNotOpen)
		if a := does[ledger.Answer](p, p.again("kim", 2, 100)); a.Permit != nil || a.Operation.State != ledger.FailedPermanent {
			t.Fatalf("after its end the operation is %s (%s)", a.Operation.State, a.Decision)
		}
	})
	t.Run("many words at once have one outcome", func(t *testing.T) {
		p := controlled(t, fresh, asking(1))
		for n := range 6 {
			open := p.asked(p.refunding("kim", n, 100))
			replies, errs := p.atOnce(9, func(i int) ledger.Command {
				if i == 8 {
					return &ledger.CancelOperation{Namespace: tenant, Principal: "agent", OperationID: open.OperationID, Reason: "enough"}
				}
				return p.word(lead(fmt.Sprint("lead", i)), open, i%2 == 0)
			})
			var counted []*ledger.Approval
			for i, reply := range replies[:8] {
				var no *ledger.Refusal
				switch {
				case errs[i] == nil:
					counted = append(counted, reply.(*ledger.ApprovalDecided).Approval)
				case !errors.As(errs[i], &no) || no.Reason != ledger.ReasonVersionSeenOutdated && no.Reason != ledger.ReasonApprovalNotOpen:
					t.Fatalf("word %d: %v", i, errs[i])
				}
			}
			end := p.stored(open.ID)
			o := get(t, p.engine, &ledger.Operation{Namespace: tenant, ID: open.OperationID})
			switch {
			case len(counted) > 1:
				t.Fatalf("%d words were counted where one is asked", len(counted))
			case len(counted) == 1 && len(end.Words) != 1, len(counted) == 0 && (len(end.Words) != 0 || errs[8] != nil || o.State != ledger.FailedPermanent):
				t.Fatalf("%d words were counted, and the approval is %+v, its operation %s", len(counted), end, o.State)
			case end.State == ledger.ApprovalOpen:
				t.Fatal("it is open after all")
			}
			a := does[ledger.Answer](p, p.again("kim", n, 100))
			if granted := end.State == ledger.ApprovalGranted; (a.Permit != nil) != granted {
				t.Fatalf("the approval is %s, and the proposal is answered %s", end.State, a.Decision)
			}
		}
	})
	t.Run("a standing approval of five is used five times", func(t *testing.T) {
		p := controlled(t, fresh, asking(1))
		p.tool()
		given := does[ledger.StandingKept](p, &ledger.CreateStanding{
			Namespace: tenant, Giver: lead("ben"), ID: "sap_1", Epoch: p.epoch, ExpiresAfter: hour, Reason: "goodwill",
			Terms: policy.StandingTerms{Tool: "refund.create", MaxCount: 5, AmountPointer: "/amount", MaxSum: new(int64(500))},
		}).Standing
		p.epoch = view(t, p.engine, ledger.ReadOf(ledger.ReadEpoch, tenant, "")).Epoch(tenant)
		p.compile(policy.Config{Rules: []policy.Rule{asking(1)}, Standing: []policy.StandingTerms{given.Terms}})
		replies, errs := p.atOnce(60, func(i int) ledger.Command { return p.refunding("kim", i, 100) })
		if c := p.tallied(replies, errs); c[ledger.DecisionExecute] != 5 || c[ledger.DecisionAwaitingApproval] != 55 {
			t.Fatalf("the answers were %v", c)
		}
		key := ledger.StandingKey(tenant, given.ID).Read()
		if used := view(t, p.engine, key).Record(key).(*ledger.Standing); used.UsedCount != 5 || used.UsedSum != 500 || len(used.Operations) != 5 {
			t.Fatalf("it was used by %v", used.Operations)
		}
	})
}
