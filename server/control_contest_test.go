package server_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// actor does one thing by one run of one workflow.
type actor struct {
	*contest
	*tenant
	rand *rand.Rand
}

func (a *actor) act() {
	switch a.rand.IntN(17) {
	case 0, 1:
		a.acquire()
	case 2:
		a.renewSome()
	case 3:
		a.releaseSome()
	case 4, 5, 6, 7, 8:
		if l, ok := pick(a, a.leasesNow(), func(l *heldLease) bool { return l.holds(a.outside.now()) }); ok && a.rand.IntN(2) == 0 {
			a.workflow, a.run = l.workflow, l.run // who holds something acts most
		}
		a.propose()
	case 9, 10:
		a.beginSome()
	case 11:
		a.extendSome()
	default:
		a.person()
	}
}

// during makes a call, and tells between which moments it was made. What is refused is refused by the contract.
func (a *actor) during(what string, call func() error) (span, bool) {
	from := a.outside.now()
	err := call()
	s := span{from, a.outside.now()}
	switch status.Code(err) {
	case codes.OK, codes.FailedPrecondition, codes.PermissionDenied, codes.Aborted, codes.NotFound:
	default:
		a.contest.t.Errorf("%s: %v", what, err)
	}
	return s, err == nil
}

func pick[T any](a *actor, all []T, suits func(T) bool) (found T, ok bool) {
	a.outside.mu.Lock()
	defer a.outside.mu.Unlock()
	var fit []T
	for _, one := range all {
		if suits(one) {
			fit = append(fit, one)
		}
	}
	if len(fit) == 0 {
		return found, false
	}
	return fit[a.rand.IntN(len(fit))], true
}

// someLease is one that the workflow was granted: most often its newest on the entity, now and then any, held or lost.
func (a *actor) someLease(entity string) *heldLease {
	all := a.leasesNow()
	if a.rand.IntN(5) > 0 {
		if i := slices.IndexFunc(all, func(l *heldLease) bool { return l.workflow == a.workflow && l.numbers[entity] > 0 }); i >= 0 {
			return all[i]
		}
	}
	l, _ := pick(a, all, func(l *heldLease) bool { return l.workflow == a.workflow })
	return l
}

// leasesNow are all leases that were granted, the newest first.
func (a *actor) leasesNow() []*heldLease {
	a.outside.mu.Lock()
	defer a.outside.mu.Unlock()
	all := slices.Clone(a.outside.leases)
	slices.Reverse(all)
	return all
}

func (a *actor) acquire() {
	wish := a.wish(a.entities[a.rand.IntN(2)])
	if a.rand.IntN(3) == 0 {
		wish.Entities = []*pb.Entity{order(a.entities[0]), order(a.entities[1])}
	}
	wish.Ttl = duration(time.Duration(5+a.rand.IntN(120)) * time.Second)
	var r *pb.AcquireEntityLeaseResponse
	call, ok := a.during("acquire", func() (err error) {
		r, err = a.leases.AcquireEntityLease(a.TB.Context(), wish)
		return err
	})
	if ok && r.Grant != nil {
		a.outside.granted(a.tenant, r.Grant, call)
	}
}

func (a *actor) renewSome() {
	l := a.someLease(a.entities[a.rand.IntN(2)])
	if l == nil {
		return
	}
	var r *pb.RenewEntityLeaseResponse
	call, ok := a.during("renew", func() (err error) {
		r, err = a.renew(l.token)
		return err
	})
	if !ok {
		return
	}
	a.outside.note(func() {
		if l.lost(call.from) {
			a.contest.t.Errorf("a lost lease was renewed at %v: %+v", call, *l)
		}
		l.until, l.gone = max(l.until, call.from+r.Grant.Remaining.AsDuration()), max(l.gone, call.to+r.Grant.Remaining.AsDuration())
	})
}

func (a *actor) releaseSome() {
	l := a.someLease(a.entities[a.rand.IntN(2)])
	if l == nil {
		return
	}
	if call, ok := a.during("release", func() error { _, err := a.release(l.token); return err }); ok {
		a.outside.note(func() { l.ended = earliest(l.ended, call) })
	}
}

// amount is most often one that nobody has proposed yet.
func (a *actor) amount() string {
	if a.rand.IntN(3) == 0 {
		return fmt.Sprintf("%d.00", 1+a.rand.IntN(3))
	}
	return fmt.Sprintf("%d.%02d", 10+a.rand.IntN(90), a.rand.IntN(100))
}

func (a *actor) propose() {
	entity := a.entities[a.rand.IntN(2)]
	lease := a.someLease(entity)
	a.outside.note(func() { // who knows that it is lost seldom shows it
		if lease != nil && lease.lost(a.outside.now()) && a.rand.IntN(4) > 0 {
			lease = nil
		}
	})
	tool := "refund.create"
	if a.rand.IntN(4) == 0 || lease != nil && a.rand.IntN(4) > 0 {
		tool = "goods.ship"
	}
	arguments := of(entity, a.amount())
	if stuck, ok := pick(a, a.permitsNow(), func(p *heldPermit) bool {
		return p.entity == entity && p.closed == forever && p.until <= a.outside.now()
	}); ok && a.rand.IntN(2) == 0 {
		tool, arguments = stuck.tool, stuck.arguments // the same once more: when in doubt, propose again
	}
	r := servertest.Proposal(tool, arguments, from(a.workflow, a.run))
	if lease != nil {
		r.LeaseToken = lease.token
		if a.rand.IntN(8) > 0 {
			r.RunId = lease.run
		}
	}
	var m *pb.ProposeOperationResponse
	call, ok := a.during("propose", func() (err error) {
		m, err = a.ProposeOperation(a.TB.Context(), r)
		return err
	})
	switch {
	case !ok:
		return
	case m.Decision == pb.Decision_DECISION_RECONCILING:
		a.settles(a.Operation(m.Result.OperationId))
	case m.Holder.GetOperationId() != "" && a.rand.IntN(3) == 0:
		a.unblocks(entity, a.Operation(m.Holder.OperationId))
	}
	if m.Permit == nil {
		return
	}
	p := &heldPermit{
		Permit: m.Permit, tool: tool, arguments: arguments, entity: entity, workflow: a.workflow, lease: lease, grant: call, until: call.from + m.Permit.Remaining.AsDuration(),
		mayHave: !m.Permit.BeginRequired, closed: forever,
	}
	if lease == nil && tool == "goods.ship" {
		a.contest.t.Errorf("%s needs a lease, and was let pass without one: %v", tool, m)
	}
	a.outside.use("granted", p, call)
	switch {
	case p.mayHave:
		a.goesOn(p)
	case a.rand.IntN(2) == 0: // else somebody does later
		a.begin(p)
	}
}

// beginSome begins a permit that was not begun, in the name of its bearer, and goes on where it may.
func (a *actor) beginSome() {
	if p, ok := a.usable(func(p *heldPermit) bool { return !p.mayHave }); ok {
		a.begin(p)
	}
}

func (a *actor) begin(p *heldPermit) {
	call, ok := a.during("begin", func() error {
		_, err := a.BeginAttempt(a.TB.Context(), servertest.BeginRequest(p.Permit, servertest.Nonce))
		return err
	})
	if !ok {
		return
	}
	first := false
	a.outside.note(func() { first, p.mayHave = !p.mayHave, true })
	if first { // repeated by another, it is the same begin
		a.outside.use("begun", p, call)
		a.goesOn(p)
	}
}

func (a *actor) permitsNow() []*heldPermit {
	a.outside.mu.Lock()
	defer a.outside.mu.Unlock()
	return a.outside.permits[max(0, len(a.outside.permits)-8):]
}

// usable is a permit that suits and is out, as far as its bearer knows; half of the time one whose lease is lost, and now
// and then one that is not out any more.
func (a *actor) usable(suits func(*heldPermit) bool) (*heldPermit, bool) {
	now := a.outside.now()
	out := func(p *heldPermit) bool { return suits(p) && now < p.until && p.closed == forever }
	switch a.rand.IntN(8) {
	case 0:
		return pick(a, a.permitsNow(), suits)
	case 1, 2, 3:
	default:
		if p, ok := pick(a, a.permitsNow(), func(p *heldPermit) bool { return out(p) && p.lease != nil && p.lease.lost(now) }); ok {
			return p, true
		}
	}
	return pick(a, a.permitsNow(), out)
}

func (a *actor) extendSome() {
	p, ok := a.usable(func(p *heldPermit) bool { return p.mayHave })
	if !ok {
		return
	}
	var r *pb.ExtendAttemptResponse
	call, ok := a.during("extend", func() (err error) {
		r, err = a.ExtendAttempt(a.TB.Context(), servertest.ExtendRequest(p.Permit, time.Minute))
		return err
	})
	if ok {
		a.outside.use("extended", p, call)
		a.outside.note(func() { p.until = max(p.until, call.from+r.Remaining.AsDuration()) })
	}
}
