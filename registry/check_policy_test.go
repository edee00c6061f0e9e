package registry_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/canon"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
)

// ruled is a good definition with every kind of rule, which tests change in one place each.
func ruled() registry.Definition {
	d := capture()
	d.Policy = policy.ToolRules{
		Approval: &policy.ApprovalNeed{Count: 2, Roles: []string{"finance"}, When: "args.amount.minor > 10000"},
		Guards:   []policy.Guard{{Name: "not-paid", Condition: `entity.state != "paid"`}},
		Limits: []policy.Limit{
			{Name: "per-order", Per: "{args.order_id}", Max: 3, Period: 24 * time.Hour, Fixed: true, Zone: "Europe/Berlin"},
			{Name: "amount", Per: "{args.order_id}:{args.currency}", SumOf: "/amount", Max: 100_000, Period: time.Hour},
		},
		Windows:         []policy.DedupeWindow{{Name: "same-order", KeyTemplate: "{args.order_id}", Period: time.Minute}},
		Conflicts:       []policy.Conflict{{Name: "no-credit", Tools: []string{"credit.goodwill"}, Intents: []string{"credit"}, Period: time.Hour}},
		LeaseHeld:       true,
		SetsEntityState: "paid by {args.order_id}",
		ProposerRoles:   []string{"support"},
		MaxRevisions:    2,
	}
	return d
}

// TestCheckPolicy changes one thing each and expects the problem at its place.
func TestCheckPolicy(t *testing.T) {
	type change = func(*registry.Definition)
	const need = "policy.approval.required"
	approve := func(change func(*policy.ApprovalNeed)) change {
		return func(d *registry.Definition) { change(d.Policy.Approval) }
	}
	limit := func(change func(*policy.Limit)) change {
		return func(d *registry.Definition) { change(&d.Policy.Limits[1]) }
	}
	names := func(n int) []string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf("role%d", i)
		}
		return list
	}
	for name, c := range map[string]struct {
		from   func() registry.Definition
		change change
		want   []string
	}{
		"all of it": {ruled, func(*registry.Definition) {}, nil},

		"class 5 without approval":        {revoke, func(d *registry.Definition) { d.Policy.ApprovalWaived = "" }, []string{"policy.approval setting_required"}},
		"class 5, approval waived by air": {revoke, func(d *registry.Definition) { d.Policy.ApprovalWaived = " " }, []string{"policy.approval.waived.reason reason_required"}},
		"class 5 with approval": {revoke, func(d *registry.Definition) {
			d.Policy = policy.ToolRules{Approval: &policy.ApprovalNeed{Roles: []string{"security"}}}
		}, nil},
		"class 5, approval at times": {revoke, func(d *registry.Definition) {
			d.Policy = policy.ToolRules{Approval: &policy.ApprovalNeed{Roles: []string{"security"}, When: "false"}}
		}, []string{need + ".when reason_required"}},
		"class 5, approval at times with a reason": {revoke, func(d *registry.Definition) {
			d.Policy, d.LooserReason = policy.ToolRules{Approval: &policy.ApprovalNeed{Roles: []string{"security"}, When: "false"}}, "a drill"
		}, nil},
		"approval and none at once": {ruled, func(d *registry.Definition) { d.Policy.ApprovalWaived = "x" }, []string{"policy.approval setting_unusable"}},
		"waived by air elsewhere":   {mail, func(d *registry.Definition) { d.Policy.ApprovalWaived = "\t" }, []string{"policy.approval.waived.reason reason_required"}},
		"approval of a read": {read, func(d *registry.Definition) {
			d.Policy.Approval = &policy.ApprovalNeed{Roles: []string{"finance"}}
		}, []string{need + " setting_unusable"}},
		"approval by nobody":       {ruled, approve(func(n *policy.ApprovalNeed) { n.Roles = nil }), []string{need + ".roles setting_required"}},
		"approval by a role twice": {ruled, approve(func(n *policy.ApprovalNeed) { n.Roles = []string{"a", "a"} }), []string{need + ".roles[1] named_twice"}},
		"approval by no role":      {ruled, approve(func(n *policy.ApprovalNeed) { n.Roles = []string{"The Boss"} }), []string{need + ".roles[0] bad_name"}},
		"approval by many roles":   {ruled, approve(func(n *policy.ApprovalNeed) { n.Roles = names(17) }), []string{need + ".roles out_of_bounds"}},
		"approval by eleven":       {ruled, approve(func(n *policy.ApprovalNeed) { n.Count = 11 }), []string{need + ".count out_of_bounds"}},
		"approval by minus one":    {ruled, approve(func(n *policy.ApprovalNeed) { n.Count = -1 }), []string{need + ".count out_of_bounds"}},
		"approval of two months":   {ruled, approve(func(n *policy.ApprovalNeed) { n.ExpiresAfter = 60 * 24 * time.Hour }), []string{need + ".expires_after out_of_bounds"}},
		"a no for two months":      {ruled, approve(func(n *policy.ApprovalNeed) { n.NoHoldsFor = 60 * 24 * time.Hour }), []string{need + ".no_holds_for out_of_bounds"}},
		"expiry unknown":           {ruled, approve(func(n *policy.ApprovalNeed) { n.OnExpiry = "VALUE_9" }), []string{need + ".on_expiry unknown_value"}},
		"escalation to nobody":     {ruled, approve(func(n *policy.ApprovalNeed) { n.OnExpiry = policy.ExpiryEscalate }), []string{need + ".escalate_roles setting_required"}},
		"escalation that never is": {ruled, approve(func(n *policy.ApprovalNeed) { n.EscalateRoles = []string{"cfo"} }), []string{need + ".escalate_roles setting_unusable"}},
		"escalation":               {ruled, approve(func(n *policy.ApprovalNeed) { n.OnExpiry, n.EscalateRoles = policy.ExpiryEscalate, []string{"cfo"} }), nil},
		"condition endless":        {ruled, approve(func(n *policy.ApprovalNeed) { n.When = strings.Repeat("x", 4001) }), []string{need + ".when out_of_bounds"}},
		"warning endless":          {ruled, approve(func(n *policy.ApprovalNeed) { n.Warning = strings.Repeat("x", 1001) }), []string{need + ".warning out_of_bounds"}},
		"approvals of zero, as read": {ruled, func(d *registry.Definition) {
			d.Policy.Approval.Count, d.StatedZero = 0, map[string]bool{need + ".count": true}
		}, []string{need + ".count out_of_bounds"}},

		"guard without a condition": {ruled, func(d *registry.Definition) { d.Policy.Guards[0].Condition = " " }, []string{"policy.guards[0].condition setting_required"}},
		"guards without end": {ruled, func(d *registry.Definition) {
			for i := range 33 {
				d.Policy.Guards = append(d.Policy.Guards, policy.Guard{Name: fmt.Sprintf("g%d", i), Condition: "true"})
			}
		}, []string{"policy.guards out_of_bounds"}},
		"rule without a name":         {ruled, func(d *registry.Definition) { d.Policy.Guards[0].Name = "" }, []string{"policy.guards[0].name bad_name"}},
		"rule with a name for people": {ruled, limit(func(l *policy.Limit) { l.Name = "Per day" }), []string{"policy.limits[1].name bad_name"}},
		"one name for two limits":     {ruled, limit(func(l *policy.Limit) { l.Name = "per-order" }), []string{"policy.limits[1].name named_twice"}},
		"one name for two kinds": {ruled, func(d *registry.Definition) {
			d.Policy.Windows[0].Name, d.Policy.Conflicts[0].Name = "amount", "not-paid"
		}, []string{"policy.dedupe_windows[0].name named_twice", "policy.conflicts[0].name named_twice"}},

		"period of zero":           {ruled, limit(func(l *policy.Limit) { l.Period = 0 }), []string{"policy.limits[1].period out_of_bounds"}},
		"period below a second":    {ruled, limit(func(l *policy.Limit) { l.Period = time.Millisecond }), []string{"policy.limits[1].period out_of_bounds"}},
		"period of two years":      {ruled, limit(func(l *policy.Limit) { l.Period = 2 * 365 * 24 * time.Hour }), []string{"policy.limits[1].period out_of_bounds"}},
		"limit below zero":         {ruled, limit(func(l *policy.Limit) { l.Max = -1 }), []string{"policy.limits[1].max out_of_bounds"}},
		"limit of zero":            {ruled, limit(func(l *policy.Limit) { l.Max = 0 }), nil},
		"zone of nowhere":          {ruled, func(d *registry.Definition) { d.Policy.Limits[0].Zone = "Europe/Atlantis" }, []string{"policy.limits[0].zone unknown_zone"}},
		"zone of the machine":      {ruled, func(d *registry.Definition) { d.Policy.Limits[0].Zone = "Local" }, []string{"policy.limits[0].zone unknown_zone"}},
		"zone of a sliding period": {ruled, func(d *registry.Definition) { d.Policy.Limits[0].Fixed = false }, []string{"policy.limits[0].zone setting_unusable"}},
		"zone of half a day":       {ruled, func(d *registry.Definition) { d.Policy.Limits[0].Period = 12 * time.Hour }, []string{"policy.limits[0].zone setting_unusable"}},
		"zone of a week":           {ruled, func(d *registry.Definition) { d.Policy.Limits[0].Period = 7 * 24 * time.Hour }, nil},
		"window for ever":          {ruled, func(d *registry.Definition) { d.Policy.Windows[0].Period = 1 << 62 }, []string{"policy.dedupe_windows[0].period out_of_bounds"}},
		"window without a key":     {ruled, func(d *registry.Definition) { d.Policy.Windows[0].KeyTemplate = "" }, []string{"policy.dedupe_windows[0].key_template setting_required"}},
		"conflict with nothing":    {ruled, func(d *registry.Definition) { d.Policy.Conflicts[0].Tools, d.Policy.Conflicts[0].Intents = nil, nil }, []string{"policy.conflicts[0] setting_required"}},
		"conflict with no tool":    {ruled, func(d *registry.Definition) { d.Policy.Conflicts[0].Tools = []string{"a b"} }, []string{"policy.conflicts[0].tools[0] bad_name"}},
		"conflict with no intent":  {ruled, func(d *registry.Definition) { d.Policy.Conflicts[0].Intents = []string{""} }, []string{"policy.conflicts[0].intents[0] bad_name"}},
		"conflict for no time":     {ruled, func(d *registry.Definition) { d.Policy.Conflicts[0].Period = 0 }, []string{"policy.conflicts[0].period out_of_bounds"}},
		"revisions without end":    {ruled, func(d *registry.Definition) { d.Policy.MaxRevisions, d.LooserReason = 101, "x" }, []string{"policy.max_revisions out_of_bounds"}},
		"more revisions":           {ruled, func(d *registry.Definition) { d.Policy.MaxRevisions = 4 }, []string{"policy.max_revisions reason_required"}},
		"proposer of no role":      {ruled, func(d *registry.Definition) { d.Policy.ProposerRoles = []string{"a b"} }, []string{"policy.proposer_roles[0] bad_name"}},

		"rules about an entity, without one": {ruled, func(d *registry.Definition) {
			d.Identity.Entity, d.Exclusive = nil, registry.Exclusive{}
		}, []string{"policy.lease tool_has_no_entity", "policy.sets_entity_state tool_has_no_entity", "policy.conflicts[0] tool_has_no_entity"}},
		"a read that sets a state": {read, func(d *registry.Definition) {
			d.Identity.Entity = &registry.EntityTemplate{Type: "order", ID: "{order_id}"}
			d.Policy.SetsEntityState = "read"
		}, []string{"policy.sets_entity_state setting_unusable"}},
	} {
		t.Run(name, func(t *testing.T) { wantCodes(t, registry.Check(with(c.from(), c.change)), c.want...) })
	}
}

// TestCheckReferences: what rules read of the arguments is there, always, and of a kind that they can use.
func TestCheckReferences(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*policy.Limit)
		want   string // the problem of limits[0], and of nothing else
	}{
		"an amount":                     {func(l *policy.Limit) { l.SumOf = "/amount" }, ""},
		"an amount's minor units":       {func(l *policy.Limit) { l.SumOf = "/amount/minor" }, ""},
		"an amount's currency":          {func(l *policy.Limit) { l.SumOf = "/amount/currency" }, ".sum_of rule_and_schema_disagree"},
		"what an amount has not":        {func(l *policy.Limit) { l.SumOf = "/amount/major" }, ".sum_of pointer_not_in_schema"},
		"beneath a word":                {func(l *policy.Limit) { l.SumOf = "/order_id/x" }, ".sum_of pointer_not_in_schema"},
		"a word":                        {func(l *policy.Limit) { l.SumOf = "/order_id" }, ".sum_of rule_and_schema_disagree"},
		"what is not there":             {func(l *policy.Limit) { l.SumOf = "/amuont" }, ".sum_of pointer_not_in_schema"},
		"what may be absent":            {func(l *policy.Limit) { l.SumOf = "/count" }, ".sum_of component_not_required"},
		"what a condition asks for":     {func(l *policy.Limit) { l.SumOf, l.When = "/count", "has(args.count)" }, ""},
		"what identity ignores":         {func(l *policy.Limit) { l.SumOf = "/note" }, ".sum_of setting_unusable"},
		"every item":                    {func(l *policy.Limit) { l.SumOf = "/lines/*/n" }, ".sum_of bad_template"},
		"no pointer":                    {func(l *policy.Limit) { l.SumOf = "amount" }, ".sum_of bad_template"},
		"per a field":                   {func(l *policy.Limit) { l.Per = "{args.order_id}:{principal}" }, ""},
		"per a currency of an amount":   {func(l *policy.Limit) { l.Per = "{args.amount.currency}" }, ""},
		"per a field that is not there": {func(l *policy.Limit) { l.Per = "{args.order}" }, ".per pointer_not_in_schema"},
		"per a field of a field":        {func(l *policy.Limit) { l.Per = "{args.buyer.id}" }, ".per component_not_required"},
		"per a field asked for":         {func(l *policy.Limit) { l.Per, l.When = "{args.buyer.id}", "has(args.buyer)" }, ""},
		"per what identity ignores":     {func(l *policy.Limit) { l.Per = "{args.note}" }, ".per setting_unusable"},
		"per a member of a map":         {func(l *policy.Limit) { l.Per, l.When = "{args.labels.colour}", "has(args.labels)" }, ""},
		"per too much":                  {func(l *policy.Limit) { l.Per = strings.Repeat("x", 513) }, ".per out_of_bounds"},
	} {
		t.Run(name, func(t *testing.T) {
			d := capture()
			l := policy.Limit{Name: "a", Max: 1, Period: time.Hour}
			c.change(&l)
			d.Policy.Limits = []policy.Limit{l}
			var want []string
			if c.want != "" {
				want = []string{"policy.limits[0]" + c.want}
			}
			wantCodes(t, registry.Check(d), want...)
		})
	}
	d := capture()
	d.Policy = policy.ToolRules{Windows: []policy.DedupeWindow{{Name: "a", KeyTemplate: "{args.count}", Period: time.Hour}}, SetsEntityState: "{args.tags}"}
	wantCodes(t, registry.Check(d), "policy.dedupe_windows[0].key_template component_not_required", "policy.sets_entity_state component_not_required")
}

// TestSumOfASecret: a sensitive amount is a hash in the canonical arguments, and hashes have no sum.
func TestSumOfASecret(t *testing.T) {
	d := capture()
	d.Identity.Rules.Sensitive = []string{"/amount"}
	d.Policy.Limits = []policy.Limit{{Name: "a", SumOf: "/amount", Max: 1, Period: time.Hour}}
	wantCodes(t, registry.Check(d), "policy.limits[0].sum_of rule_and_schema_disagree")
}

// TestLintPolicy: rules that do less, or other, than they look like.
func TestLintPolicy(t *testing.T) {
	d := revoke()
	d.Identity.Rules.Fields = map[string]canon.Rule{"/created_at": {Kind: canon.RuleIgnore}}
	d.Policy = policy.ToolRules{Shadow: true, Approval: &policy.ApprovalNeed{Roles: []string{"security"}}}
	wantCodes(t, registry.Lint(d), "policy.shadow unused_shadow")
	d.Policy.Shadow = false
	wantCodes(t, registry.Lint(d))

	mixed := []string{"policy.limits[0].sum_of mixed_currencies"}
	for _, c := range []struct {
		limit policy.Limit
		want  []string
	}{
		{policy.Limit{SumOf: "/amount", Per: "{args.order_id}"}, mixed},
		{policy.Limit{SumOf: "/amount/minor"}, mixed},
		{policy.Limit{SumOf: "/amount", Per: "{args.order_id}/{args.currency}"}, nil},
		{policy.Limit{SumOf: "/amount/minor", Per: "{args.amount.currency}"}, nil},
		{policy.Limit{SumOf: "/amount", When: `args.currency == "EUR"`}, nil},
		{policy.Limit{SumOf: "/count"}, nil},
		{policy.Limit{}, nil},
	} {
		d := capture()
		d.Policy.Limits = []policy.Limit{c.limit}
		wantCodes(t, registry.Lint(d), c.want...)
	}
}
