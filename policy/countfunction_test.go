package policy

import (
	"slices"
	"testing"
	"time"
)

func TestCountLetsAsManyPassAsItSays(t *testing.T) {
	b := newBench(t, Config{Tools: []Tool{refundTool(ToolRules{Guards: []Guard{
		{Name: "few", Condition: `count(args.customer_id, "24h") < 2 && sum(args.amount.minor, args.customer_id, "24h") + args.amount.minor <= 100`}}})}})
	first, second := refund("op_1", 60), refund("op_2", 40)
	b.expect(first, Pass)
	b.release(first)
	b.expect(first, Pass, recheck) // its own share is not weighed against it
	b.expect(refund("op_2", 41), Denied)
	b.expect(second, Pass)
	b.release(second)
	b.succeed(second)
	v := b.expect(refund("op_3", 0), Denied)
	if v.Inputs["count per args.customer_id within 1d"] != "2" || v.Inputs["sum of args.amount.minor per args.customer_id within 1d"] != "100" {
		t.Errorf("it looked at %v", v.Inputs)
	}
	b.fail(first)
	b.expect(refund("op_3", 60), Pass)
	b.now = b.now.Add(25 * time.Hour)
	b.expect(refund("op_3", 100), Pass)
}

func TestCountersAreDeclaredByRuleAndExpression(t *testing.T) {
	b := newBench(t, Config{Tools: []Tool{refundTool(ToolRules{Guards: []Guard{{Name: "g",
		Condition: `count("1h") + count(args.customer_id, "1h") + count(args.order_id, "7d") + sum(args.amount.minor, entity.id, "1h") < 100`},
		{Name: "h", Condition: `count("1h") < 100`}}})}})
	want := []string{
		"count/payment.refund/g/1h-sliding/all",
		"count/payment.refund/g/1h-sliding/args.customer_id/cus_1",
		"count/payment.refund/g/7d-sliding/args.order_id/o1",
		"count/payment.refund/h/1h-sliding/all",
		"sum/payment.refund/g/1h-sliding/args.amount.minor/entity.id/o1",
	}
	if got := b.bind(refund("op_1", 1)).Histories(); !slices.Equal(got, want) {
		t.Errorf("the rows are %q", got)
	}
}

func TestEveryOperationInScopeChargesWhatTheRuleCounts(t *testing.T) {
	b := newBench(t, Config{
		Tools: []Tool{refundTool(ToolRules{}), goodwillTool(ToolRules{})},
		Rules: []Rule{{ID: "busy", Deny: &Deny{When: `tool.name == "voucher.grant" && count(entity.id, "1h") >= 1`, Explanation: "x"}}},
	})
	b.expect(goodwill("op_2"), Pass)
	b.release(refund("op_1", 1)) // the rule never denies it, and counts it all the same
	b.expect(refund("op_3", 1), Pass)
	b.expect(goodwill("op_2"), Denied)
}

func TestTheSameCounterIsChargedOnce(t *testing.T) {
	b := newBench(t, Config{Tools: []Tool{refundTool(ToolRules{Guards: []Guard{{Name: "g", Condition: `count("1h") < 2 || (count("1h") < 5 && "lead" in principal.roles)`}}})}})
	if got := b.bind(refund("op_1", 1)).Charges(); len(got) != 1 {
		t.Fatalf("the charges are %+v", got)
	}
	b.release(refund("op_1", 1))
	b.expect(refund("op_2", 1), Pass)
	b.release(refund("op_2", 1))
	b.expect(refund("op_3", 1), Denied)
	lead := refund("op_3", 1)
	lead.Roles = []string{"lead"}
	b.expect(lead, Pass)
}

func TestAnApprovalMayHangOnACount(t *testing.T) {
	b := newBench(t, Config{Tools: []Tool{refundTool(ToolRules{Approval: &ApprovalNeed{Roles: []string{"lead"}, When: `count(args.customer_id, "7d") >= 1`}})}})
	b.expect(refund("op_1", 1), Pass)
	b.release(refund("op_1", 1))
	b.expect(refund("op_2", 1), Ask)
}
