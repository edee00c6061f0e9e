package ledger

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/opledger/opledger/locks"
	"github.com/opledger/opledger/policy"
)

// DecideApproval is one person's yes or no to an approval. A no ends the operation and holds for its group and entity.
type DecideApproval struct {
	Namespace  Namespace
	Actor      Actor
	RequestID  RequestID // kept in the request's repeats
	ApprovalID string
	Approve    bool
	Etag       string // of the approval that the person saw: nobody approves what they have not seen
	Comment    string
	Epoch      int64
	Rules      *policy.Set
}

// ApprovalDecided is the reply: how things stand after the word.
type ApprovalDecided struct {
	Approval  *Approval
	Operation *Operation
	Told      Told
}

// Claims are none.
func (c *DecideApproval) Claims() []Claim { return nil }

func (c *DecideApproval) key() RecordKey {
	return ApprovalKey(c.Namespace, c.ApprovalID)
}

// Reads are the approval, then its operation with what follows it.
func (c *DecideApproval) Reads(v *View) []Read {
	reads := []Read{c.key().Read(), ReadOf(ReadEpoch, c.Namespace, "")}
	if a, ok := v.records[c.key().Read()].(*Approval); ok {
		reads = append(reads, readsOf(v, c.Namespace, a.OperationID)...)
		if o, known := v.known(c.Namespace, a.OperationID); known {
			if ref, has := o.approvalScope(); has {
				reads = append(reads, ReadScopeOf(ref))
			}
		}
	}
	return reads
}

// Decide records the word. Of two that race, the second finds the approval as the first has left it.
func (c *DecideApproval) Decide(v *View, env Env) Decided {
	if epoch := v.Epoch(c.Namespace); epoch != c.Epoch {
		return Decided{Err: &EpochMovedError{Have: c.Epoch, Now: epoch}}
	}
	seen, found := recordOf[Approval](v, c.key())
	if !found {
		return Decided{Err: refuse(CodeNotFound, ReasonApprovalNotFound, "there is no approval %s in this namespace; list the approvals that wait", c.ApprovalID)}
	}
	d := change(v, env, v.Operation(c.Namespace, seen.OperationID), c.Actor.Principal, 0)
	d.tick()
	a := d.currentApproval(seen)
	if c.said(a) { // a repeat of the request that sees its own word
		return c.decided(d, d.storedApproval(seen))
	}
	if refusal := c.refuses(d, a); refusal != nil {
		return Decided{Err: refusal, Changes: d.changes()}
	}
	role, refusal := a.RoleOf(c.Actor)
	if refusal != nil {
		return Decided{Err: refusal, Changes: d.changes()}
	}
	a.Words = append(slices.Clone(a.Words), ApprovalWord{
		Principal: c.Actor.Principal, Person: c.Actor.Human(), Role: role, Approved: c.Approve, Comment: c.Comment, At: d.now,
		RequestID: c.RequestID, Local: c.Actor.Local,
	})
	d.event(EventApproval, 0, "change", "word", "approval_id", a.ID, "approved", fmt.Sprint(c.Approve), "person", c.Actor.Human(), "role", role)
	if c.Approve {
		c.approve(d, a)
	} else {
		c.deny(d, a)
	}
	return c.decided(d, a)
}

// currentApproval is the approval as the draft has it after time was applied.
func (d *draft) currentApproval(seen *Approval) *Approval {
	a, _ := drafted[Approval](d, seen.Key())
	return a
}

// storedApproval is the approval as it stands after the draft, where that changes nothing any more.
func (d *draft) storedApproval(seen *Approval) *Approval {
	for _, r := range d.records {
		if r.Key() == seen.Key() {
			return r.(*Approval)
		}
	}
	return seen
}

// said reports whether this very request has been carried out already. The same person's next word is another request,
// and is refused.
func (c *DecideApproval) said(a *Approval) bool {
	return slices.ContainsFunc(a.Words, func(w ApprovalWord) bool {
		return w.Principal == c.Actor.Principal && w.RequestID == c.RequestID && w.Approved == c.Approve
	})
}

// refuses says why the approval can not be decided, or not by what this person saw.
func (c *DecideApproval) refuses(d *draft, a *Approval) *Refusal {
	notOpen := func(format string, args ...any) *Refusal {
		return refuse(CodeFailedPrecondition, ReasonApprovalNotOpen, format, args...).about(d.op).with("approval_id", a.ID, "approval_state", string(a.State))
	}
	switch {
	case a.State != ApprovalOpen:
		return notOpen("the approval %s is %s; nothing was changed", a.ID, a.State)
	case fmt.Sprintf("v%d", a.Version-1) != c.Etag: // the draft's own copy is one version on
		return etagMismatch("the approval", a.ID).about(d.op).with("approval_id", a.ID)
	case !d.bindsTo(a, c.Rules):
		next := d.askFor(c.Rules, &policy.Verdict{Rule: a.Rule, RuleVersion: a.RuleVersion, Because: a.Because, Need: &a.Need})
		return notOpen("the approval %s was asked for under version %d of %s, and another holds by now; %s asks anew", a.ID, a.ToolVersion, a.Tool, next.ID).
			with("next_approval_id", next.ID)
	}
	return nil
}

// RoleOf finds the role by which a person's word counts, and refuses who must not decide here. Dual control compares
// persons, not credentials.
func (a *Approval) RoleOf(who Actor) (string, *Refusal) {
	apart := func(format string, args ...any) (string, *Refusal) {
		return "", refuse(CodePermissionDenied, ReasonRolesNotApart, format, args...).with("approval_id", a.ID)
	}
	human := who.Human()
	proposer := Actor{Principal: a.Proposer, Person: a.ProposerPerson}.Human()
	// The one person of a server without credentials may decide what one person can decide, and it is marked as such.
	alone := who.Local && a.Need.Count <= 1
	switch {
	case !alone && (human == proposer || who.Principal == a.Proposer):
		return apart("who proposed the operation cannot decide about it; another person must")
	case !alone && a.Requester != "" && human == a.Requester:
		return apart("who asked for the workflow cannot decide about it; another person must")
	case slices.ContainsFunc(a.Words, func(w ApprovalWord) bool { return w.Person == human || w.Principal == who.Principal }):
		return apart("%s has decided here already; another person must", human)
	}
	for _, role := range a.Roles {
		if slices.Contains(who.Teams, role) {
			return role, nil
		}
	}
	if who.Local {
		return "local", nil
	}
	return "", refuse(CodePermissionDenied, ReasonPermissionDenied, "approval %s is for %s, and %s is none of them; one of them decides", a.ID, strings.Join(a.Roles, " or "), human).with("approval_id", a.ID)
}

// approve counts a yes. With the last one that is needed the approval is granted, and with the last approval that an
// operation waits for it is released.
func (c *DecideApproval) approve(d *draft, a *Approval) {
	if a.Approved() < a.Need.Count {
		d.putApproval(a)
		return
	}
	a.State, a.GrantedAt = ApprovalGranted, d.now
	a.ExpiresAt = d.now.Add(a.Need.ExpiresAfter)
	d.putApproval(a)
	d.event(EventApproval, 0, "change", "granted", "approval_id", a.ID, "rule", a.Rule, "until", a.ExpiresAt.Format(time.RFC3339Nano))
	d.notice(NoticeApprovalEnded, "granted", a.ID, a.Owner)
	d.op.CheckAt = time.Time{} // whoever would carry it out need not wait for the next check
	switch {
	case !d.allApproved():
	case d.op.State == Planned:
		d.move(PendingDispatch, "because", "approved")
	case d.op.Human != nil && d.op.Human.Reason == HumanApproval:
		d.op.Human = nil // nobody is asked any more
	}
}

// deny ends the operation where nothing of it is under way, and holds for its group and entity.
func (c *DecideApproval) deny(d *draft, a *Approval) {
	because := fmt.Sprintf("%s said no", c.Actor.Human())
	d.endApproval(a, ApprovalDenied, because)
	if ref, has := d.op.approvalScope(); has && a.Need.NoHoldsFor > 0 {
		d.putScope(d.scope(ref).Deny(locks.StandingNo{
			OperationID: string(d.op.ID), ApprovalID: a.ID, By: c.Actor.Human(), Until: d.now.Add(a.Need.NoHoldsFor),
		}))
	}
	switch d.op.State {
	case Planned, PendingDispatch, FailedRetryable:
		d.end(CategoryApprovalDenied, "", because)
	}
}

func (c *DecideApproval) decided(d *draft, a *Approval) Decided {
	changes := d.changes()
	return Decided{Reply: &ApprovalDecided{Approval: a, Operation: d.op, Told: tellState(d.op, d.now)}, Changes: changes}
}
