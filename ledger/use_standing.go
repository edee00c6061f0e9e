package ledger

import (
	"slices"

	"github.com/opledger/opledger/policy"
)

// maxStandingOperations bounds the operations that a standing approval lists.
const maxStandingOperations = 100

// useStanding lets a standing approval answer for an approval that a rule asks for, if one admits the operation and has
// something left. It is consumed one operation at a time.
func (d *draft) useStanding(v *policy.Verdict, q asking) bool {
	c, err := d.bind(q)
	if err != nil {
		return false
	}
	for _, use := range c.Standing(v.Rule) {
		s, found := drafted[Standing](d, RecordKey{RecordStanding, d.op.Namespace, use.ID})
		if !found || !s.admits(use, d.op, d.now.Before(use.Terms.ExpiresAt)) {
			continue
		}
		s.UsedCount++
		s.UsedSum += use.Amount
		s.Operations = append([]OperationID{d.op.ID}, s.Operations...)
		s.Operations = slices.Clone(s.Operations[:min(len(s.Operations), maxStandingOperations)])
		d.put(s)
		a := d.newApproval(q, v)
		a.State, a.StandingID, a.Amount, a.GrantedAt = ApprovalGranted, s.ID, use.Amount, d.now
		a.ExpiresAt = d.now.Add(v.Need.ExpiresAfter)
		d.putApproval(a)
		d.event(EventApprovalGranted, 0, "approval_id", a.ID, "rule", a.Rule, "standing_approval_id", s.ID)
		return true
	}
	return false
}

// admits reports whether a standing approval may be used once more, for this operation. Its giver never approves what
// the same person proposed or asked for.
func (s *Standing) admits(use policy.StandingUse, o *Operation, inTime bool) bool {
	t := &s.Terms
	giver := Actor{Principal: Principal(t.GivenBy), Person: t.GivenByPerson}.Human()
	proposer := Actor{Principal: o.Proposer, Person: o.Person}.Human()
	switch {
	case !inTime, !s.RevokedAt.IsZero(), giver == proposer, t.GivenBy == string(o.Proposer), o.Requester != "" && giver == o.Requester:
		return false
	case s.UsedCount >= t.MaxCount:
		return false
	case t.MaxAmount != nil && use.Amount > *t.MaxAmount, use.Amount < 0:
		return false
	case t.MaxSum != nil && (use.Amount > *t.MaxSum || s.UsedSum > *t.MaxSum-use.Amount):
		return false
	}
	return true
}

// giveBackStanding returns what an unused approval had taken of a standing one.
func (d *draft) giveBackStanding(a *Approval) {
	if a.StandingID == "" || a.State == ApprovalSpent {
		return
	}
	s, found := drafted[Standing](d, RecordKey{RecordStanding, d.op.Namespace, a.StandingID})
	if !found {
		return
	}
	s.UsedCount = max(0, s.UsedCount-1)
	s.UsedSum = max(0, s.UsedSum-a.Amount)
	s.Operations = slices.DeleteFunc(slices.Clone(s.Operations), func(id OperationID) bool { return id == d.op.ID })
	d.put(s)
}
