package worker

import (
	"context"
	"sync"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// drainAgain is how long after a drain that left polls open the ledger is told once more.
const drainAgain = 100 * time.Millisecond

// poll takes work on until the context ends, or polling makes no sense.
func (w *worker) poll(ctx context.Context) error {
	polling, stop := context.WithCancel(w.telling) // outlasts ctx, so that what was handed out still arrives
	defer stop()
	answered := make(chan struct{})
	defer close(answered)
	defer context.AfterFunc(ctx, func() { w.drain(answered, stop) })()
	asking, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	var polls sync.WaitGroup
	for {
		credits, err := w.room.credits(asking)
		if err != nil {
			break // it is to end
		}
		polls.Go(func() {
			defer w.room.polled(credits)
			if err := w.pollFor(asking, polling, credits); err != nil {
				fail(err)
				stop()
			}
		})
	}
	polls.Wait()
	if ctx.Err() != nil {
		return nil
	}
	return context.Cause(asking)
}

// pollFor asks for work once and begins with what it gets. The same request is made again until it is answered: so permits
// whose answer was lost come again, where that is safe.
func (w *worker) pollFor(asking, polling context.Context, credits []*pb.ToolCredit) error {
	request := &pb.PollWorkRequest{RequestId: w.newID(), WorkerId: w.config.ID, Credits: credits, Wait: durationpb.New(w.config.Wait)}
	answer, asked, err := againWithin(polling, w, w.config.Wait+callTimeout, request, w.work.PollWork)
	if err != nil {
		if polling.Err() != nil {
			return nil
		}
		return err
	}
	for _, item := range answer.Items {
		w.start(item, asked.later(answer.Waited.AsDuration()))
	}
	_ = sleep(asking, answer.PollAfter.AsDuration()) // an early end is seen by who polls next
	return nil
}

// drain tells the ledger that the worker goes, which answers polls that wait, and tells it again, since a poll may have been
// on its way. It gives up on polls that do not come back.
func (w *worker) drain(answered <-chan struct{}, stopPolling context.CancelFunc) {
	ctx, cancel := context.WithTimeout(w.telling, pollGrace)
	defer cancel()
	for ctx.Err() == nil {
		_, err := w.work.DrainWorker(ctx, &pb.DrainWorkerRequest{RequestId: w.newID(), WorkerId: w.config.ID})
		if err != nil && ctx.Err() == nil {
			w.config.Logger.WarnContext(ctx, "the ledger could not be told that this worker drains", "worker_id", w.config.ID, "error", err)
		}
		again := time.NewTimer(drainAgain)
		select {
		case <-answered:
			again.Stop()
			return
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
		}
	}
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
