package transact

import (
	"context"

	"github.com/opledger/opledger/ledger"
)

// lookPage is how many rows one look reads at a time.
const lookPage = 200

// openStates are the states that an operation of an ended workflow can still be in.
var openStates = []ledger.State{
	ledger.Planned, ledger.PendingDispatch, ledger.Dispatched, ledger.Acknowledged, ledger.FailedRetryable, ledger.UnknownOutcome,
}

// Leftovers looks for what a workflow has to give up at its end: operations that have not ended, and leases that it holds.
// It answers as many as one command takes, and whether there are no more. What it answers may be otherwise a moment later;
// the command that is handed it asks each once more.
func Leftovers(ctx context.Context, reader ledger.Reader, ns ledger.Namespace, workflow string) (left ledger.Leftovers, all bool, err error) {
	operations, allOperations, err := leftOperations(ctx, reader, ns, workflow)
	if err != nil {
		return left, false, err
	}
	held, err := reader.ListRecords(ctx, ledger.RecordQuery{
		Kind: ledger.RecordLease, Namespace: ns, Subject: workflow, Statuses: []string{"held"}, Limit: ledger.MaxClosedAtOnce + 1,
	})
	if err != nil {
		return left, false, err
	}
	allLeases := len(held) <= ledger.MaxClosedAtOnce
	for _, l := range held[:min(len(held), ledger.MaxClosedAtOnce)] {
		left.Leases = append(left.Leases, l.Key().ID)
	}
	left.Operations = operations
	return left, allOperations && allLeases, nil
}

// leftOperations pages through what is open, since what was closed before and is still being found out is open too.
func leftOperations(ctx context.Context, reader ledger.Reader, ns ledger.Namespace, workflow string) (ids []ledger.OperationID, all bool, err error) {
	q := ledger.OperationQuery{Namespace: ns, WorkflowID: workflow, States: openStates, Limit: lookPage}
	for {
		page, err := reader.ListOperations(ctx, q)
		if err != nil {
			return nil, false, err
		}
		for _, o := range page {
			if !o.ClosedAt.IsZero() || o.Undoes != nil {
				continue
			}
			if len(ids) == ledger.MaxClosedAtOnce {
				return ids, false, nil
			}
			ids = append(ids, o.ID)
		}
		if len(page) < lookPage {
			return ids, true, nil
		}
		last := page[len(page)-1]
		q.CreatedBefore, q.BeforeID = last.CreatedAt, last.ID
	}
}
