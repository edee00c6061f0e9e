// Package locks decides who may act on an entity: exclusive groups and leases. Its decisions are pure: they are given the
// scope as it stands and answer what it becomes.
package locks

import (
	"slices"
	"strings"
	"time"
)

// Entity is the business object acted on, the unit of concurrency control: "order/order_123".
type Entity struct {
	Type string `json:"type"`
	ID   string `json:"id"`
}

// String is the entity's readable name.
func (e Entity) String() string { return e.Type + "/" + e.ID }

// IsZero reports whether no entity is named.
func (e Entity) IsZero() bool { return e == Entity{} }

// Ref names one scope of one entity within a namespace. Name is "group/<group>" or "lease".
type Ref struct {
	Namespace string
	Entity    Entity
	Name      string
}

// GroupRef names the scope of an exclusive group on an entity.
func GroupRef(namespace string, entity Entity, group string) Ref {
	return Ref{Namespace: namespace, Entity: entity, Name: "group/" + group}
}

// Group is the group's name, or empty where the scope is not a group's.
func (r Ref) Group() string {
	g, ok := strings.CutPrefix(r.Name, "group/")
	if !ok {
		return ""
	}
	return g
}

// Holder is an operation in a scope. Of an exclusive group it holds from its release until its end; of the lease scope of
// an entity while its effect may still come, under a lease or not.
type Holder struct {
	OperationID string    `json:"operation_id"`
	WorkflowID  string    `json:"workflow_id,omitempty"`
	Since       time.Time `json:"since"`
	// Waiting: it waits for approval. What is recorded already goes on beside it; a new one names it instead.
	Waiting bool `json:"waiting,omitempty"`
}

// Scope is one entity's state in one scope. Fence is the last fencing number given; it only grows and never repeats,
// so that a store which remembers the highest number it has seen can refuse a former holder's late write.
type Scope struct {
	Ref     Ref
	Fence   int64
	Holders []Holder
	// Of the lease scope of an entity: the lease on it, which may have expired, and who waits for it.
	Lease   *LeaseRef
	Waiting []Waiter
	// Of a group: an approver's no to one of its operations, which holds for others.
	No *StandingNo
}

// Clone copies the scope, so that a decision never changes what it was given.
func (s Scope) Clone() Scope {
	s.Holders = slices.Clone(s.Holders)
	s.Waiting = slices.Clone(s.Waiting)
	if s.Lease != nil {
		lease := *s.Lease
		s.Lease = &lease
	}
	if s.No != nil {
		no := *s.No
		s.No = &no
	}
	return s
}

// Blocker names the holder that keeps an operation from acting in the scope: the earliest other holder. An operation
// that holds already yields only to holders before it, so that two never wait for each other.
func (s Scope) Blocker(operationID string) (Holder, bool) {
	for _, h := range s.Holders {
		switch {
		case h.OperationID == operationID && !h.Waiting:
			return Holder{}, false
		case h.OperationID != operationID && !h.Waiting:
			return h, true
		}
	}
	return Holder{}, false
}

// Asking names another operation of the scope that waits for approval, so that a second one pages nobody.
func (s Scope) Asking(operationID string) (Holder, bool) {
	for _, h := range s.Holders {
		if h.Waiting && h.OperationID != operationID {
			return h, true
		}
	}
	return Holder{}, false
}

// Join adds the operation to the scope's holders, at the end of the line. Joining twice changes nothing; one that waited
// for approval comes to the end of the line when it is released.
func (s Scope) Join(operationID, workflowID string, now time.Time) Scope {
	s = s.Clone()
	for i, h := range s.Holders {
		if h.OperationID == operationID && h.Waiting {
			s.Holders = slices.Delete(s.Holders, i, i+1)
			break
		}
		if h.OperationID == operationID {
			return s
		}
	}
	s.Holders = append(s.Holders, Holder{OperationID: operationID, WorkflowID: workflowID, Since: now})
	return s
}

// Keep joins an operation that keeps the entity from other workflows. One that keeps it already for another workflow's
// run, whose request may still be under way, is nobody's own any more: it keeps the entity from every workflow.
func (s Scope) Keep(operationID, workflowID string, now time.Time) Scope {
	for i, h := range s.Holders {
		if h.OperationID == operationID && h.WorkflowID != workflowID {
			s = s.Clone()
			s.Holders[i].WorkflowID = ""
			return s
		}
	}
	return s.Join(operationID, workflowID, now)
}

// Announce names an operation that waits for approval.
func (s Scope) Announce(operationID, workflowID string, now time.Time) Scope {
	s = s.Clone()
	for _, h := range s.Holders {
		if h.OperationID == operationID {
			return s
		}
	}
	s.Holders = append(s.Holders, Holder{OperationID: operationID, WorkflowID: workflowID, Since: now, Waiting: true})
	return s
}

// Leave takes the operation out of the scope. Leaving what one does not hold changes nothing.
func (s Scope) Leave(operationID string) Scope {
	s = s.Clone()
	s.Holders = slices.DeleteFunc(s.Holders, func(h Holder) bool { return h.OperationID == operationID })
	return s
}

// Grant gives the next fencing number.
func (s Scope) Grant() (Scope, int64) {
	s = s.Clone()
	s.Fence++
	return s, s.Fence
}
