package sqlstore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
)

// WorkQueues lists queues that hold work, each counted up to a bound (rows.MaxDepth, rows.MaxDepthSeen).
func (s *Store) WorkQueues(ctx context.Context, q ledger.WorkQuery) (queues []ledger.QueueDepth, err error) {
	f, possible := rows.FromWorkQuery(q)
	if !possible {
		return nil, nil
	}
	args := []any{f.Executor, f.Namespace, f.Tools, f.Ready, s.offset(), f.Depth, f.Within}
	err = s.read(ctx, func(ctx context.Context) error {
		queues = nil
		var d ledger.QueueDepth
		var oldest *time.Time
		targets := []any{&d.Executor, &d.Namespace, &d.Tool, &d.Kind, &d.Provider, &d.Waiting, &d.Ready, &oldest}
		return s.rowsOf(ctx, workQueues, args, targets, func() error {
			d.Oldest = time.Time{}
			if oldest != nil {
				d.Oldest = oldest.UTC()
			}
			queues = append(queues, d)
			return nil
		})
	})
	return queues, err
}

// ClaimWork hands out what is ready in one queue. It runs READ COMMITTED, as ClaimDue does.
func (s *Store) ClaimWork(ctx context.Context, queue ledger.Queue, claimer string, limit int, hold time.Duration) ([]ledger.Work, error) {
	if limit <= 0 || !rows.PossibleQueue(queue) {
		return nil, nil
	}
	args := []any{string(queue.Executor), string(queue.Namespace), queue.Tool, string(queue.Kind), queue.Provider, s.offset()}
	var ready bool
	err := s.read(ctx, func(ctx context.Context) error { return s.pool.QueryRow(ctx, workIsReady, args...).Scan(&ready) })
	if err != nil || !ready {
		return nil, err
	}
	var claimed []ledger.Work
	err = pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, func(sqlTx pgx.Tx) error {
		found, err := sqlTx.Query(ctx, claimWork, append(args, limit, hold.Microseconds(), claimer)...)
		if err != nil {
			return err
		}
		var row rows.Work
		_, err = pgx.ForEachRow(found, []any{&row.OperationID, &row.At, &row.Stamp, &row.Claimer}, func() error {
			row.At = row.At.UTC()
			claimed = append(claimed, row.Ledger(queue))
			return nil
		})
		return err
	})
	if err != nil {
		giveBack(ctx, claimed, s.ReleaseWork)
		return nil, err
	}
	return rows.SortWork(claimed), nil
}

// ReleaseWork gives a claim back. Work that has changed since then, or that another has claimed, is not touched.
func (s *Store) ReleaseWork(ctx context.Context, w ledger.Work, retryAfter time.Duration) error {
	return s.read(ctx, func(ctx context.Context) error {
		_, err := s.pool.Exec(ctx, releaseWork, string(w.Namespace), string(w.OperationID), w.Stamp, s.offset()+retryAfter.Microseconds(), w.Claimer)
		return err
	})
}

func queueWorkWrites(b *pgx.Batch, w *rows.Writes) {
	if len(w.Work) > 0 {
		b.Queue(saveWork, workArrayArgs(w.Work)...)
	}
	if len(w.Idle) > 0 {
		b.Queue(deleteWork, operationKeyArrayArgs(w.Idle)...)
	}
}

func workArrayArgs(list []rows.Work) []any {
	return []any{
		column(list, func(w *rows.Work) string { return w.Namespace }),
		column(list, func(w *rows.Work) string { return w.OperationID }),
		column(list, func(w *rows.Work) string { return w.Executor }),
		column(list, func(w *rows.Work) string { return w.Tool }),
		column(list, func(w *rows.Work) string { return w.Kind }),
		column(list, func(w *rows.Work) string { return w.Provider }),
		column(list, func(w *rows.Work) time.Time { return w.At }),
		column(list, func(w *rows.Work) int64 { return w.Stamp }),
	}
}
