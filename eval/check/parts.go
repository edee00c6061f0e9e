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
