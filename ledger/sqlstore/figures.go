package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/retry"
	"github.com/opledger/opledger/ledger/rows"
)

// AddFigures adds in one statement of its own, and again where the database asks for it. Where it is not known whether
// the figures were added they are not added again: too few are better than the same ones twice.
func (s *Store) AddFigures(ctx context.Context, figures []ledger.RuleFigures) error {
	list, err := rows.FromFigures(figures)
	if err != nil || len(list) == 0 {
		return err
	}
	args := figuresArrayArgs(list)
	return readRetries.Run(ctx, func(ctx context.Context) retry.Result {
		conn, err := s.pool.Acquire(ctx)
		if err != nil {
			return judge(err, during)
		}
		defer conn.Release()
		_, err = conn.Exec(ctx, addFigures, args...)
		r := judge(mark(conn, err), committing) // the statement commits by itself
		if r.Verdict == retry.Unknown {
			return retry.Result{Err: fmt.Errorf("%w: %w", ledger.ErrUnknownCommit, err), Verdict: retry.Final}
		}
		return r
	})
}

// Figures sums up by rule and version.
func (s *Store) Figures(ctx context.Context, ns ledger.Namespace, from time.Time, rule string) (list []ledger.RuleFigures, err error) {
	if !rows.Possible(string(ns), rule) {
		return nil, nil
	}
	hour := rows.HourOf(from)
	err = s.read(ctx, func(ctx context.Context) error {
		list = nil
		f := ledger.RuleFigures{Namespace: ns, Hour: hour}
		targets := []any{&f.Rule, &f.RuleVersion, &f.Evaluations, &f.Refusals, &f.ShadowRefusals, &f.Overrides}
		return s.rowsOf(ctx, sumFigures, []any{string(ns), hour, rule, rows.MaxFigures}, targets, func() error {
			list = append(list, f)
			return nil
		})
	})
	return list, err
}

func figuresArrayArgs(list []ledger.RuleFigures) []any {
	return []any{
		column(list, func(f *ledger.RuleFigures) string { return string(f.Namespace) }),
		column(list, func(f *ledger.RuleFigures) time.Time { return f.Hour }),
		column(list, func(f *ledger.RuleFigures) string { return f.Rule }),
		column(list, func(f *ledger.RuleFigures) int64 { return f.RuleVersion }),
		column(list, func(f *ledger.RuleFigures) int64 { return f.Evaluations }),
		column(list, func(f *ledger.RuleFigures) int64 { return f.Refusals }),
		column(list, func(f *ledger.RuleFigures) int64 { return f.ShadowRefusals }),
		column(list, func(f *ledger.RuleFigures) int64 { return f.Overrides }),
	}
}
