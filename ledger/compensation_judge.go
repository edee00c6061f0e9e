package ledger

import (
	"fmt"
	"strings"

	"github.com/opledger/opledger/policy"
)

// rulePlaybook names the approval that a playbook asks for.
const rulePlaybook = "playbook/approval"

// asksToUndo adds the approval that a playbook asks for before its first step. It is asked about that step, as every
// approval is about one operation: the persons see what it undoes and with what arguments.
func (d *draft) asksToUndo(asks []policy.Verdict) []policy.Verdict {
	u := d.op.Undoes
	if u == nil || u.Approval == nil {
		return asks
	}
	return append(asks, policy.Verdict{
		Rule: rulePlaybook, Outcome: policy.Ask, Need: u.Approval,
		Because: fmt.Sprintf("undoing operation %s needs %d approvals by %s", u.Original, u.Approval.Count, strings.Join(u.Approval.Roles, " or ")),
	})
}

// toUndo is who asks as leases see it: what undoes an effect acts for the workflow of the original, whoever carries it
// out, and also after that workflow has ended. The entities are kept for it, so it needs no lease of its own; another
// workflow's lease stands in its way as in everybody's.
func (d *draft) toUndo(q asking) asking {
	if d.op.Undoes == nil {
		return q
	}
	carrier := q.carrier()
	q.executor, q.workflowID, q.runID, q.proof = &carrier, d.op.WorkflowID, "", nil
	return q
}
