package sqlstore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
)

// ClaimDue hands out what is ready. It runs READ COMMITTED: claimers that pass each other's locked rows are what
// SERIALIZABLE exists to refuse, and a claim is a hint.
func (s *Store) ClaimDue(ctx context.Context, claimer string, limit int, hold time.Duration) ([]ledger.Due, error) {
	var claimed []ledger.Due
	err := s.claimByShard(ctx, readyShards, limit, func(sqlTx pgx.Tx, shard int64, limit int) (n int, err error) {
		found, err := sqlTx.Query(ctx, claimDue, shard, s.offset(), limit, hold.Microseconds(), claimer)
		if err != nil {
			return 0, err
		}
		var row rows.Open
		_, err = pgx.ForEachRow(found, []any{&row.Namespace, &row.OperationID, &row.At, &row.Kind, &row.Stamp, &row.Claimer}, func() error {
			row.At = row.At.UTC()
			claimed = append(claimed, row.Due())
			n++
			return nil
		})
		return n, err
	})
	if err != nil {
		giveBack(ctx, claimed, s.ReleaseDue)
		return nil, err
	}
	return claimed, nil
}

// giveBack gives back what may have been claimed although nobody heard of the commit: else it would lie idle until the claim
// runs out, since whoever claimed it does not know. Where this fails as well it does lie until then.
func giveBack[W ledger.Due | ledger.Work](ctx context.Context, claimed []W, release func(context.Context, W, time.Duration) error) {
	for _, w := range claimed {
		if release(ctx, w, 0) != nil {
			return
		}
	}
}

// claimByShard claims shard by shard until the limit is reached, each call beginning with another shard. Claim answers how
// many it has claimed of one shard.
func (s *Store) claimByShard(ctx context.Context, ready string, limit int, claim func(sqlTx pgx.Tx, shard int64, limit int) (int, error)) error {
	if limit <= 0 {
		return nil
	}
	shards, err := s.readyShards(ctx, ready)
	if err != nil || len(shards) == 0 {
		return err
	}
	return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, func(sqlTx pgx.Tx) error {
		left := limit
		for _, shard := range shards {
			if left == 0 {
				return nil
			}
			n, err := claim(sqlTx, shard, left)
			if err != nil {
				return err
			}
			left -= n
		}
		return nil
	})
}

// readyShards lists the shards that have ready work, in this call's order.
func (s *Store) readyShards(ctx context.Context, statement string) ([]int64, error) {
	order := rows.ShardsFrom(s.firstShard.Add(1))
	var ready map[int64]bool
	err := s.read(ctx, func(ctx context.Context) error {
		ready = map[int64]bool{}
		found, err := s.pool.Query(ctx, statement, order, s.offset())
		if err != nil {
			return err
		}
		var shard int64
		_, err = pgx.ForEachRow(found, []any{&shard}, func() error {
			ready[shard] = true
			return nil
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	var shards []int64
	for _, shard := range order {
		if ready[shard] {
			shards = append(shards, shard)
		}
	}
	return shards, nil
}

// ReleaseDue gives a claim back. Due work that has changed since then, or that another has claimed, is not touched.
func (s *Store) ReleaseDue(ctx context.Context, due ledger.Due, retryAfter time.Duration) error {
	return s.read(ctx, func(ctx context.Context) error {
		_, err := s.pool.Exec(ctx, releaseDue, string(due.Namespace), string(due.OperationID), due.Stamp, s.offset()+retryAfter.Microseconds(), due.Claimer)
		return err
	})
}
