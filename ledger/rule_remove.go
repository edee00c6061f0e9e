package ledger

import "time"

// RemoveRule ends a rule. Its versions and decisions stay on the record, and what it has charged is settled by the terms
// that it had.
type RemoveRule struct {
	Request
	RuleID string
	Reason string
	Etag   string // the rule as the caller saw it; empty: whatever it is by now
}

// RuleRemoved is the reply: the rule that has ended.
type RuleRemoved struct{ Rule *Rule }

// Reads are the rule and the epoch.
func (r *RemoveRule) Reads(*View) []Read {
	return []Read{RuleKey(r.Namespace, r.RuleID).Read(), ReadOf(ReadEpoch, r.Namespace, "")}
}

// Decide ends the rule.
func (r *RemoveRule) Decide(v *View, _ Env) Decided {
	have, exists := recordOf[Rule](v, RuleKey(r.Namespace, r.RuleID))
	again, no := r.repeated(v)
	switch {
	case no != nil:
		return Decided{Err: no}
	case again:
		return Decided{Reply: &RuleRemoved{Rule: have}}
	case !exists:
		return Decided{Err: refuse(CodeNotFound, ReasonPolicyNotFound, "there is no rule %s in this namespace; list the rules", r.RuleID)}
	case !have.RemovedAt.IsZero():
		return Decided{Err: refuse(CodeNotFound, ReasonPolicyNotFound, "the rule %s was removed by %s at %s; nothing is left to remove",
			r.RuleID, have.RemovedBy, have.RemovedAt.Format(time.RFC3339))}
	case r.Etag != "" && r.Etag != have.Etag():
		return Decided{Err: etagMismatch("the rule", r.RuleID)}
	}
	ended := *have
	ended.row = have.next()
	ended.RemovedAt, ended.RemovedBy, ended.Reason = v.Now, r.Principal, r.Reason
	return Decided{Reply: &RuleRemoved{Rule: &ended}, Changes: r.kept(configured(v, r.Namespace, &ended))}
}
