// Package policy judges proposals, permits and begins: switches and exclusive groups in this release, rules, limits and
// approvals beside them later. Its judgements are pure.
package policy

import (
	"fmt"

	"github.com/opledger/opledger/locks"
)

// Rules name what decided. They are stored with each decision and never renamed.
const (
	RuleToolDisabled   = "tool_disabled"
	RuleExclusiveGroup = "exclusive_group"
	RulePlanOnly       = "plan_only"
	RuleBackoff        = "retry_backoff"
	RuleCancelWished   = "cancel_wished"
	RuleEffectSaid     = "effect_said_to_exist"
)

// Question is what is to be judged: may this operation get, or begin under, a permit now?
type Question struct {
	OperationID  string
	Tool         string
	ToolDisabled bool
	DisabledWhy  string
	Group        *locks.Scope // the exclusive group on the operation's entity; nil where it belongs to none
}

// No is a "no" about now. It never becomes the answer of a key.
type No struct {
	Rule    string
	Because string
	Blocker *locks.Holder // of RuleExclusiveGroup
}

// Judge answers nil where nothing stands against the permit.
func Judge(q Question) *No {
	if q.ToolDisabled {
		because := fmt.Sprintf("the tool %s is switched off", q.Tool)
		if q.DisabledWhy != "" {
			because += ": " + q.DisabledWhy
		}
		return &No{Rule: RuleToolDisabled, Because: because}
	}
	if q.Group != nil {
		if holder, blocked := q.Group.Blocker(q.OperationID); blocked {
			return &No{
				Rule: RuleExclusiveGroup, Blocker: &holder,
				Because: fmt.Sprintf("operation %s is open in the exclusive %s on %s", holder.OperationID, q.Group.Ref.Name, q.Group.Ref.Entity),
			}
		}
	}
	return nil
}
