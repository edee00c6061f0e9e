package ledger

import "fmt"

// ApplyRule stores a rule's next version, checked at the edge, and moves the namespace's configuration epoch.
type ApplyRule struct {
	Request
	// Epoch is that of the configuration which the rule was checked against. At another one it is to be checked anew: a
	// tool that came in between may not fit it.
	Epoch      int64
	RuleID     string
	Number     int64  // the version that it becomes, as the caller saw it
	Definition []byte // opaque to the core
	Digest     string // of the definition, so that the same rule applied again is the same version
	Etag       string // the rule as the caller saw it; empty: whatever it is by now
}

// RuleApplied is the reply: the rule at its newest version, and whether this made one.
type RuleApplied struct {
	Rule    *Rule
	Created bool
}

// RuleKey names a rule.
func RuleKey(ns Namespace, id string) RecordKey { return RecordKey{RecordRule, ns, id} }

// RuleVersionKey names one version of a rule.
func RuleVersionKey(ns Namespace, id string, number int64) RecordKey {
	return RecordKey{RecordRuleVersion, ns, fmt.Sprintf("%s@%d", id, number)}
}

// Reads are the rule and the epoch.
func (a *ApplyRule) Reads(*View) []Read {
	return []Read{RuleKey(a.Namespace, a.RuleID).Read(), ReadOf(ReadEpoch, a.Namespace, "")}
}

// Decide makes the version the newest one if nobody was faster. A rule that holds with the same digest makes no version.
func (a *ApplyRule) Decide(v *View, _ Env) Decided {
	have, exists := recordOf[Rule](v, RuleKey(a.Namespace, a.RuleID))
	again, no := a.repeated(v)
	switch {
	case no != nil:
		return Decided{Err: no}
	case again:
		return Decided{Reply: &RuleApplied{Rule: have, Created: have.RuleVersion == a.Number}}
	case exists && have.RemovedAt.IsZero() && have.Digest == a.Digest:
		return Decided{Reply: &RuleApplied{Rule: have}, Changes: a.kept(&Changes{})}
	}
	if a.Etag != "" && (!exists || a.Etag != have.Etag()) {
		return Decided{Err: etagMismatch("the rule", a.RuleID)}
	}
	if now := v.Epoch(a.Namespace); now != a.Epoch {
		return Decided{Err: &EpochMovedError{Have: a.Epoch, Now: now}}
	}
	if a.Number != have.RuleVersion+1 {
		return Decided{Err: etagMismatch("the rule", a.RuleID)}
	}
	next := &Rule{
		row: have.next(), RuleVersion: a.Number, Definition: a.Definition, Digest: a.Digest, AppliedBy: a.Principal, AppliedAt: v.Now,
	}
	version := &RuleVersion{
		RuleID: a.RuleID, Number: a.Number, Definition: a.Definition, AppliedBy: a.Principal, AppliedAt: v.Now,
	}
	version.place(a.Namespace, RuleVersionKey(a.Namespace, a.RuleID, a.Number).ID, 1)
	return Decided{Reply: &RuleApplied{Rule: next, Created: true}, Changes: a.kept(configured(v, a.Namespace, next, version))}
}

// next is the row's key at the version that a change gives it.
func (r *row) next() row { return row{Namespace: r.Namespace, ID: r.ID, Version: r.Version + 1} }

// configured saves records that are part of a namespace's configuration, and moves its epoch with them: a permit that was
// judged without them is judged anew.
func configured(v *View, ns Namespace, records ...Record) *Changes {
	return &Changes{Records: records, Epochs: map[Namespace]int64{ns: v.Epoch(ns) + 1}}
}

// etagMismatch refuses a change that was made from another state of what it changes.
func etagMismatch(what, id string) *Refusal {
	return refuse(CodeAborted, ReasonVersionSeenOutdated, "%s %s has changed since it was read; look at it and decide anew", what, id)
}
