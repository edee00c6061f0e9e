package litestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
)

func scanDecision(scan func(...any) error) (ledger.Decision, error) {
	var row rows.Decision
	var at int64
	if err := scan(&row.Namespace, &row.DecisionID, &at, &row.Kind, &row.Document); err != nil {
		return ledger.Decision{}, err
	}
	row.At = instant(at)
	return row.Ledger()
}

// GetDecision reads one recorded decision.
func (s *Store) GetDecision(ctx context.Context, ns ledger.Namespace, id ledger.DecisionID) (*ledger.Decision, error) {
	d, err := scanDecision(s.queries[selectDecision].QueryRowContext(ctx, string(ns), string(id)).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("decision %s: %w", id, ledger.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	return &d, nil
}

// decisionLists are the statements that list decisions, by the index that leads them.
var decisionLists = map[rows.DecisionList]string{
	rows.DecisionsAll: listDecisions, rows.DecisionsOfTool: listDecisionsOfTool, rows.DecisionsOfRule: listDecisionsOfRule,
	rows.DecisionsOfOperation: listDecisionsOfOperation, rows.DecisionsOfWorkflow: listDecisionsOfWorkflow,
	rows.DecisionsOfEntity: listDecisionsOfEntity,
}

// ListDecisions pages recorded decisions, newest first, by the index that fits the query's narrowest filter.
func (s *Store) ListDecisions(ctx context.Context, q ledger.DecisionQuery) ([]ledger.Decision, error) {
	f, possible := rows.FromDecisionQuery(q)
	if !possible {
		return nil, nil
	}
	found, err := s.queries[decisionLists[f.List]].QueryContext(ctx,
		string(q.Namespace), q.Tool, q.Rule, string(q.OperationID), q.WorkflowID, q.Entity, textList(f.Kinds), micros(f.From), micros(f.Until),
		micros(f.Before), string(q.BeforeID), f.Limit)
	return collect(found, err, scanDecision)
}
