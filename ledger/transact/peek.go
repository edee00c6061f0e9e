package transact

import (
	"context"
	"errors"

	"github.com/opledger/opledger/ledger"
)

// errPeeked undoes a transaction in which nothing but looking was done.
var errPeeked = errors.New("only looked at")

// Peek asks a command for its decision on one snapshot, and saves nothing of it: no row, no claim. The claims of the
// command are read, so that who holds one is in view. What it answers may be otherwise a moment later.
func Peek(ctx context.Context, engine ledger.Engine, command ledger.Command) (any, error) {
	var out ledger.Decided
	err := engine.Transact(ctx, func(ctx context.Context, tx ledger.Tx) error {
		now, err := tx.Now(ctx)
		if err != nil {
			return err
		}
		b := &batch{
			tx: tx, env: ledger.Env{ClockError: engine.ClockError()}, view: ledger.NewView(now), commands: []ledger.Command{command},
			owner: map[ledger.ClaimID]int{}, inserted: map[ledger.ClaimID]ledger.Claim{},
		}
		if err := b.load(ctx, nil); err != nil {
			return err
		}
		if out, err = b.decide(ctx, 0); err != nil {
			return err
		}
		return errPeeked // a look makes rows that are awaited; these go as well
	})
	if !errors.Is(err, errPeeked) {
		return nil, err
	}
	return out.Reply, out.Err
}
