package server

import (
	"context"
	"errors"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/opledger/opledger/ledger"
)

// do hands one command to the ledger and tells those who wait for its operation.
func do[Reply any](ctx context.Context, s *Server, command ledger.Command) (*Reply, error) {
	reply, err := s.config.Ledger.Do(ctx, command)
	s.announce(reply, err)
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	return reply.(*Reply), nil
}

// judged hands in a command that is judged by the namespace's configuration, and builds it anew where that has moved.
func judged[Reply any](ctx context.Context, s *Server, build func(*configuration) ledger.Command) (*Reply, error) {
	ns := callOf(ctx).namespace()
	config, err := s.tools.get(ctx, ns)
	for try := 0; err == nil; try++ {
		reply, fault := s.config.Ledger.Do(ctx, build(config))
		var moved *ledger.EpochMovedError
		if errors.As(fault, &moved) && try < maxRebuilds {
			config, err = s.tools.refresh(ctx, ns)
			continue
		}
		s.announce(reply, fault)
		if fault != nil {
			return nil, s.statusOf(ctx, fault)
		}
		return reply.(*Reply), nil
	}
	return nil, s.statusOf(ctx, err)
}

// announce tells waiting calls, the dispatcher and the metrics what a command did.
func (s *Server) announce(reply any, err error) {
	var o *ledger.Operation
	switch r := reply.(type) {
	case *ledger.Answer:
		o = r.Operation
	case *ledger.Held:
		o = r.Operation
	case *ledger.Reported:
		o = r.Operation
	case *ledger.Reconciliation:
		o = r.Operation
	case *ledger.EventRecorded:
		o = r.Operation
	case *ledger.Cancelled:
		o = r.Operation
	case *ledger.ApprovalDecided:
		o = r.Operation
	case *ledger.TaskTaken:
		o = r.Operation
	case *ledger.Compensation:
		o = r.Operation
	case *ledger.StepAdvanced:
		o = r.Original
	case *ledger.Handed:
		o = r.Operation
	}
	var refusal *ledger.Refusal
	if errors.As(err, &refusal) {
		o = refusal.Operation
	}
	if o == nil {
		return
	}
	s.hub.changed(o)
	s.work.changed(o)
	for _, in := range o.Incidents {
		if in.At.Equal(o.UpdatedAt) {
			s.config.Observer.Incident(in.Kind)
		}
	}
	if s.config.Poke != nil {
		s.config.Poke()
	}
}

// Announce tells waiting calls, the dispatcher and the metrics what a command did that was handed in beside the API.
func (s *Server) Announce(reply any, err error) { s.announce(reply, err) }

// Changed tells those who wait that due work has changed an operation in this process.
func (s *Server) Changed(o *ledger.Operation) {
	s.hub.changed(o)
	s.work.changed(o)
}

// waitOf is how long a request asks to be kept waiting.
func waitOf(req any) time.Duration {
	if w, ok := req.(interface{ GetWait() *durationpb.Duration }); ok {
		return w.GetWait().AsDuration()
	}
	return 0
}

// replyReserve is what is kept of a client's deadline for the way back, so that a wait ends with an answer and not with
// DEADLINE_EXCEEDED.
const replyReserve = 50 * time.Millisecond

// waitForEnd waits until the operation has ended or waits for a person, at most for the stated time, and answers it as it
// stands then. It changes nothing, and neither does giving up.
func (s *Server) waitForEnd(ctx context.Context, o *ledger.Operation, wait time.Duration) (*ledger.Operation, error) {
	if deadline, ok := ctx.Deadline(); ok {
		wait = min(wait, time.Until(deadline)-replyReserve)
	}
	if wait <= 0 || settledForNow(o) {
		return o, nil
	}
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	planned := o.State == ledger.Planned // its release is worth an answer: the permit is the caller's to ask for
	for !settledForNow(o) && (!planned || o.State == ledger.Planned) && waiting.Err() == nil && !s.hub.stopping() {
		s.hub.wait(waiting, watched{o.Namespace, o.ID}, o.Version)
		now, err := s.find(ctx, o.Namespace, o.ID)
		if err != nil {
			return nil, s.statusOf(ctx, err)
		}
		o = now
	}
	return o, nil
}

// settledForNow reports whether waiting longer would change nothing by itself.
func settledForNow(o *ledger.Operation) bool { return o.State.Ended() || o.Human != nil }
