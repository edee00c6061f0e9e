package server

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/policy"
)

// figuresInterval is how often the figures of rules are written. What a killed server had not written is lost: figures are
// for people, and no decision hangs on them.
const figuresInterval = 10 * time.Second

// maxFigures bounds the rows that are kept between two writes: rules of all namespaces, each in an hour or two. Beyond it
// a rule that was not counted yet is not counted until the next write.
const maxFigures = 10_000

// figures count what rules said. Counting takes no time that a call would notice, and waits for no database.
type figures struct {
	engine ledger.Engine
	log    *slog.Logger
	mu     sync.Mutex
	rows   map[figure]*ledger.RuleFigures
	lost   int64 // verdicts that found no room since the last write
	// writing keeps writes apart, so that what is being written is still told of until it is written.
	writing  sync.Mutex
	underway []ledger.RuleFigures
}

// figure names a row.
type figure struct {
	namespace ledger.Namespace
	rule      string
	version   int64
	hour      time.Time
}

func newFigures(engine ledger.Engine, log *slog.Logger) *figures {
	return &figures{engine: engine, log: log, rows: map[figure]*ledger.RuleFigures{}}
}

// count counts the verdicts of one judgement, made at the database's time.
func (f *figures) count(ns ledger.Namespace, at time.Time, verdicts []policy.Verdict) {
	if len(verdicts) == 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range verdicts {
		v := &verdicts[i]
		row := f.row(figure{ns, v.Rule, v.RuleVersion, at.UTC().Truncate(time.Hour)})
		if row == nil {
			f.lost++
			continue
		}
		row.Evaluations++
		switch {
		case v.Outcome == policy.Pass:
		case v.Shadow:
			row.ShadowRefusals++ // also of an approval: in shadow nobody is asked, and nothing else tells of it
		case v.Outcome == policy.Ask: // who asks persons does not refuse
		case v.GrantID != "":
			row.Overrides++
		default:
			row.Refusals++
		}
	}
}

// row finds or makes a row; nil where there is no room for another.
func (f *figures) row(at figure) *ledger.RuleFigures {
	row := f.rows[at]
	if row == nil && len(f.rows) < maxFigures {
		row = &ledger.RuleFigures{Namespace: at.namespace, Rule: at.rule, RuleVersion: at.version, Hour: at.hour}
		f.rows[at] = row
	}
	return row
}

// unwritten are the figures of a namespace that no other server sees yet, from an hour on.
func (f *figures) unwritten(ns ledger.Namespace, from time.Time, rule string) []ledger.RuleFigures {
	f.mu.Lock()
	defer f.mu.Unlock()
	var found []ledger.RuleFigures
	wanted := func(r *ledger.RuleFigures) {
		if r.Namespace == ns && !r.Hour.Before(from.Truncate(time.Hour)) && (rule == "" || r.Rule == rule) {
			found = append(found, *r)
		}
	}
	for _, r := range f.rows {
		wanted(r)
	}
	for i := range f.underway {
		wanted(&f.underway[i])
	}
	return found
}

// write writes what was counted. What could not be written is counted on.
func (f *figures) write(ctx context.Context) {
	f.writing.Lock()
	defer f.writing.Unlock()
	rows, lost := f.take()
	if lost > 0 {
		f.log.WarnContext(ctx, "figures of rules were not counted: there are more rules than a server keeps figures of", "verdicts", lost)
	}
	if len(rows) == 0 {
		return
	}
	err := f.engine.AddFigures(ctx, rows)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.underway = nil
	if err == nil {
		return
	}
	f.log.WarnContext(ctx, "figures of rules could not be written; they are kept until the next time", "error", err)
	for i := range rows {
		r := &rows[i]
		row := f.row(figure{r.Namespace, r.Rule, r.RuleVersion, r.Hour})
		if row == nil {
			f.lost += r.Evaluations
			continue
		}
		addFigures(row, r)
	}
}

// take takes what was counted, to be written.
func (f *figures) take() (rows []ledger.RuleFigures, lost int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range f.rows {
		rows = append(rows, *r)
	}
	lost, f.lost = f.lost, 0
	f.rows, f.underway = map[figure]*ledger.RuleFigures{}, rows
	return rows, lost
}

// run writes at every tick until the context ends.
func (f *figures) run(ctx context.Context, ticks <-chan time.Time) {
	for {
		select {
		case <-ticks:
			f.write(ctx)
		case <-ctx.Done():
			return
		}
	}
}

func addFigures(to, more *ledger.RuleFigures) {
	to.Evaluations += more.Evaluations
	to.Refusals += more.Refusals
	to.ShadowRefusals += more.ShadowRefusals
	to.Overrides += more.Overrides
}
