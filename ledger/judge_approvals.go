package ledger

import (
	"fmt"
	"slices"
	"strings"
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
		case q.attempt == nil && d.useStanding(&v, q):
		case a != nil && a.State == ApprovalOpen && d.bindsTo(a, q):
			asked = append(asked, a)
		default:
			wanted = append(wanted, v)
		}
	}
	if len(wanted)+len(asked) == 0 {
		return nil
	}
	n := &no{decision: DecisionAwaitingApproval, wanted: wanted, asked: asked}
	for _, v := range wanted {
		n.rule, n.because = v.Rule, v.Because
	}
	for _, a := range asked {
		n.rule, n.because, n.wait = a.Rule, a.Because, max(0, a.ExpiresAt.Sub(d.now))
	}
	if d.created && len(wanted) > 0 {
		if n := d.askedElsewhere(); n != nil {
			return n
		}
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

// askedElsewhere names another operation of the group on the entity that waits for approval already, so that a second
// one pages nobody.
func (d *draft) askedElsewhere() *no {
	ref, grouped := d.op.GroupRef()
	if !grouped {
		return nil
	}
	holder, asking := d.scope(ref).Asking(string(d.op.ID))
	if !asking {
		return nil
	}
	return d.blockedBy(holder, ref, fmt.Sprintf("operation %s of the exclusive %s on %s waits for approval; nobody is asked twice", holder.OperationID, ref.Name, ref.Entity))
}

// approvalFor is the newest approval that a rule has asked for, as this draft has it by now; nil where there is none.
func (d *draft) approvalFor(rule string) *Approval {
	for _, ref := range d.op.Approvals {
		if ref.Rule == rule {
			if a, found := drafted[Approval](d, RecordKey{RecordApproval, d.op.Namespace, ref.ID}); found {
				return a
			}
		}
	}
	return nil
}

// covers reports whether an approval lets the operation pass: it is granted and not used, or used by the very attempt
// that is judged again.
func (d *draft) covers(a *Approval, v *policy.Verdict, q asking) bool {
	if !d.bindsTo(a, q) || a.StandingID == "" && a.Approved() < v.Need.Count {
		return false
	}
	if q.attempt != nil && a.Attempt == q.attempt.Number {
		return a.State == ApprovalReserved || a.State == ApprovalSpent
	}
	return a.State == ApprovalGranted && d.now.Before(a.ExpiresAt)
}

// bindsTo reports whether what persons were asked about is still what would be done: the same canonical arguments under
// the same version of the tool.
func (d *draft) bindsTo(a *Approval, q asking) bool {
	return a.Fingerprint == d.op.Fingerprint && a.ToolVersion == d.judgedVersion(q)
}

// judgedVersion is the tool's newest version, whose rules judge the operation whichever version made it.
func (d *draft) judgedVersion(q asking) int64 {
	if v := q.rules.ToolVersion(d.op.Tool); v != 0 {
		return v
	}
	return d.op.ToolVersion
}

// ask opens a request to persons for each approval that is wanted. One that it takes the place of is void.
func (d *draft) ask(q asking, wanted []policy.Verdict) []*Approval {
	var asked []*Approval
	for i := range wanted {
		asked = append(asked, d.askFor(q, &wanted[i]))
	}
	return asked
}

func (d *draft) askFor(q asking, v *policy.Verdict) *Approval {
	a := d.newApproval(q, v)
	a.State = ApprovalOpen
	a.ExpiresAt = d.now.Add(v.Need.ExpiresAfter)
	d.putApproval(a)
	d.event(EventApprovalAsked, 0, "approval_id", a.ID, "rule", a.Rule, "roles", strings.Join(a.Roles, ","), "until", a.ExpiresAt.Format(time.RFC3339Nano))
	d.notice(NoticeApprovalWaiting, v.Because, a.ID, a.Owner)
	return a
}

// newApproval makes the next approval of a rule. Its id is a function of the operation and its count, so that a retry of
// the transaction makes the same one.
func (d *draft) newApproval(q asking, v *policy.Verdict) *Approval {
	o := d.op
	if old := d.approvalFor(v.Rule); old != nil && !old.State.Ended() {
		d.endApproval(old, ApprovalVoid, "what it was asked for is no longer so")
	}
	o.ApprovalCount++
	e, _ := recordOf[Entity](d.view, EntityKey(o.Namespace, o.Entity))
	return &Approval{
		row:         row{Namespace: o.Namespace, ID: "apr_" + derive("opledger-approval/1", o.Namespace, IdempotencyKey(o.ID), o.ApprovalCount)[:26], Version: 1},
		OperationID: o.ID, Tool: o.Tool, ToolVersion: d.judgedVersion(q), Fingerprint: o.Fingerprint, Entity: o.Entity,
		OperationVersion: o.Version + 1, EntityVersion: e.Version, EntityState: e.State,
		Rule: v.Rule, RuleVersion: v.RuleVersion, Because: v.Because, Need: *v.Need, Roles: slices.Clone(v.Need.Roles),
		Proposer: o.Proposer, ProposerPerson: o.Person, Requester: o.Requester, CreatedAt: d.now,
		Owner: strings.Join(v.Need.Roles, ", "),
	}
}

// putApproval keeps an approval and what the operation knows of it.
func (d *draft) putApproval(a *Approval) {
	ref := ApprovalRef{ID: a.ID, Rule: a.Rule}
	if a.State == ApprovalOpen || a.State == ApprovalGranted {
		ref.Due = a.ExpiresAt
	}
	d.op.Approvals = slices.DeleteFunc(slices.Clone(d.op.Approvals), func(r ApprovalRef) bool { return r.Rule == a.Rule })
	d.op.Approvals = append(d.op.Approvals, ref)
	d.put(a)
}

// endApproval ends an approval that is not used up. What a standing approval has lent is given back.
func (d *draft) endApproval(a *Approval, to ApprovalState, because string) {
	d.giveBackStanding(a)
	a.State, a.EndedAt = to, d.now
	d.putApproval(a)
	d.event(EventApprovalEnded, 0, "approval_id", a.ID, "state", string(to), "because", because)
	d.notice(NoticeApprovalEnded, because, a.ID, a.Owner)
}

// spend uses the operation's approvals for an attempt: reserved at the permit, spent at the accepted begin, or at the
// permit where none is required.
func (d *draft) spend(attempt int64, to ApprovalState) {
	for _, ref := range slices.Clone(d.op.Approvals) {
		a := d.approvalFor(ref.Rule)
		mine := a != nil && (a.State == ApprovalGranted || a.State == ApprovalReserved && a.Attempt == attempt)
		if !mine || a.State == to {
			continue
		}
		a.State, a.Attempt = to, attempt
		if to == ApprovalSpent {
			a.EndedAt = d.now
		}
		d.putApproval(a)
		d.event(EventApprovalUsed, attempt, "approval_id", a.ID, "state", string(to))
	}
}

// giveBack frees the approvals of an attempt that is known not to have begun.
func (d *draft) giveBack(attempt int64) {
	for _, ref := range slices.Clone(d.op.Approvals) {
		a := d.approvalFor(ref.Rule)
		if a == nil || a.Attempt != attempt || a.State != ApprovalReserved && a.State != ApprovalSpent {
			continue
		}
		a.State, a.Attempt, a.EndedAt = ApprovalGranted, 0, time.Time{}
		d.putApproval(a)
		d.event(EventApprovalUsed, attempt, "approval_id", a.ID, "state", "given_back")
	}
}

// voidApprovals ends what is left of the operation's approvals when it has ended itself.
func (d *draft) voidApprovals() {
	for _, ref := range slices.Clone(d.op.Approvals) {
		if a := d.approvalFor(ref.Rule); a != nil && !a.State.Ended() {
			d.endApproval(a, ApprovalVoid, "the operation has ended")
		}
	}
}

// allApproved reports whether every approval that the operation waits for is granted.
func (d *draft) allApproved() bool {
	for _, ref := range d.op.Approvals {
		if a := d.approvalFor(ref.Rule); a != nil && a.State != ApprovalGranted && a.State != ApprovalVoid {
			return false
		}
	}
	return len(d.op.Approvals) > 0
}

// expireApprovals applies the time to the operation's approvals, as each of them states.
func (d *draft) expireApprovals() {
	for _, ref := range slices.Clone(d.op.Approvals) {
		if ref.Due.IsZero() || d.now.Before(ref.Due) {
			continue
		}
		a := d.approvalFor(ref.Rule)
		if a == nil || a.State != ApprovalOpen && a.State != ApprovalGranted {
			continue
		}
		d.expireApproval(a)
	}
}

func (d *draft) expireApproval(a *Approval) {
	if a.State == ApprovalOpen && !a.Escalated && a.Need.OnExpiry != policy.ExpiryDeny && a.Need.OnExpiry != "" {
		a.Escalated, a.ExpiresAt = true, d.now.Add(a.Need.ExpiresAfter)
		if a.Need.OnExpiry == policy.ExpiryEscalate {
			a.Roles = slices.Clone(a.Need.EscalateRoles)
			a.Owner = strings.Join(a.Roles, ", ")
		} else {
			d.askPerson(HumanApproval)
		}
		d.putApproval(a)
		d.event(EventApprovalEscalated, 0, "approval_id", a.ID, "roles", strings.Join(a.Roles, ","), "until", a.ExpiresAt.Format(time.RFC3339Nano))
		d.notice(NoticeEscalated, "nobody decided in time", a.ID, a.Owner)
		return
	}
	because := "nobody decided in time"
	if a.State == ApprovalGranted {
		because = "nobody used it in time"
	}
	d.endApproval(a, ApprovalExpired, because)
	if d.op.State == Planned {
		d.end(CategoryExpired, "", "no approval came in time")
	}
}
