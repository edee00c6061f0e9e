package toolfile_test

import (
	"reflect"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"pgregory.net/rapid"

	opledgerv1 "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
)

// wholePolicy states every setting of a policy.
const wholePolicy = least + `
policy:
  approval:
    required:
      count: 2
      roles: [finance, risk]
      when: args.id != ""
      expires_after: 2h
      on_expiry: ESCALATE
      escalate_roles: [cfo]
      no_holds_for: 0s
      warning: It cannot be undone.
  guards:
    - {name: open, condition: entity.state != "closed", explanation: It is closed., shadow: true}
  limits:
    - {name: daily, per: "{args.id}", sum_of: /n, max: 0, period: 24h, period_kind: FIXED, zone: Europe/Berlin,
       when: "true", shadow: true, explanation: Enough for a day.}
    - {name: hourly, max: 10, period: 1h}
  dedupe_windows:
    - {name: same, key_template: "{args.id}", period: 90s, shadow: true, explanation: Twice in a row.}
  conflicts:
    - {name: credit, tools: [credit.goodwill], intents: [credit], period: 720h, shadow: true, explanation: One or the other.}
  lease: HELD
  sets_entity_state: "read by {args.id}"
  shadow: true
  proposer_roles: [support]
  max_revisions: 0
  loosen_reason: Because.
`

// TestWholePolicy: every setting that a file states is read as it stands.
func TestWholePolicy(t *testing.T) {
	sources, problems := toolfile.Parse("tool.yaml", []byte(wholePolicy))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	d := sources[0].Definition
	want := policy.ToolRules{
		Approval: &policy.ApprovalNeed{Count: 2, Roles: []string{"finance", "risk"}, When: `args.id != ""`, ExpiresAfter: 2 * time.Hour,
			OnExpiry: policy.ExpiryEscalate, EscalateRoles: []string{"cfo"}, Warning: "It cannot be undone."},
		Guards: []policy.Guard{{Name: "open", Condition: `entity.state != "closed"`, Explanation: "It is closed.", Shadow: true}},
		Limits: []policy.Limit{
			{Name: "daily", Per: "{args.id}", SumOf: "/n", Period: 24 * time.Hour, Fixed: true, Zone: "Europe/Berlin", When: "true", Shadow: true, Explanation: "Enough for a day."},
			{Name: "hourly", Max: 10, Period: time.Hour},
		},
		Windows:   []policy.DedupeWindow{{Name: "same", KeyTemplate: "{args.id}", Period: 90 * time.Second, Shadow: true, Explanation: "Twice in a row."}},
		Conflicts: []policy.Conflict{{Name: "credit", Tools: []string{"credit.goodwill"}, Intents: []string{"credit"}, Period: 720 * time.Hour, Shadow: true, Explanation: "One or the other."}},
		LeaseHeld: true, SetsEntityState: "read by {args.id}", Shadow: true, ProposerRoles: []string{"support"},
	}
	if !reflect.DeepEqual(d.Policy, want) || d.LooserReason != "Because." {
		t.Errorf("read as\n%+v", d.Policy)
	}
	filled := registry.WithDefaults(d).Policy
	if filled.MaxRevisions != 0 || filled.Approval.NoHoldsFor != 0 {
		t.Errorf("stated as zero, and yet %d revisions, and a no that holds for %s", filled.MaxRevisions, filled.Approval.NoHoldsFor)
	}
	text, err := toolfile.Marshal(sources[0].Proto)
	if err != nil {
		t.Fatal(err)
	}
	again, problems := toolfile.Parse("again.yaml", text)
	if len(problems) > 0 || !proto.Equal(again[0].Proto, sources[0].Proto) {
		t.Errorf("it changes on its way: %v\n%s", problems, text)
	}
}

// TestLeastPolicy: what a policy leaves out has the defaults that the API states.
func TestLeastPolicy(t *testing.T) {
	sources, problems := toolfile.Parse("tool.yaml", []byte(least+"policy: {approval: {required: {roles: [finance]}}}\n"))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	got := registry.WithDefaults(sources[0].Definition).Policy
	want := policy.ToolRules{MaxRevisions: 3, Approval: &policy.ApprovalNeed{Count: 1, Roles: []string{"finance"},
		ExpiresAfter: 24 * time.Hour, OnExpiry: policy.ExpiryDeny, NoHoldsFor: 24 * time.Hour}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("filled in as\n%+v", got)
	}
}

// TestPolicyThatCannotBeRead: what would be read as something else is refused.
func TestPolicyThatCannotBeRead(t *testing.T) {
	for path, p := range map[string]*opledgerv1.ToolPolicy{
		"policy.lease": {Lease: 9},
		"policy.approval.waived.reason": {Approval: &opledgerv1.ApprovalTerms{Choice: &opledgerv1.ApprovalTerms_Waived{
			Waived: &opledgerv1.ApprovalWaived{}}}},
		"policy.limits[1].max":         {Limits: []*opledgerv1.Limit{{Name: "a", Max: proto.Int64(1)}, {Name: "b", Period: durationpb.New(time.Hour)}}},
		"policy.limits[0].period_kind": {Limits: []*opledgerv1.Limit{{Name: "a", Max: proto.Int64(1), PeriodKind: 9}}},
	} {
		_, problems := toolfile.FromProto(&opledgerv1.ToolDefinition{Name: "a", Policy: p})
		if len(problems) != 1 || problems[0].Path != path {
			t.Errorf("%s: %v", path, problems)
		}
	}
	// An expiry that is not known is a word that Check refuses.
	d, _ := toolfile.FromProto(&opledgerv1.ToolDefinition{Name: "a", Policy: &opledgerv1.ToolPolicy{Approval: &opledgerv1.ApprovalTerms{
		Choice: &opledgerv1.ApprovalTerms_Required{Required: &opledgerv1.ApprovalNeed{OnExpiry: 9}}}}})
	if got := d.Policy.Approval.OnExpiry; got != "VALUE_9" {
		t.Errorf("read as %s", got)
	}
}

// drawPolicy draws a policy, and what of it is stated as zero.
func drawPolicy(t *rapid.T, d *registry.Definition) {
	d.Policy = policy.ToolRules{MaxRevisions: rapid.IntRange(0, 3).Draw(t, "revisions")}
	zero := func(path string) {
		if d.StatedZero == nil {
			d.StatedZero = map[string]bool{}
		}
		d.StatedZero[path] = true
	}
	if d.Policy.MaxRevisions == 0 {
		if d.LooserReason == "" && rapid.Bool().Draw(t, "no policy") {
			return
		}
		zero("policy.max_revisions")
	}
	r, word := &d.Policy, rapid.StringMatching(`[a-z]{0,6}`)
	span := rapid.Map(rapid.Int64Range(1, 1<<40), func(n int64) time.Duration { return time.Duration(n) })
	some := rapid.SampledFrom([][]string{nil, {"a"}, {"b", "c"}})
	shadow := rapid.Bool()
	switch rapid.IntRange(0, 2).Draw(t, "approval") {
	case 1:
		r.ApprovalWaived = rapid.StringMatching(`[a-z]{1,6}`).Draw(t, "waived")
	case 2:
		r.Approval = &policy.ApprovalNeed{Count: rapid.IntRange(1, 9).Draw(t, "count"), Roles: some.Draw(t, "roles"), When: word.Draw(t, "when"),
			ExpiresAfter: span.Draw(t, "expires"), OnExpiry: rapid.SampledFrom([]policy.Expiry{policy.ExpiryDeny, policy.ExpiryEscalate, policy.ExpiryNeedsHuman}).Draw(t, "expiry"),
			EscalateRoles: some.Draw(t, "next"), Warning: word.Draw(t, "warning")}
		if r.Approval.NoHoldsFor = span.Draw(t, "no"); rapid.Bool().Draw(t, "no holds not") {
			r.Approval.NoHoldsFor = 0
			zero("policy.approval.required.no_holds_for")
		}
	}
	for range rapid.IntRange(0, 2).Draw(t, "rules") {
		r.Guards = append(r.Guards, policy.Guard{Name: word.Draw(t, "guard"), Condition: word.Draw(t, "condition"), Explanation: word.Draw(t, "why"), Shadow: shadow.Draw(t, "shadow")})
		r.Limits = append(r.Limits, policy.Limit{Name: word.Draw(t, "limit"), Per: word.Draw(t, "per"), SumOf: word.Draw(t, "sum"), Max: rapid.Int64Range(0, 1<<62).Draw(t, "max"),
			Period: span.Draw(t, "period"), Fixed: rapid.Bool().Draw(t, "fixed"), Zone: word.Draw(t, "zone"), When: word.Draw(t, "limit when"), Shadow: shadow.Draw(t, "limit shadow"), Explanation: word.Draw(t, "limit why")})
		r.Windows = append(r.Windows, policy.DedupeWindow{Name: word.Draw(t, "window"), KeyTemplate: word.Draw(t, "key"), Period: span.Draw(t, "window period"), Shadow: shadow.Draw(t, "window shadow")})
		r.Conflicts = append(r.Conflicts, policy.Conflict{Name: word.Draw(t, "conflict"), Tools: some.Draw(t, "tools"), Intents: some.Draw(t, "intents"), Period: span.Draw(t, "conflict period"), Explanation: word.Draw(t, "conflict why")})
	}
	r.LeaseHeld, r.Shadow = rapid.Bool().Draw(t, "lease"), shadow.Draw(t, "all shadow")
	r.SetsEntityState, r.ProposerRoles = word.Draw(t, "state"), some.Draw(t, "proposers")
}
