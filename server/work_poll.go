package server

import (
	"context"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
)

// The bounds of one poll.
const (
	// maxWorkItems bounds what one answer hands out, whatever the credits come to.
	maxWorkItems = 1000
	// maxWorkBytes is when an answer hands out no more: most clients take 4 MiB, and one that cannot be read is permits for
	// nobody, again and again.
	maxWorkBytes = 3 << 20
	// busyPause is how long a worker is asked to wait at least before it polls a busy server again; up to as much again is
	// drawn, so that workers do not come back together.
	busyPause = time.Second
)

// creditKey is one kind of work of one tool.
type creditKey struct {
	tool string
	kind ledger.WorkKind
}

// workPoll is one PollWork on its way.
type workPoll struct {
	*Server
	call    call
	request *pb.PollWorkRequest
	asked   ledger.Request
	claimer string

	credit  map[creditKey]int // what is left of it
	room    int               // how much is left in all
	permits int               // how many permits the request may earn at most
	number  int               // of the newest permit that was taken for it

	items  []*pb.WorkItem
	bytes  int           // of them
	since  time.Time     // database time: what the call waits counts from here
	waited time.Duration // until its first permit was given
	busy   bool          // the database or this server cannot do more at the moment
}

// run answers with what is there, waiting for the first piece as long as the worker wants.
func (p *workPoll) run(ctx context.Context) (*pb.PollWorkResponse, error) {
	asked, err := do[ledger.WorkAsked](ctx, p.Server, &ledger.AskWork{Request: p.asked})
	if err != nil {
		return nil, err
	}
	p.since = asked.At
	if asked.Repeated {
		if err := p.again(ctx); err != nil || len(p.items) > 0 {
			return p.answer(), err
		}
	}
	waiting, cancel := context.WithTimeout(ctx, p.wait(ctx))
	defer cancel()
	waiter, mayWait := p.work.register(p)
	defer p.work.leave(waiter)
	for {
		if err := p.fill(ctx); err != nil && len(p.items) == 0 {
			return nil, p.statusOf(ctx, err)
		}
		p.busy = p.busy || !mayWait
		if len(p.items) > 0 || p.busy || waiting.Err() != nil || waiter.drained() || p.hub.stopping() {
			return p.answer(), nil
		}
		waiter.wait(waiting, p.hub.closed)
	}
}

// wait is how long the call may wait, so that it still answers within its deadline.
func (p *workPoll) wait(ctx context.Context) time.Duration {
	wait := p.request.GetWait().AsDuration()
	if deadline, ok := ctx.Deadline(); ok {
		wait = min(wait, time.Until(deadline)-replyReserve)
	}
	return max(0, wait)
}

func (p *workPoll) answer() *pb.PollWorkResponse {
	m := &pb.PollWorkResponse{Items: p.items}
	if p.waited > 0 {
		m.Waited = durationpb.New(p.waited)
	}
	if p.busy || p.hub.stopping() {
		m.PollAfter = durationpb.New(busyPause + time.Duration(float64(busyPause)*p.ids.jitter()))
	}
	return m
}

// next is how much of what was claimed is taken up together, so that the answer stays within its bound as far as the tools'
// items are of the sizes that they had so far. Of a tool that was never seen little is tried. Zero: no more fits.
func (p *workPoll) next(claimed []ledger.Work) (n int) {
	left := maxWorkBytes - p.bytes
	for n < min(takeBatch, len(claimed)) && left > 0 {
		size, seen := p.work.size(p.call.namespace(), claimed[n].Tool)
		if !seen {
			size = maxWorkBytes / 2
		}
		if left -= size; left < 0 && n > 0 {
			break
		}
		n++
	}
	return n
}

// again hands out what the same request has earned before, where that is safe.
func (p *workPoll) again(ctx context.Context) error {
	var all []*ledger.TakeAgain
	for n := range p.permits {
		all = append(all, &ledger.TakeAgain{Request: p.asked, Number: n + 1, Actor: p.call.actor(), WorkerID: p.request.WorkerId})
	}
	outs, err := judgedAll(ctx, p.Server, p.call.namespace(), all, func(t *ledger.TakeAgain, c *configuration) ledger.Command {
		t.Epoch, t.Rules = c.epoch, c.policy
		return t
	})
	if err != nil {
		return p.statusOf(ctx, err)
	}
	for _, out := range outs {
		if handed, ok := out.Reply.(*ledger.Handed); ok && out.Err == nil && handed.Permit != nil {
			p.items = append(p.items, &pb.WorkItem{Work: &pb.WorkItem_Dispatch{Dispatch: p.permitOf(p.call, handed.Permit, handed.Operation)}})
		}
	}
	return nil
}

// handOut adds what a Take came to, and uses up its credit.
func (p *workPoll) handOut(w ledger.Work, h *ledger.Handed) bool {
	o := h.Operation
	item := &pb.WorkItem{}
	switch {
	case h.Permit != nil:
		item.Work = &pb.WorkItem_Dispatch{Dispatch: p.permitOf(p.call, h.Permit, o)}
		waited := max(0, h.Permit.Attempt.GrantedAt.Sub(p.since)-p.config.Ledger.Engine().ClockError())
		if p.waited == 0 || waited < p.waited {
			p.waited = waited
		}
		p.config.Observer.Decision(o.Tool, string(o.Terms.Class), string(ledger.DecisionExecute))
	case h.Lookup != nil:
		item.Work = &pb.WorkItem_Lookup{Lookup: &pb.LookupWork{
			OperationId: string(o.ID), Tool: o.Tool, ToolVersion: int32(o.ToolVersion), Instruction: lookupOf(h.Lookup, o),
			CanonicalArgumentsJson: string(o.Canonical),
		}}
	default:
		return false
	}
	p.items = append(p.items, item)
	size := proto.Size(item)
	p.bytes += size
	p.work.saw(p.call.namespace(), w.Tool, size)
	p.credit[creditKey{w.Tool, w.Kind}]--
	p.room--
	return true
}
