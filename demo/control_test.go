package demo

import (
	"slices"
	"testing"

	"github.com/opledger/opledger/callers"
	"github.com/opledger/opledger/demo/provider"
)

// keptControl is a second story that kept what was promised.
func keptControl() *Control {
	c := &Control{
		Opledger: promisedGiven, Words: slices.Clone(promisedWords), Answers: slices.Clone(promisedAnswers),
		Approval: &Approval{OperationID: "op_2", State: "spent", Required: 2, Persons: []string{"ann@shop.example", "ben@shop.example"}},
		Operations: []Operation{
			{OperationID: "op_1", Tool: refundTool, State: "completed_success", ProviderObjectID: "re_0001"},
			{OperationID: "op_2", Tool: refundTool, State: "completed_success", ProviderObjectID: "re_0002"},
		},
	}
	for i := range c.Answers {
		a := &c.Answers[i]
		switch {
		case i == 0:
			a.OperationID = "op_1"
		case a.Decision == "DENIED":
			a.Names = "op_1"
		case a.Decision == "BLOCKED", a.Decision == "SUPPRESSED":
			a.Names = "op_2"
		case a.Decision != "RETRY_LATER":
			a.OperationID = "op_2"
		}
	}
	return c
}

func TestOnlyOneRemedyForEachOrderIsKept(t *testing.T) {
	good := &Result{Control: keptControl()}
	if good.judge(); !good.OK || len(good.Problems) != 0 {
		t.Errorf("a good play was judged %v %v", good.OK, good.Problems)
	}
	for name, spoil := range map[string]func(*Control){
		"both remedies":             func(c *Control) { c.Opledger.BrokenOrder.Credits++ },
		"no remedy":                 func(c *Control) { c.Opledger.BrokenOrder = Remedies{} },
		"two large refunds":         func(c *Control) { c.Opledger.LargeOrder.Refunds++ },
		"a smaller large refund":    func(c *Control) { c.Opledger.LargeOrder.Cents = 24000 },
		"money for another order":   func(c *Control) { c.Opledger.Elsewhere.Refunds++ },
		"a half that got a permit":  func(c *Control) { c.Answers[5].Decision = "EXECUTE" },
		"another rule's no":         func(c *Control) { c.Answers[1].Rule = "at-most-600-a-day" },
		"a no that names nobody":    func(c *Control) { c.Answers[1].Names = "" },
		"a no that names another":   func(c *Control) { c.Answers[6].Names = "op_1" },
		"a proposal unanswered":     func(c *Control) { c.Answers = c.Answers[1:] },
		"a second refund, repeated": func(c *Control) { c.Answers[9].Decision = "EXECUTE" },
		"Kim's word counts":         func(c *Control) { c.Words[1] = Word{By: personKim, Approved: 1} },
		"Ann counts twice":          func(c *Control) { c.Words[3] = Word{By: secondOfAnn, Approved: 2} },
		"one person":                func(c *Control) { c.Approval.Persons = c.Approval.Persons[:1] },
		"one person twice":          func(c *Control) { c.Approval.Persons[1] = c.Approval.Persons[0] },
		"an approval that is left":  func(c *Control) { c.Approval.State = "granted" },
		"no approval":               func(c *Control) { c.Approval = nil },
		"a third operation":         func(c *Control) { c.Operations = append(c.Operations, c.Operations[0]) },
		"an open end":               func(c *Control) { c.Operations[1].State = "unknown_outcome" },
		"no refund's id":            func(c *Control) { c.Operations[1].ProviderObjectID = "" },
	} {
		c := keptControl()
		spoil(c)
		r := &Result{Control: c}
		if r.judge(); r.OK || len(r.Problems) == 0 {
			t.Errorf("%s: judged %v %v", name, r.OK, r.Problems)
		}
	}
}

func TestARemedyIsCountedUnderItsOrder(t *testing.T) {
	p, err := newProvider()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	client := provider.NewClient(p.URL(), callTimeout)
	for _, call := range []toolCall{brokenRefund, brokenCredit, largeRefund, thirdRefund} {
		a, err := parseArguments(call.Arguments)
		if err != nil {
			t.Fatal(err)
		}
		transfer, err := transferOf(transferKinds[call.Tool], a, provider.PlainAccount)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := client.Transfer(t.Context(), transfer); err != nil {
			t.Fatal(err)
		}
	}
	want := Given{
		BrokenOrder: Remedies{Refunds: 1, Credits: 1, Cents: 6000}, LargeOrder: Remedies{Refunds: 1, Cents: 48000},
		Elsewhere: Remedies{Refunds: 1, Cents: 10000},
	}
	if got := givenAt(p); got != want {
		t.Errorf("counted %+v, want %+v", got, want)
	}
}

func TestTheFilesOfTheSecondStoryAreRead(t *testing.T) {
	tools, err := readTools(controlTools...)
	if err != nil || len(tools) != 2 || tools[0].Name != refundTool || tools[1].Name != creditTool {
		t.Errorf("read the tools %v, %v", tools, err)
	}
	rules, err := readRules(controlRules...)
	if err != nil || len(rules) != len(controlRules) {
		t.Fatalf("read the rules %v, %v", rules, err)
	}
	for i, r := range rules {
		if r.RuleId+".yaml" != controlRules[i] {
			t.Errorf("the file %s holds the rule %s", controlRules[i], r.RuleId)
		}
	}
	if _, err := readRules("../tools/refund.yaml"); err == nil {
		t.Error("a file that is not there was read")
	}
}

// TestWhoActsDecidesNothing holds the cast to what a file of tokens would refuse otherwise, and to the two traps of the
// story: Kim is behind an agent, and Ann has two credentials.
func TestWhoActsDecidesNothing(t *testing.T) {
	for principal, c := range controlCast {
		if slices.Contains(c.Roles, callers.Propose) && slices.Contains(c.Roles, callers.Approve) {
			t.Errorf("%s proposes and approves", principal)
		}
	}
	if controlCast[agentChat].Person != controlCast[personKim].Person || controlCast[personAnn].Person != controlCast[secondOfAnn].Person {
		t.Error("the traps are not set")
	}
	if slices.Equal(controlCast[personAnn].Teams, controlCast[secondOfAnn].Teams) {
		t.Error("Ann's second credential speaks for the same team, so that the team alone could refuse it")
	}
}

func TestAStoryThatIsNotThereIsRefused(t *testing.T) {
	for _, o := range []Options{{Story: "other", Account: provider.KeyedAccount}, {Account: provider.KeyedAccount}, {Story: StoryControl, Account: "acct_none"}} {
		if err := o.check(); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}
