package check

import (
	"github.com/anishathalye/porcupine"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// leased is the lease of one entity as its callers can tell.
type leased struct {
	token    string // the proof of who holds it, or someone; empty: nobody does
	workflow string // whose it is
	fence    int64  // the greatest fencing number that an answer showed
	ends     int64  // the earliest moment at which it can have expired, in Unix nanoseconds
}

// leaseModel is the lease of one entity as a sequential object: one workflow holds it at a time, and fencing numbers grow
// with every grant. What happens without a call is a choice of the model: a lease may end from its expiry on.
func leaseModel() porcupine.NondeterministicModel {
	return porcupine.NondeterministicModel{
		Init: func() []any { return []any{leased{}} },
		Hash: hash[leased],
		Step: func(s, in, _ any) []any {
			c := in.(leaseCall)
			from := []leased{s.(leased)}
			if l := from[0]; l.token != "" && c.Ended.UnixNano() >= l.ends {
				from = append(from, l.free())
			}
			var next []any
			for _, l := range from {
				for _, to := range l.step(&c) {
					next = append(next, to)
				}
				if indefinite(c.Call) {
					next = append(next, l)
				}
			}
			return next
		},
	}
}

func (l leased) free() leased {
	l.token, l.workflow = "", ""
	return l
}

// step lists what a call makes of the lease, given its answer; none: the answer is wrong here.
func (l leased) step(c *leaseCall) []leased {
	if c.elsewhere != "" {
		if l.workflow != c.elsewhere {
			return []leased{l}
		}
		taken := l // over, under another token
		taken.token, taken.ends = someone, min(l.ends, c.Began.UnixNano())
		return []leased{l, l.free(), taken}
	}
	switch q := c.Request.(type) {
	case *pb.AcquireEntityLeaseRequest:
		return l.acquired(c, q)
	case *pb.RenewEntityLeaseRequest:
		if indefinite(c.Call) {
			return nil // it can only last longer than is known
		}
		return l.renewed(c, q)
	case *pb.ReleaseEntityLeaseRequest:
		return l.givenBack(c, q)
	case *pb.BreakEntityLeaseRequest:
		return l.broken(c, q)
	}
	return []leased{l}
}

func (l leased) acquired(c *leaseCall, q *pb.AcquireEntityLeaseRequest) []leased {
	m, answered := c.Answer.(*pb.AcquireEntityLeaseResponse)
	own := l.token == "" || l.workflow == q.WorkflowId
	switch {
	case indefinite(c.Call):
		if !own {
			return []leased{l}
		}
		l.token, l.workflow, l.ends = someone, q.WorkflowId, c.Began.UnixNano()
		return []leased{l}
	case !answered || c.Error != "":
		return []leased{l}
	case m.Grant == nil:
		return onlyLease(l, l.refusedBy(c, m))
	}
	number := l.fence
	for _, n := range m.Grant.GetLease().GetFencingNumbers() {
		if nameOf(n.Entity) == c.entity {
			number = n.Number
		}
	}
	switch {
	case l.token == m.Grant.LeaseToken && number == l.fence: // the same request, or one that joins what it covers
	case l.token == someone && l.workflow == q.WorkflowId && number > l.fence: // the answer of which was lost
	case !own || number <= l.fence:
		return nil
	}
	l.token, l.workflow, l.fence = m.Grant.LeaseToken, q.WorkflowId, number
	l.ends = max(0, c.Began.Add(m.Grant.Remaining.AsDuration()).UnixNano())
	return []leased{l}
}

// refusedBy reports whether a refusal is right: where the answer names a workflow's lease on this entity, it must be out.
// Operations that keep it, and acquisitions before it, are not of this object.
func (l leased) refusedBy(c *leaseCall, m *pb.AcquireEntityLeaseResponse) bool {
	for _, h := range m.Holders {
		if h.OperationId == "" && nameOf(h.Entity) == c.entity {
			return l.token != "" && l.workflow == h.WorkflowId
		}
	}
	return true
}

func (l leased) renewed(c *leaseCall, q *pb.RenewEntityLeaseRequest) []leased {
	switch {
	case c.Error == "LEASE_LOST":
		return onlyLease(l, l.token != q.LeaseToken)
	case c.Error != "":
		return []leased{l}
	case l.token != q.LeaseToken:
		return nil
	}
	if m, ok := c.Answer.(*pb.RenewEntityLeaseResponse); ok {
		for _, n := range m.Grant.GetLease().GetFencingNumbers() {
			if nameOf(n.Entity) == c.entity && n.Number != l.fence {
				return nil // a renewal is no grant
			}
		}
		if m.Grant.GetLeaseToken() != "" {
			l.token = m.Grant.LeaseToken
		}
		l.ends = max(l.ends, c.Began.Add(m.Grant.GetRemaining().AsDuration()).UnixNano())
	}
	return []leased{l}
}

func (l leased) givenBack(c *leaseCall, q *pb.ReleaseEntityLeaseRequest) []leased {
	m, answered := c.Answer.(*pb.ReleaseEntityLeaseResponse)
	mine := l.token == q.LeaseToken
	switch {
	case c.Error != "" && !indefinite(c.Call):
		return []leased{l}
	case answered && m.WasLost:
		return onlyLease(l, !mine)
	case !mine:
		return onlyLease(l, c.repeats || indefinite(c.Call))
	}
	return []leased{l.free()}
}

// broken: a break ends the lease that it shows, on each entity that this one still holds. On the named entity no other can
// have come after it; nor can it be a lease that nobody was granted, unless the answer to whoever asked for it was lost.
func (l leased) broken(c *leaseCall, q *pb.BreakEntityLeaseRequest) []leased {
	m, _ := c.Answer.(*pb.BreakEntityLeaseResponse)
	switch unsure := indefinite(c.Call); {
	case unsure && q.Etag == "", !unsure && m.GetLease() == nil: // refused, or it lifted operations alone
		return []leased{l}
	case c.number == 0:
		return []leased{l.free()}
	case c.number < l.fence:
		return onlyLease(l, c.entity != nameOf(q.Entity))
	case c.number > l.fence && l.token != "" && l.token != someone:
		return nil
	case c.number == l.fence && l.token == someone: // who may have it under a greater number
		return []leased{l, l.free()}
	}
	l.fence = c.number
	return []leased{l.free()}
}

func onlyLease(l leased, legal bool) []leased {
	if legal {
		return []leased{l}
	}
	return nil
}
