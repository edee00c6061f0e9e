package worker

import (
	"context"
	"slices"
	"strings"
	"sync"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// room is how much more the worker can take, tool by tool. It is the worker's flow control: the ledger hands out no more
// than was asked for.
type room struct {
	mu    sync.Mutex
	free  map[string]*free
	freed chan struct{} // holds one token while somebody should look again
}

type free struct{ dispatches, lookups int }

func newRoom(tools map[string]Tool) *room {
	r := &room{free: map[string]*free{}, freed: make(chan struct{}, 1)}
	for name, t := range tools {
		r.free[name] = &free{t.Room, t.LookupRoom}
	}
	return r
}

// credits waits until there is room for anything, and answers all of it. Full reports whether a tool has none, so that the
// poll should not wait long before it is asked again.
func (r *room) credits(ctx context.Context) (credits []*pb.ToolCredit, full bool, err error) {
	for {
		if credits, full = r.now(); len(credits) > 0 {
			return credits, full, nil
		}
		select {
		case <-r.freed:
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
	}
}

func (r *room) now() (credits []*pb.ToolCredit, full bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for name, f := range r.free {
		if f.dispatches > 0 || f.lookups > 0 {
			credits = append(credits, &pb.ToolCredit{Tool: name, Dispatches: int32(f.dispatches), Lookups: int32(f.lookups)})
		} else {
			full = true
		}
	}
	slices.SortFunc(credits, func(a, b *pb.ToolCredit) int { return strings.Compare(a.Tool, b.Tool) })
	return credits, full
}

// take changes a tool's room; a negative number gives back.
func (r *room) take(tool string, dispatches, lookups int) {
	r.mu.Lock()
	if f := r.free[tool]; f != nil {
		f.dispatches -= dispatches
		f.lookups -= lookups
	}
	r.mu.Unlock()
	if dispatches < 0 || lookups < 0 {
		select {
		case r.freed <- struct{}{}:
		default: // somebody is told already
		}
	}
}
