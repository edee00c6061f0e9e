//go:build unix

package storm

import (
	"context"
	"time"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/registry"
)

// classes are those of the tools.
var classes = map[string]registry.Class{
	"storm.charge": registry.ExternalIdempotentWrite, "storm.mail": registry.ExternalNonIdempotentWrite, "storm.revoke": registry.Irreversible,
	"storm.pay": registry.ExternalIdempotentWrite, "storm.call": registry.ExternalNonIdempotentWrite,
}

// records gathers what is known of the operations about a ref.
func (f *field) records(ctx context.Context, ref string, ids map[string]string, began time.Time) (all []eval.Record, err error) {
	for _, tool := range toolNames {
		id := ids[tool]
		record := eval.Record{
			Arm: eval.Opledger, Class: classes[tool], Tool: tool, Agent: "process", Key: businessKey(tool, ref), Started: began, Ended: time.Now(),
			Wanted: 1, Heard: true, Events: map[string][]*pb.OperationEvent{}, Steps: []string{ref},
		}
		got, err := within(ctx, f.api.GetOperation, &pb.GetOperationRequest{OperationId: id})
		if err != nil {
			return nil, err
		}
		record.Operations = []*pb.Operation{got.Operation}
		for token := ""; ; {
			page, err := within(ctx, f.api.ListOperationEvents, &pb.ListOperationEventsRequest{OperationId: id, PageSize: 100, PageToken: token})
			if err != nil {
				return nil, err
			}
			record.Events[id] = append(record.Events[id], page.Events...)
			if token = page.NextPageToken; token == "" {
				break
			}
		}
		if record.Effects, err = f.provider.effects(ctx, record.Key); err != nil {
			return nil, err
		}
		all = append(all, record)
	}
	return all, nil
}
