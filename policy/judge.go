// Package policy judges proposals, permits, begins and extensions by rules that are data. Its judgements are pure: they
// are given the facts, the histories and the time, and answer what each rule says.
package policy

// Built-in rules name what decided where no rule of a tool's or a namespace's did. They are stored with each decision and
// never renamed.
const (
	RuleToolDisabled   = "tool_disabled"
	RulePaused         = "paused"
	RuleExclusiveGroup = "exclusive_group"
	RulePlanOnly       = "plan_only"
	RuleBackoff        = "retry_backoff"
	RuleCancelWished   = "cancel_wished"
	RuleEffectSaid     = "effect_said_to_exist"
	RuleLease          = "entity_lease"
	RuleEntityVersion  = "entity_version"
	RuleApproverNo     = "approver_said_no"
	RuleApprovalDenied = "approval_denied"
	RuleDenialLoop     = "denial_loop"
	RuleLifted         = "hold_lifted"
)
