package server

import (
	"context"
	"fmt"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/registry"
)

// workService hands work to workers.
type workService struct {
	pb.UnimplementedWorkServiceServer
	*Server
}

// PollWork waits for work for the tools that the worker serves, and hands out at most as much as it has room for.
func (s *workService) PollWork(ctx context.Context, req *pb.PollWorkRequest) (*pb.PollWorkResponse, error) {
	p, err := s.newWorkPoll(ctx, req)
	if err != nil {
		return nil, err
	}
	return p.run(ctx)
}

// newWorkPoll checks what the worker says that it can take. A name that is wrong is told at once: work for it would wait
// for ever.
func (s *workService) newWorkPoll(ctx context.Context, req *pb.PollWorkRequest) (*workPoll, error) {
	p := &workPoll{
		Server: s.Server, call: callOf(ctx), request: req, credit: map[creditKey]int{},
		claimer: s.ids.fresh("poll_"), asked: requestOf(callOf(ctx), req),
	}
	config, err := s.tools.get(ctx, p.call.namespace())
	if err != nil {
		return nil, s.statusOf(ctx, err)
	}
	seen := map[string]bool{}
	for i, c := range req.Credits {
		field := fmt.Sprintf("credits[%d].tool", i)
		if seen[c.Tool] {
			return nil, invalidField(pb.ErrorReason_ERROR_REASON_INVALID_REQUEST, field, "the tool "+c.Tool+" came before; name each once")
		}
		seen[c.Tool] = true
		if !p.call.MayTool(c.Tool) {
			return nil, p.call.unreached(c.Tool)
		}
		if !config.tools[c.Tool].worked() { // another server may have applied it since
			if config, err = s.tools.refresh(ctx, p.call.namespace()); err != nil {
				return nil, s.statusOf(ctx, err)
			}
		}
		switch t := config.tools[c.Tool]; {
		case t == nil:
			return nil, invalidField(pb.ErrorReason_ERROR_REASON_UNKNOWN_TOOL, field, fmt.Sprintf("there is no tool %s in this namespace; apply its definition first", c.Tool))
		case !t.worked():
			return nil, invalidField(pb.ErrorReason_ERROR_REASON_INVALID_REQUEST, field, fmt.Sprintf("no version of the tool %s is run by workers; its executor is %s", c.Tool, t.newest().compiled.Definition.Executor))
		}
		p.credit[creditKey{c.Tool, ledger.WorkDispatch}] = int(c.Dispatches)
		p.credit[creditKey{c.Tool, ledger.WorkLookup}] = int(c.Lookups)
		p.room += int(c.Dispatches) + int(c.Lookups)
		p.permits += int(c.Dispatches)
	}
	if req.MaxItems != nil {
		p.room = min(p.room, int(*req.MaxItems))
	}
	p.room, p.permits = min(p.room, maxWorkItems), min(p.permits, maxWorkItems)
	if p.room == 0 {
		return nil, invalidField(pb.ErrorReason_ERROR_REASON_INVALID_REQUEST, "credits", "the worker has room for nothing; poll when it has")
	}
	return p, nil
}

// worked reports whether workers run the tool, in whichever version: operations keep the version that they were made by.
func (t *tool) worked() bool {
	if t == nil {
		return false
	}
	for _, v := range t.versions {
		if v.compiled.Definition.Executor == registry.Worker {
			return true
		}
	}
	return false
}
