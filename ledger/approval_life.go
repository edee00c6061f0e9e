package ledger

import (
	"slices"
	"strings"
	"time"

	"github.com/opledger/opledger/policy"
)

// ask opens a request to persons for each approval that is wanted. One that it takes the place of is void.
func (d *draft) ask(q asking, wanted []policy.Verdict) []*Approval {
	var asked []*Approval
	for i := range wanted {
		asked = append(asked, d.askFor(q.rules, &wanted[i]))
	}
	return asked
}

func (d *draft) askFor(rules *policy.Set, v *policy.Verdict) *Approval {
	a := d.newApproval(rules, v)
	a.State = ApprovalOpen
	a.ExpiresAt = d.now.Add(v.Need.ExpiresAfter)
	d.putApproval(a)
	d.event(EventApproval, 0, "change", "requested", "approval_id", a.ID, "rule", a.Rule, "roles", strings.Join(a.Roles, ","), "until", a.ExpiresAt.Format(time.RFC3339Nano))
	d.notice(NoticeApprovalWaiting, v.Because, a.ID, a.Owner)
	return a
}

// newApproval makes the next approval of a rule. Its id is a function of the operation and its count, so that a retry of
// the transaction makes the same one.
func (d *draft) newApproval(rules *policy.Set, v *policy.Verdict) *Approval {
	o := d.op
	if old := d.approvalFor(v.Rule); old != nil {
		d.closeApproval(old, "what it was asked for is no longer so")
	}
	o.ApprovalCount++
	a := &Approval{
		row:         row{Namespace: o.Namespace, ID: "apr_" + derive("opledger-approval/1", o.Namespace, IdempotencyKey(o.ID), o.ApprovalCount)[:26], Version: 1},
		OperationID: o.ID, Tool: o.Tool, ToolVersion: d.judgedVersion(rules), Fingerprint: o.Fingerprint, Entity: o.Entity,
		OperationVersion: o.Version + 1,
		Rule:             v.Rule, RuleVersion: v.RuleVersion, Because: v.Because, Need: *v.Need, Roles: slices.Clone(v.Need.Roles),
		Proposer: o.Proposer, ProposerPerson: o.Person, Requester: o.Requester, CreatedAt: d.now,
		Owner: strings.Join(v.Need.Roles, ", "),
	}
	if !o.Entity.IsZero() {
		e, _ := recordOf[Entity](d.view, EntityKey(o.Namespace, o.Entity))
		a.EntityVersion, a.EntityState = e.Version, e.State
	}
	return a
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
	d.event(EventApproval, 0, "change", "ended", "approval_id", a.ID, "state", string(to), "because", because)
	d.notice(NoticeApprovalEnded, because, a.ID, a.Owner)
}

// closeApproval ends what is left of an approval. One that an attempt has reserved is used up, unless the attempt is
// known not to have begun: a permit that was acted on without a word of its begin has used it all the same.
func (d *draft) closeApproval(a *Approval, because string) {
	switch {
	case a.State.Ended():
	case a.State == ApprovalReserved && !d.op.unbegun(a.Attempt):
		a.State, a.EndedAt = ApprovalSpent, d.now
		d.putApproval(a)
		d.event(EventApproval, a.Attempt, "change", "used", "approval_id", a.ID, "state", string(ApprovalSpent))
	default:
		d.endApproval(a, ApprovalVoid, because)
	}
}

// unbegun reports whether an attempt is known not to have begun, and so to have had no effect.
func (o *Operation) unbegun(number int64) bool {
	if number < 1 || number > int64(len(o.Attempts)) {
		return true
	}
	a := &o.Attempts[number-1]
	return !a.Begun() && a.Verdict == VerdictNone
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
		d.event(EventApproval, attempt, "change", "used", "approval_id", a.ID, "state", string(to))
	}
}

// giveBack frees the approvals of an attempt that is known not to have begun. One whose begin was accepted has used them,
// whatever it says afterwards.
func (d *draft) giveBack(attempt int64) {
	if a := &d.op.Attempts[attempt-1]; a.Begun() {
		return
	}
	for _, ref := range slices.Clone(d.op.Approvals) {
		a := d.approvalFor(ref.Rule)
		if a == nil || a.Attempt != attempt || a.State != ApprovalReserved && a.State != ApprovalSpent {
			continue
		}
		a.State, a.Attempt, a.EndedAt = ApprovalGranted, 0, time.Time{}
		d.putApproval(a)
		d.event(EventApproval, attempt, "change", "used", "approval_id", a.ID, "state", "given_back")
	}
}

// voidApprovals ends what is left of the operation's approvals when it has ended itself.
func (d *draft) voidApprovals() {
	for _, ref := range slices.Clone(d.op.Approvals) {
		if a := d.approvalFor(ref.Rule); a != nil {
			d.closeApproval(a, "the operation has ended")
		}
	}
}

// allApproved reports whether every approval that the operation waits for is granted.
func (d *draft) allApproved() bool {
	for _, ref := range d.op.Approvals {
		if a := d.approvalFor(ref.Rule); a != nil && a.State != ApprovalGranted {
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

// expireApproval goes on where nobody decided in time, once; then it ends the operation, unless its outcome is open. A
// granted approval that nobody used lapses, and the next proposal asks anew.
func (d *draft) expireApproval(a *Approval) {
	if a.State == ApprovalOpen && !a.Escalated && a.Need.OnExpiry != policy.ExpiryDeny && a.Need.OnExpiry != "" {
		d.escalateApproval(a)
		return
	}
	open, because := a.State == ApprovalOpen, "nobody decided in time"
	if !open {
		because = "nobody used it in time"
	}
	d.endApproval(a, ApprovalExpired, because)
	switch {
	case d.op.State == Planned, open && (d.op.State == PendingDispatch || d.op.State == FailedRetryable):
		d.end(CategoryExpired, "", "no approval came in time")
	}
}

// escalateApproval asks the next roles, or puts the operation before a person, for as long again.
func (d *draft) escalateApproval(a *Approval) {
	a.Escalated, a.ExpiresAt = true, d.now.Add(a.Need.ExpiresAfter)
	if a.Need.OnExpiry == policy.ExpiryEscalate {
		a.Roles, a.Taken = slices.Clone(a.Need.EscalateRoles), nil // these have taken nothing up yet
		a.Owner = strings.Join(a.Roles, ", ")
	} else {
		d.askPerson(HumanApproval)
	}
	d.putApproval(a)
	d.event(EventApproval, 0, "change", "escalated", "approval_id", a.ID, "roles", strings.Join(a.Roles, ","), "until", a.ExpiresAt.Format(time.RFC3339Nano))
	d.notice(NoticeEscalated, "nobody decided in time", a.ID, a.Owner)
}
