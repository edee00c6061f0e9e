package dispatch

import (
	"context"
	"math/rand/v2"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/transact"
)

// Workflows are ended workflows that still have something to give up: operations that are to be cancelled, and leases.
// Who ends a workflow gives up most of it itself; this is what a killed server, or a long list, has left. Changed, where
// set, is told of each operation that it changes.
func Workflows(reader ledger.Reader, changed func(*ledger.Operation)) Records {
	return Records{
		Kind: ledger.RecordWorkflow,
		Command: func(ctx context.Context, key ledger.RecordKey) (ledger.Command, error) {
			left, all, err := transact.Leftovers(ctx, reader, key.Namespace, key.ID)
			if err != nil {
				return nil, err
			}
			return &ledger.SweepWorkflow{Namespace: key.Namespace, WorkflowID: key.ID, Leftovers: left, Done: all, Jitter: rand.Float64()}, nil
		},
		Told: func(_ ledger.RecordKey, reply any) {
			if swept, ok := reply.(*ledger.WorkflowEnded); ok && changed != nil {
				for _, o := range swept.Operations {
					changed(o)
				}
			}
		},
	}
}
