package policy

import (
	"fmt"
	"testing"

	"github.com/opledger/opledger/locks"
)

// leash is a standing approval of refunds: up to 30.00 EUR each, 60.00 in all, for one order.
func leash(change func(*StandingTerms)) StandingTerms {
	most, sum := int64(3000), int64(6000)
	s := StandingTerms{ID: "st_1", Tool: "payment.refund", MaxCount: 5, AmountPointer: "/amount", MaxAmount: &most, MaxSum: &sum, Currency: "EUR",
		EntityType: "order", EntityID: "o1", When: `args.customer_id == "cus_1"`, GivenBy: "lead", GivenByPerson: "bob"}
	if change != nil {
		change(&s)
	}
	return s
}

func TestStandingApprovals(t *testing.T) {
	less := int64(1000)
	for name, c := range map[string]struct {
		change func(*StandingTerms)
		facts  func(*Facts)
		admits bool
	}{
		"within its bounds":    {nil, nil, true},
		"more than one may be": {func(s *StandingTerms) { s.MaxAmount = &less }, nil, false},
		"more than all may be": {func(s *StandingTerms) { s.MaxAmount, s.MaxSum = nil, &less }, nil, false},
		"another tool's": {func(s *StandingTerms) {
			s.Tool = "voucher.grant"
			s.AmountPointer, s.MaxAmount, s.MaxSum, s.Currency, s.When = "", nil, nil, "", ""
		}, nil, false},
		"another entity":          {func(s *StandingTerms) { s.EntityID = "o2" }, nil, false},
		"another type":            {func(s *StandingTerms) { s.EntityType, s.EntityID = "customer", "" }, nil, false},
		"another currency":        {func(s *StandingTerms) { s.Currency = "USD" }, nil, false},
		"condition does not hold": {func(s *StandingTerms) { s.When = `args.customer_id == "cus_2"` }, nil, false},
		"condition is not told":   {func(s *StandingTerms) { s.When = `args.note == ""` }, nil, false},
		"condition does not fit":  {func(s *StandingTerms) { s.When = `args.gone == ""` }, nil, false},
		"somebody else's":         {func(s *StandingTerms) { s.Proposer = "other" }, nil, false},
		"the proposer's":          {func(s *StandingTerms) { s.Proposer = "agent" }, nil, true},
		"another workflow":        {func(s *StandingTerms) { s.WorkflowID = "wf_2" }, nil, false},
		"the workflow's":          {func(s *StandingTerms) { s.WorkflowID = "wf_1" }, nil, true},
		"given by the proposer":   {nil, func(f *Facts) { f.Principal = "lead" }, false},
		"given by the person":     {nil, func(f *Facts) { f.Person = "bob" }, false},
		"below zero":              {nil, func(f *Facts) { f.Canonical = refund("", -5).Canonical }, false},
		"no amount":               {nil, func(f *Facts) { f.Canonical = []byte(`{"customer_id":"cus_1"}`) }, false},
		"amounts without bounds":  {func(s *StandingTerms) { s.AmountPointer, s.MaxAmount, s.MaxSum, s.Currency = "", nil, nil, "" }, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			terms := leash(c.change)
			b := newBench(t, Config{
				Tools:    []Tool{refundTool(ToolRules{Approval: &ApprovalNeed{Roles: []string{"lead"}}}), goodwillTool(ToolRules{})},
				Standing: []StandingTerms{terms},
			})
			f := refund("op_1", 2500)
			if c.facts != nil {
				c.facts(&f)
			}
			uses := b.bind(f).Standing("payment.refund/approval")
			if len(uses) > 0 != c.admits {
				t.Fatalf("it admits %+v", uses)
			}
			if c.admits && (uses[0].ID != "st_1" || terms.AmountPointer != "" && uses[0].Amount != 2500) {
				t.Errorf("the use is %+v", uses[0])
			}
			if len(b.bind(f).Standing("payment.refund/other")) > 0 {
				t.Error("it stands for an approval that nobody asks for")
			}
		})
	}
}

func TestStandingApprovalsThatAreRefused(t *testing.T) {
	config := Config{Tools: []Tool{refundTool(ToolRules{})}}
	for name, c := range map[string]struct {
		change func(*StandingTerms)
		want   wrong
	}{
		"tool":                      {func(s *StandingTerms) { s.Tool = "no.tool" }, wrong{"st_1", "tool", 0, 0, CodeUnknown, "no tool"}},
		"pointer":                   {func(s *StandingTerms) { s.AmountPointer = "/x" }, wrong{"st_1", "amount_pointer", 0, 0, CodePointer, "has no x"}},
		"currency":                  {func(s *StandingTerms) { s.AmountPointer = "/points" }, wrong{"st_1", "currency", 0, 0, CodeUnusable, "no money"}},
		"no amount":                 {func(s *StandingTerms) { s.AmountPointer = "" }, wrong{"st_1", "amount_pointer", 0, 0, CodeRequired, "bounded"}},
		"no amount, but a greatest": {func(s *StandingTerms) { s.AmountPointer, s.MaxSum, s.Currency = "", nil, "" }, wrong{"st_1", "amount_pointer", 0, 0, CodeRequired, "bounded"}},
		"no amount, but a sum":      {func(s *StandingTerms) { s.AmountPointer, s.MaxAmount, s.Currency = "", nil, "" }, wrong{"st_1", "amount_pointer", 0, 0, CodeRequired, "bounded"}},
		"no amount, but a currency": {func(s *StandingTerms) { s.AmountPointer, s.MaxAmount, s.MaxSum = "", nil, nil }, wrong{"st_1", "amount_pointer", 0, 0, CodeRequired, "bounded"}},
		"condition":                 {func(s *StandingTerms) { s.When = "entity.state == ''" }, wrong{"st_1", "when", 1, 1, CodeNotPure, "only type and id"}},
	} {
		t.Run(name, func(t *testing.T) {
			expectProblems(t, CheckStanding(config, leash(c.change)), c.want)
		})
	}
	if got := CheckStanding(config, leash(nil)); len(got) > 0 {
		t.Error(got)
	}
}

func TestEntityStateAfter(t *testing.T) {
	long := fmt.Sprintf(`{"status":"%0300d"}`, 7)
	for _, c := range []struct {
		template, result, want string
	}{
		{"refunded", "", "refunded"},
		{"{args.order_id}-{result.status}", `{"status":"done"}`, "o1-done"},
		{"{result.status}", `{}`, ""},
		{"{result.status}", `{"status":null}`, ""},
		{"{result.status}", ``, ""},
		{"{result.status}", `"done"`, ""},
		{"{result.status}", long, ""},
		{"{result.status}", `{"status":""}`, ""}, // an empty text is no state
		{"{result.status}", fmt.Sprintf(`{"status":"%0*d"}`, maxEntityState, 7), fmt.Sprintf("%0*d", maxEntityState, 7)},
		{"{result.status}", fmt.Sprintf(`{"status":"%0*d"}`, maxEntityState+1, 7), ""},
		{"{args.note}", `{}`, ""},
		{"", `{}`, ""},
	} {
		b := newBench(t, Config{Tools: []Tool{refundTool(ToolRules{SetsEntityState: c.template})}})
		state, sets := b.set.EntityStateAfter("payment.refund", refund("op_1", 1), []byte(c.result))
		if state != c.want || sets != (c.want != "") {
			t.Errorf("%s over %s: %q %v, want %q", c.template, c.result, state, sets, c.want)
		}
	}
	b := newBench(t, Config{Tools: []Tool{refundTool(ToolRules{SetsEntityState: "refunded"})}})
	nothing := refund("op_1", 1)
	nothing.Entity = locks.Entity{}
	if state, sets := b.set.EntityStateAfter("payment.refund", nothing, nil); sets || state != "" {
		t.Errorf("an operation about no entity sets the state %q", state)
	}
	if _, err := ExpandState("{", refund("op_1", 1), nil); err == nil {
		t.Error("a template that cannot be read gives a state")
	}
}
