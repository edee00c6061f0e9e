package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"google.golang.org/grpc"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

const (
	// pollGrace is how long a poll that is under way may still bring work when the worker is to end: what was handed out
	// and not received would wait for its deadline.
	pollGrace = 2 * time.Second
	// abandonAfter is how long handlers may go on whose contexts have ended, before the worker leaves them.
	abandonAfter = 10 * time.Second
)

// ErrRunning says that handlers did not end when their contexts did. What they do is not known to the ledger until their
// permits end.
var ErrRunning = errors.New("handlers still run")

// worker is one run of a worker.
type worker struct {
	config     Config
	work       pb.WorkServiceClient
	operations pb.OperationServiceClient
	room       *room
	held       held
	handlers   sync.WaitGroup
	drawing    sync.Mutex
	// acting is the context of handlers: it outlasts Run's own, so that they can end what they have begun.
	acting context.Context
	// telling is the context of reports, which outlasts that of handlers.
	telling context.Context
}

// Run works until the context ends. Then it takes nothing more, lets handlers end what they have begun, and reports. Its
// error says what stands in the way of working at all: a credential without the right, a tool that is not there.
func Run(ctx context.Context, conn grpc.ClientConnInterface, config Config) error {
	config, err := config.complete()
	if err != nil {
		return err
	}
	telling, stopTelling := context.WithCancel(context.WithoutCancel(ctx))
	defer stopTelling()
	acting, stopActing := context.WithCancel(telling)
	defer stopActing()
	w := &worker{
		config: config, work: pb.NewWorkServiceClient(conn), operations: pb.NewOperationServiceClient(conn), room: newRoom(config.Tools),
		acting: acting, telling: telling,
	}
	beating := make(chan struct{})
	go func() {
		defer close(beating)
		w.beat(acting)
	}()
	err = w.poll(ctx)
	err = errors.Join(err, w.finish(stopActing))
	stopActing()
	<-beating
	return err
}

// finish waits for the handlers, first as long as they may take, then as long as it takes them to hear that they may not.
func (w *worker) finish(stopActing context.CancelFunc) error {
	done := make(chan struct{})
	go func() {
		w.handlers.Wait()
		close(done)
	}()
	for _, step := range []struct {
		wait time.Duration
		then func()
	}{{w.config.DrainTimeout, stopActing}, {abandonAfter, func() {}}} {
		timer := time.NewTimer(step.wait)
		select {
		case <-done:
			timer.Stop()
			return nil
		case <-timer.C:
			step.then()
		}
	}
	return fmt.Errorf("%w: %d attempts", ErrRunning, len(w.held.all()))
}

// held are the attempts whose permits this process has.
type held struct {
	mu       sync.Mutex
	attempts map[string]*Attempt
}

// add takes an attempt on, once.
func (h *held) add(a *Attempt) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.attempts == nil {
		h.attempts = map[string]*Attempt{}
	}
	if h.attempts[a.ID()] != nil {
		return false
	}
	h.attempts[a.ID()] = a
	return true
}

func (h *held) drop(a *Attempt) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.attempts, a.ID())
}

func (h *held) all() []*Attempt {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]*Attempt, 0, len(h.attempts))
	for _, a := range h.attempts {
		list = append(list, a)
	}
	return list
}
