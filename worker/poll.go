package worker

import (
	"context"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// fullWait is how long a poll waits while a tool has no room, so that room that comes free is filled soon.
const fullWait = time.Second

// poll takes work on until the context ends, or polling makes no sense.
func (w *worker) poll(ctx context.Context) error {
	polling, stop := context.WithCancel(w.telling)
	defer stop()
	defer context.AfterFunc(ctx, func() { w.drain(stop) })()
	for {
		credits, full, err := w.room.credits(ctx)
		if err != nil {
			return nil // it is to end
		}
		wait := w.config.Wait
		if full {
			wait = min(wait, fullWait)
		}
		request := &pb.PollWorkRequest{RequestId: w.newID(), WorkerId: w.config.ID, Credits: credits, Wait: durationpb.New(wait)}
		// The same request is made again until it is answered: so permits whose answer was lost come again, where that is safe.
		answer, asked, err := againWithin(polling, w, wait+callTimeout, request, w.work.PollWork)
		switch {
		case err != nil && polling.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		for _, item := range answer.Items {
			w.start(item, asked.later(answer.Waited.AsDuration()))
		}
		if ctx.Err() != nil {
			return nil
		}
		_ = sleep(ctx, answer.PollAfter.AsDuration()) // an early end is seen above
	}
}

// drain tells the ledger that the worker goes, which answers a poll that waits, and gives up on a poll that does not come
// back.
func (w *worker) drain(stopPolling context.CancelFunc) {
	ctx, cancel := context.WithTimeout(w.telling, pollGrace)
	defer cancel()
	_, err := w.work.DrainWorker(ctx, &pb.DrainWorkerRequest{RequestId: w.newID(), WorkerId: w.config.ID})
	if err != nil {
		w.config.Logger.WarnContext(ctx, "the ledger could not be told that this worker drains", "worker_id", w.config.ID, "error", err)
	}
	<-ctx.Done()
	stopPolling()
}

// start begins with one piece of work. One that this worker does not know is left; it comes back.
func (w *worker) start(item *pb.WorkItem, asked moment) {
	switch {
	case item.GetDispatch() != nil:
		w.startAttempt(item.GetDispatch(), asked)
	case item.GetLookup() != nil:
		w.startLookup(item.GetLookup())
	}
}
