package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/policy"
)

// limits are exact under concurrency on every engine, and what has ended leaves them as it does.
func limits(t *testing.T, fresh Make) {
	limit := func(change func(*policy.Limit)) policy.Rule {
		l := &policy.Limit{Per: "{args.customer}", Period: hour}
		change(l)
		return policy.Rule{ID: "limit", Version: 1, Limit: l}
	}
	const callers = 120
	for name, fixed := range map[string]bool{"sliding": false, "fixed": true} {
		t.Run("a "+name+" count of ten lets ten pass", func(t *testing.T) {
			p := controlled(t, fresh, limit(func(l *policy.Limit) { l.Max, l.Fixed = 10, fixed }))
			replies, errs := p.atOnce(callers, func(i int) ledger.Command { return p.refunding("kim", i, 100) })
			if c := p.tallied(replies, errs); c[ledger.DecisionExecute] != 10 || c[ledger.DecisionRetryLater] != callers-10 {
				t.Fatalf("the answers were %v", c)
			}
			if all := list(t, p.engine, ledger.OperationQuery{Namespace: tenant}); len(all) != 10 {
				t.Fatalf("%d operations; a no about now makes none", len(all))
			}
			p.decides(does[ledger.Answer](p, p.refunding("lee", callers, 100)), ledger.DecisionExecute) // a counter of its own
		})
		t.Run("a "+name+" sum is never passed, and its room is used", func(t *testing.T) {
			p := controlled(t, fresh, limit(func(l *policy.Limit) { l.Max, l.Fixed, l.SumOf = 1000, fixed, "/amount" }))
			amount := func(i int) int64 { return 31 + int64(i%7)*10 }
			replies, errs := p.atOnce(callers, func(i int) ledger.Command { return p.refunding("kim", i, amount(i)) })
			sum := int64(0)
			for i, reply := range replies {
				if errs[i] == nil && reply.(*ledger.Answer).Permit != nil {
					sum += amount(i)
				}
			}
			if p.tallied(replies, errs); sum > 1000 || sum+31 <= 1000 {
				t.Fatalf("together %d were let pass, of 1000", sum)
			}
		})
	}
	t.Run("what is held, charged and given back", func(t *testing.T) {
		p := controlled(t, fresh, limit(func(l *policy.Limit) { l.Max = 2 }))
		first := p.decides(does[ledger.Answer](p, p.refunding("kim", 1, 100)), ledger.DecisionExecute)
		second := p.decides(does[ledger.Answer](p, p.refunding("kim", 2, 100)), ledger.DecisionExecute)
		if a := p.decides(does[ledger.Answer](p, p.refunding("kim", 3, 100)), ledger.DecisionRetryLater); !a.Unsure || a.RetryAfter <= 0 || a.Operation != nil {
			t.Fatalf("while both are open nobody knows when, and there is a time to ask again at: %v", a.RetryAfter)
		}
		p.decides(does[ledger.Answer](p, p.again("kim", 1, 100)), ledger.DecisionInFlight) // a repeat costs nothing
		p.says(first, ledger.OutcomeRejected)
		third := p.decides(does[ledger.Answer](p, p.refunding("kim", 3, 100)), ledger.DecisionExecute)
		p.says(second, ledger.OutcomeSucceeded)
		p.says(third, ledger.OutcomeSucceeded)
		later := p.decides(does[ledger.Answer](p, p.refunding("kim", 4, 100)), ledger.DecisionRetryLater)
		if later.RetryAfter <= 0 || later.RetryAfter > hour+2*time.Minute {
			t.Fatalf("there is room after %v", later.RetryAfter)
		}
		p.advance(later.RetryAfter)
		p.decides(does[ledger.Answer](p, p.refunding("kim", 4, 100)), ledger.DecisionExecute)
	})
}

// windows let one of many equivalents pass, and name it to the others.
func windows(t *testing.T, fresh Make) {
	window := policy.Rule{ID: "window", Version: 1, Window: &policy.DedupeWindow{KeyTemplate: "{args.customer}", Period: hour}}
	t.Run("one of many equivalents passes", func(t *testing.T) {
		p := controlled(t, fresh, window)
		replies, errs := p.atOnce(64, func(i int) ledger.Command { return p.refunding("kim", i, int64(i)) })
		if c := p.tallied(replies, errs); c[ledger.DecisionExecute] != 1 || c[ledger.DecisionSuppressed] != 63 {
			t.Fatalf("the answers were %v", c)
		}
		all := list(t, p.engine, ledger.OperationQuery{Namespace: tenant})
		for _, reply := range replies {
			if a := reply.(*ledger.Answer); a.Permit == nil && (len(all) != 1 || a.Earlier == nil || a.Earlier.ID != all[0].ID) {
				t.Fatalf("of %d operations it names %+v", len(all), a.Earlier)
			}
		}
	})
	t.Run("from the first to its end, and by a grant past it", func(t *testing.T) {
		p := controlled(t, fresh, window)
		first := p.decides(does[ledger.Answer](p, p.refunding("kim", 1, 1)), ledger.DecisionExecute)
		p.decides(does[ledger.Answer](p, p.refunding("kim", 2, 2)), ledger.DecisionSuppressed)
		p.says(first, ledger.OutcomeRejected) // known not to have happened: it suppresses nothing
		second := p.decides(does[ledger.Answer](p, p.refunding("kim", 2, 2)), ledger.DecisionExecute)
		p.says(second, ledger.OutcomeSucceeded)
		p.decides(does[ledger.Answer](p, p.refunding("kim", 3, 3)), ledger.DecisionSuppressed)

		p.tool()
		grant := does[ledger.GrantKept](p, &ledger.CreateGrant{
			Namespace: tenant, Giver: ledger.Actor{Principal: "kim", Person: "kim"}, ID: "gr_1", Kind: ledger.GrantOverride, Tool: "refund.create",
			Fingerprint: p.refunding("kim", 3, 3).Forms[0].Fingerprint, Rule: "window", ExpiresAfter: hour, Reason: "it is meant",
		}).Grant
		// The same grant is named by many at once: one uses it.
		replies, errs := p.atOnce(16, func(i int) ledger.Command {
			c := p.refunding("kim", 3, 3)
			c.RequestID, c.OverrideGrants = ledger.RequestID(fmt.Sprint("granted-", i)), []string{grant.ID}
			c.Forms[0].Key, c.NewOperation = ledger.IdempotencyKey(fmt.Sprint("granted-", i)), ledger.OperationID(fmt.Sprint("op_granted_", i))
			c.NewAttempt, c.NewDecision = ledger.AttemptID(fmt.Sprint("att_granted_", i)), ledger.DecisionID(fmt.Sprint("dec_granted_", i))
			return c
		})
		used := 0
		for i, reply := range replies {
			if errs[i] == nil && reply.(*ledger.Answer).Permit != nil {
				used++
			}
		}
		if used != 1 {
			t.Fatalf("the grant was used %d times: %v", used, errs)
		}
		p.advance(2 * hour)
		p.decides(does[ledger.Answer](p, p.refunding("kim", 4, 4)), ledger.DecisionSuppressed) // the granted one is open still
	})
}

// tool makes the tool known to the database, which grants and standing approvals are about.
func (p *plane) tool() {
	p.t.Helper()
	step(p.t, p.engine, nil, func(*ledger.View) *ledger.Changes {
		return &ledger.Changes{Tools: []ledger.ToolHead{{Namespace: tenant, Name: "refund.create", Version: 1}}}
	})
}
