package sqlstore

import (
	"context"
	"time"
)

// How often Barrier looks whether older transactions have ended, and how long after a transaction's limit it still waits
// for a COMMIT that was sent just before it.
const (
	firstLook    = 2 * time.Millisecond
	laterLook    = 50 * time.Millisecond
	commitMargin = 2 * time.Second
)

// Barrier waits until every transaction that may have read what stood before the call has ended. No transaction of ours
// lives longer than its limit, so that waiting for the limit is always enough; on PostgreSQL a look at what is running
// ends the wait sooner. All servers must use one database role, since PostgreSQL shows the others' transactions to
// nobody else.
func (s *Store) Barrier(ctx context.Context) error {
	limit := time.NewTimer(s.options.transactionLimit + commitMargin + s.ClockError())
	defer limit.Stop()
	if s.cluster {
		return waitFor(ctx, limit.C)
	}
	var mark string
	if err := s.read(ctx, func(ctx context.Context) error { return s.pool.QueryRow(ctx, currentTransaction).Scan(&mark) }); err != nil {
		return err
	}
	for look := firstLook; ; look = min(2*look, laterLook) {
		var older int64
		err := s.read(ctx, func(ctx context.Context) error { return s.pool.QueryRow(ctx, olderTransactions, mark).Scan(&older) })
		if err != nil || older == 0 {
			return err
		}
		next := time.NewTimer(look)
		select {
		case <-limit.C:
			return nil
		case <-ctx.Done():
			next.Stop()
			return ctx.Err()
		case <-next.C:
		}
	}
}

func waitFor(ctx context.Context, c <-chan time.Time) error {
	select {
	case <-c:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
