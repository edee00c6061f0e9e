package sqlstore

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
)

// Tools reads a namespace's configuration in one snapshot, sent together.
func (s *Store) Tools(ctx context.Context, ns ledger.Namespace) (set ledger.ToolSet, err error) {
	if !rows.Possible(string(ns)) {
		return set, nil
	}
	err = s.read(ctx, func(ctx context.Context) error {
		var b rows.ToolSetBuilder
		snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
		err := pgx.BeginTxFunc(ctx, s.pool, snapshot, func(sqlTx pgx.Tx) error {
			batch := &pgx.Batch{}
			s.queueToolSet(batch, ns, &b)
			return sqlTx.SendBatch(ctx, batch).Close()
		})
		set = b.Set
		return err
	})
	return set, err
}

func (s *Store) queueToolSet(batch *pgx.Batch, ns ledger.Namespace, b *rows.ToolSetBuilder) {
	var r rows.ToolSetRow
	var at *time.Time
	targets := []any{&r.Epoch, &r.Name, &r.Head, &r.HeadDigest, &r.Disabled, &r.Reason, &r.Version, &r.Definition, &r.Digest, &r.AppliedBy, &at}
	batch.Queue(selectToolSet, string(ns)).Query(each(targets, func() error {
		if at != nil {
			r.AppliedAt = at.UTC()
		}
		b.Add(ns, r)
		return nil
	}))
	var now time.Time
	batch.Queue(selectNow).QueryRow(func(row pgx.Row) error { return row.Scan(&now) })
	hold := func(kind ledger.RecordKind, status string, add func(ledger.Record)) {
		var row rows.Record
		batch.Queue(recordsOf[kind].hold, string(ns), status).Query(each(recordTargets(&row), func() error {
			record, err := row.Ledger(kind)
			if err == nil {
				add(record)
			}
			return err
		}))
	}
	hold(ledger.RecordRule, "held", b.AddRule)
	hold(ledger.RecordSwitch, "", b.AddSwitch)
	hold(ledger.RecordStanding, "held", func(r ledger.Record) { b.AddStanding(r, s.shift(now)) })
}
