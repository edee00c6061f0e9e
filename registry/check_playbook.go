package registry

import (
	"slices"
	"strings"
)

// playbook checks how an effect is undone, as far as the definition tells by itself. Whether the tools of its steps exist
// and admit them is said where a namespace's other tools are known, by PlaybookTools.
func (k *checker) playbook(c *Compiled) {
	p := k.d.Playbook
	if p == nil {
		return
	}
	if k.d.Class == PureRead {
		k.add("playbook", CodeUnusable, "A read has no effect that could be undone; remove the playbook, or use the class of a write.")
	}
	if p.Approval != nil {
		k.need("playbook.approval.required", p.Approval)
	}
	if p.ApprovalWaived != "" {
		k.text("playbook.approval.waived.reason", p.ApprovalWaived, MaxReasonChars)
		if strings.TrimSpace(p.ApprovalWaived) == "" {
			k.add("playbook.approval.waived.reason", CodeReason, "Say why nobody is asked.")
		}
	}
	_, problems := c.CompilePlaybook()
	k.problems = append(k.problems, problems...)
}

// CodeUnknownStepTool is the code of a warning: a step's tool is not applied yet.
const CodeUnknownStepTool Code = "unknown_step_tool"

// PlaybookTools holds the steps of a definition's playbook against the other tools of its namespace. A tool that is not
// there yet is a warning, since two tools that undo each other could else never be applied; one that could not carry the
// step out is refused.
func PlaybookTools(d Definition, find func(name string) *Definition) (problems, warnings []Problem) {
	if d.Playbook == nil {
		return nil, nil
	}
	for i, s := range d.Playbook.Steps {
		path := indexed("playbook.steps", i) + ".tool"
		if other := find(s.Tool); other == nil {
			warnings = append(warnings, Problem{path, CodeUnknownStepTool, "There is no tool " + s.Tool + " in this namespace yet, and nothing is undone by this playbook before there is; apply it, too."})
		} else if code, message := other.refusesSteps(); message != "" {
			problems = append(problems, Problem{path, code, message})
		}
	}
	return problems, warnings
}

// UndoneBy holds a tool against a playbook of another one that names it.
func UndoneBy(other, d Definition) (problems []Problem) {
	if other.Playbook == nil || !slices.ContainsFunc(other.Playbook.Steps, func(s PlaybookStep) bool { return s.Tool == d.Name }) {
		return nil
	}
	if code, message := d.refusesSteps(); message != "" {
		path := "identity.occurrence"
		if code == CodeUnusable {
			path = "class"
		}
		problems = append(problems, Problem{path, code, "The playbook of " + other.Name + " undoes by it. " + message})
	}
	return problems
}

// refusesSteps says why a tool cannot carry out steps of playbooks; empty where it can.
func (d *Definition) refusesSteps() (code Code, message string) {
	switch {
	case d.Class == PureRead:
		return CodeUnusable, "The tool " + d.Name + " is a read and undoes nothing; name the tool that does."
	case !d.AdmitsUndoing():
		return CodeOccurrence, "The tool " + d.Name + " admits no named occurrence, so that it could undo only one of two effects with equal arguments; let it have identity.occurrence: ANY_CALLER or REPEAT_GRANT, and {occurrence} in its key template."
	}
	return "", ""
}
