package storetest

import (
	"sync"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
)

func ruleFigures(t *testing.T, fresh Make) {
	hour := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	figures := func(rule string, version int64, at time.Time, evaluations, refusals, shadow, overrides int64) ledger.RuleFigures {
		return ledger.RuleFigures{
			Namespace: tenant, Rule: rule, RuleVersion: version, Hour: at,
			Evaluations: evaluations, Refusals: refusals, ShadowRefusals: shadow, Overrides: overrides,
		}
	}
	t.Run("what is added is summed up, by rule and version, most refusals first", func(t *testing.T) {
		b := open(t, fresh)
		elsewhere := figures("a", 1, hour, 100, 100, 100, 100)
		elsewhere.Namespace = other
		addFigures(t, b.engine, figures("a", 1, hour, 5, 1, 2, 3), figures("b", 1, hour, 9, 7, 0, 0), figures("a", 1, hour, 10, 1, 1, 1), elsewhere)
		addFigures(t, b.engine, figures("a", 1, hour, 5, 2, 0, 0), figures("a", 2, hour, 1, 1, 0, 0),
			figures("a", 1, hour.Add(90*time.Minute), 1, 1, 0, 0), figures("a", 1, hour.Add(-time.Minute), 1000, 1000, 0, 0))
		addFigures(t, b.engine)
		same(t, "all", sumFigures(t, b.engine, hour.Add(10*time.Minute), ""), []ledger.RuleFigures{
			figures("b", 1, hour, 9, 7, 0, 0), figures("a", 1, hour, 21, 5, 3, 4), figures("a", 2, hour, 1, 1, 0, 0),
		})
		later := hour.Add(time.Hour)
		same(t, "of one rule, later", sumFigures(t, b.engine, later, "a"), []ledger.RuleFigures{figures("a", 1, later, 1, 1, 0, 0)})
		same(t, "of none", sumFigures(t, b.engine, hour, "c"), []ledger.RuleFigures(nil))
		same(t, "of an impossible one", sumFigures(t, b.engine, hour, "a\x00b"), []ledger.RuleFigures(nil))
	})
	t.Run("what many servers add at once is all there", func(t *testing.T) {
		b := open(t, fresh)
		engines := b.servers(t, 3)
		const writers, additions = 6, 10
		var wait sync.WaitGroup
		for w := range writers {
			wait.Go(func() {
				for range additions {
					// In another order by each, so that two that wait for each other would show.
					list := []ledger.RuleFigures{figures("a", 1, hour, 1, 1, 0, 0), figures("b", 1, hour, 1, 0, 0, 0)}
					if w%2 == 0 {
						list[0], list[1] = list[1], list[0]
					}
					if err := engines[w%len(engines)].AddFigures(t.Context(), list); err != nil {
						t.Errorf("writer %d: %v", w, err)
						return
					}
				}
			})
		}
		wait.Wait()
		const all = writers * additions
		same(t, "sums", sumFigures(t, b.engine, hour, ""), []ledger.RuleFigures{figures("a", 1, hour, all, all, 0, 0), figures("b", 1, hour, all, 0, 0, 0)})
	})
	t.Run("figures without a rule or an hour, or below zero, are refused whole", func(t *testing.T) {
		b := open(t, fresh)
		for what, bad := range map[string]ledger.RuleFigures{
			"no rule": figures("", 1, hour, 1, 0, 0, 0), "no hour": figures("a", 1, time.Time{}, 1, 0, 0, 0), "below zero": figures("a", 1, hour, -1, 0, 0, 0),
		} {
			if err := b.engine.AddFigures(t.Context(), []ledger.RuleFigures{figures("good", 1, hour, 1, 0, 0, 0), bad}); err == nil {
				t.Errorf("%s: added", what)
			}
		}
		same(t, "sums", sumFigures(t, b.engine, hour, ""), []ledger.RuleFigures(nil))
	})
}

func addFigures(t *testing.T, e ledger.Engine, list ...ledger.RuleFigures) {
	t.Helper()
	if err := e.AddFigures(t.Context(), list); err != nil {
		t.Fatal(err)
	}
}

func sumFigures(t *testing.T, e ledger.Engine, from time.Time, rule string) []ledger.RuleFigures {
	t.Helper()
	list, err := e.Figures(t.Context(), tenant, from, rule)
	if err != nil {
		t.Fatal(err)
	}
	return list
}
