package litestore

import (
	"context"
	"database/sql"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
)

// ClaimDue hands out what is ready, the longest ready first.
func (s *Store) ClaimDue(ctx context.Context, claimer string, limit int, hold time.Duration) ([]ledger.Due, error) {
	return claimReady(ctx, s, dueIsReady, claimDue, claimer, limit, hold, func(scan func(...any) error) (ledger.Due, error) {
		var row rows.Open
		var at int64
		err := scan(&row.Namespace, &row.OperationID, &at, &row.Kind, &row.Stamp, &row.Claimer)
		row.At = instant(at)
		return row.Due(), err
	})
}

// claimReady marks what is ready and answers it. A look beside the writer comes first, so that an idle ledger never takes
// the writer's turn.
func claimReady[T any](
	ctx context.Context, s *Store, isReady, claim, claimer string, limit int, hold time.Duration, read func(scan func(...any) error) (T, error),
) (claimed []T, err error) {
	if limit <= 0 {
		return nil, nil
	}
	now := s.now()
	var ready bool
	if err := s.queries[isReady].QueryRowContext(ctx, micros(now)).Scan(&ready); err != nil || !ready {
		return nil, err
	}
	err = s.write(ctx, func(sqlTx *sql.Tx) error {
		ctx := context.WithoutCancel(ctx)
		found, err := sqlTx.StmtContext(ctx, s.prepared[claim]).QueryContext(ctx, micros(now), micros(now.Add(hold)), claimer, limit)
		claimed, err = collect(found, err, read)
		return err
	})
	if err != nil {
		return nil, err
	}
	return claimed, nil
}

// ReleaseDue gives a claim back. Due work that has changed since then, or that another has claimed, is not touched.
func (s *Store) ReleaseDue(ctx context.Context, due ledger.Due, retryAfter time.Duration) error {
	return s.write(ctx, func(sqlTx *sql.Tx) error {
		ctx := context.WithoutCancel(ctx)
		_, err := sqlTx.StmtContext(ctx, s.prepared[releaseDue]).ExecContext(ctx,
			string(due.Namespace), string(due.OperationID), due.Stamp, micros(s.now().Add(retryAfter)), due.Claimer)
		return err
	})
}
