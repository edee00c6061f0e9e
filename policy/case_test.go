package policy

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/locks"
)

// counting is a policy with a rule of every kind that counts, and two that do not.
func counting(t *testing.T) *bench {
	return newBench(t, Config{Tools: []Tool{refundTool(ToolRules{
		ProposerRoles: []string{"agent"},
		Guards:        []Guard{{Name: "plain", Condition: "true"}, {Name: "few", Condition: `count(args.customer_id, "1h") + count("1d") < 9`}, {Name: "lost", Condition: `count(args.note, "1h") < 9`}},
		Windows:       []DedupeWindow{{Name: "window", KeyTemplate: "{entity}", Period: time.Hour}},
		Limits:        []Limit{{Name: "limit", Max: 9, Period: time.Hour}, {Name: "other", Max: 9, Period: day}},
	})}})
}

func TestARuleNamesItsCounters(t *testing.T) {
	c := counting(t).bind(refund("op_1", 1))
	for rule, want := range map[string][]string{
		"plain": nil, "few": {"count/payment.refund/few/1h-sliding/", "count/payment.refund/few/1d-sliding/"}, "lost": nil, "window": nil,
		"limit": {"limit/payment.refund/limit/"}, "other": {"limit/payment.refund/other/"}, "unknown": nil,
	} {
		got := c.Counters("payment.refund/" + rule)
		if !slices.EqualFunc(got, want, strings.HasPrefix) {
			t.Errorf("%s counts by %q, want %q", rule, got, want)
		}
	}
	var nobody *Case
	if len(c.Counters("limit")) != 0 || nobody.MayAsk() || nobody.Standing("limit") != nil {
		t.Error("a tool's rule goes by the tool's name and its own")
	}
}

func TestEachHistoryIsHeldOnce(t *testing.T) {
	c := counting(t).bind(refund("op_1", 1))
	ids := c.Histories()
	if !slices.IsSorted(ids) || len(slices.Compact(slices.Clone(ids))) != len(ids) || len(ids) != 5 {
		t.Errorf("the histories are %q", ids)
	}
	twice := newBench(t, Config{Tools: []Tool{refundTool(ToolRules{Guards: []Guard{{Name: "g", Condition: `count("1h") < 3 && count("1h") < 4`}}})}})
	if got := twice.bind(refund("op_1", 1)).Charges(); len(got) != 1 {
		t.Errorf("one counter that is read twice is charged as %+v", got)
	}
}

func TestMayAskWhereARuleAsksForPersons(t *testing.T) {
	asking := newBench(t, Config{Tools: []Tool{refundTool(ToolRules{Approval: &ApprovalNeed{Roles: []string{"lead"}}})}})
	if !asking.bind(refund("op_1", 1)).MayAsk() {
		t.Error("an approval may ask")
	}
	if counting(t).bind(refund("op_1", 1)).MayAsk() {
		t.Error("nothing here asks")
	}
}

// TestExpressionsSeeTheProposal: each fact reaches the expression that names it.
func TestExpressionsSeeTheProposal(t *testing.T) {
	f := refund("op_1", 1)
	f.Touches = []locks.Entity{{Type: "account", ID: "a1"}}
	f.Occurrence, f.Fingerprint = "item_2", "sha256:x"
	for _, condition := range []string{
		`proposal.tool == "payment.refund" && proposal.key == "refund:o1" && proposal.fingerprint == "sha256:x" && proposal.occurrence == "item_2"`,
		`proposal.intent == "refund" && proposal.revision == 1 && proposal.entity == "order/o1" && proposal.touches == ["account/a1"]`,
		`tool.name == "payment.refund" && tool.version == 3 && tool.class == "EXTERNAL_NON_IDEMPOTENT_WRITE"`,
		`principal.id == "agent" && principal.person == "ann" && principal.roles == ["agent"] && workflow.id == "wf_1" && workflow.run_id == "run_1"`,
		`entity.type == "order" && entity.id == "o1"`,
	} {
		newBench(t, Config{Tools: []Tool{refundTool(ToolRules{Guards: []Guard{{Name: "g", Condition: condition}}})}}).expect(f, Pass)
	}
	f.Entity = locks.Entity{}
	newBench(t, Config{Tools: []Tool{refundTool(ToolRules{Guards: []Guard{{Name: "g", Condition: `proposal.entity == ""`}}})}}).expect(f, Pass)
}

// TestWhatIsCountedByIsTextOrAWholeNumber: an amount of nothing counts, one that cannot be told is a no.
func TestWhatIsCountedByIsTextOrAWholeNumber(t *testing.T) {
	for condition, want := range map[string]Outcome{
		`count(args.amount.minor, "1h") < 1`:                 Pass,
		`count(args.customer_id, "1h") < 1`:                  Pass,
		`count(args.meta.x, "1h") < 1`:                       Denied,
		`sum(args.amount.minor, "x", "1h") < 1`:              Pass,
		`sum(args.amount.minor - 1, "x", "1h") < 1`:          Pass,
		`sum(args.amount.minor - 2, "x", "1h") < 1`:          Denied,
		`sum(int(args.meta.x), args.customer_id, "1h") >= 0`: Denied,
	} {
		b := newBench(t, Config{Tools: []Tool{refundTool(ToolRules{Guards: []Guard{{Name: "g", Condition: condition}}})}})
		f := refund("op_1", 1)
		f.Canonical = []byte(strings.Replace(string(f.Canonical), `"order_id"`, `"meta":{"x":true},"order_id"`, 1))
		if got := b.decision(f).Outcome; got != want {
			t.Errorf("%s: %s, want %s", condition, got, want)
		}
	}
}
