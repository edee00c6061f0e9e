package litestore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
)

// scanner is a row that can be read.
type scanner interface{ Scan(into ...any) error }

func scanOperation(s scanner) (r rows.Operation, err error) {
	var created int64
	err = s.Scan(&r.Namespace, &r.OperationID, &r.Version, &r.State, &r.Class, &r.Tool, &r.WorkflowID, &r.RunID, &r.ToolCallID,
		&r.Entity, &r.Key, &r.Revision, &r.NeedsHuman, &r.HasIncident, &created, &r.Document)
	r.CreatedAt = instant(created)
	return r, err
}

// collect reads every row of a query that may have failed.
func collect[T any](found *sql.Rows, err error, read func(scan func(...any) error) (T, error)) (list []T, _ error) {
	if err != nil {
		return nil, err
	}
	defer found.Close()
	for found.Next() {
		item, err := read(found.Scan)
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	return list, found.Err()
}

// GetOperation reads one operation.
func (s *Store) GetOperation(ctx context.Context, ns ledger.Namespace, id ledger.OperationID) (*ledger.Operation, error) {
	row, err := scanOperation(s.queries[selectOperation].QueryRowContext(ctx, string(ns), string(id)))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("operation %s: %w", id, ledger.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	return row.Ledger()
}

// lists are the statements that list operations, by the index that leads them.
var lists = map[rows.List]string{
	rows.ListAll: listOperations, rows.ListOfKey: listOperationsOfKey, rows.ListOfToolCall: listOperationsOfToolCall,
	rows.ListOfRun: listOperationsOfRun, rows.ListOfWorkflow: listOperationsOfWorkflow, rows.ListOfEntity: listOperationsOfEntity,
	rows.ListWithIncident: listOperationsWithIncident, rows.ListForPeople: listOperationsForPeople,
}

// ListOperations lists by the index that fits the query's narrowest filter.
func (s *Store) ListOperations(ctx context.Context, q ledger.OperationQuery) ([]*ledger.Operation, error) {
	f, possible := rows.FromQuery(q)
	if !possible {
		return nil, nil
	}
	found, err := s.queries[lists[f.List]].QueryContext(ctx,
		string(q.Namespace), textList(f.States), q.Tool, q.WorkflowID, q.Entity, flag(q.NeedsHuman), string(q.Key), micros(f.CreatedBefore),
		string(q.BeforeID), f.Limit, q.RunID, q.ToolCallID, textList(f.Classes), flag(q.HasIncident), micros(f.CreatedFrom), micros(f.CreatedUntil))
	return collect(found, err, func(scan func(...any) error) (*ledger.Operation, error) {
		row, err := scanOperation(scanFunc(scan))
		if err != nil {
			return nil, err
		}
		return row.Ledger()
	})
}

// textList is a list as a statement takes it: JSON, or NULL where the list does not restrict.
func textList(list []string) any {
	if len(list) == 0 {
		return nil
	}
	text, err := json.Marshal(list)
	if err != nil {
		panic(err) // strings have a JSON form
	}
	return string(text)
}

func flag(f *bool) any {
	if f == nil {
		return nil
	}
	return *f
}

type scanFunc func(into ...any) error

func (f scanFunc) Scan(into ...any) error { return f(into...) }

// ListEvents pages an operation's history, oldest first.
func (s *Store) ListEvents(ctx context.Context, ns ledger.Namespace, id ledger.OperationID, after int64, limit int) ([]ledger.Event, error) {
	found, err := s.queries[listEvents].QueryContext(ctx, string(ns), string(id), after, rows.PageSize(limit))
	events, err := collect(found, err, func(scan func(...any) error) (ledger.Event, error) {
		var row rows.Event
		var at int64
		if err := scan(&row.Namespace, &row.OperationID, &row.Sequence, &row.Version, &at, &row.Type, &row.Document); err != nil {
			return ledger.Event{}, err
		}
		row.At = instant(at)
		return row.Ledger()
	})
	if err != nil || len(events) > 0 {
		return events, err
	}
	if _, err := s.GetOperation(ctx, ns, id); err != nil {
		return nil, err
	}
	return nil, nil
}

// Versions reads the present versions of those operations that exist.
func (s *Store) Versions(ctx context.Context, ns ledger.Namespace, ids []ledger.OperationID) (map[ledger.OperationID]int64, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	versions := map[ledger.OperationID]int64{}
	found, err := s.queries[selectVersions].QueryContext(ctx, string(ns), string(list))
	_, err = collect(found, err, func(scan func(...any) error) (struct{}, error) {
		var id ledger.OperationID
		var version int64
		err := scan(&id, &version)
		versions[id] = version
		return struct{}{}, err
	})
	return versions, err
}

// Stats counts what is open.
func (s *Store) Stats(ctx context.Context) (ledger.Stats, error) {
	var b rows.StatsBuilder
	now := s.now()
	found, err := s.queries[countOpen].QueryContext(ctx)
	_, err = collect(found, err, func(scan func(...any) error) (struct{}, error) {
		var c ledger.OpenCount
		var since int64
		err := scan(&c.Namespace, &c.Tool, &c.Class, &c.State, &c.Count, &since)
		b.AddOpen(c, instant(since), now)
		return struct{}{}, err
	})
	if err != nil {
		return b.Stats, err
	}
	if err := s.queries[countForPeople].QueryRowContext(ctx).Scan(&b.Stats.NeedsHuman); err != nil {
		return b.Stats, err
	}
	if err := s.queries[countOpenApprovals].QueryRowContext(ctx).Scan(&b.Stats.ApprovalsOpen); err != nil {
		return b.Stats, err
	}
	held, err := s.queries[selectHeldLeases].QueryContext(ctx)
	_, err = collect(held, err, func(scan func(...any) error) (struct{}, error) {
		var document []byte
		if err := scan(&document); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, b.AddLease(document, now)
	})
	if err != nil {
		return b.Stats, err
	}
	var oldest int64
	if err := s.queries[countDue].QueryRowContext(ctx, micros(now)).Scan(&b.Stats.DueCount, &oldest); err != nil {
		return b.Stats, err
	}
	if b.Stats.DueCount > 0 {
		b.Stats.DueLag = now.Sub(instant(oldest))
	}
	return b.Stats, nil
}
