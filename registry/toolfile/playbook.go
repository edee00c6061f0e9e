package toolfile

import (
	opledgerv1 "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/policy/rulefile"
	"github.com/opledger/opledger/registry"
)

// playbook reads how an effect is undone; nil where the definition says nothing of it.
func (r *reader) playbook(m *opledgerv1.ToolDefinition) *registry.Playbook {
	p := m.GetPlaybook()
	if p == nil {
		return nil
	}
	book := &registry.Playbook{Precondition: p.GetPrecondition(), EscalateTo: p.GetEscalateTo()}
	for _, s := range p.GetSteps() {
		book.Steps = append(book.Steps, registry.PlaybookStep{
			Name: s.GetName(), Tool: s.GetTool(), ArgumentsTemplate: s.GetArgumentsTemplate(), Precondition: s.GetPrecondition(),
		})
	}
	if terms := p.GetApproval(); terms != nil {
		rules, _ := rulefile.ToolFromProto(m.GetName(), &opledgerv1.ToolPolicy{Approval: terms}) // only limits have problems
		book.Approval, book.ApprovalWaived = rules.Approval, rules.ApprovalWaived
		if terms.GetWaived() != nil && book.ApprovalWaived == "" {
			r.add("playbook.approval.waived.reason", registry.CodeReason, "Say why nobody is asked.")
		}
	}
	return book
}

// playbookMessage writes it.
func playbookMessage(p *registry.Playbook) *opledgerv1.Playbook {
	if p == nil {
		return nil
	}
	m := &opledgerv1.Playbook{Precondition: p.Precondition, EscalateTo: p.EscalateTo}
	for _, s := range p.Steps {
		m.Steps = append(m.Steps, &opledgerv1.PlaybookStep{
			Name: s.Name, Tool: s.Tool, ArgumentsTemplate: s.ArgumentsTemplate, Precondition: s.Precondition,
		})
	}
	switch {
	case p.Approval != nil:
		m.Approval = &opledgerv1.ApprovalTerms{Choice: &opledgerv1.ApprovalTerms_Required{Required: rulefile.NeedToProto(p.Approval)}}
	case p.ApprovalWaived != "":
		m.Approval = &opledgerv1.ApprovalTerms{Choice: &opledgerv1.ApprovalTerms_Waived{Waived: &opledgerv1.ApprovalWaived{Reason: p.ApprovalWaived}}}
	}
	return m
}
