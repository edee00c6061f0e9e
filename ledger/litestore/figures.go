package litestore

import (
	"context"
	"database/sql"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/rows"
)

// AddFigures adds in one turn of the writer.
func (s *Store) AddFigures(ctx context.Context, figures []ledger.RuleFigures) error {
	list, err := rows.FromFigures(figures)
	if err != nil || len(list) == 0 {
		return err
	}
	return s.write(ctx, func(sqlTx *sql.Tx) error {
		ctx := context.WithoutCancel(ctx)
		for _, f := range list {
			_, err := sqlTx.StmtContext(ctx, s.prepared[addFigures]).ExecContext(ctx, string(f.Namespace), micros(f.Hour), f.Rule, f.RuleVersion,
				f.Evaluations, f.Refusals, f.ShadowRefusals, f.Overrides)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Figures sums up by rule and version.
func (s *Store) Figures(ctx context.Context, ns ledger.Namespace, from time.Time, rule string) ([]ledger.RuleFigures, error) {
	hour := rows.HourOf(from)
	found, err := s.queries[sumFigures].QueryContext(ctx, string(ns), micros(hour), rule, rows.MaxFigures)
	return collect(found, err, func(scan func(...any) error) (ledger.RuleFigures, error) {
		f := ledger.RuleFigures{Namespace: ns, Hour: hour}
		return f, scan(&f.Rule, &f.RuleVersion, &f.Evaluations, &f.Refusals, &f.ShadowRefusals, &f.Overrides)
	})
}
