package litestore

import (
	"context"
	"database/sql"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
)

// WorkQueues lists queues that hold work, each counted up to a bound (rows.MaxDepth, rows.MaxDepthSeen).
func (s *Store) WorkQueues(ctx context.Context, q ledger.WorkQuery) ([]ledger.QueueDepth, error) {
	f, possible := rows.FromWorkQuery(q)
	if !possible {
		return nil, nil
	}
	found, err := s.queries[workQueues].QueryContext(ctx, f.Executor, f.Namespace, textList(f.Tools), f.Ready, micros(s.now()), f.Depth, textList(f.Within))
	return collect(found, err, func(scan func(...any) error) (d ledger.QueueDepth, err error) {
		var oldest *int64
		err = scan(&d.Executor, &d.Namespace, &d.Tool, &d.Kind, &d.Provider, &d.Waiting, &d.Ready, &oldest)
		if oldest != nil {
			d.Oldest = instant(*oldest)
		}
		return d, err
	})
}

// ClaimWork hands out what is ready in one queue.
func (s *Store) ClaimWork(ctx context.Context, queue ledger.Queue, claimer string, limit int, hold time.Duration) ([]ledger.Work, error) {
	now := s.now()
	ready := []any{string(queue.Executor), string(queue.Namespace), queue.Tool, string(queue.Kind), queue.Provider, micros(now)}
	claimed, err := claimReady(ctx, s, marking{workIsReady, ready, claimWork, append(ready, micros(now.Add(hold)), claimer, limit)}, limit,
		func(scan func(...any) error) (ledger.Work, error) {
			var row rows.Work
			var at int64
			err := scan(&row.OperationID, &at, &row.Stamp, &row.Claimer)
			row.At = instant(at)
			return row.Ledger(queue), err
		})
	return rows.SortWork(claimed), err
}

// ReleaseWork gives a claim back. Work that has changed since then, or that another has claimed, is not touched.
func (s *Store) ReleaseWork(ctx context.Context, w ledger.Work, retryAfter time.Duration) error {
	return s.write(ctx, func(sqlTx *sql.Tx) error {
		ctx := context.WithoutCancel(ctx)
		_, err := sqlTx.StmtContext(ctx, s.prepared[releaseWork]).ExecContext(ctx,
			string(w.Namespace), string(w.OperationID), w.Stamp, micros(s.now().Add(retryAfter)), w.Claimer)
		return err
	})
}

func (t *tx) saveWork(ctx context.Context, w *rows.Writes) error {
	for _, item := range w.Work {
		_, err := t.exec(ctx, saveWork, item.Namespace, item.OperationID, item.Executor, item.Tool, item.Kind, item.Provider, micros(item.At), item.Stamp)
		if err != nil {
			return err
		}
	}
	for _, key := range w.Idle {
		if _, err := t.exec(ctx, deleteWork, string(key.Namespace), string(key.OperationID)); err != nil {
			return err
		}
	}
	return nil
}
