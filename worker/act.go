package worker

import (
	"context"
	"errors"
	"fmt"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// nonceBytes is the size of a begin's nonce; the API takes 16 to 64.
const nonceBytes = 32

// startAttempt acts on a permit, in a goroutine of its own.
func (w *worker) startAttempt(p *pb.Permit, asked moment) {
	tool, served := w.config.Tools[p.Tool]
	if !served || tool.Act == nil {
		return
	}
	ctx, end := context.WithCancelCause(w.acting)
	a := &Attempt{worker: w, permit: p, nonce: w.random(nonceBytes), end: end}
	a.count(p.Remaining.AsDuration(), p.GreatestRemaining.AsDuration(), asked)
	if !w.held.add(a) {
		end(nil)
		return // it was handed to this process already
	}
	w.room.take(p.Tool, 1, 0)
	w.handlers.Go(func() {
		defer w.room.take(p.Tool, -1, 0)
		go a.watch(ctx)
		outcome := a.act(ctx, tool.Act)
		end(nil)
		w.held.drop(a) // no heartbeat for what does nothing any more
		w.report(a, outcome)
	})
}

// act calls the handler and makes an outcome of whatever it does.
func (a *Attempt) act(ctx context.Context, act Handler) (outcome Outcome) {
	defer func() {
		if r := recover(); r != nil {
			// The panic's own words stay here: they may hold secrets.
			a.worker.config.Logger.ErrorContext(ctx, "a handler panicked", "attempt_id", a.ID(), "tool", a.Tool(), "panic", r)
			outcome = a.failed(fmt.Sprintf("%T", r), nil)
		}
	}()
	outcome, err := act(ctx, a)
	if err != nil {
		a.worker.config.Logger.WarnContext(ctx, "a handler failed", "attempt_id", a.ID(), "tool", a.Tool(), "error", err)
		return a.failed(fmt.Sprintf("%T", err), err)
	}
	return outcome
}

// failed is what is known where a handler says nothing: that nothing was sent, if the gate refused, or was never passed
// where nothing may be sent without a begin; else nothing. A handler that was asked for no begin may have forgotten the
// gate.
func (a *Attempt) failed(message string, err error) Outcome {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.gate == gateClosed || a.gate != gatePassed && a.permit.BeginRequired {
		a.gate = gateClosed // for whatever the handler has left running
		o := NotSent("")
		var lost *LostError
		if errors.As(err, &lost) {
			o = NotSent(bounded(lost.Reason, maxCode))
		}
		o.Message = message
		return o
	}
	o := Ambiguous(Exception, Answer{})
	o.Message, o.StillRunning = message, true
	return o
}
