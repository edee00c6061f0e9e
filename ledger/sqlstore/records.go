package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
)

// recordTargets are where a record's columns are read into.
func recordTargets(r *rows.Record) []any {
	return []any{&r.Namespace, &r.ID, &r.Version, &r.Document}
}

// queueRecords loads rows of each table that was asked for. A row that is awaited is made first where there is none.
func (t *tx) queueRecords(b *pgx.Batch, v *ledger.View, reads []rows.RecordReads) {
	for _, r := range reads {
		statements, kind := recordsOf[r.Table.Kind], r.Table.Kind
		keys := []any{
			column(r.Rows, func(r *rows.Record) string { return r.Namespace }), column(r.Rows, func(r *rows.Record) string { return r.ID }),
		}
		if kind.Awaited() {
			b.Queue(statements.insertEmpty, keys...)
		}
		var row rows.Record
		b.Queue(statements.load, keys...).Query(each(recordTargets(&row), func() error { return t.putRecord(v, row, kind) }))
	}
}

// putRecord puts a loaded record into the view and remembers its version.
func (t *tx) putRecord(v *ledger.View, row rows.Record, kind ledger.RecordKind) error {
	key := row.Key(kind)
	if v.Loaded(key.Read()) {
		return nil
	}
	r, err := row.Ledger(kind)
	if err != nil {
		return err
	}
	t.loaded.Records[key] = row.Version
	v.PutRecord(r)
	return nil
}

func queueRecordWrites(b *pgx.Batch, w *rows.Writes) {
	for _, r := range w.Records {
		statements := recordsOf[r.Table.Kind]
		if len(r.Inserts) > 0 {
			b.Queue(statements.insert, recordArrayArgs(r.Table, r.Inserts)...)
		}
		if n := len(r.Updates); n > 0 {
			changed := column(r.Updates, func(u *rows.RecordUpdate) rows.Record { return u.Record })
			args := append(recordArrayArgs(r.Table, changed), column(r.Updates, func(u *rows.RecordUpdate) int64 { return u.Loaded }))
			b.Queue(statements.update, args...).Exec(exactly(n, r.Table.Name))
		}
	}
}

func recordArrayArgs(t rows.Table, list []rows.Record) []any {
	args := []any{
		column(list, func(r *rows.Record) string { return r.Namespace }),
		column(list, func(r *rows.Record) string { return r.ID }),
		column(list, func(r *rows.Record) int64 { return r.Version }),
		column(list, func(r *rows.Record) string { return r.Status }),
		column(list, func(r *rows.Record) string { return r.Subject }),
		column(list, func(r *rows.Record) string { return r.Tool }),
		column(list, func(r *rows.Record) string { return r.Entity }),
		column(list, func(r *rows.Record) time.Time { return r.At }),
		column(list, func(r *rows.Record) string { return r.Document }),
	}
	if t.Due {
		args = append(args, column(list, func(r *rows.Record) int64 { return r.Shard }), column(list, func(r *rows.Record) *time.Time { return r.DueAt }))
	}
	return args
}

// GetRecord reads one record. An empty row that was made for those who await it is none.
func (s *Store) GetRecord(ctx context.Context, key ledger.RecordKey) (ledger.Record, error) {
	statements, known := recordsOf[key.Kind]
	if !known {
		return nil, fmt.Errorf("there are no records of the kind %q", key.Kind)
	}
	notFound := fmt.Errorf("%s %s: %w", key.Kind, key.ID, ledger.ErrNotFound)
	if !rows.Possible(string(key.Namespace), key.ID) {
		return nil, notFound
	}
	row := rows.Record{Namespace: string(key.Namespace), ID: key.ID}
	err := s.read(ctx, func(ctx context.Context) error {
		return s.pool.QueryRow(ctx, statements.get, row.Namespace, row.ID).Scan(&row.Version, &row.Document)
	})
	switch {
	case errors.Is(err, pgx.ErrNoRows), err == nil && row.Version == 0:
		return nil, notFound
	case err != nil:
		return nil, err
	}
	return row.Ledger(key.Kind)
}

// ListRecords lists by the index that fits the query's narrowest filter.
func (s *Store) ListRecords(ctx context.Context, q ledger.RecordQuery) (list []ledger.Record, err error) {
	f, possible, err := rows.FromRecordQuery(q)
	if err != nil || !possible {
		return nil, err
	}
	statement := recordsOf[q.Kind].lists[recordList{f.Lead, q.Descending}]
	args := []any{string(q.Namespace), f.Statuses, q.Subject, q.Tool, q.Entity, f.After, f.AfterID, f.Limit}
	err = s.read(ctx, func(ctx context.Context) error {
		list = nil
		var row rows.Record
		return s.rowsOf(ctx, statement, args, recordTargets(&row), func() error {
			r, err := row.Ledger(q.Kind)
			list = append(list, r)
			return err
		})
	})
	return list, err
}

// ClaimDueRecords hands out what is ready as ClaimDue does.
func (s *Store) ClaimDueRecords(ctx context.Context, kind ledger.RecordKind, claimer string, limit int, hold time.Duration) ([]ledger.RecordKey, error) {
	statements := recordsOf[kind]
	if statements.claimDue == "" {
		return nil, fmt.Errorf("records of the kind %q are never due", kind)
	}
	var claimed []ledger.RecordKey
	err := s.claimByShard(ctx, statements.readyShards, limit, func(sqlTx pgx.Tx, shard int64, limit int) (int, error) {
		found, err := sqlTx.Query(ctx, statements.claimDue, shard, s.offset(), limit, hold.Microseconds(), claimer)
		if err != nil {
			return 0, err
		}
		key, n := ledger.RecordKey{Kind: kind}, 0
		_, err = pgx.ForEachRow(found, []any{&key.Namespace, &key.ID}, func() error {
			claimed = append(claimed, key)
			n++
			return nil
		})
		return n, err
	})
	if err != nil {
		return nil, err // what may have been claimed all the same comes back when its claim runs out
	}
	return claimed, nil
}
