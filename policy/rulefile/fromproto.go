package rulefile

import (
	"fmt"

	opledgerv1 "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/yamlproto"
	"github.com/opledger/opledger/policy"
)

// FromProto turns a rule of the API into the plain types, with the defaults that the API states for absent settings. What
// it cannot turn is a problem; whether the rule is a good one is for policy.CheckRule to say.
func FromProto(m *opledgerv1.PolicyRule) (policy.Rule, []policy.Problem) {
	r := policy.Rule{
		ID: m.GetRuleId(), Description: m.GetDescription(), Shadow: m.GetShadow(),
		Scope: policy.Scope{
			Tools: m.GetScope().GetTools(), Intents: m.GetScope().GetIntents(), EntityTypes: m.GetScope().GetEntityTypes(),
		},
	}
	for _, class := range m.GetScope().GetToolClasses() {
		r.Scope.Classes = append(r.Scope.Classes, yamlproto.Word[string](class))
	}
	switch kind := m.GetKind().(type) {
	case *opledgerv1.PolicyRule_Deny:
		r.Deny = &policy.Deny{When: kind.Deny.GetWhen(), Explanation: kind.Deny.GetExplanation()}
	case *opledgerv1.PolicyRule_Guard:
		r.Guard = new(guard(kind.Guard))
	case *opledgerv1.PolicyRule_Limit:
		l, problem := limit(r.ID, "limit", kind.Limit)
		if problem != nil {
			return r, []policy.Problem{*problem}
		}
		r.Limit = &l
	case *opledgerv1.PolicyRule_DedupeWindow:
		r.Window = new(window(kind.DedupeWindow))
	case *opledgerv1.PolicyRule_Conflict:
		r.Conflict = new(conflict(kind.Conflict))
	case *opledgerv1.PolicyRule_Approval:
		r.Approval = need(kind.Approval)
	default:
		return r, []policy.Problem{{Rule: r.ID, Code: policy.CodeOneKind,
			Message: "The rule says nothing that this release knows; set one of deny, guard, limit, dedupe_window, conflict and approval."}}
	}
	return r, nil
}

// ToolFromProto turns the policy of a tool's definition into the plain types. Its settings that are absent have the
// defaults of the API; an approval that is absent is nil, and the tool's class says whether that will do.
func ToolFromProto(tool string, m *opledgerv1.ToolPolicy) (policy.ToolRules, []policy.Problem) {
	t := policy.ToolRules{
		Approval:        need(m.GetApproval().GetRequired()),
		ApprovalWaived:  m.GetApproval().GetWaived().GetReason(),
		LeaseHeld:       m.GetLease() == opledgerv1.LeaseNeed_LEASE_NEED_HELD,
		SetsEntityState: m.GetSetsEntityState(),
		Shadow:          m.GetShadow(),
		ProposerRoles:   m.GetProposerRoles(),
		MaxRevisions:    policy.DefaultMaxRevisions,
	}
	if m.MaxRevisions != nil {
		t.MaxRevisions = int(m.GetMaxRevisions())
	}
	var problems []policy.Problem
	for _, g := range m.GetGuards() {
		t.Guards = append(t.Guards, guard(g))
	}
	for i, l := range m.GetLimits() {
		turned, problem := limit(tool+"/"+l.GetName(), fmt.Sprintf("policy.limits[%d]", i), l)
		if problem != nil {
			problems = append(problems, *problem)
			continue
		}
		t.Limits = append(t.Limits, turned)
	}
	for _, w := range m.GetDedupeWindows() {
		t.Windows = append(t.Windows, window(w))
	}
	for _, c := range m.GetConflicts() {
		t.Conflicts = append(t.Conflicts, conflict(c))
	}
	return t, problems
}

func guard(m *opledgerv1.Guard) policy.Guard {
	return policy.Guard{Name: m.GetName(), Condition: m.GetCondition(), Explanation: m.GetExplanation(), Shadow: m.GetShadow()}
}

// limit refuses a kind of period that it does not know: reading it as another would count wrongly.
func limit(rule, path string, m *opledgerv1.Limit) (policy.Limit, *policy.Problem) {
	l := policy.Limit{
		Name: m.GetName(), Per: m.GetPer(), SumOf: m.GetSumOf(), Max: m.GetMax(), Period: m.GetPeriod().AsDuration(),
		Fixed: m.GetPeriodKind() == opledgerv1.PeriodKind_PERIOD_KIND_FIXED, Zone: m.GetZone(), When: m.GetWhen(),
		Shadow: m.GetShadow(), Explanation: m.GetExplanation(),
	}
	switch m.GetPeriodKind() {
	case opledgerv1.PeriodKind_PERIOD_KIND_UNSPECIFIED, opledgerv1.PeriodKind_PERIOD_KIND_SLIDING, opledgerv1.PeriodKind_PERIOD_KIND_FIXED:
	default:
		return l, &policy.Problem{Rule: rule, Path: path + ".period_kind", Code: policy.CodeUnknown,
			Message: "This release does not know that kind of period; say PERIOD_KIND_SLIDING or PERIOD_KIND_FIXED."}
	}
	if m.Max == nil {
		return l, &policy.Problem{Rule: rule, Path: path + ".max", Code: policy.CodeRequired,
			Message: "A limit says its greatest value; zero lets nothing pass."}
	}
	return l, nil
}

func window(m *opledgerv1.DedupeWindow) policy.DedupeWindow {
	return policy.DedupeWindow{Name: m.GetName(), KeyTemplate: m.GetKeyTemplate(), Period: m.GetPeriod().AsDuration(),
		Shadow: m.GetShadow(), Explanation: m.GetExplanation()}
}

func conflict(m *opledgerv1.Conflict) policy.Conflict {
	return policy.Conflict{Name: m.GetName(), Tools: m.GetTools(), Intents: m.GetIntents(), Period: m.GetPeriod().AsDuration(),
		Shadow: m.GetShadow(), Explanation: m.GetExplanation()}
}

func need(m *opledgerv1.ApprovalNeed) *policy.ApprovalNeed {
	if m == nil {
		return nil
	}
	n := &policy.ApprovalNeed{
		Count: policy.DefaultApprovals, Roles: m.GetRoles(), When: m.GetWhen(), ExpiresAfter: policy.DefaultApprovalExpiry,
		OnExpiry: yamlproto.Word[policy.Expiry](m.GetOnExpiry()), EscalateRoles: m.GetEscalateRoles(),
		NoHoldsFor: policy.DefaultNoHolds, Warning: m.GetWarning(),
	}
	if m.Count != nil {
		n.Count = int(m.GetCount())
	}
	if m.GetExpiresAfter() != nil {
		n.ExpiresAfter = m.GetExpiresAfter().AsDuration()
	}
	if m.GetNoHoldsFor() != nil {
		n.NoHoldsFor = m.GetNoHoldsFor().AsDuration()
	}
	if n.OnExpiry == "" {
		n.OnExpiry = policy.ExpiryDeny
	}
	return n
}
