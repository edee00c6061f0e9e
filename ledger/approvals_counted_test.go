package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/policy"
)

// TestWhoseYesCountsByTheRuleOfToday: the next persons' yes counts once they have been asked, and not before.
func TestWhoseYesCountsByTheRuleOfToday(t *testing.T) {
	roles := func(own, next []string) policy.ApprovalNeed {
		return need(func(n *policy.ApprovalNeed) {
			n.Roles, n.EscalateRoles, n.OnExpiry = own, next, policy.ExpiryEscalate
		})
	}
	lead, finance, board := []string{"lead"}, []string{"finance"}, []string{"board"}
	for name, c := range map[string]struct {
		escalated bool
		today     policy.ApprovalNeed
		passes    bool
	}{
		"the same persons":                                   {false, roles(lead, finance), true},
		"asked next, and it has not come to them":            {false, roles(finance, lead), false},
		"asked next, and it has":                             {true, roles(finance, lead), true},
		"asked no more, though it has come to the next":      {true, roles(finance, board), false},
		"asked no more, and it has not come to anybody else": {false, roles(finance, board), false},
	} {
		t.Run(name, func(t *testing.T) {
			first := roles(lead, finance)
			if c.escalated {
				first = roles(board, lead)
			}
			w := newOffice(t, first)
			a := w.waits(revoking("u_7"))
			if c.escalated {
				w.Advance(first.ExpiresAfter)
				w.RunDue()
				if !w.wantApproval(a.ID, ledger.ApprovalOpen).Escalated {
					t.Fatal("the next persons were not asked")
				}
			}
			w.approve(a.ID, "ben")
			w.Config.Tools[0].Rules.Approval = &c.today
			w.compile()
			answer := w.Propose(revoking("u_7"))
			if c.passes {
				wantDecision(t, answer, ledger.DecisionExecute)
			} else {
				wantDecision(t, answer, ledger.DecisionAwaitingApproval)
			}
		})
	}
}

// TestWhoIsPagedAboutWhatCouldNotRunNow: nobody about an operation that is new, and the persons of a retry, which is
// there already and waits for them at the same time as for the entity.
func TestWhoIsPagedAboutWhatCouldNotRunNow(t *testing.T) {
	w := newOffice(t, need())
	granted(t, w.World, acquire(w.World, "wf_2", "run_1", orders("u_8")...))
	wantDecision(t, w.Propose(revoking("u_8")), ledger.DecisionBlocked)
	if n := w.notices(ledger.NoticeApprovalWaiting); n != 0 {
		t.Errorf("persons were paged %d times about a new operation", n)
	}
	first := w.waits(revoking("u_7"))
	w.approve(first.ID, "ben")
	h := w.Execute(revoking("u_7"))
	wantOK(t, h.Begin())
	wantOK(t, h.Says(ledger.OutcomeNotSent))
	granted(t, w.World, acquire(w.World, "wf_2", "run_1", orders("u_7")...))
	w.Advance(15 * time.Second)
	next := w.waits(revoking("u_7"))
	w.approve(next.ID, "ben")
	wantDecision(t, w.Propose(revoking("u_7")), ledger.DecisionBlocked)
}
