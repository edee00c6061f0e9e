package rulefile

import (
	"google.golang.org/protobuf/types/known/durationpb"

	opledgerv1 "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/yamlproto"
	"github.com/opledger/opledger/policy"
)

// ToProto turns a rule into a message of the API, with its defaults written out.
func ToProto(r policy.Rule) *opledgerv1.PolicyRule {
	m := &opledgerv1.PolicyRule{RuleId: r.ID, Description: r.Description, Scope: scope(r.Scope), Shadow: r.Shadow}
	switch {
	case r.Deny != nil:
		m.Kind = &opledgerv1.PolicyRule_Deny{Deny: &opledgerv1.DenyRule{When: r.Deny.When, Explanation: r.Deny.Explanation}}
	case r.Guard != nil:
		m.Kind = &opledgerv1.PolicyRule_Guard{Guard: guardMessage(*r.Guard)}
	case r.Limit != nil:
		m.Kind = &opledgerv1.PolicyRule_Limit{Limit: limitMessage(*r.Limit)}
	case r.Window != nil:
		m.Kind = &opledgerv1.PolicyRule_DedupeWindow{DedupeWindow: windowMessage(*r.Window)}
	case r.Conflict != nil:
		m.Kind = &opledgerv1.PolicyRule_Conflict{Conflict: conflictMessage(*r.Conflict)}
	case r.Approval != nil:
		m.Kind = &opledgerv1.PolicyRule_Approval{Approval: NeedToProto(r.Approval)}
	}
	return m
}

// ToolToProto turns a tool's rules into a message of the API, with its defaults written out. Why a setting is looser
// than the class's is the registry's, and not in it.
func ToolToProto(t policy.ToolRules) *opledgerv1.ToolPolicy {
	m := &opledgerv1.ToolPolicy{
		SetsEntityState: t.SetsEntityState, Shadow: t.Shadow, ProposerRoles: t.ProposerRoles, MaxRevisions: new(int32(t.MaxRevisions)),
	}
	switch {
	case t.Approval != nil:
		m.Approval = &opledgerv1.ApprovalTerms{Choice: &opledgerv1.ApprovalTerms_Required{Required: NeedToProto(t.Approval)}}
	case t.ApprovalWaived != "":
		waived := &opledgerv1.ApprovalWaived{Reason: t.ApprovalWaived}
		m.Approval = &opledgerv1.ApprovalTerms{Choice: &opledgerv1.ApprovalTerms_Waived{Waived: waived}}
	}
	if t.LeaseHeld {
		m.Lease = opledgerv1.LeaseNeed_LEASE_NEED_HELD
	}
	for _, g := range t.Guards {
		m.Guards = append(m.Guards, guardMessage(g))
	}
	for _, l := range t.Limits {
		m.Limits = append(m.Limits, limitMessage(l))
	}
	for _, w := range t.Windows {
		m.DedupeWindows = append(m.DedupeWindows, windowMessage(w))
	}
	for _, c := range t.Conflicts {
		m.Conflicts = append(m.Conflicts, conflictMessage(c))
	}
	return m
}

// NeedToProto turns what an approval takes into a message of the API; nil gives nil.
func NeedToProto(n *policy.ApprovalNeed) *opledgerv1.ApprovalNeed {
	if n == nil {
		return nil
	}
	return &opledgerv1.ApprovalNeed{
		Count: new(int32(n.Count)), Roles: n.Roles, When: n.When, ExpiresAfter: durationpb.New(n.ExpiresAfter),
		OnExpiry: yamlproto.Value[opledgerv1.ApprovalExpiry](n.OnExpiry), EscalateRoles: n.EscalateRoles,
		NoHoldsFor: durationpb.New(n.NoHoldsFor), Warning: n.Warning,
	}
}

// scope gives nil for the scope that says nothing.
func scope(s policy.Scope) *opledgerv1.RuleScope {
	if len(s.Tools)+len(s.Classes)+len(s.Intents)+len(s.EntityTypes) == 0 {
		return nil
	}
	m := &opledgerv1.RuleScope{Tools: s.Tools, Intents: s.Intents, EntityTypes: s.EntityTypes}
	for _, class := range s.Classes {
		m.ToolClasses = append(m.ToolClasses, yamlproto.Value[opledgerv1.ToolClass](class))
	}
	return m
}

func guardMessage(g policy.Guard) *opledgerv1.Guard {
	return &opledgerv1.Guard{Name: g.Name, Condition: g.Condition, Explanation: g.Explanation, Shadow: g.Shadow}
}

func limitMessage(l policy.Limit) *opledgerv1.Limit {
	m := &opledgerv1.Limit{
		Name: l.Name, Per: l.Per, SumOf: l.SumOf, Max: new(l.Max), Period: durationpb.New(l.Period),
		PeriodKind: opledgerv1.PeriodKind_PERIOD_KIND_SLIDING, Zone: l.Zone, When: l.When, Shadow: l.Shadow, Explanation: l.Explanation,
	}
	if l.Fixed {
		m.PeriodKind = opledgerv1.PeriodKind_PERIOD_KIND_FIXED
	}
	return m
}

func windowMessage(w policy.DedupeWindow) *opledgerv1.DedupeWindow {
	return &opledgerv1.DedupeWindow{Name: w.Name, KeyTemplate: w.KeyTemplate, Period: durationpb.New(w.Period), Shadow: w.Shadow, Explanation: w.Explanation}
}

func conflictMessage(c policy.Conflict) *opledgerv1.Conflict {
	return &opledgerv1.Conflict{Name: c.Name, Tools: c.Tools, Intents: c.Intents, Period: durationpb.New(c.Period), Shadow: c.Shadow, Explanation: c.Explanation}
}
