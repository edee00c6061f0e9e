package ledger_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
)

// refundRule is the rule by which the refunding tool asks for persons.
const refundRule = "refund/approval"

// refunding is a proposal to pay back an amount on an order, in minor units.
func refunding(order string, minor int) ledgertest.Call {
	tool := ledgertest.EmailSend.With(func(t *ledger.Terms) { t.Group = "refund" })
	tool.Name = "refund"
	return ledgertest.Call{
		Tool: tool, Key: fmt.Sprintf("refund:%s:%d", order, minor), Order: order, Person: "ann",
		Args: fmt.Sprintf(`{"amount":{"currency":"EUR","minor":"%d"},"order_id":"%s"}`, minor, order),
	}
}

// within are bounds as most tests give them: two refunds of at most 30.00, 50.00 in all.
func within(change ...func(*policy.StandingTerms)) policy.StandingTerms {
	each, all := int64(3000), int64(5000)
	terms := policy.StandingTerms{Tool: "refund", MaxCount: 2, AmountPointer: "/amount", MaxAmount: &each, MaxSum: &all, Currency: "EUR"}
	for _, c := range change {
		c(&terms)
	}
	return terms
}

// gives gives a standing approval by a person and puts it into force.
func (o *office) gives(who ledger.Actor, terms policy.StandingTerms) string {
	o.t.Helper()
	o.knowTool("refund")
	reply, err := o.Do(&ledger.CreateStanding{
		Namespace: ledgertest.North, Giver: who, ID: o.ID("sap"), Epoch: o.Epoch(ledgertest.North), Terms: terms, ExpiresAfter: 24 * time.Hour, Reason: "goodwill",
	})
	if err != nil {
		o.t.Fatalf("a standing approval: %v", err)
	}
	s := reply.(*ledger.StandingKept).Standing
	o.Config.Standing = append(o.Config.Standing, s.Terms)
	o.compile()
	return s.ID
}

// knowTool stores a tool, which a standing approval must name.
func (o *office) knowTool(name string) {
	o.t.Helper()
	_, err := o.Do(&ledger.ApplyTool{
		Namespace: ledgertest.North, Principal: "admin", Name: name, Version: 1, Definition: []byte("{}"), Digest: "d1",
		Request: ledger.Request{Namespace: ledgertest.North, Principal: "admin", ID: ledger.RequestID(o.ID("apply")), Hash: name},
	})
	if err != nil {
		o.t.Fatalf("apply %s: %v", name, err)
	}
}

// wantUse fails the test unless that many operations, with that sum, have used the standing approval.
func (o *office) wantUse(id string, count, sum int64) *ledger.Standing {
	o.t.Helper()
	s, _ := o.Record(ledger.StandingKey(ledgertest.North, id)).(*ledger.Standing)
	if s == nil || s.UsedCount != count || s.UsedSum != sum || int64(len(s.Operations)) != count {
		o.t.Fatalf("used as %+v; %d operations of %d in all are wanted", s, count, sum)
	}
	return s
}

// does carries a refund out.
func (o *office) does(c ledgertest.Call) *ledger.Operation {
	o.t.Helper()
	h := o.Execute(c)
	if err := h.Begin(); err != nil {
		o.t.Fatalf("begin: %v", err)
	}
	if err := h.Says(ledger.OutcomeSucceeded, ledgertest.Effect(o.ID("re"))); err != nil {
		o.t.Fatalf("report: %v", err)
	}
	return h.Now()
}

// TestStandingApprovalIsOnALeash: every bound holds, and beyond it a person is asked.
func TestStandingApprovalIsOnALeash(t *testing.T) {
	ben := person("ben", "lead")
	for name, c := range map[string]struct {
		who     ledger.Actor
		terms   policy.StandingTerms
		before  []ledgertest.Call // that use it
		beyond  ledgertest.Call
		prepare func(*office, string)
	}{
		"count":                      {ben, within(), []ledgertest.Call{refunding("o1", 1000), refunding("o2", 1000)}, refunding("o3", 1000), nil},
		"sum":                        {ben, within(), []ledgertest.Call{refunding("o1", 3000)}, refunding("o2", 2001), nil},
		"amount":                     {ben, within(), nil, refunding("o1", 3001), nil},
		"entity":                     {ben, within(func(s *policy.StandingTerms) { s.EntityType, s.EntityID = "order", "o1" }), []ledgertest.Call{refunding("o1", 10)}, refunding("o2", 10), nil},
		"currency":                   {ben, within(func(s *policy.StandingTerms) { s.Currency = "USD" }), nil, refunding("o1", 10), nil},
		"condition":                  {ben, within(func(s *policy.StandingTerms) { s.When = `args.order_id != "o2"` }), []ledgertest.Call{refunding("o1", 10)}, refunding("o2", 10), nil},
		"the giver is the proposer":  {person("ann", "lead"), within(), nil, refunding("o1", 10), nil},
		"the giver is in no team":    {person("ben", "finance"), within(), nil, refunding("o1", 10), nil},
		"it has expired":             {ben, within(), []ledgertest.Call{refunding("o1", 10)}, refunding("o2", 10), func(o *office, _ string) { o.Advance(24 * time.Hour) }},
		"another configuration":      {ben, within(), []ledgertest.Call{refunding("o1", 10)}, refunding("o2", 10), func(o *office, _ string) { o.Config.Standing = nil; o.compile() }},
		"it was revoked a while ago": {ben, within(), []ledgertest.Call{refunding("o1", 10)}, refunding("o2", 10), func(o *office, id string) { o.revokes(id) }},
	} {
		t.Run(name, func(t *testing.T) {
			w := newOffice(t, need())
			id := w.gives(c.who, c.terms)
			for _, call := range c.before {
				w.does(call)
			}
			used := w.notices(ledger.NoticeApprovalWaiting)
			if used != 0 {
				t.Fatalf("%d persons were paged within the bounds", used)
			}
			if c.prepare != nil {
				c.prepare(w, id)
			}
			w.waits(c.beyond)
			if s := w.Record(ledger.StandingKey(ledgertest.North, id)).(*ledger.Standing); s.UsedCount != int64(len(c.before)) {
				t.Fatalf("it counts %d operations", s.UsedCount)
			}
		})
	}
}

// revokes ends a standing approval, while the rules in force still know it: the row decides.
func (o *office) revokes(id string) {
	o.t.Helper()
	if _, err := o.Do(&ledger.RevokeStanding{Namespace: ledgertest.North, Principal: "cred/ben", ID: id, Reason: "enough"}); err != nil {
		o.t.Fatalf("revoke: %v", err)
	}
}

// TestStandingApprovalIsOnePersons: what takes two persons is not let pass by one ahead of time.
func TestStandingApprovalIsOnePersons(t *testing.T) {
	w := newOffice(t, need(of(2)))
	id := w.gives(person("ben", "lead"), within())
	w.waits(refunding("o1", 10))
	w.wantUse(id, 0, 0)
}

// TestStandingApprovalCountsOperations: each once, however many attempts it takes, and not those that end unused.
func TestStandingApprovalCountsOperations(t *testing.T) {
	w := newOffice(t, need())
	id := w.gives(person("ben", "lead"), within())
	first := w.Execute(refunding("o1", 3000))
	used := w.wantUse(id, 1, 3000)
	if !slices.Equal(used.Operations, []ledger.OperationID{first.Operation}) {
		t.Fatalf("used by %v", used.Operations)
	}
	granted := w.approval(first.Now().Approvals[0].ID)
	if granted.StandingID != id || granted.State != ledger.ApprovalReserved || granted.Rule != refundRule {
		t.Fatalf("granted as %+v", granted)
	}
	wantOK(t, first.Begin())
	wantOK(t, first.Says(ledger.OutcomeNotSent))
	w.wantApproval(granted.ID, ledger.ApprovalSpent)
	w.Advance(time.Minute)
	second := w.Execute(refunding("o1", 3000)) // an approval of its own, and the same operation
	if next := second.Now().Approvals[0].ID; next == granted.ID {
		t.Fatal("the second attempt has used the first one's approval")
	}
	w.wantUse(id, 1, 3000)
	wantOK(t, second.Begin())
	wantOK(t, second.Says(ledger.OutcomeRejected))
	wantState(t, second.Now(), ledger.FailedPermanent)
	w.wantUse(id, 1, 3000) // it was used, whatever came of it

	third := w.Execute(refunding("o2", 2000))
	w.wantUse(id, 2, 5000)
	w.waits(refunding("o3", 1))
	w.Advance(2 * time.Minute) // its permit ends unbegun
	w.RunDue()
	w.wantUse(id, 2, 5000)
	if _, err := w.Do(&ledger.CancelOperation{Namespace: ledgertest.North, Principal: ledgertest.Agent, OperationID: third.Operation}); err != nil {
		t.Fatal(err)
	}
	wantState(t, third.Now(), ledger.FailedPermanent)
	w.wantUse(id, 1, 3000)
	w.Execute(refunding("o3", 1)) // and persons need not decide it any more
	w.wantUse(id, 2, 3001)
}

// TestStandingApprovalLapses: what was granted by it and is not used in time is given back.
func TestStandingApprovalLapses(t *testing.T) {
	w := newOffice(t, need())
	id := w.gives(person("ben", "lead"), within())
	h := w.Execute(refunding("o1", 10))
	w.Advance(2 * time.Minute)
	w.RunDue()
	wantState(t, h.Now(), ledger.FailedRetryable)
	w.wantUse(id, 1, 10)
	w.Advance(2 * time.Hour)
	w.RunDue()
	w.wantApproval(h.Now().Approvals[0].ID, ledger.ApprovalExpired)
	w.wantUse(id, 0, 0)
	w.Execute(refunding("o1", 10))
	w.wantUse(id, 1, 10)
}

// TestStandingApprovalOutlivesATool: a new version of the tool voids what was granted, which is counted once all the same.
func TestStandingApprovalOutlivesATool(t *testing.T) {
	w := newOffice(t, need())
	id := w.gives(person("ben", "lead"), within())
	h := w.Execute(refunding("o1", 10))
	w.Advance(2 * time.Minute)
	w.RunDue()
	old := h.Now().Approvals[0].ID
	w.wantApproval(old, ledger.ApprovalGranted)
	w.Config.Tools[1].Version = 2
	w.compile()
	w.Advance(time.Minute)
	w.Execute(refunding("o1", 10))
	w.wantApproval(old, ledger.ApprovalVoid)
	w.wantUse(id, 1, 10)
}

// TestTwoRulesOneStandingApproval: an operation that two rules ask about is counted once.
func TestTwoRulesOneStandingApproval(t *testing.T) {
	w := newOffice(t, need())
	second := need()
	w.Config.Rules = []policy.Rule{{ID: "money", Version: 1, Scope: policy.Scope{Tools: []string{"refund"}}, Approval: &second}}
	id := w.gives(person("ben", "lead"), within())
	h := w.Execute(refunding("o1", 10))
	if n := len(h.Now().Approvals); n != 2 {
		t.Fatalf("%d approvals let it pass", n)
	}
	w.wantUse(id, 1, 10)
	w.Advance(2 * time.Minute)
	w.RunDue()
	if _, err := w.Do(&ledger.CancelOperation{Namespace: ledgertest.North, Principal: ledgertest.Agent, OperationID: h.Operation}); err != nil {
		t.Fatal(err)
	}
	w.wantUse(id, 0, 0)
}

// TestStandingApprovalGrantsNoLongerThanItself: what it lets pass can be used until its own end.
func TestStandingApprovalGrantsNoLongerThanItself(t *testing.T) {
	w := newOffice(t, need())
	id := w.gives(person("ben", "lead"), within())
	s := w.Record(ledger.StandingKey(ledgertest.North, id)).(*ledger.Standing)
	w.Advance(s.Terms.ExpiresAt.Sub(w.Now) - time.Second)
	h := w.Execute(refunding("o1", 10))
	a := w.Record(ledger.RecordKey{Kind: ledger.RecordApproval, Namespace: ledgertest.North, ID: h.Now().Approvals[0].ID}).(*ledger.Approval)
	if !a.ExpiresAt.Equal(s.Terms.ExpiresAt) {
		t.Fatalf("it can be used until %s, and the standing approval ended at %s", a.ExpiresAt, s.Terms.ExpiresAt)
	}
}
