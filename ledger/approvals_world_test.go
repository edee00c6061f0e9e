package ledger_test

import (
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/ledgertest"
	"github.com/opledger/opledger/policy"
)

// revokeRule is the rule by which the revoking tool asks for persons.
const revokeRule = "access.revoke/approval"

// need is what most tests ask for: one lead within an hour, whose no holds for a day.
func need(change ...func(*policy.ApprovalNeed)) policy.ApprovalNeed {
	n := policy.ApprovalNeed{Count: 1, Roles: []string{"lead"}, ExpiresAfter: time.Hour, OnExpiry: policy.ExpiryDeny, NoHoldsFor: 24 * time.Hour}
	for _, c := range change {
		c(&n)
	}
	return n
}

// of asks for that many persons.
func of(count int) func(*policy.ApprovalNeed) {
	return func(n *policy.ApprovalNeed) { n.Count = count }
}

// office is a World whose tools ask for persons.
type office struct {
	*ledgertest.World
	t       ledgertest.TB
	Config  policy.Config
	request int
}

// rapidOffice and newOffice make an office in which revoking and refunding ask for what is needed.
func newOffice(t *testing.T, n policy.ApprovalNeed) *office { return rapidOffice(t, n) }

func rapidOffice(t ledgertest.TB, n policy.ApprovalNeed) *office {
	t.Helper()
	open := &policy.Shape{Kind: policy.ShapeObject, Open: true, Fields: map[string]*policy.Shape{}}
	asks := policy.ToolRules{Approval: &n}
	o := &office{World: ledgertest.New(t), t: t, Config: policy.Config{Tools: []policy.Tool{
		{Name: "access.revoke", Version: 1, Class: "IRREVERSIBLE", Mutates: true, Irreversible: true, Intent: "access.revoke", EntityType: "order", Arguments: open, Rules: asks},
		{Name: "refund", Version: 1, Class: "EXTERNAL_NON_IDEMPOTENT_WRITE", Mutates: true, Intent: "refund", EntityType: "order", Rules: asks,
			Arguments: &policy.Shape{Kind: policy.ShapeObject, Fields: map[string]*policy.Shape{"amount": {Kind: policy.ShapeMoney}, "order_id": {Kind: policy.ShapeString}},
				Required: map[string]bool{"amount": true, "order_id": true}}},
	}}}
	o.compile()
	return o
}

// compile puts the configuration into force.
func (o *office) compile() {
	o.t.Helper()
	set, problems := policy.Compile(o.Config)
	if len(problems) > 0 {
		o.t.Fatalf("the policy does not compile: %v", problems)
	}
	o.Rules = set
}

// upgrade gives the revoking tool its next version.
func (o *office) upgrade() {
	o.Config.Tools[0].Version++
	o.compile()
}

// revoking is a proposal to revoke one person's access; a user of its own is an entity and a key of its own.
func revoking(user string) ledgertest.Call {
	return ledgertest.Call{Tool: ledgertest.AccessRevoke, Key: "access:" + user, Args: `{"user_id":"` + user + `"}`, Order: user, Person: "ann"}
}

// waits proposes and expects that a person is asked; it answers the approval.
func (o *office) waits(c ledgertest.Call) *ledger.Approval {
	o.t.Helper()
	a := o.Propose(c)
	if a.Decision != ledger.DecisionAwaitingApproval || a.Permit != nil || len(a.Approvals) == 0 {
		o.t.Fatalf("%s is answered %s (%s) with %d approvals; a person is to be asked", c.Key, a.Decision, a.Because, len(a.Approvals))
	}
	return a.Approvals[0]
}

// approval is an approval as it is stored.
func (o *office) approval(id string) *ledger.Approval {
	o.t.Helper()
	a, _ := o.Record(ledger.RecordKey{Kind: ledger.RecordApproval, Namespace: ledgertest.North, ID: id}).(*ledger.Approval)
	if a == nil {
		o.t.Fatalf("there is no approval %s", id)
	}
	return a
}

// wantApproval fails the test unless the approval stands there.
func (o *office) wantApproval(id string, want ledger.ApprovalState) *ledger.Approval {
	o.t.Helper()
	a := o.approval(id)
	if a.State != want {
		o.t.Fatalf("the approval %s is %s, want %s", id, a.State, want)
	}
	return a
}

// now is the approval's operation as it stands.
func (o *office) now(a *ledger.Approval) *ledger.Operation {
	return o.Operation(ledgertest.North, a.OperationID)
}

// person is an actor with a credential of their own, in the teams.
func person(name string, teams ...string) ledger.Actor {
	return ledger.Actor{Principal: ledger.Principal("cred/" + name), Person: name, Teams: teams}
}

// word makes one person's decision on the approval as it stands now.
func (o *office) word(who ledger.Actor, id string, yes bool) *ledger.DecideApproval {
	o.t.Helper()
	return &ledger.DecideApproval{Namespace: ledgertest.North, Actor: who, RequestID: ledger.RequestID(o.ID("word")), ApprovalID: id, Approve: yes,
		Etag: o.approval(id).Etag(), Epoch: o.Epoch(ledgertest.North), Rules: o.Rules}
}

// says decides an approval.
func (o *office) says(who ledger.Actor, id string, yes bool) error {
	o.t.Helper()
	_, err := o.Do(o.word(who, id, yes))
	return err
}

// approve expects a yes to be taken.
func (o *office) approve(id string, people ...string) {
	o.t.Helper()
	for _, name := range people {
		if err := o.says(person(name, "lead"), id, true); err != nil {
			o.t.Fatalf("%s approves: %v", name, err)
		}
	}
}

// notices counts what subscribers were told of a kind.
func (o *office) notices(kind ledger.NoticeKind) int {
	n := 0
	for _, r := range o.Records(ledger.RecordNotice) {
		if r.(*ledger.Notice).NoticeKind == kind {
			n++
		}
	}
	return n
}
