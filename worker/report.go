package worker

import (
	"context"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// report tells what came of an attempt, again and again under one id, until the ledger has it. A late report is refused
// and kept as evidence, which is as good.
func (w *worker) report(a *Attempt, o Outcome) {
	ctx, cancel := context.WithTimeout(w.telling, w.config.ReportTimeout)
	defer cancel()
	request := &pb.ReportAttemptRequest{
		OperationId: a.permit.OperationId, AttemptId: a.permit.AttemptId, AttemptToken: a.permit.AttemptToken, ReportId: w.newID(),
	}
	a.mu.Lock()
	if a.permit.BeginRequired && a.gate != gateUntouched {
		request.BeginNonce = a.nonce // of a begin that was accepted, or whose answer was lost
	}
	a.mu.Unlock()
	o.write(request)
	err := w.tell(ctx, request)
	if status.Code(err) == codes.InvalidArgument && o.Answer != (Answer{}) {
		// What the provider answered cannot be recorded. What came of the attempt must be.
		w.config.Logger.ErrorContext(ctx, "the provider's answer cannot be recorded; it is left out", "attempt_id", a.ID(), "tool", a.Tool(), "error", err)
		request.Answer = &pb.ProviderAnswer{ProviderObjectId: o.Answer.ObjectID, EffectId: o.Answer.EffectID, ProviderReplayed: o.Answer.Replayed}
		if err = w.tell(ctx, request); status.Code(err) == codes.InvalidArgument {
			request.Answer = nil
			err = w.tell(ctx, request)
		}
	}
	switch {
	case err == nil:
	case reasonOf(err) == reasonStale:
		w.config.Logger.WarnContext(ctx, "a report came after its permit had ended; it is kept as evidence", "attempt_id", a.ID(), "operation_id", a.OperationID())
	default:
		w.config.Logger.ErrorContext(ctx, "the ledger could not be told what came of an attempt", "attempt_id", a.ID(), "operation_id", a.OperationID(), "error", err)
	}
}

func (w *worker) tell(ctx context.Context, r *pb.ReportAttemptRequest) error {
	_, _, err := again(ctx, w, r, w.operations.ReportAttempt)
	return err
}
