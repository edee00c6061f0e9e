package server_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// outside is what can be known of leases and permits from the outside alone: what each caller was told, and between which
// two moments of the database's time. What is sure from that must not contradict itself. It reads no state of the ledger.
type outside struct {
	t      *testing.T
	w      *servertest.World
	began  time.Time
	passed time.Duration // beside the time that passes by itself

	mu      sync.Mutex
	leases  []*heldLease
	permits []*heldPermit
	uses    []use
	counts  map[string]int // of what was done, so that a story in which nothing happens is noticed
}

// span is a call: what it did was done somewhere between its two ends.
type span struct{ from, to time.Duration }

// forever is when something ends of which no end is known.
const forever = time.Duration(1<<63 - 1)

// heldLease is a lease that somebody was granted.
type heldLease struct {
	workflow, run, id, token string
	grant                    span
	numbers                  map[string]int64 // by entity
	until, gone              time.Duration    // it is held until the one for sure, and is not after the other
	ended                    span             // given back, taken over or broken, within that call
}

// heldPermit is a permit that somebody was granted.
type heldPermit struct {
	*pb.Permit
	tool, arguments  string
	entity, workflow string
	lease            *heldLease // whose token came with the proposal; nil: none
	grant            span
	until            time.Duration // its bearer may act until then
	mayHave          bool          // something may have been sent
	closed           time.Duration // from then on it may have been known not to be under way, or others let pass it
}

// use is a call by which a permit was granted, begun, extended, or refused by the provider.
type use struct {
	what   string
	permit *heldPermit
	call   span
}

// now is the database's time, as far as a caller knows it.
func (o *outside) now() time.Duration { return o.passed + time.Since(o.began) }

// pass lets time pass; nobody may be calling.
func (o *outside) pass(d time.Duration) {
	o.w.Pass(d)
	o.passed += d
}

// holds reports whether the lease is held for sure at a moment, by its grant and by what ended it.
func (l *heldLease) holds(at time.Duration) bool {
	return l.grant.to <= at && at < l.until && at < l.ended.from
}

// lost reports whether the lease is lost for sure at a moment.
func (l *heldLease) lost(at time.Duration) bool { return l.gone <= at || l.ended.to <= at }

// open reports whether the operation is under way for sure at a moment: its permit is out, or it may have been sent and
// nobody has found out.
func (p *heldPermit) open(at time.Duration) bool {
	return p.grant.to <= at && at < p.closed && (p.mayHave || at < p.until)
}

// granted notes a lease that was granted within a call.
func (o *outside) granted(u *tenant, g *pb.LeaseGrant, call span) {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := &heldLease{
		workflow: u.workflow, run: u.run, id: g.Lease.LeaseId, token: g.LeaseToken, grant: call, numbers: map[string]int64{}, ended: span{forever, forever},
		until: call.from + g.Remaining.AsDuration(), gone: call.to + g.Remaining.AsDuration(),
	}
	for _, f := range g.Lease.FencingNumbers {
		l.numbers[f.Entity.GetId()] = f.Number
	}
	for _, other := range o.leases { // of two of one workflow, the one of the lower number was taken over
		for entity, number := range l.numbers {
			switch {
			case other.workflow != l.workflow || other.numbers[entity] == 0:
			case other.numbers[entity] < number:
				other.ended = earliest(other.ended, call)
			default:
				l.ended = earliest(l.ended, other.grant)
			}
		}
	}
	o.leases = append(o.leases, l)
	o.counts["leases"]++
}

// earliest is the earlier of two ends: nothing is held for sure after the first call that may have ended it, and it is
// lost for sure after the first that has.
func earliest(a, b span) span { return span{min(a.from, b.from), min(a.to, b.to)} }

// use notes what was done with a permit within a call.
func (o *outside) use(what string, p *heldPermit, call span) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if what == "granted" {
		o.permits = append(o.permits, p)
	}
	o.uses = append(o.uses, use{what, p, call})
	o.counts[what]++
}

// note changes what is known, with nobody looking.
func (o *outside) note(change func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	change()
}

// close notes that permits may be under way no more from a moment on.
func (o *outside) close(from time.Duration, which func(*heldPermit) bool) {
	for _, p := range o.permits {
		if which(p) {
			p.closed = min(p.closed, from)
		}
	}
}

// check fails the test where what is sure contradicts itself.
func (o *outside) check() {
	o.t.Helper()
	for i, l := range o.leases {
		for _, other := range o.leases[:i] {
			o.checkLeases(l, other)
		}
		for _, p := range o.permits {
			// Another workflow's operation that is under way keeps the entity for as long as it may have its effect.
			if _, about := l.numbers[p.entity]; about && p.workflow != l.workflow && p.open(l.grant.from) && p.open(l.grant.to) {
				o.t.Fatalf("%s was granted to %s at %v while operation %s of %s was under way", p.entity, l.workflow, l.grant, p.OperationId, p.workflow)
			}
		}
	}
	for i, p := range o.permits {
		for _, other := range o.permits[:i] {
			o.checkPermits(p, other)
		}
	}
	for _, u := range o.uses {
		o.checkUse(u)
	}
	o.uses = nil
}

func (o *outside) checkLeases(a, b *heldLease) {
	o.t.Helper()
	at := max(a.grant.to, b.grant.to)
	for entity, number := range a.numbers {
		earlier, both := b.numbers[entity]
		switch {
		case !both:
		case number == earlier:
			o.t.Fatalf("two leases on %s have the number %d", entity, number)
		case b.grant.to <= a.grant.from && earlier > number, a.grant.to <= b.grant.from && number > earlier:
			o.t.Fatalf("the numbers of leases on %s fall: %d and %d", entity, earlier, number)
		case a.holds(at) && b.holds(at):
			o.t.Fatalf("%s of %s and %s of %s both hold %s at %v", a.run, a.workflow, b.run, b.workflow, entity, at)
		}
	}
}

func (o *outside) checkPermits(a, b *heldPermit) {
	o.t.Helper()
	at := max(a.grant.to, b.grant.to)
	if a.entity != b.entity || !a.open(at) || !b.open(at) {
		return
	}
	if a.OperationId != b.OperationId {
		o.t.Fatalf("operations %s and %s of one exclusive group are both open on %s at %v", a.OperationId, b.OperationId, a.entity, at)
	}
	if at < a.until && at < b.until {
		o.t.Fatalf("operation %s has two permits out at %v: %s and %s", a.OperationId, at, a.AttemptId, b.AttemptId)
	}
}

// checkUse: nothing is granted, begun or extended under a lease that is lost, nor beside another workflow's.
func (o *outside) checkUse(u use) {
	o.t.Helper()
	p := u.permit
	if u.what == "refused by the provider" {
		if p.open(u.call.to) && u.call.to < p.until && (p.lease == nil || p.lease.holds(u.call.to)) {
			o.t.Fatalf("a permit of %s on %s was %s at %v, although it held: %v", p.workflow, p.entity, u.what, u.call, p.FencingNumbers)
		}
		return
	}
	if p.lease != nil && p.lease.lost(u.call.from) {
		o.t.Fatalf("a permit of %s on %s was %s at %v under a lost lease: %+v", p.workflow, p.entity, u.what, u.call, *p.lease)
	}
	for _, l := range o.leases {
		if _, about := l.numbers[p.entity]; about && l.workflow != p.workflow && l.holds(u.call.from) && l.holds(u.call.to) {
			o.t.Fatalf("a permit of %s on %s was %s at %v, and %s holds it", p.workflow, p.entity, u.what, u.call, l.workflow)
		}
	}
}

func (s span) String() string { return fmt.Sprintf("%v..%v", s.from, s.to) }
