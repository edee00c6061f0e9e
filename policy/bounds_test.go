package policy

import (
	"strings"
	"testing"
	"time"
)

// accepted checks a rule against the refund tool.
func accepted(t *testing.T, what string, r Rule, want bool) {
	t.Helper()
	r.ID = "r"
	if got := CheckRule(Config{Tools: []Tool{refundTool(ToolRules{})}}, r); (len(got) == 0) != want {
		t.Errorf("%s: %v, and it should be accepted: %t", what, got, want)
	}
}

// TestBoundsHoldToTheLastUnit: what a bound names is let pass, and the next beyond it is not.
func TestBoundsHoldToTheLastUnit(t *testing.T) {
	for period, want := range map[time.Duration]bool{time.Second - 1: false, time.Second: true, 400 * day: true, 400*day + 1: false} {
		accepted(t, "a period of "+period.String(), Rule{Limit: &Limit{Max: 1, Period: period}}, want)
	}
	for window, want := range map[string]bool{"999ms": false, "1s": true, "9600h": true, "9600h1ns": false, "400d": true, "0d": false} {
		accepted(t, "a window of "+window, Rule{Guard: &Guard{Condition: `count("` + window + `") < 1`}}, want)
	}
	for _, most := range []int64{0, 1} {
		accepted(t, "a limit of zero or one", Rule{Limit: &Limit{Max: most, Period: day}}, true)
	}
	asks := func(change func(*ApprovalNeed)) Rule {
		n := &ApprovalNeed{Roles: []string{"lead"}}
		change(n)
		return Rule{Approval: n}
	}
	for count, want := range map[int]bool{-1: false, 0: true, 1: true, 10: true, 11: false} {
		accepted(t, "so many persons", asks(func(n *ApprovalNeed) { n.Count = count }), want)
	}
	for after, want := range map[time.Duration]bool{time.Second - 1: false, time.Second: true, 30 * day: true, 30*day + 1: false} {
		accepted(t, "a request open for "+after.String(), asks(func(n *ApprovalNeed) { n.ExpiresAfter = after }), want)
	}
	for holds, want := range map[time.Duration]bool{-1: false, 0: true, 30 * day: true, 30*day + 1: false} {
		accepted(t, "a no that holds for "+holds.String(), asks(func(n *ApprovalNeed) { n.NoHoldsFor = holds }), want)
	}
	for length, want := range map[int]bool{MaxTemplate: true, MaxTemplate + 1: false} {
		accepted(t, "a template of many bytes", Rule{Limit: &Limit{Max: 1, Period: day, Per: strings.Repeat("x", length)}}, want)
	}
	for refs, want := range map[int]bool{maxParts: true, maxParts + 1: false} {
		accepted(t, "a template of many references", Rule{Limit: &Limit{Max: 1, Period: day, Per: strings.Repeat("{tool}", refs)}}, want)
	}
}

// TestTheGreatestEstimateIsAccepted: of an expression whose cost on large arguments is exactly the bound, and of the next.
func TestTheGreatestEstimateIsAccepted(t *testing.T) {
	const comparison = "a.count == 1 && "
	dearest := "has(args.note) && has(args.note) && " + strings.Repeat("args.points == 1 && ", 19) +
		"args.lines.all(a, " + strings.Repeat(comparison, 42) + "args.lines.all(b, " + strings.Repeat(comparison, 18) + "a.count == 1))"
	env, err := environment(refundTool(ToolRules{}).Arguments)
	if err != nil {
		t.Fatal(err)
	}
	checked, _ := env.Compile(dearest)
	if cost, err := env.EstimateCost(checked, sizes{}); err != nil || cost.Max != maxEstimate {
		t.Fatalf("this test is about an estimate of %d, and CEL says %d, %v", maxEstimate, cost.Max, err)
	}
	accepted(t, "the dearest expression", Rule{Guard: &Guard{Condition: dearest}}, true)
	accepted(t, "one that is dearer", Rule{Guard: &Guard{Condition: "has(args.note) && " + dearest}}, false)
}

func TestWhatHappensToARequestThatNobodyAnswers(t *testing.T) {
	for _, c := range []struct {
		on       Expiry
		escalate []string
		want     bool
	}{
		{"", nil, true}, {ExpiryDeny, nil, true}, {ExpiryNeedsHuman, nil, true}, {ExpiryEscalate, []string{"chief"}, true},
		{"", []string{"chief"}, false}, {ExpiryDeny, []string{"chief"}, false}, {ExpiryNeedsHuman, []string{"chief"}, false}, {ExpiryEscalate, nil, false},
	} {
		accepted(t, string(c.on)+" "+strings.Join(c.escalate, " "), Rule{Approval: &ApprovalNeed{Roles: []string{"lead"}, OnExpiry: c.on, EscalateRoles: c.escalate}}, c.want)
	}
}

func TestAConflictNamesToolsIntentsOrBoth(t *testing.T) {
	for _, c := range []Conflict{{Tools: []string{"a"}}, {Intents: []string{"b"}}, {Tools: []string{"a"}, Intents: []string{"b"}}} {
		c.Period = day
		accepted(t, "a conflict", Rule{Conflict: &c}, true)
	}
}

func TestAZoneIsForFixedWholeDays(t *testing.T) {
	for _, period := range []time.Duration{day, 7 * day} {
		accepted(t, period.String(), Rule{Limit: &Limit{Max: 1, Period: period, Fixed: true, Zone: "Europe/Berlin"}}, true)
	}
	accepted(t, "a day and an hour", Rule{Limit: &Limit{Max: 1, Period: day + time.Hour, Fixed: true, Zone: "Europe/Berlin"}}, false)
}

func TestDefaultsAreADay(t *testing.T) {
	if DefaultApprovalExpiry != day || DefaultNoHolds != day || DenialsPeriod != time.Minute {
		t.Errorf("a request is open for %s, a no holds for %s, denials count for %s", DefaultApprovalExpiry, DefaultNoHolds, DenialsPeriod)
	}
}
