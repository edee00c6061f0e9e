package ledger

import (
	"slices"
	"time"

	"github.com/opledger/opledger/policy"
)

// maxStandingOperations bounds the operations that a standing approval lists.
const maxStandingOperations = 100

// useStanding lets a standing approval answer for an approval that a rule asks for, if one admits the operation and has
// something left. It stands for its giver's yes: for one person of the roles that the rule asks, and never for two. It
// counts operations: a second approval of one that it counts already raises nothing.
func (d *draft) useStanding(v *policy.Verdict, q asking) bool {
	c, err := d.bind(q)
	if err != nil || v.Need.Count > 1 {
		return false
	}
	for _, use := range c.Standing(v.Rule) {
		s, found := drafted[Standing](d, StandingKey(d.op.Namespace, use.ID))
		if !found || !s.holds(d.now) || !s.speaksFor(v.Need) || s.isOf(d.op) {
			continue
		}
		if d.countedBy(s.ID) == nil && !s.hasLeft(use) {
			continue
		}
		a := d.newApproval(q.rules, v) // which may give back what an approval of before had taken
		a.State, a.StandingID, a.Amount, a.GrantedAt = ApprovalGranted, s.ID, use.Amount, d.now
		if a.Carried = d.countedBy(s.ID) != nil; !a.Carried {
			s, _ = drafted[Standing](d, s.Key())
			s.raise(d.op.ID, use.Amount)
			d.put(s)
		}
		a.ExpiresAt = d.now.Add(v.Need.ExpiresAfter)
		if end := use.Terms.ExpiresAt; end.Before(a.ExpiresAt) {
			a.ExpiresAt = end // what was approved ahead is approved for no longer than its giver said
		}
		d.putApproval(a)
		d.event(EventApproval, 0, "change", "granted", "approval_id", a.ID, "rule", a.Rule, "standing_approval_id", s.ID)
		return true
	}
	return false
}

// Usable reports whether one operation more could use it.
func (s *Standing) Usable(now time.Time) bool { return s.holds(now) && s.UsedCount < s.Terms.MaxCount }

// holds reports whether the standing approval is neither revoked nor over.
func (s *Standing) holds(now time.Time) bool {
	return s.RevokedAt.IsZero() && now.Before(s.Terms.ExpiresAt)
}

// speaksFor reports whether its giver is one of those whom the rule asks.
func (s *Standing) speaksFor(need *policy.ApprovalNeed) bool {
	return slices.ContainsFunc(need.Roles, func(role string) bool { return slices.Contains(s.GiverTeams, role) })
}

// isOf reports whether its giver proposed the operation or asked for its workflow: nobody approves ahead what is one's
// own.
func (s *Standing) isOf(o *Operation) bool {
	t := &s.Terms
	giver := Actor{Principal: Principal(t.GivenBy), Person: t.GivenByPerson}.Human()
	proposer := Actor{Principal: o.Proposer, Person: o.Person}.Human()
	return giver == proposer || t.GivenBy == string(o.Proposer) || o.Requester != "" && giver == o.Requester
}

// hasLeft reports whether one operation more lies within its bounds.
func (s *Standing) hasLeft(use policy.StandingUse) bool {
	t := &s.Terms
	switch {
	case s.UsedCount >= t.MaxCount, use.Amount < 0:
		return false
	case t.MaxAmount != nil && use.Amount > *t.MaxAmount:
		return false
	case t.MaxSum != nil && (use.Amount > *t.MaxSum || s.UsedSum > *t.MaxSum-use.Amount):
		return false
	}
	return true
}

func (s *Standing) raise(id OperationID, amount int64) {
	s.UsedCount++
	s.UsedSum += amount
	s.Operations = append([]OperationID{id}, s.Operations...)
	s.Operations = slices.Clone(s.Operations[:min(len(s.Operations), maxStandingOperations)])
}

// countedBy is an approval of the operation by which a standing approval counts it: in use, or used up. Nil: it does not
// count the operation.
func (d *draft) countedBy(standingID string, beside ...string) *Approval {
	for _, ref := range d.op.Approvals {
		a := d.approvalFor(ref.Rule)
		if a == nil || slices.Contains(beside, a.ID) || a.StandingID != standingID {
			continue
		}
		switch a.State {
		case ApprovalGranted, ApprovalReserved, ApprovalSpent:
			return a
		}
	}
	return nil
}

// giveBackStanding returns what an unused approval had taken of a standing one. Where another approval of the operation
// lives on the same count, that one carries it on.
func (d *draft) giveBackStanding(a *Approval) {
	if a.StandingID == "" || a.Carried || a.State == ApprovalSpent {
		return
	}
	if other := d.countedBy(a.StandingID, a.ID); other != nil {
		other.Carried = false
		d.putApproval(other)
		return
	}
	s, found := drafted[Standing](d, StandingKey(d.op.Namespace, a.StandingID))
	if !found {
		return
	}
	s.UsedCount = max(0, s.UsedCount-1)
	s.UsedSum = max(0, s.UsedSum-a.Amount)
	s.Operations = slices.DeleteFunc(slices.Clone(s.Operations), func(id OperationID) bool { return id == d.op.ID })
	d.put(s)
}
