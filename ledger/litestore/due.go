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
	return claimReady(ctx, s, s.markingDue(dueIsReady, claimDue, claimer, limit, hold), limit, func(scan func(...any) error) (ledger.Due, error) {
		var row rows.Open
		var at int64
		err := scan(&row.Namespace, &row.OperationID, &at, &row.Kind, &row.Stamp, &row.Claimer)
		row.At = instant(at)
		return row.Due(), err
	})
}

// marking is a statement that marks what is ready, and the one that looks before whether anything is.
type marking struct {
	isReady     string
	isReadyArgs []any
	claim       string
	claimArgs   []any
}

// markingDue is the marking of due work of any kind.
func (s *Store) markingDue(isReady, claim, claimer string, limit int, hold time.Duration) marking {
	now := s.now()
	return marking{isReady, []any{micros(now)}, claim, []any{micros(now), micros(now.Add(hold)), claimer, limit}}
}

// claimReady marks what is ready and answers it. A look beside the writer comes first, so that an idle ledger never takes
// the writer's turn.
func claimReady[T any](ctx context.Context, s *Store, m marking, limit int, read func(scan func(...any) error) (T, error)) (claimed []T, err error) {
	if limit <= 0 {
		return nil, nil
	}
	var ready bool
	if err := s.queries[m.isReady].QueryRowContext(ctx, m.isReadyArgs...).Scan(&ready); err != nil || !ready {
		return nil, err
	}
	err = s.write(ctx, func(sqlTx *sql.Tx) error {
		ctx := context.WithoutCancel(ctx)
		found, err := sqlTx.StmtContext(ctx, s.prepared[m.claim]).QueryContext(ctx, m.claimArgs...)
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
