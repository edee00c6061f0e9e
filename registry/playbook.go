package registry

import "github.com/opledger/opledger/policy"

// Playbook is the approved way to undo one effect of a tool.
type Playbook struct {
	Steps        []PlaybookStep
	Precondition string               // CEL over original and result; empty: always
	Approval     *policy.ApprovalNeed // who must approve the compensation; nil: nobody beyond what each step's tool asks
	EscalateTo   string               // who is asked when it gets stuck; empty: the tool's human owner
}

// PlaybookStep is one ordinary operation of a playbook.
type PlaybookStep struct {
	Name              string // part of its identity, unique within the playbook
	Tool              string
	ArgumentsTemplate string // a JSON template over the original's arguments, result and effect
	Precondition      string // CEL; a step that need not run counts as undone
}
