package campaign

import (
	"context"
	"fmt"
	"sync"
	"time"

	"google.golang.org/grpc"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/world"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

const (
	// atOnce is how many runs are played in one world at a time. Each tick of the world costs a look for due work, which
	// they share.
	atOnce = 200
	// looks is how often it is looked whether a run whose actors have ended is settled.
	looks = 12 * tick
	// longest bounds one run. Whatever is open then is so for good, and a checker says it.
	longest = 4 * time.Hour
)

// stage is one world and the runs that are played in it.
type stage struct {
	ctx   context.Context
	world *world.World // nil: the stage of a run without a ledger
	api   struct {
		pb.OperationServiceClient
		pb.WorkServiceClient
		pb.WorkflowServiceClient
	}
	queue queue
	now   time.Time // the time of the tick
	plays []*play   // those that are played, in the order of their start
	byRef map[string]*play
	polls int
	// restart: a run's fault ends the server before the next actor wakes.
	restart bool

	mu  sync.Mutex // of err: a server tells of its defects from goroutines of its own
	err error      // what made it impossible to go on: no fault of a run's
}

// openStage opens a world with the campaign's tools. What is between the runs and their ledger may be nil.
func openStage(ctx context.Context, o world.Options, between func(grpc.ClientConnInterface) grpc.ClientConnInterface) (*stage, error) {
	o.Inbox = webhookInbox()
	s := &stage{ctx: ctx, byRef: map[string]*play{}}
	o.Defect = func(err error) { s.fail(fmt.Errorf("a defect of the server: %w", err)) }
	w, err := world.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	s.world, s.now = w, w.Now().Truncate(tick).Add(tick)
	first, err := w.Conn()
	if err != nil {
		return s, err
	}
	conn := grpc.ClientConnInterface(steady{first})
	if between != nil {
		conn = between(conn)
	}
	s.api.OperationServiceClient = pb.NewOperationServiceClient(conn)
	s.api.WorkServiceClient = pb.NewWorkServiceClient(conn)
	s.api.WorkflowServiceClient = pb.NewWorkflowServiceClient(conn)
	registry := pb.NewRegistryServiceClient(conn)
	for i, name := range toolNames() {
		id := fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
		if _, err := registry.ApplyTool(ctx, &pb.ApplyToolRequest{RequestId: id, Definition: tools()[name].def}); err != nil {
			return s, fmt.Errorf("apply %s: %w", name, err)
		}
	}
	return s, nil
}

// clock is the time of everybody on the stage.
func (s *stage) clock() time.Time {
	if s.world == nil {
		return s.now
	}
	return s.world.Now()
}

// fail keeps the first error that makes it impossible to go on.
func (s *stage) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil && err != nil {
		s.err = err
	}
}

// failed is what made it impossible to go on; nil: nothing did.
func (s *stage) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// outcome is what came of one run.
type outcome struct {
	run       Run
	record    eval.Record
	added     time.Duration // the real time that calls of the ledger took
	proposals int
	contended int            // of the proposals, those that were answered BLOCKED
	findings  []eval.Finding // what actors saw that must not be
}

// playAll plays the parties that come, some atOnce runs at a time, and hands each record on when its run is over.
func (s *stage) playAll(next func() ([]Run, bool), over func(outcome)) error {
	number, more := 0, true
	for {
		for more && len(s.plays) < atOnce {
			var party []Run
			party, more = next()
			for _, r := range party {
				number++
				s.begin(number, r)
			}
		}
		if len(s.plays) == 0 {
			return s.failed()
		}
		s.tick()
		s.plays = s.settled(over)
		s.fail(s.ctx.Err())
		if err := s.failed(); err != nil {
			for _, p := range s.plays {
				p.close()
			}
			return err
		}
	}
}

// tick lets one tick pass and everything happen that is due at its end: first what the server has to do by itself, then
// what providers deliver, then what workers take up, then the actors.
func (s *stage) tick() {
	s.now = s.now.Add(tick)
	if d := s.now.Sub(s.world.Now()); d > 0 {
		s.world.Pass(d)
	}
	s.fail(s.world.Settle(s.ctx))
	for _, p := range s.plays {
		p.deliver()
	}
	s.poll()
	for s.failed() == nil {
		a, due := s.queue.due(s.now)
		if !due {
			return
		}
		s.wake(a)
	}
}

// wake lets one actor go on until it sleeps again.
func (s *stage) wake(a *actor) {
	if a.gone || a.play.closed {
		return
	}
	if d, goesOn := a.next(); goesOn {
		s.queue.add(a.play, s.now.Add(max(d, 0)), a)
	} else {
		a.play.alive--
		a.play.quiet = s.now
	}
	if s.restart {
		s.restart = false
		s.fail(s.world.Restart(s.ctx))
	}
}

// settled hands on the records of runs that are over, and answers the others.
func (s *stage) settled(over func(outcome)) []*play {
	var open []*play
	for _, p := range s.plays {
		if s.failed() == nil && p.over() {
			record := p.record()
			p.close()
			delete(s.byRef, p.ref)
			if s.failed() == nil {
				over(outcome{run: p.run, record: record, added: p.added, proposals: p.proposals, contended: p.contended, findings: p.findings})
			}
			continue
		}
		open = append(open, p)
	}
	return open
}

// close ends the world.
func (s *stage) close() error { return s.world.Close() }
