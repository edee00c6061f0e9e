package worker

import (
	"context"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

const (
	// beatTick is how often permits are looked at. The shortest permit lasts a second.
	beatTick = 200 * time.Millisecond
	// maxBeat is how many permits one heartbeat extends at most, by the API.
	maxBeat = 500
)

// beat extends the permits whose handlers still run, each when a third of its time has passed. It proves that this process
// lives, not that its handlers do; each permit has a greatest age that no heartbeat moves.
func (w *worker) beat(ctx context.Context) {
	ticker := time.NewTicker(beatTick)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		var due []*beating
		for _, a := range w.held.all() {
			if b := a.due(); b != nil {
				due = append(due, b)
			}
		}
		for len(due) > 0 {
			n := min(len(due), maxBeat)
			w.extend(ctx, due[:n])
			due = due[n:]
		}
	}
}

// beating is one extension on its way.
type beating struct {
	attempt *Attempt
	request *pb.ExtendAttemptRequest
	left    time.Duration
}

// due answers the extension that an attempt needs now; nil: none.
func (a *Attempt) due() *beating {
	a.mu.Lock()
	defer a.mu.Unlock()
	left := a.timeLeft()
	grows := a.greatest > a.remaining
	waiting := a.gate == gateAsked && !a.begun && a.permit.BeginRequired // a begin is on its way; its answer tells the time
	if a.refused != nil || !grows || waiting || left <= 0 || left > a.remaining*2/3 {
		return nil
	}
	r := &pb.ExtendAttemptRequest{
		OperationId: a.permit.OperationId, AttemptId: a.permit.AttemptId, AttemptToken: a.permit.AttemptToken, RequestId: a.worker.newID(),
	}
	if a.begun {
		r.BeginNonce = a.nonce
	}
	return &beating{a, r, left}
}

// extend asks for more time for several permits at once. What fails and is no refusal is asked for again at the next tick.
func (w *worker) extend(ctx context.Context, due []*beating) {
	request := &pb.ExtendWorkRequest{WorkerId: w.config.ID}
	timeout := callTimeout
	for _, b := range due {
		request.Requests = append(request.Requests, b.request)
		timeout = min(timeout, b.left)
	}
	ctx, cancel := context.WithTimeout(ctx, max(timeout, beatTick))
	defer cancel()
	asked := now(w.config.Clock)
	answer, err := w.work.ExtendWork(ctx, request)
	if err != nil {
		if ctx.Err() == nil {
			w.config.Logger.WarnContext(ctx, "a heartbeat failed; permits last as long as they were given", "worker_id", w.config.ID, "error", err)
		}
		return
	}
	for i, item := range answer.Items {
		if i >= len(due) {
			return
		}
		switch r := item.Answer.(type) {
		case *pb.ExtendWorkItem_Response:
			due[i].attempt.count(r.Response.Remaining.AsDuration(), r.Response.GreatestRemaining.AsDuration(), asked)
		case *pb.ExtendWorkItem_Error:
			due[i].attempt.notExtended(status.ErrorProto(r.Error), len(due[i].request.BeginNonce) > 0)
		}
	}
}

// notExtended takes the ledger's refusal of more time. What has been sent may come to its end within the time that is left;
// what has not is not sent any more.
func (a *Attempt) notExtended(err error, begun bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	reason := reasonOf(err)
	switch {
	case reason == reasonNonce && !begun && a.gate != gateUntouched:
		return // this process's own begin was faster than the heartbeat
	case reason == reasonAge:
		a.greatest = a.remaining
		return
	case status.Code(err) != codes.FailedPrecondition && status.Code(err) != codes.PermissionDenied && status.Code(err) != codes.NotFound:
		return // it may work at the next tick
	}
	a.refused = &LostError{Reason: reason, Err: err}
	if a.gate != gatePassed || reason == reasonExpired {
		a.end(a.refused)
	}
}
