package litestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
)

// loadRecords loads rows of one table. A row that is awaited needs no empty one in its place: there is one writer, so that
// nobody makes it between this look and what comes of it.
func (t *tx) loadRecords(ctx context.Context, v *ledger.View, reads rows.RecordReads) error {
	statements, kind := recordsOf[reads.Table.Kind], reads.Table.Kind
	for _, row := range reads.Rows {
		key := row.Key(kind)
		if v.Loaded(key.Read()) {
			continue
		}
		found, err := t.row(ctx, statements.get, []any{row.Namespace, row.ID}, &row.Version, &row.Document)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		r, err := row.Ledger(kind)
		if err != nil {
			return err
		}
		t.loaded.Records[key] = row.Version
		v.PutRecord(r)
	}
	return nil
}

func (t *tx) saveRecords(ctx context.Context, w *rows.Writes) error {
	for _, table := range w.Records {
		statements := recordsOf[table.Table.Kind]
		for _, r := range table.Inserts {
			n, err := t.exec(ctx, statements.insert, recordArgs(table.Table, r)...)
			if err != nil {
				return err
			}
			if n != 1 {
				return lostWrite("%s %s was made by another", table.Table.Kind, r.ID)
			}
		}
		for _, r := range table.Updates {
			n, err := t.exec(ctx, statements.update, append(recordArgs(table.Table, r.Record), r.Loaded)...)
			if err != nil {
				return err
			}
			if n != 1 {
				return lostWrite("%s %s no longer has version %d", table.Table.Kind, r.ID, r.Loaded)
			}
		}
	}
	return nil
}

func recordArgs(t rows.Table, r rows.Record) []any {
	args := []any{r.Namespace, r.ID, r.Version, r.Status, r.Subject, r.Tool, r.Entity, micros(r.At), r.Document}
	switch {
	case t.Due && r.DueAt == nil:
		args = append(args, nil)
	case t.Due:
		args = append(args, micros(*r.DueAt))
	}
	return args
}

// scanRecord reads a record of a list.
func scanRecord(kind ledger.RecordKind) func(scan func(...any) error) (ledger.Record, error) {
	return func(scan func(...any) error) (ledger.Record, error) {
		var row rows.Record
		if err := scan(&row.Namespace, &row.ID, &row.Version, &row.Document); err != nil {
			return nil, err
		}
		return row.Ledger(kind)
	}
}

// GetRecord reads one record.
func (s *Store) GetRecord(ctx context.Context, key ledger.RecordKey) (ledger.Record, error) {
	statements, known := recordsOf[key.Kind]
	if !known {
		return nil, fmt.Errorf("there are no records of the kind %q", key.Kind)
	}
	row := rows.Record{Namespace: string(key.Namespace), ID: key.ID}
	err := s.queries[statements.get].QueryRowContext(ctx, row.Namespace, row.ID).Scan(&row.Version, &row.Document)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("%s %s: %w", key.Kind, key.ID, ledger.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	return row.Ledger(key.Kind)
}

// ListRecords lists by the index that fits the query's narrowest filter.
func (s *Store) ListRecords(ctx context.Context, q ledger.RecordQuery) ([]ledger.Record, error) {
	f, possible, err := rows.FromRecordQuery(q)
	if err != nil || !possible {
		return nil, err
	}
	found, err := s.queries[recordsOf[q.Kind].lists[recordList{f.Lead, q.Descending}]].QueryContext(ctx,
		string(q.Namespace), textList(f.Statuses), q.Subject, q.Tool, q.Entity, micros(f.After), f.AfterID, f.Limit)
	return collect(found, err, scanRecord(q.Kind))
}

// ClaimDueRecords hands out what is ready as ClaimDue does.
func (s *Store) ClaimDueRecords(ctx context.Context, kind ledger.RecordKind, claimer string, limit int, hold time.Duration) ([]ledger.RecordKey, error) {
	statements := recordsOf[kind]
	if statements.claimDue == "" {
		return nil, fmt.Errorf("records of the kind %q are never due", kind)
	}
	marking := s.markingDue(statements.dueIsReady, statements.claimDue, claimer, limit, hold)
	return claimReady(ctx, s, marking, limit, func(scan func(...any) error) (ledger.RecordKey, error) {
		key := ledger.RecordKey{Kind: kind}
		return key, scan(&key.Namespace, &key.ID)
	})
}
