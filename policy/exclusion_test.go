package policy

import (
	"strings"
	"testing"
	"time"
)

func windowed() Config {
	return Config{Tools: []Tool{refundTool(ToolRules{Windows: []DedupeWindow{{Name: "same", KeyTemplate: "{entity}", Period: time.Hour}}})}}
}

func TestAWindowSuppressesBesideWhatIsOpen(t *testing.T) {
	b := newBench(t, windowed())
	first, second := refund("op_1", 1), refund("op_2", 2)
	b.release(first)
	b.now = b.now.Add(100 * time.Hour) // open ones count in every window that contains now
	v := b.expect(second, Suppress)
	if v.Earlier != "op_1" || !v.EarlierAt.Equal(start) || !v.Overridable {
		t.Errorf("the verdict says %+v", v)
	}
	b.fail(first)
	b.expect(second, Pass) // what is known not to have happened suppresses nothing
}

func TestAWindowCountsWhatHappenedFromItsLastPermit(t *testing.T) {
	b := newBench(t, windowed())
	first := refund("op_1", 1)
	b.release(first)
	b.succeed(first)
	b.now = start.Add(time.Hour - time.Nanosecond)
	if v := b.expect(refund("op_2", 1), Suppress); v.Earlier != "op_1" || !v.EarlierAt.Equal(start) {
		t.Errorf("the verdict says %+v", v)
	}
	b.now = start.Add(time.Hour)
	b.expect(refund("op_2", 1), Pass)
}

func TestARevisionIsNotSuppressedByItsPredecessors(t *testing.T) {
	b := newBench(t, windowed())
	first := refund("op_1", 1)
	b.release(first)
	b.succeed(first)
	revision := refund("op_2", 1)
	revision.Root, revision.Revision = "op_1", 2
	b.expect(revision, Pass)
	b.release(revision)
	b.succeed(revision)
	if row := b.rows[b.bind(first).Charges()[0].History]; len(row.Past) != 1 || row.Past[0].Operation != "op_2" {
		t.Errorf("an operation and its revisions are one: %+v", row.Past)
	}
}

func TestARecheckIsWeighedAgainstEarlierHoldersOnly(t *testing.T) {
	b := newBench(t, windowed())
	first, second := refund("op_1", 1), refund("op_2", 1)
	b.release(first)
	b.release(second) // overridden, say
	b.expect(first, Pass, recheck)
	b.expect(second, Suppress, recheck)
	b.fail(first)
	b.expect(second, Pass, recheck)
}

func TestWhoWaitsIsNamedToEveryNewOne(t *testing.T) {
	c := windowed()
	c.Tools[0].Rules.Approval = &ApprovalNeed{Roles: []string{"lead"}, When: "args.amount.minor >= 100"}
	b := newBench(t, c)
	b.wait(refund("op_1", 500))
	if v := b.expect(refund("op_2", 499), Suppress); v.Earlier != "op_1" || v.Rule != "payment.refund/same" {
		t.Errorf("the verdict says %+v", v)
	}
	// A smaller one that would need nobody is no way round what a person is deciding about.
	if v := b.expect(refund("op_3", 99), Suppress); v.Earlier != "op_1" {
		t.Errorf("the verdict says %+v", v)
	}
	b.expect(refund("op_1", 500), Ask, recheck)
	// op_3 was released by an override meanwhile: the approved op_1 is weighed against it, although it came first.
	b.release(refund("op_3", 99))
	if v := b.expect(refund("op_1", 500), Suppress, recheck); v.Earlier != "op_3" {
		t.Errorf("the verdict says %+v", v)
	}
}

func TestWhoWaitsAndIsReleasedStandsAtTheEndOfTheLine(t *testing.T) {
	b := newBench(t, windowed())
	b.wait(refund("op_1", 1))
	b.release(refund("op_2", 1))
	b.release(refund("op_1", 1))
	b.expect(refund("op_2", 1), Pass, recheck)
	b.expect(refund("op_1", 1), Suppress, recheck)
	b.fail(refund("op_2", 1))
	if v := b.expect(refund("op_3", 1), Suppress); v.Earlier != "op_1" {
		t.Errorf("what was released is held: %+v", v)
	}
}

func TestWhoHasAskedIsNotHeldUpByWhoWaits(t *testing.T) {
	c := windowed()
	c.Tools[0].Rules.Approval = &ApprovalNeed{Roles: []string{"lead"}}
	b := newBench(t, c)
	b.wait(refund("op_1", 1))
	b.wait(refund("op_2", 1))
	b.expect(refund("op_1", 1), Ask, recheck)
	b.expect(refund("op_2", 1), Ask, recheck)
}

func TestWhoWaitsIsHeldInNoLimit(t *testing.T) {
	c := windowed()
	c.Tools[0].Rules.Limits = []Limit{{Name: "l", Max: 1, Period: day}}
	b := newBench(t, c)
	names := b.bind(refund("op_1", 1)).Waiting()
	if len(names) != 1 || !strings.HasPrefix(names[0], "window/") {
		t.Errorf("it is named in %q", names)
	}
	b.wait(refund("op_1", 1))
	if v := b.expect(refund("op_2", 1), Suppress); v.Rule != "payment.refund/same" {
		t.Errorf("the limit counts who waits: %+v", v)
	}
}

func TestOneIsNeverWeighedAgainstItself(t *testing.T) {
	c := windowed()
	c.Tools[0].Rules.Limits = []Limit{{Name: "l", SumOf: "/amount", Max: 10, Period: day}}
	b := newBench(t, c)
	b.release(refund("op_1", 8))
	b.expect(refund("op_1", 8), Pass)
	b.expect(refund("op_1", 8), Pass, recheck)
	b.succeed(refund("op_1", 8))
	// Its effect was undone, and it is proposed afresh.
	revision := refund("op_2", 9)
	revision.Root, revision.Revision = "op_1", 2
	b.expect(revision, Pass)
	b.release(revision)
	b.succeed(revision)
	b.now = b.now.Add(2 * time.Hour)
	b.expect(refund("op_3", 1), Pass) // the two are one charge, of 9
	b.expect(refund("op_3", 2), Later)
}

func TestAnEarlierRevisionToldLateChangesNothing(t *testing.T) {
	for _, kind := range []ChargeKind{ChargeCounter, ChargeWindow} {
		ch := Charge{Kind: kind, Amount: 9, Period: day}
		h := History{}.Settle(ch, "op_1", "op_2", start.Add(time.Hour), start.Add(time.Hour))
		ch.Amount = 8
		late := h.Settle(ch, "op_1", "op_1", start, start.Add(2*time.Hour))
		if len(late.Past) != 1 || late.Past[0] != h.Past[0] {
			t.Errorf("%s: %+v became %+v", kind, h.Past, late.Past)
		}
	}
}

func TestConflictsExcludeInBothDirections(t *testing.T) {
	own := Conflict{Name: "goodwill", Intents: []string{"goodwill"}, Period: day, Explanation: "One or the other."}
	spanning := Rule{ID: "apart", Version: 1, Scope: Scope{Tools: []string{"payment.*"}}, Conflict: &Conflict{Tools: []string{"voucher.grant"}, Period: day}}
	for name, c := range map[string]Config{
		"a tool's own": {Tools: []Tool{refundTool(ToolRules{Conflicts: []Conflict{own}}), goodwillTool(ToolRules{})}},
		"a rule":       {Tools: []Tool{refundTool(ToolRules{}), goodwillTool(ToolRules{})}, Rules: []Rule{spanning}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, pair := range [][2]Facts{{refund("op_1", 1), goodwill("op_2")}, {goodwill("op_1"), refund("op_2", 1)}} {
				b := newBench(t, c)
				b.release(pair[0])
				if v := b.expect(pair[1], Denied); v.Earlier != "op_1" || !v.Overridable {
					t.Errorf("the verdict says %+v", v)
				}
				same := pair[0]
				same.OperationID, same.Root = "op_3", "op_3"
				b.expect(same, Pass) // a conflict is no window
				b.succeed(pair[0])
				b.now = start.Add(day - 1)
				b.expect(pair[1], Denied)
				b.now = start.Add(day)
				b.expect(pair[1], Pass)
				elsewhere := pair[1]
				elsewhere.Entity.ID = "o2"
				b.now = start
				b.expect(elsewhere, Pass)
			}
		})
	}
}

func TestAConflictIsOnAnEntity(t *testing.T) {
	b := newBench(t, Config{Tools: []Tool{lookupTool(), refundTool(ToolRules{})}, Rules: []Rule{
		{ID: "apart", Scope: Scope{Tools: []string{"payment.lookup"}}, Conflict: &Conflict{Tools: []string{"payment.refund"}, Period: day}}}})
	if c := b.bind(Facts{Tool: "payment.lookup"}); !c.Empty() {
		t.Error("a tool without entity takes part in no conflict")
	}
}

func TestLongerTermsHoldOn(t *testing.T) {
	// An operation was charged for a month; one under shorter terms prunes what only the longer terms need, not that.
	long := Charge{Kind: ChargeConflict, Period: 30 * day, Tool: "a"}
	short := Charge{Kind: ChargeConflict, Period: time.Hour, Tool: "b"}
	h := History{}.Settle(long, "op_1", "op_1", start, start)
	h = h.Settle(short, "op_2", "op_2", start.Add(5*day), start.Add(5*day))
	h = h.Settle(short, "op_3", "op_3", start.Add(9*day), start.Add(9*day))
	if len(h.Past) != 2 || h.Past[0].Root != "op_1" || h.Past[1].Root != "op_3" {
		t.Errorf("what is kept: %+v", h.Past)
	}
	// Of one tool, the newest stands for what it displaces, for as long as that would have been kept.
	short.Tool = "a"
	for i, op := range []string{"op_4", "op_5", "op_6"} {
		at := start.Add(10*day + time.Duration(i))
		h = h.Settle(short, op, op, at, at)
	}
	h = h.Settle(Charge{Kind: ChargeConflict, Period: time.Hour, Tool: "c"}, "op_7", "op_7", start.Add(20*day), start.Add(20*day))
	if len(h.Past) != 3 || h.Past[1].Root != "op_6" {
		t.Errorf("what is kept: %+v", h.Past)
	}
}
