package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
)

// TestNobodyApprovesAheadWhatIsTheirOwn: who proposed the operation first, in person or by a credential, and who asked for
// its workflow, also where somebody else asks for its next attempt.
func TestNobodyApprovesAheadWhatIsTheirOwn(t *testing.T) {
	for name, c := range map[string]struct {
		giver             ledger.Actor
		principal         ledger.Principal
		person, requester string
		waits             bool
	}{
		"another person":            {person("ben", "lead"), ledgertest.Agent, "ann", "rita", false},
		"nobody asked for it":       {person("ben", "lead"), ledgertest.Agent, "ann", "", false},
		"the proposer's person":     {person("ann", "lead"), ledgertest.Agent, "ann", "", true},
		"the proposer's credential": {ledger.Actor{Principal: "cred/ann", Person: "anna", Teams: []string{"lead"}}, "cred/ann", "ann", "", true},
		"the workflow's requester":  {person("rita", "lead"), ledgertest.Agent, "ann", "rita", true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newOffice(t, need())
			call := refunding("o1", 10)
			call.Principal, call.Person = c.principal, c.person
			first := w.Command(call)
			first.Requester = c.requester
			did[ledger.Answer](t, w.World, first)
			w.approve(w.waits(call).ID, "carl")
			h := w.Execute(call)
			wantOK(t, h.Begin())
			wantOK(t, h.Says(ledger.OutcomeNotSent))
			w.Advance(time.Minute)

			w.gives(c.giver, within())
			again := refunding("o1", 10)
			again.Principal, again.Person = "replayer", "olga"
			if c.waits {
				w.waits(again)
				return
			}
			w.Execute(again)
		})
	}
}

// TestTheNextStandingApprovalIsTried where one is used up and one is revoked.
func TestTheNextStandingApprovalIsTried(t *testing.T) {
	w := newOffice(t, need())
	ben := person("ben", "lead")
	once := w.gives(ben, within(func(s *policy.StandingTerms) { s.MaxCount = 1 }))
	w.does(refunding("o1", 10))
	revoked := w.gives(ben, within())
	w.revokes(revoked)
	last := w.gives(ben, within())
	w.does(refunding("o2", 20))
	w.wantUse(once, 1, 10)
	w.wantUse(revoked, 0, 0)
	w.wantUse(last, 1, 20)
}

// TestAStandingApprovalBoundsWhatItSays: nothing is also an amount, and one of its bounds may be missing.
func TestAStandingApprovalBoundsWhatItSays(t *testing.T) {
	w := newOffice(t, need())
	id := w.gives(person("ben", "lead"), within(func(s *policy.StandingTerms) { s.MaxAmount = nil }))
	w.does(refunding("o1", 0))
	w.does(refunding("o2", 5000))
	w.wantUse(id, 2, 5000)
}

func TestWhetherAStandingApprovalIsUsable(t *testing.T) {
	now := ledgertest.Start
	for name, c := range map[string]struct {
		used    int64
		ends    time.Duration
		revoked time.Time
		want    bool
	}{
		"unused":    {0, time.Hour, time.Time{}, true},
		"one left":  {1, time.Hour, time.Time{}, true},
		"none left": {2, time.Hour, time.Time{}, false},
		"over":      {0, 0, time.Time{}, false},
		"revoked":   {0, time.Hour, now, false},
	} {
		s := ledger.Standing{UsedCount: c.used, RevokedAt: c.revoked, Terms: policy.StandingTerms{MaxCount: 2, ExpiresAt: now.Add(c.ends)}}
		if s.Usable(now) != c.want {
			t.Errorf("%s: usable is %t", name, !c.want)
		}
	}
}

// TestAStandingApprovalCountsOnceBesideAPersonsYes: an operation for which it speaks by two rules is one, also where a person
// was asked before by a third.
func TestAStandingApprovalCountsOnceBesideAPersonsYes(t *testing.T) {
	w := newOffice(t, need(func(n *policy.ApprovalNeed) { n.Roles = []string{"finance"} }))
	call := refunding("o1", 10)
	wantOK(t, w.says(person("fay", "finance"), w.waits(call).ID, true))
	id := w.gives(person("ben", "lead"), within())
	for _, rule := range []string{"goodwill", "money"} {
		n := need()
		w.Config.Rules = append(w.Config.Rules, policy.Rule{ID: rule, Version: 1, Scope: policy.Scope{Tools: []string{"refund"}}, Approval: &n})
	}
	w.compile()
	if n := len(w.Execute(call).Now().Approvals); n != 3 {
		t.Fatalf("%d approvals let it pass", n)
	}
	w.wantUse(id, 1, 10)
}
