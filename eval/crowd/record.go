package crowd

import (
	"context"
	"slices"
	"time"

	"github.com/opledger/opledger/eval"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

// books gathers what is known of a scene's intents when it is over.
type books struct {
	scene *scene
	api   pb.OperationServiceClient
	began time.Time
	calls []eval.Call
}

// records are one for each business key. Operations are those by which proposals of the key were answered and those that
// hold the same key; calls are those that were about them.
func (b *books) records(ctx context.Context) ([]eval.Record, error) {
	asked, ids := b.askedFor()
	var all []eval.Record
	for _, i := range b.scene.intents {
		r := eval.Record{
			Arm: eval.Opledger, Class: classes[i.tool], Tool: i.tool, Agent: "crowd", Key: i.key, Faults: met(i), Started: b.began, Wanted: 1,
			Refusable: slices.Contains(i.met, eval.Refused), Effects: b.scene.provider.Effects(i.key), Events: map[string][]*pb.OperationEvent{},
			Calls: asked[i],
		}
		known := ids[i]
		for n := 0; n < len(known); n++ { // it grows
			o, err := within(ctx, b.api.GetOperation, &pb.GetOperationRequest{OperationId: known[n]})
			if err != nil {
				return nil, err
			}
			r.Operations = append(r.Operations, o.Operation)
			if r.Events[known[n]], err = b.events(ctx, known[n]); err != nil {
				return nil, err
			}
			same, err := within(ctx, b.api.ListOperations, &pb.ListOperationsRequest{IdempotencyKey: o.Operation.IdempotencyKey, PageSize: 100})
			if err != nil {
				return nil, err
			}
			for _, other := range same.Operations {
				if !slices.Contains(known, other.OperationId) {
					known = append(known, other.OperationId)
				}
			}
		}
		if len(known) == 0 {
			r.Wanted = 0 // it was refused for as long as it was asked for, and whoever wanted it was told so each time
		}
		r.Heard = !slices.ContainsFunc(r.Effects, func(e eval.Effect) bool { return !i.heard[e.ID] })
		r.Ended = time.Now()
		all = append(all, r)
	}
	return all, nil
}

// met are the faults of an intent: those of its provider, and the one that its machine brought.
func met(i *intent) []eval.Fault {
	list := slices.DeleteFunc(slices.Clone(i.met), func(f eval.Fault) bool { return f == eval.NoFault })
	if i.overslept {
		list = append(list, eval.FreezeAfterLook)
	}
	return list
}

// askedFor parts calls by the intent that they were about, and lists the operations by which each was answered.
func (b *books) askedFor() (calls map[*intent][]eval.Call, ids map[*intent][]string) {
	calls, ids = map[*intent][]eval.Call{}, map[*intent][]string{}
	meant, owner := map[string]*intent{}, map[string]*intent{}
	for _, i := range b.scene.intents {
		for _, s := range i.spellings {
			meant[i.tool+s] = i
		}
	}
	for _, c := range b.calls {
		var i *intent
		switch q := c.Request.(type) {
		case *pb.ProposeOperationRequest:
			i = meant[q.Tool+q.GetArgumentsJson()]
			m, _ := c.Answer.(*pb.ProposeOperationResponse)
			if id := m.GetResult().GetOperationId(); i != nil && id != "" {
				owner[id] = i
				if !slices.Contains(ids[i], id) {
					ids[i] = append(ids[i], id)
				}
			}
		case interface{ GetOperationId() string }:
			i = owner[q.GetOperationId()]
		}
		if i != nil {
			calls[i] = append(calls[i], c)
		}
	}
	return calls, ids
}

// events lists an operation's history.
func (b *books) events(ctx context.Context, id string) (all []*pb.OperationEvent, err error) {
	for token := ""; ; {
		page, err := within(ctx, b.api.ListOperationEvents, &pb.ListOperationEventsRequest{OperationId: id, PageSize: 1000, PageToken: token})
		if err != nil {
			return nil, err
		}
		all = append(all, page.Events...)
		if token = page.NextPageToken; token == "" {
			return all, nil
		}
	}
}
