package check

import (
	"testing"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// both are the entities of a lease that covers two.
var both = []*pb.Entity{{Type: "order", Id: "1"}, {Type: "order", Id: "2"}}

// leaseOf is a workflow's lease on entities, under one fencing number.
func leaseOf(token string, number int64, entities ...*pb.Entity) *pb.EntityLease {
	l := &pb.EntityLease{Etag: token + ".v1"}
	for _, e := range entities {
		l.FencingNumbers = append(l.FencingNumbers, &pb.FencingNumber{Entity: e, Scope: "lease", Number: number})
	}
	return l
}

// takes is an acquisition that is granted.
func (s *story) takes(workflow, token string, number int64, entities ...*pb.Entity) *pb.LeaseGrant {
	g := &pb.LeaseGrant{LeaseToken: token, Remaining: minute(), Lease: leaseOf(token, number, entities...)}
	s.call(&pb.AcquireEntityLeaseRequest{WorkflowId: workflow, Entities: entities}, &pb.AcquireEntityLeaseResponse{Grant: g}, "")
	return g
}

// breaks is a break of a lease through its first entity.
func (s *story) breaks(l *pb.EntityLease) {
	s.call(&pb.BreakEntityLeaseRequest{Entity: both[0], Etag: l.Etag}, &pb.BreakEntityLeaseResponse{Lease: l}, "")
}

// TestABreakEndsTheWholeLease, also on the entities that it does not name, and nothing that was granted since.
func TestABreakEndsTheWholeLease(t *testing.T) {
	for name, c := range map[string]struct {
		tell func(s *story)
		want map[string]Verdict // by entity; Ordered where it is not named
	}{
		"another takes both": {func(s *story) {
			s.breaks(s.takes("w1", "t1", 1, both...).Lease)
			s.takes("w2", "t2", 2, both...)
			s.renews("t1", "LEASE_LOST")
		}, nil},
		"renewed all the same": {func(s *story) {
			s.breaks(s.takes("w1", "t1", 1, both...).Lease)
			s.renews("t1", "")
		}, map[string]Verdict{"order/1": Unordered, "order/2": Unordered}},
		"given back all the same": {func(s *story) {
			s.breaks(s.takes("w1", "t1", 1, both...).Lease)
			s.releases("t1", false)
		}, map[string]Verdict{"order/1": Unordered, "order/2": Unordered}},
		"a lost answer, broken": {func(s *story) {
			s.breaks(s.takes("w1", "t1", 1, both...).Lease)
			lost(&(*s)[1])
			s.takes("w2", "t2", 2, both[1])
			s.renews("t1", "LEASE_LOST")
		}, nil},
		"a lost answer, not broken": {func(s *story) {
			s.breaks(s.takes("w1", "t1", 1, both...).Lease)
			lost(&(*s)[1])
			s.renews("t1", "")
		}, nil},
		"a lost answer, and the lease that was seen covers one": {func(s *story) {
			s.takes("w1", "t1", 1, both...)
			s.breaks(leaseOf("t0", 1, both[0]))
			lost(&(*s)[1])
			s.call(&pb.GetEntityLeaseRequest{Entity: both[0]}, &pb.GetEntityLeaseResponse{Lease: leaseOf("t0", 1, both[0])}, "")
			s.takes("w2", "t2", 2, both[1])
		}, map[string]Verdict{"order/2": Unordered}},
		"a lost answer, and nobody was shown that lease": {func(s *story) {
			s.takes("w1", "t1", 1, both...)
			s.breaks(leaseOf("t1 renewed", 1))
			lost(&(*s)[1])
			s.takes("w2", "t2", 2, both[1])
		}, nil},
		"a refusal": {func(s *story) {
			l := s.takes("w1", "t1", 1, both...).Lease
			s.call(&pb.BreakEntityLeaseRequest{Entity: both[0], Etag: l.Etag}, nil, "VERSION_SEEN_OUTDATED")
			s.takes("w2", "t2", 2, both...)
		}, map[string]Verdict{"order/1": Unordered, "order/2": Unordered}},
		"operations alone": {func(s *story) {
			s.takes("w1", "t1", 1, both[1])
			s.call(&pb.BreakEntityLeaseRequest{Entity: both[1]}, &pb.BreakEntityLeaseResponse{}, "")
			s.renews("t1", "")
		}, nil},
		"one entity has come into other hands": {func(s *story) {
			g := s.takes("w1", "t1", 1, both...)
			g.Remaining = nil // it expires
			s.takes("w2", "t2", 2, both[1])
			s.breaks(g.Lease)
			s.renews("t2", "")
			s.takes("w3", "t3", 2, both[0])
		}, nil},
		"the named one has": {func(s *story) {
			g := s.takes("w1", "t1", 1, both...)
			g.Remaining = nil
			s.takes("w2", "t2", 2, both[0])
			s.breaks(g.Lease)
		}, map[string]Verdict{"order/1": Unordered}},
		"a lease that nobody has": {func(s *story) {
			s.takes("w1", "t1", 1, both...)
			s.breaks(leaseOf("t2", 2, both...))
		}, map[string]Verdict{"order/1": Unordered, "order/2": Unordered}},
		"a lease whose grant was lost": {func(s *story) {
			g := s.takes("w1", "t1", 1, both...)
			lost(&(*s)[0])
			s.breaks(g.Lease)
			s.takes("w2", "t2", 2, both...)
		}, nil},
	} {
		s := &story{}
		c.tell(s)
		all := Histories(*s)
		for _, h := range all {
			if want := c.want[h.Of[len("lease of "):]]; h.Verdict != want {
				t.Errorf("%s: %s: %d, want %d\n%q", name, h.Of, h.Verdict, want, h.Shown)
			}
		}
		if len(all) < max(1, len(c.want)) {
			t.Errorf("%s: %d objects", name, len(all))
		}
	}
}
