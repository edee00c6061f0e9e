package crowd

import (
	"context"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/opledger/opledger/eval/provider"
	"github.com/opledger/opledger/eval/reply"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// patience is how long a sender waits for the provider, if its permit lasts as long.
const patience = 250 * time.Millisecond

// fate is what becomes of an executor.
type fate int

const (
	careful        fate = iota
	diesWithPermit      // before it begins
	diesBegun           // before it sends
	diesSent            // before it reports
	extends             // before it sends
	oversleeps          // until its permit has ended, before its last look at the clock
	reportsTwice        // the same report
	fates          = 12 // the others of so many are careful
)

func (a *agent) fate() fate {
	if f := fate(a.luck.IntN(int(fates))); f <= reportsTwice {
		return f
	}
	return careful
}

// permit is the right to act in one process's hands.
type permit struct {
	*pb.Permit
	begun    bool
	nonce    []byte
	deadline time.Time     // by the process's own count
	cost     time.Duration // of calls
}

// left is how long it still lasts.
func (p *permit) left() time.Duration { return time.Until(p.deadline) }

// carryOut acts on a permit as a careful executor does, unless its fate is another: it begins where it must, looks at the
// clock right before it sends, sends once, and reports what it knows itself.
func (a *agent) carryOut(ctx context.Context, i *intent, given *pb.Permit, asked time.Time, f fate) {
	p := &permit{Permit: given, nonce: a.nonce(), deadline: asked.Add(given.Remaining.AsDuration()), cost: time.Since(asked)}
	if f == diesWithPermit {
		a.die()
		return
	}
	if !a.begin(ctx, p) {
		a.report(ctx, i, p, reply.Unsent("no_begin"))
		return
	}
	switch f {
	case diesBegun:
		a.die()
		return
	case extends:
		a.extend(ctx, p)
	case oversleeps:
		pause(ctx, p.left()+think)
	}
	if p.left() <= 0 {
		a.report(ctx, i, p, reply.Unsent("permit_ended"))
		return
	}
	answer := a.send(ctx, i, p)
	if f == diesSent || ctx.Err() != nil {
		a.die()
		return
	}
	report := a.report(ctx, i, p, reply.Understand(answer, stated.InFlight))
	if f == reportsTwice {
		_, _ = within(ctx, a.api.ReportAttempt, report)
	}
	a.scene.paid(p.cost)
}

// useCopy is a process that has come by a permit of somebody else's: its begin decides whether it may send.
func (a *agent) useCopy(ctx context.Context, i *intent, given *pb.Permit) {
	p := &permit{Permit: given, nonce: a.nonce(), deadline: time.Now()}
	switch a.luck.IntN(4) {
	case 0:
		a.extend(ctx, p)
	case 1:
		a.report(ctx, i, p, reply.Unsent("never_begun")) // of itself alone
	default:
		if !a.begin(ctx, p) {
			return
		}
		if p.left() <= 0 {
			a.report(ctx, i, p, reply.Unsent("permit_ended"))
			return
		}
		a.report(ctx, i, p, reply.Understand(a.send(ctx, i, p), stated.InFlight))
	}
}

// begin says the begin where the permit asks for one, the same again while no answer comes. Not accepted: nothing is sent.
func (a *agent) begin(ctx context.Context, p *permit) bool {
	if !p.BeginRequired {
		return true
	}
	began := time.Now()
	m, asked, err := again(ctx, a.api.BeginAttempt, &pb.BeginAttemptRequest{
		OperationId: p.OperationId, AttemptId: p.AttemptId, AttemptToken: p.AttemptToken, BeginNonce: p.nonce,
	})
	p.cost += time.Since(began)
	if err != nil || m.Begun == nil {
		return false
	}
	p.begun, p.deadline = true, asked.Add(m.Begun.Remaining.AsDuration())
	return true
}

func (a *agent) extend(ctx context.Context, p *permit) {
	request := &pb.ExtendAttemptRequest{
		OperationId: p.OperationId, AttemptId: p.AttemptId, AttemptToken: p.AttemptToken, ExtendBy: durationpb.New(2 * time.Second),
	}
	if p.begun {
		request.BeginNonce = p.nonce
	}
	if m, asked, err := again(ctx, a.api.ExtendAttempt, request); err == nil {
		p.deadline = asked.Add(m.Remaining.AsDuration())
	}
}

// send sends the one request of a permit, and waits for its answer for as long as the permit allows.
func (a *agent) send(ctx context.Context, i *intent, p *permit) provider.Answer {
	r := provider.Request{
		Collection: i.tool, BusinessKey: i.key, VendorKey: p.VendorIdempotencyKey, ClientReference: p.ClientReference, Plain: !keyed(i.tool),
		Body: []byte(p.DispatchArgumentsJson), Patience: min(patience, p.left()),
	}
	if i.tool == book {
		r.VendorKey = p.OperationId // its own transaction is keyed by it
	}
	answer := a.scene.provider.Write(r, i.next())
	if -p.left() > stall {
		i.oversleep()
	}
	pause(ctx, min(answer.Took, patience))
	return answer
}

// report tells what came of an attempt, the same again while no answer comes.
func (a *agent) report(ctx context.Context, i *intent, p *permit, r reply.Reply) *pb.ReportAttemptRequest {
	request := &pb.ReportAttemptRequest{
		OperationId: p.OperationId, AttemptId: p.AttemptId, AttemptToken: p.AttemptToken, ReportId: a.id(), SenderReturned: true,
	}
	if p.begun {
		request.BeginNonce = p.nonce
	}
	r.Write(request)
	began := time.Now()
	_, _, err := again(ctx, a.api.ReportAttempt, request)
	p.cost += time.Since(began)
	if !lost(err) { // a stale report is heeded too
		i.tell(request.GetAnswer().GetProviderObjectId())
	}
	return request
}

// paid keeps what the calls for one request to the provider took.
func (s *scene) paid(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.costs = append(s.costs, d)
}
