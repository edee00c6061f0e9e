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

// rowsOf runs a query and calls read for each row, after the targets were filled.
func (s *Store) rowsOf(ctx context.Context, statement string, args, targets []any, read func() error) error {
	found, err := s.pool.Query(ctx, statement, args...)
	if err != nil {
		return err
	}
	_, err = pgx.ForEachRow(found, targets, read)
	return err
}

// GetOperation reads one operation.
func (s *Store) GetOperation(ctx context.Context, ns ledger.Namespace, id ledger.OperationID) (*ledger.Operation, error) {
	var row rows.Operation
	err := s.read(ctx, func(ctx context.Context) error {
		return s.pool.QueryRow(ctx, selectOperation, string(ns), string(id)).Scan(operationTargets(&row)...)
	})
	if errors.Is(err, pgx.ErrNoRows) {
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
func (s *Store) ListOperations(ctx context.Context, q ledger.OperationQuery) (list []*ledger.Operation, err error) {
	f, possible := rows.FromQuery(q)
	if !possible {
		return nil, nil
	}
	statement := lists[f.List]
	args := []any{
		string(q.Namespace), f.States, q.Tool, q.WorkflowID, q.Entity, q.NeedsHuman, string(q.Key), f.CreatedBefore, string(q.BeforeID),
		f.Limit, q.RunID, q.ToolCallID, f.Classes, q.HasIncident, f.CreatedFrom, f.CreatedUntil,
	}
	err = s.read(ctx, func(ctx context.Context) error {
		list = nil
		var row rows.Operation
		return s.rowsOf(ctx, statement, args, operationTargets(&row), func() error {
			o, err := row.Ledger()
			list = append(list, o)
			return err
		})
	})
	return list, err
}

// ListEvents pages an operation's history, oldest first.
func (s *Store) ListEvents(ctx context.Context, ns ledger.Namespace, id ledger.OperationID, after int64, limit int) (list []ledger.Event, err error) {
	err = s.read(ctx, func(ctx context.Context) error {
		list = nil
		var r rows.Event
		targets := []any{&r.Namespace, &r.OperationID, &r.Sequence, &r.Version, &r.At, &r.Type, &r.Document}
		return s.rowsOf(ctx, listEvents, []any{string(ns), string(id), after, rows.PageSize(limit)}, targets, func() error {
			r.At = r.At.UTC()
			e, err := r.Ledger()
			list = append(list, e)
			return err
		})
	})
	if err != nil || len(list) > 0 {
		return list, err
	}
	if _, err := s.GetOperation(ctx, ns, id); err != nil {
		return nil, err
	}
	return nil, nil
}

// Versions reads the present versions of those operations that exist.
func (s *Store) Versions(ctx context.Context, ns ledger.Namespace, ids []ledger.OperationID) (versions map[ledger.OperationID]int64, err error) {
	names := column(ids, func(id *ledger.OperationID) string { return string(*id) })
	err = s.read(ctx, func(ctx context.Context) error {
		versions = map[ledger.OperationID]int64{}
		var id ledger.OperationID
		var version int64
		return s.rowsOf(ctx, selectVersions, []any{string(ns), names}, []any{&id, &version}, func() error {
			versions[id] = version
			return nil
		})
	})
	return versions, err
}

// Stats counts what is open.
func (s *Store) Stats(ctx context.Context) (stats ledger.Stats, err error) {
	now, err := s.Time(ctx)
	if err != nil {
		return stats, err
	}
	err = s.read(ctx, func(ctx context.Context) error {
		var b rows.StatsBuilder
		var c ledger.OpenCount
		var since time.Time
		err := s.rowsOf(ctx, countOpen, nil, []any{&c.Namespace, &c.Tool, &c.Class, &c.State, &c.Count, &since}, func() error {
			b.AddOpen(c, since, now)
			return nil
		})
		if err != nil {
			return err
		}
		if err := s.pool.QueryRow(ctx, countForPeople).Scan(&b.Stats.NeedsHuman); err != nil {
			return err
		}
		if err := s.pool.QueryRow(ctx, countOpenApprovals).Scan(&b.Stats.ApprovalsOpen); err != nil {
			return err
		}
		var document []byte
		if err := s.rowsOf(ctx, selectHeldLeases, nil, []any{&document}, func() error { return b.AddLease(document, now) }); err != nil {
			return err
		}
		var oldest *time.Time
		if err := s.pool.QueryRow(ctx, countDue, now).Scan(&b.Stats.DueCount, &oldest); err != nil {
			return err
		}
		if oldest != nil {
			b.Stats.DueLag = now.Sub(*oldest)
		}
		stats = b.Stats
		return nil
	})
	return stats, err
}
