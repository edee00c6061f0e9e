package registry_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
)

// TestClassTable holds the defaults against the table that the documentation prints.
func TestClassTable(t *testing.T) {
	for _, row := range []struct {
		from      registry.Definition
		attempts  int
		permit    time.Duration
		begin     bool
		group     string
		stall     time.Duration
		occur     registry.OccurrencePolicy
		reconcile []registry.Strategy
	}{
		{read(), 3, 15 * time.Second, false, "", 0, registry.OccurrenceAnyCaller, nil},
		{contact(), 5, 30 * time.Second, false, "", 0, registry.OccurrenceAnyCaller, []registry.Strategy{registry.StrategyResend, registry.StrategyPerson}},
		{capture(), 5, time.Minute, false, "money", 10 * time.Minute, registry.OccurrenceNobody, []registry.Strategy{registry.StrategyLookup, registry.StrategyResend, registry.StrategyPerson}},
		{mail(), 3, time.Minute, true, "email.send", 10 * time.Minute, registry.OccurrenceAnyCaller, []registry.Strategy{registry.StrategyPerson}},
		{revoke(), 2, time.Minute, true, "access.revoke", 0, registry.OccurrenceNobody, []registry.Strategy{registry.StrategyPerson}},
	} {
		t.Run(string(row.from.Class), func(t *testing.T) {
			d := registry.WithDefaults(row.from)
			if d.Retry.MaxAttempts != row.attempts || d.Permit.Duration != row.permit || d.Permit.BeginRequired != row.begin ||
				d.Exclusive.Group != row.group || d.Permit.StallAllowance != row.stall || d.Identity.Occurrence != row.occur ||
				!slices.Equal(d.Reconcile, row.reconcile) {
				t.Errorf("defaults: attempts %d, permit %s, begin %t, group %q, stall %s, occurrence %s, reconcile %v",
					d.Retry.MaxAttempts, d.Permit.Duration, d.Permit.BeginRequired, d.Exclusive.Group, d.Permit.StallAllowance, d.Identity.Occurrence, d.Reconcile)
			}
			if again := registry.WithDefaults(d); !reflect.DeepEqual(again, d) {
				t.Error("filling in defaults twice changes something")
			}
		})
	}
}

// TestStatedZeroIsKept: zero is a value where it is stated, and absent where it is not (FC-303).
func TestStatedZeroIsKept(t *testing.T) {
	d := capture()
	if got := registry.WithDefaults(d).Waiting.HumanAfter; got != registry.HumanAfter {
		t.Errorf("absent: %s", got)
	}
	d.StatedZero = map[string]bool{"waiting.human_after": true, "provider.five_xx_may_commit": true}
	filled := registry.WithDefaults(d)
	if filled.Waiting.HumanAfter != 0 || filled.Provider.FiveXXMayCommit {
		t.Errorf("stated as zero, and yet %s, %t", filled.Waiting.HumanAfter, filled.Provider.FiveXXMayCommit)
	}
	if !registry.WithDefaults(capture()).Provider.FiveXXMayCommit {
		t.Error("a silent profile must be read as one whose 5xx may have committed")
	}
}

func TestDefaultsLeaveTheirInputAlone(t *testing.T) {
	d := ruled()
	registry.WithDefaults(d)
	if !reflect.DeepEqual(d, ruled()) {
		t.Error("the definition that was given is changed")
	}
	if filled := registry.WithDefaults(d); !reflect.DeepEqual(registry.WithDefaults(filled), filled) {
		t.Error("filling in defaults twice changes something")
	}
}

// TestPropagationOfProvidersThatReadTheirWrites: no delay is waited for where each lookup shows a commit at once.
func TestPropagationOfProvidersThatReadTheirWrites(t *testing.T) {
	d := with(capture(), func(d *registry.Definition) { d.Provider.Lookups[0].ReadAfterWrite = true })
	if got := registry.WithDefaults(d).Provider.PropagationTime; got != registry.PropagationTime {
		t.Errorf("one lookup lags, and yet the delay is %s", got)
	}
	d.Provider.Lookups[1].ReadAfterWrite = true
	if got := registry.WithDefaults(d).Provider.PropagationTime; got != 0 {
		t.Errorf("no lookup lags, and yet the delay is %s", got)
	}
}

// TestLoosened: what is looser than the class is listed with its reason; what is stricter is not.
func TestLoosened(t *testing.T) {
	d := mail()
	d.StatedZero = map[string]bool{"permit.begin_required": true}
	d.Permit.WaiveReason, d.Retry.MaxAttempts, d.LooserReason = "fenced", 4, "flaky"
	d.Exclusive = registry.Exclusive{Stated: true, Reason: "independent"}
	got := map[string]string{}
	for _, l := range registry.Loosened(d) {
		got[l.Path] = l.ClassDefault + " " + l.Reason
	}
	want := map[string]string{"retry.max_attempts": "3 flaky", "permit.begin_required": "true fenced", "exclusive": "group email.send independent"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
	bold := revoke()
	bold.Policy, bold.LooserReason = policy.ToolRules{MaxRevisions: 5, Approval: &policy.ApprovalNeed{Roles: []string{"security"}, When: "false"}}, "a drill"
	got = map[string]string{}
	for _, l := range registry.Loosened(bold) {
		got[l.Path] = l.ClassDefault + " " + l.Reason
	}
	want = map[string]string{"policy.approval.required.when": "always a drill", "policy.max_revisions": "3 a drill"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
	waived := registry.Loosened(revoke())
	if len(waived) != 1 || waived[0].Path != "policy.approval" || waived[0].Reason != "a person asks for each" {
		t.Errorf("a waived approval is told as %v", waived)
	}
	mild := mail()
	mild.Policy.Approval = &policy.ApprovalNeed{Roles: []string{"support"}, When: "false"} // the class asks nobody
	if l := registry.Loosened(mild); len(l) > 0 {
		t.Errorf("an approval at times, where none is asked for: %v", l)
	}
	strict := mail()
	strict.Retry.MaxAttempts, strict.Permit.StallAllowance = 1, time.Hour
	if l := registry.Loosened(strict); len(l) > 0 {
		t.Errorf("stricter is not looser: %v", l)
	}
}

// TestClassTableInWords holds the table that is printed against the one that the design states.
func TestClassTableInWords(t *testing.T) {
	const another = "none needed; another workflow's lease blocks"
	want := [][]string{
		{"PURE_READ", "3", "15s", "no", "not required", "none", "none needed; none blocks", "any caller", "asked again"},
		{"INTERNAL_DETERMINISTIC_WRITE", "5", "30s", "no", "not required", "none", another, "any caller", "resend, person"},
		{"EXTERNAL_IDEMPOTENT_WRITE", "5", "1m0s", "must be stated", "not required", "none", another, "any caller", "lookup, resend, person"},
		{"EXTERNAL_NON_IDEMPOTENT_WRITE", "3", "1m0s", "in the tool's own group", "required", "none", another, "any caller", "lookup, webhook, person"},
		{"IRREVERSIBLE", "2", "1m0s", "in the tool's own group", "required", "must be stated: who, or nobody and why", another, "a repeat grant", "lookup, webhook, person"},
	}
	var got [][]string
	for _, r := range registry.ClassTable() {
		got = append(got, []string{string(r.Class), r.Attempts, r.Permit, r.Exclusive, r.Begin, r.Approval, r.Lease, r.Repetition, r.AfterAmbiguity})
		if r.Audit == "" {
			t.Errorf("%s does not say what is recorded", r.Class)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the table is\n%q", got)
	}
}
