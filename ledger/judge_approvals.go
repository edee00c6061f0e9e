package ledger

import (
	"fmt"
	"slices"
	"time"

	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
)

// judgeApprovals asks whether persons, or a standing approval, have let the operation pass where its rules ask for that.
func (d *draft) judgeApprovals(q asking, asks []policy.Verdict) *no {
	if n := d.judgeApproversNo(len(asks) > 0); n != nil {
		return n
	}
	var wanted []policy.Verdict
	var asked []*Approval
	for _, v := range asks {
		a := d.approvalFor(v.Rule)
		switch {
		case a != nil && d.covers(a, &v, q):
			if n := d.judgeOwnWord(a, &v, q); n != nil {
				return n
			}
		case a != nil && a.State == ApprovalDenied: // of an operation that a no could not end: its outcome was open already
			return &no{decision: DecisionDenied, rule: policy.RuleApprovalDenied, because: "an approver said no; no further permit is given"}
		case q.attempt == nil && d.useStanding(&v, q):
		case a != nil && a.State == ApprovalOpen && d.bindsTo(a, q.rules) && a.asksFor(v.Need):
			asked = append(asked, a)
		default:
			wanted = append(wanted, v)
		}
	}
	if len(wanted)+len(asked) == 0 {
		return nil
	}
	if d.created && len(wanted) > 0 {
		if n := d.judgeBeforeAsking(q); n != nil {
			return n
		}
	}
	n := &no{decision: DecisionAwaitingApproval, wanted: wanted, asked: asked}
	for _, v := range wanted {
		n.rule, n.because = v.Rule, v.Because
	}
	for _, a := range asked {
		n.rule, n.because, n.wait = a.Rule, a.Because, max(0, a.ExpiresAt.Sub(d.now))
	}
	return n
}

// judgeApproversNo heeds an approver's no to an operation of the same group on the entity, for as long as it holds.
func (d *draft) judgeApproversNo(asks bool) *no {
	ref, known := d.op.approvalScope()
	if _, grouped := d.op.GroupRef(); !known || !grouped && !asks {
		return nil
	}
	said := d.scope(ref).Standing(d.now)
	if said == nil {
		return nil
	}
	return &no{
		decision: DecisionDenied, rule: policy.RuleApproverNo, earlier: OperationID(said.OperationID), wait: said.Until.Sub(d.now),
		because: fmt.Sprintf("%s said no to operation %s on %s, which holds until %s", said.By, said.OperationID, ref.Entity, said.Until.Format(time.RFC3339)),
	}
}

// approvalScope is where an approver's no is kept: the operation's group on its entity, or the tool's own.
func (o *Operation) approvalScope() (locks.Ref, bool) {
	if ref, grouped := o.GroupRef(); grouped {
		return ref, true
	}
	return locks.GroupRef(string(o.Namespace), o.Entity, o.Tool), !o.Entity.IsZero()
}

// judgeOwnWord keeps whoever approved from carrying it out: they would be alone, whoever proposed it first.
func (d *draft) judgeOwnWord(a *Approval, v *policy.Verdict, q asking) *no {
	who := q.carrier()
	human := who.Human()
	if !slices.ContainsFunc(a.Words, func(w ApprovalWord) bool { return !w.Local && (w.Person == human || w.Principal == who.Principal) }) {
		return nil
	}
	return &no{decision: DecisionDenied, rule: v.Rule, because: human + " has approved this operation and cannot be the one who carries it out"}
}

// judgeBeforeAsking keeps persons from being paged about what could not run now anyway, or what they are asked about
// already: a rephrased call of an operation that is open or waits in the same group.
func (d *draft) judgeBeforeAsking(q asking) *no {
	if n := d.judgeLeases(q); n != nil {
		return n
	}
	return d.judgeGroup()
}

// approvalFor is the newest approval that a rule has asked for, as this draft has it by now; nil where there is none.
func (d *draft) approvalFor(rule string) *Approval {
	for _, ref := range d.op.Approvals {
		if ref.Rule == rule {
			if a, found := drafted[Approval](d, ApprovalKey(d.op.Namespace, ref.ID)); found {
				return a
			}
		}
	}
	return nil
}

// covers reports whether an approval lets the operation pass: it is granted and not used, or used by the very attempt
// that is judged again, and enough of its words count by what the rule asks for now.
func (d *draft) covers(a *Approval, v *policy.Verdict, q asking) bool {
	if !d.bindsTo(a, q.rules) || a.StandingID == "" && a.approvedFor(v.Need) < v.Need.Count || d.takenBack(a) {
		return false
	}
	if q.attempt != nil && a.Attempt == q.attempt.Number {
		return a.State == ApprovalReserved || a.State == ApprovalSpent
	}
	return a.State == ApprovalGranted && d.now.Before(a.ExpiresAt)
}

// takenBack reports whether an approval came from a standing one that was revoked before it was used up: what is begun
// goes on, and nothing else does.
func (d *draft) takenBack(a *Approval) bool {
	if a.StandingID == "" || a.State == ApprovalSpent {
		return false
	}
	s, found := recordOf[Standing](d.view, StandingKey(d.op.Namespace, a.StandingID))
	return found && !s.RevokedAt.IsZero()
}

// approvedFor counts the persons whose yes counts by what a rule asks for now: its roles may have changed since.
func (a *Approval) approvedFor(need *policy.ApprovalNeed) int {
	n := 0
	for _, w := range a.Words {
		if w.Approved && (w.Local || slices.Contains(need.Roles, w.Role) || a.Escalated && slices.Contains(need.EscalateRoles, w.Role)) {
			n++
		}
	}
	return n
}

// asksFor reports whether the approval asks as many of the same persons as the rule does now.
func (a *Approval) asksFor(need *policy.ApprovalNeed) bool {
	return a.Need.Count == need.Count && slices.Equal(a.Need.Roles, need.Roles) && slices.Equal(a.Need.EscalateRoles, need.EscalateRoles)
}

// bindsTo reports whether what persons were asked about is still what would be done: the same canonical arguments under
// the same version of the tool.
func (d *draft) bindsTo(a *Approval, rules *policy.Set) bool {
	return a.Fingerprint == d.op.Fingerprint && a.ToolVersion == d.judgedVersion(rules)
}

// judgedVersion is the tool's newest version, whose rules judge the operation whichever version made it.
func (d *draft) judgedVersion(rules *policy.Set) int64 {
	if v := rules.ToolVersion(d.op.Tool); v != 0 {
		return v
	}
	return d.op.ToolVersion
}
