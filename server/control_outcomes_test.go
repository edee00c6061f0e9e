package server_test

import (
	"github.com/google/uuid"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/server/servertest"
)

// goesOn is a process that may send: it dies before or after it has sent, or reports what it knows.
func (a *actor) goesOn(p *heldPermit) {
	if a.outside.now() >= p.until {
		return // a client looks at the clock before it sends
	}
	dice := a.rand.IntN(12)
	switch {
	case dice < 1: // it dies before it has sent
	case dice < 3:
		a.reports(p, servertest.NotSent(), true)
	default:
		from := a.outside.now()
		effect, err := a.provider.acts(p.Permit, 100)
		if err != nil {
			a.outside.use("refused by the provider", p, span{from, a.outside.now()})
			a.reports(p, servertest.Rejected("fenced off"), true)
			return
		}
		switch {
		case dice < 8:
			a.reports(p, servertest.Succeeded(effect, `{}`), true)
		case dice < 10:
			a.reports(p, servertest.Ambiguous(), false)
		}
	}
}

// reports tells what came of it. From then on its bearer acts no more; whether the operation is under way is open where the
// report closes it.
func (a *actor) reports(p *heldPermit, outcome func(*pb.ReportAttemptRequest), closes bool) {
	call, _ := a.during("report", func() error {
		_, err := a.ReportAttempt(a.TB.Context(), servertest.Report(p.Permit, outcome))
		return err
	})
	a.outside.note(func() {
		p.until = min(p.until, call.from)
		if closes {
			p.closed = min(p.closed, call.from)
		}
	})
}

// person settles, breaks or lifts something, by what they see: most often what is not known.
func (a *actor) person() {
	p, ok := pick(a, a.permitsNow(), func(p *heldPermit) bool { return p.closed == forever && p.until <= a.outside.now() })
	if !ok {
		p, ok = pick(a, a.permitsNow(), func(p *heldPermit) bool { return p.closed == forever })
	}
	if !ok {
		return
	}
	switch o := a.Operation(p.OperationId); a.rand.IntN(8) {
	case 0:
		a.lifts(p.entity, o)
	case 1:
		a.breaks(p.entity)
	default:
		a.settles(o)
	}
}

// unblocks is a person who is told that an operation holds others up.
func (a *actor) unblocks(entity string, o *pb.Operation) {
	if o.State == pb.Operation_STATE_FAILED_RETRYABLE {
		a.lifts(entity, o)
		return
	}
	a.settles(o)
}

func (a *actor) lifts(entity string, o *pb.Operation) {
	call, _ := a.during("lift", func() error {
		_, err := policyOf(a.Client).LiftExclusion(a.TB.Context(), &pb.LiftExclusionRequest{
			RequestId: uuid.NewString(), Entity: order(entity), Group: "money", OperationId: o.OperationId, SeenOperationVersion: o.Version, Reason: "a test",
		})
		return err
	})
	a.closes(call, o)
}

// closes notes that an operation may be under way no more.
func (a *actor) closes(call span, o *pb.Operation) {
	a.outside.note(func() {
		a.outside.close(call.from, func(q *heldPermit) bool { return q.OperationId == o.OperationId })
	})
}

// settles says what the provider has of an operation of which nothing is known.
func (a *actor) settles(o *pb.Operation) {
	if o.State != pb.Operation_STATE_UNKNOWN_OUTCOME {
		return
	}
	call, _ := a.during("settle", func() error { _, err := a.Reconcile(a.TB.Context(), a.word(o)); return err })
	a.closes(call, o)
}

func (a *actor) breaks(entity string) {
	seen := a.looks(entity)
	m := breakRequest(entity, seen.Lease.GetEtag())
	for _, h := range seen.KeptBy {
		m.SeenOperationIds = append(m.SeenOperationIds, h.OperationId)
	}
	var r *pb.BreakEntityLeaseResponse
	call, ok := a.during("break", func() (err error) {
		r, err = a.leases.BreakEntityLease(a.TB.Context(), m)
		return err
	})
	if !ok {
		return
	}
	a.outside.note(func() {
		a.outside.close(call.from, func(p *heldPermit) bool { return p.entity == entity })
		for _, l := range a.outside.leases {
			if l.id == r.Lease.GetLeaseId() {
				l.ended = earliest(l.ended, call)
			}
		}
	})
}
