package sqlstore

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
)

// decisionTargets are where a decision's columns are read into.
func decisionTargets(r *rows.Decision) []any {
	return []any{&r.Namespace, &r.DecisionID, &r.At, &r.Kind, &r.Document}
}

// GetDecision reads one recorded decision.
func (s *Store) GetDecision(ctx context.Context, ns ledger.Namespace, id ledger.DecisionID) (*ledger.Decision, error) {
	notFound := fmt.Errorf("decision %s: %w", id, ledger.ErrNotFound)
	if !rows.Possible(string(ns), string(id)) {
		return nil, notFound
	}
	var row rows.Decision
	err := s.read(ctx, func(ctx context.Context) error {
		return s.pool.QueryRow(ctx, selectDecision, string(ns), string(id)).Scan(decisionTargets(&row)...)
	})
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, notFound
	case err != nil:
		return nil, err
	}
	row.At = row.At.UTC()
	d, err := row.Ledger()
	return &d, err
}

// decisionLists are the statements that list decisions, by the index that leads them.
var decisionLists = map[rows.DecisionList]string{
	rows.DecisionsAll: listDecisions, rows.DecisionsOfTool: listDecisionsOfTool, rows.DecisionsOfRule: listDecisionsOfRule,
	rows.DecisionsOfOperation: listDecisionsOfOperation, rows.DecisionsOfWorkflow: listDecisionsOfWorkflow,
	rows.DecisionsOfEntity: listDecisionsOfEntity,
}

// ListDecisions pages recorded decisions, newest first, by the index that fits the query's narrowest filter.
func (s *Store) ListDecisions(ctx context.Context, q ledger.DecisionQuery) (list []ledger.Decision, err error) {
	f, possible := rows.FromDecisionQuery(q)
	if !possible {
		return nil, nil
	}
	args := []any{
		string(q.Namespace), q.Tool, q.Rule, string(q.OperationID), q.WorkflowID, q.Entity, f.Kinds, f.From, f.Until, f.Before,
		string(q.BeforeID), f.Limit,
	}
	err = s.read(ctx, func(ctx context.Context) error {
		list = nil
		var r rows.Decision
		return s.rowsOf(ctx, decisionLists[f.List], args, decisionTargets(&r), func() error {
			r.At = r.At.UTC()
			d, err := r.Ledger()
			list = append(list, d)
			return err
		})
	})
	return list, err
}
