package worker

import (
	"context"
	"slices"
	"strings"
	"sync"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// room is how much more the worker can take, tool by tool. It is the worker's flow control: the ledger hands out no more
// than was asked for. Each kind of work is asked for by one poll at a time, so that nothing is asked for twice; what comes
// free while a poll for other work waits is asked for by a poll of its own.
type room struct {
	mu    sync.Mutex
	free  map[string]*free
	freed chan struct{} // holds one token while somebody should look again
}

type free struct {
	dispatches, lookups             int
	dispatchesPolled, lookupsPolled bool
}

func newRoom(tools map[string]Tool) *room {
	r := &room{free: map[string]*free{}, freed: make(chan struct{}, 1)}
	for name, t := range tools {
		r.free[name] = &free{dispatches: t.Room, lookups: t.LookupRoom}
	}
	return r
}

// credits waits until there is room that no poll asks for, and answers all of it. It counts as asked for until polled.
func (r *room) credits(ctx context.Context) ([]*pb.ToolCredit, error) {
	for {
		if credits := r.unasked(); len(credits) > 0 {
			return credits, nil
		}
		select {
		case <-r.freed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (r *room) unasked() (credits []*pb.ToolCredit) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for name, f := range r.free {
		c := &pb.ToolCredit{Tool: name}
		if f.dispatches > 0 && !f.dispatchesPolled {
			c.Dispatches, f.dispatchesPolled = int32(f.dispatches), true
		}
		if f.lookups > 0 && !f.lookupsPolled {
			c.Lookups, f.lookupsPolled = int32(f.lookups), true
		}
		if c.Dispatches > 0 || c.Lookups > 0 {
			credits = append(credits, c)
		}
	}
	slices.SortFunc(credits, func(a, b *pb.ToolCredit) int { return strings.Compare(a.Tool, b.Tool) })
	return credits
}

// polled says that a poll has been answered, what it brought being taken.
func (r *room) polled(credits []*pb.ToolCredit) {
	r.mu.Lock()
	for _, c := range credits {
		f := r.free[c.Tool]
		f.dispatchesPolled = f.dispatchesPolled && c.Dispatches == 0
		f.lookupsPolled = f.lookupsPolled && c.Lookups == 0
	}
	r.mu.Unlock()
	r.look()
}

// take changes a tool's room; negative numbers give back.
func (r *room) take(tool string, dispatches, lookups int) {
	r.mu.Lock()
	if f := r.free[tool]; f != nil {
		f.dispatches -= dispatches
		f.lookups -= lookups
	}
	r.mu.Unlock()
	r.look()
}

func (r *room) look() {
	select {
	case r.freed <- struct{}{}:
	default: // somebody is told already
	}
}
