package check

import (
	"fmt"
	"maps"
	"slices"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// operationCalls are the calls on one operation.
type operationCalls struct {
	calls []part
	// queued: others than those who propose take its permits up, in calls that a record may not hold.
	queued bool
}

// operationCall is a call as it concerns one operation.
type operationCall struct {
	*eval.Call
	permit *pb.Permit // that the answer gives, of that operation
}

func (c operationCall) call() *eval.Call { return c.Call }
func (c operationCall) pending() part    { return operationCall{Call: unanswered(c.Call)} }

// leaseCall is a call as it concerns the lease of one entity.
type leaseCall struct {
	*eval.Call
	entity string
	// elsewhere: it is about other entities or a whole workflow, and may end that workflow's lease on this one.
	elsewhere string
	// repeats: the same token may have been given back before, which changes nothing and is no loss.
	repeats bool
}

func (c leaseCall) call() *eval.Call { return c.Call }
func (c leaseCall) pending() part {
	c.Call = unanswered(c.Call)
	return c
}

// unanswered is a call whose answer has not come. When it took effect is not known, so that all the time is given to it.
func unanswered(c *eval.Call) *eval.Call {
	open := *c
	open.Lost, open.Answer, open.Error = true, nil, ""
	return &open
}

type parts struct {
	operations map[string]*operationCalls
	leases     map[string][]part
}

// partsOf parts calls. It is false where one lacks its request.
func partsOf(calls []eval.Call) (parts, bool) {
	p := parts{operations: map[string]*operationCalls{}, leases: map[string][]part{}}
	asked := askedOf(calls)
	for i := range calls {
		c := &calls[i]
		if c.Request == nil {
			switch c.Method {
			case "propose", "begin", "extend", "report", "acquire", "renew", "release":
				return p, false
			}
			continue
		}
		p.operation(c, asked)
	}
	p.lease(calls)
	return p, true
}

// operation adds a call to each operation that it concerns, or may have concerned where its answer is not known.
func (p *parts) operation(c *eval.Call, asked map[string]map[string]bool) {
	add := func(id string, permit *pb.Permit) {
		if id == "" {
			return
		}
		if p.operations[id] == nil {
			p.operations[id] = &operationCalls{}
		}
		p.operations[id].calls = append(p.operations[id].calls, operationCall{Call: c, permit: permit})
	}
	switch q := c.Request.(type) {
	case *pb.ProposeOperationRequest:
		if m, answered := c.Answer.(*pb.ProposeOperationResponse); answered && m != nil {
			add(m.Result.GetOperationId(), m.Permit)
			if m.Decision == pb.Decision_DECISION_ENQUEUED {
				p.operations[m.Result.GetOperationId()].queued = true
			}
		} else if indefinite(c) {
			for _, id := range slices.Sorted(maps.Keys(asked[meaning(q)])) {
				add(id, nil)
			}
		}
	case *pb.PollWorkRequest:
		if m, answered := c.Answer.(*pb.PollWorkResponse); answered {
			for _, item := range m.GetItems() {
				if permit := item.GetDispatch(); permit != nil {
					add(permit.OperationId, permit)
				}
			}
		}
	case interface{ GetOperationId() string }:
		add(q.GetOperationId(), nil)
	}
}

// askedOf lists the operations that each meaning of a proposal was answered from.
func askedOf(calls []eval.Call) map[string]map[string]bool {
	asked := map[string]map[string]bool{}
	for i := range calls {
		q, proposes := calls[i].Request.(*pb.ProposeOperationRequest)
		m, answered := calls[i].Answer.(*pb.ProposeOperationResponse)
		if !proposes || !answered || m.GetResult().GetOperationId() == "" {
			continue
		}
		if asked[meaning(q)] == nil {
			asked[meaning(q)] = map[string]bool{}
		}
		asked[meaning(q)][m.Result.OperationId] = true
	}
	return asked
}

// meaning tells proposals apart by what they ask for, as it was spelled.
func meaning(q *pb.ProposeOperationRequest) string {
	return fmt.Sprintf("%q %q %q %q %q %q", q.Tool, q.GetArgumentsJson(), q.GetArgumentsStruct().String(), q.Occurrence, q.IdempotencyKey, q.GetRevise().String())
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
			add(c, nameOf(q.Entity), "")
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

func nameOf(e *pb.Entity) string { return e.GetType() + "/" + e.GetId() }

func unique(names []string) []string {
	names = slices.Clone(names)
	slices.Sort(names)
	return slices.Compact(names)
}
