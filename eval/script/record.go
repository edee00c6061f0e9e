package script

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/internal/yamlproto"
	"github.com/opledger/opledger/registry"
)

// page is how many rows are read at once.
const page = 1000

// operations lists every operation that the scenario's callers have.
func (r *runner) operations(ctx context.Context) (all []*pb.Operation, err error) {
	for _, who := range r.readers() {
		for token := ""; ; {
			m := &pb.ListOperationsResponse{}
			if err := r.ask(ctx, who, "OperationService/ListOperations", &pb.ListOperationsRequest{PageSize: page, PageToken: token}, m); err != nil {
				return nil, err
			}
			all = append(all, m.Operations...)
			if token = m.NextPageToken; token == "" {
				break
			}
		}
	}
	return all, nil
}

// readers are those who may read: one of each namespace.
func (r *runner) readers() (names []string) {
	if len(r.scenario.Callers) == 0 {
		return []string{""}
	}
	seen := map[string]bool{}
	for _, c := range r.scenario.Callers {
		if ns := string(c.Caller.Namespace); c.Caller.May("read") && !seen[ns] {
			seen[ns] = true
			names = append(names, c.Name)
		}
	}
	return names
}

// records are what the scenario leaves: one for each business key for which something was sent.
func (r *runner) records(ctx context.Context) ([]eval.Record, error) {
	var all []eval.Record
	for _, key := range slices.Sorted(maps.Keys(r.keys)) {
		record := eval.Record{
			Arm: eval.Opledger, Agent: "script", Key: key, Faults: r.faults[key], Started: r.began, Ended: r.world.Now(), Wanted: r.wanted(key),
			Events: map[string][]*pb.OperationEvent{}, Calls: r.calls, Steps: r.history,
		}
		for _, p := range r.providersInOrder() {
			record.Effects = append(record.Effects, p.Effects(key)...)
		}
		ids := slices.Compact(slices.Sorted(slices.Values(r.keys[key])))
		for _, id := range ids {
			o, events, err := r.whole(ctx, id)
			if err != nil {
				return nil, err
			}
			record.Operations, record.Events[id] = append(record.Operations, o), events
			record.Tool, record.Class = o.Tool, yamlproto.Word[registry.Class](o.ToolClass)
		}
		all = append(all, record)
	}
	return all, nil
}

// wanted is how many effects of a key the scenario says there must be in the end; it says nothing: one.
func (r *runner) wanted(key string) int {
	if want, stated := r.scenario.wanted[key]; stated {
		return want
	}
	if n := member(member(r.scenario.finally, "effects"), key); n != nil {
		if want, err := strconv.Atoi(n.Value); err == nil {
			return want
		}
	}
	return 1
}

// whole reads an operation and its history, as whichever caller may.
func (r *runner) whole(ctx context.Context, id string) (o *pb.Operation, events []*pb.OperationEvent, err error) {
	for _, who := range r.readers() {
		if o, err = r.operation(ctx, who, id); err != nil {
			continue
		}
		m := &pb.ListOperationEventsResponse{}
		err = r.ask(ctx, who, "OperationService/ListOperationEvents", &pb.ListOperationEventsRequest{OperationId: id, PageSize: page}, m)
		return o, m.Events, err
	}
	return nil, nil, err
}
