package check

import (
	"maps"
	"slices"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// leaseCall is a call as it concerns the lease of one entity.
type leaseCall struct {
	*eval.Call
	entity string
	// elsewhere: it is about other entities or a whole workflow, and may end that workflow's lease on this one.
	elsewhere string
	// repeats: the same token may have been given back before, which changes nothing and is no loss.
	repeats bool
	// number is the entity's fencing number in the lease that a break ended; zero: it is not known.
	number int64
}

func (c leaseCall) call() *eval.Call { return c.Call }
func (c leaseCall) pending() part {
	c.Call = unanswered(c.Call)
	return c
}

// lease adds the calls on each entity's lease.
func (p *parts) lease(calls []eval.Call) {
	covered := map[string][]string{}     // by lease token
	held := map[string]map[string]bool{} // entities by workflow
	for i := range calls {
		m, acquired := calls[i].Answer.(*pb.AcquireEntityLeaseResponse)
		q, asked := calls[i].Request.(*pb.AcquireEntityLeaseRequest)
		if !asked {
			continue
		}
		if held[q.WorkflowId] == nil {
			held[q.WorkflowId] = map[string]bool{}
		}
		for _, e := range q.Entities {
			held[q.WorkflowId][nameOf(e)] = true
		}
		if acquired && m.GetGrant() != nil {
			for _, n := range m.Grant.GetLease().GetFencingNumbers() {
				covered[m.Grant.LeaseToken] = append(covered[m.Grant.LeaseToken], nameOf(n.Entity))
			}
		}
	}
	add := func(c *eval.Call, entity, elsewhere string) {
		p.leases[entity] = append(p.leases[entity], leaseCall{Call: c, entity: entity, elsewhere: elsewhere})
	}
	for i := range calls {
		c := &calls[i]
		switch q := c.Request.(type) {
		case *pb.AcquireEntityLeaseRequest:
			var named []string // what was asked for, and what the workflow held already and the grant took over
			for _, e := range q.Entities {
				named = append(named, nameOf(e))
			}
			m, _ := c.Answer.(*pb.AcquireEntityLeaseResponse)
			for _, n := range m.GetGrant().GetLease().GetFencingNumbers() {
				named = append(named, nameOf(n.Entity))
			}
			for _, e := range unique(named) {
				add(c, e, "")
			}
			for _, e := range slices.Sorted(maps.Keys(held[q.WorkflowId])) {
				if indefinite(c) && !slices.Contains(named, e) { // a grant says what it took over; this one was not seen
					add(c, e, q.WorkflowId)
				}
			}
		case *pb.RenewEntityLeaseRequest:
			for _, e := range unique(covered[q.LeaseToken]) {
				add(c, e, "")
			}
		case *pb.ReleaseEntityLeaseRequest:
			for _, e := range unique(covered[q.LeaseToken]) {
				if len(q.Entities) == 0 || slices.ContainsFunc(q.Entities, func(given *pb.Entity) bool { return nameOf(given) == e }) {
					p.leases[e] = append(p.leases[e], leaseCall{Call: c, entity: e, repeats: givenBefore(calls, c, q.LeaseToken)})
				}
			}
		case *pb.BreakEntityLeaseRequest:
			for e, number := range sorted(breaks(calls, c, q, held)) {
				p.leases[e] = append(p.leases[e], leaseCall{Call: c, entity: e, number: number})
			}
		case *pb.CompleteWorkflowRequest, *pb.ResumeWorkflowRequest:
			workflow := q.(interface{ GetWorkflowId() string }).GetWorkflowId()
			for _, e := range slices.Sorted(maps.Keys(held[workflow])) {
				add(c, e, workflow)
			}
		}
	}
}

// givenBefore reports whether the same token may have been given back by another call before this one took effect.
func givenBefore(calls []eval.Call, c *eval.Call, token string) bool {
	return slices.ContainsFunc(calls, func(other eval.Call) bool {
		q, releases := other.Request.(*pb.ReleaseEntityLeaseRequest)
		m, _ := other.Answer.(*pb.ReleaseEntityLeaseResponse)
		return releases && q.LeaseToken == token && other.Sequence != c.Sequence && other.Sequence < c.EndSeq && !m.GetWasLost()
	})
}

// breaks lists the entities whose lease a break ended or may have ended, each with its number in the broken lease: a break
// names one entity and ends the whole lease on it. Where the answer was lost, the lease is the one that bore the etag; where
// no answer showed that one, it may have covered whatever the workflows that asked for the entity have asked for.
func breaks(calls []eval.Call, c *eval.Call, q *pb.BreakEntityLeaseRequest, held map[string]map[string]bool) map[string]int64 {
	ended := map[string]int64{nameOf(q.Entity): 0}
	numbered := func(l *pb.EntityLease) {
		for _, n := range l.GetFencingNumbers() {
			ended[nameOf(n.Entity)] = n.Number
		}
	}
	if m, answered := c.Answer.(*pb.BreakEntityLeaseResponse); answered {
		numbered(m.GetLease())
	}
	if !indefinite(c) || q.Etag == "" {
		return ended // no other lease is in question
	}
	for i := range calls {
		if l := leaseIn(calls[i].Answer); l.GetEtag() == q.Etag {
			numbered(l)
			return ended
		}
	}
	for _, entities := range held {
		if !entities[nameOf(q.Entity)] {
			continue
		}
		for e := range entities {
			ended[e] = 0
		}
	}
	return ended
}

// leaseIn is the lease in an answer; nil where there is none.
func leaseIn(answer any) *pb.EntityLease {
	switch m := answer.(type) {
	case interface{ GetGrant() *pb.LeaseGrant }:
		return m.GetGrant().GetLease()
	case interface{ GetLease() *pb.EntityLease }:
		return m.GetLease()
	}
	return nil
}

func nameOf(e *pb.Entity) string { return e.GetType() + "/" + e.GetId() }

func unique(names []string) []string {
	names = slices.Clone(names)
	slices.Sort(names)
	return slices.Compact(names)
}
