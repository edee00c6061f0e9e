package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/opledger/opledger/ledger"
	"github.com/opledger/opledger/ledger/litestore"
	"github.com/opledger/opledger/policy"
)

// failing is a real engine that on demand does not take figures, and that tells when it took some.
type failing struct {
	ledger.Engine
	refuse error
	wrote  chan struct{}
}

func (e *failing) AddFigures(ctx context.Context, rows []ledger.RuleFigures) error {
	if e.refuse != nil {
		return e.refuse
	}
	err := e.Engine.AddFigures(ctx, rows)
	if e.wrote != nil {
		e.wrote <- struct{}{}
	}
	return err
}

func openEngine(t *testing.T) *failing {
	t.Helper()
	engine, err := litestore.Open(t.Context(), filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	return &failing{Engine: engine}
}

// written are the figures of noon's hour as they are stored.
func (e *failing) written(t *testing.T) []ledger.RuleFigures {
	t.Helper()
	rows, err := e.Figures(t.Context(), "shop", noon, "")
	if err != nil {
		t.Fatal(err)
	}
	return byRule(rows)
}

var noon = time.Date(2026, 3, 1, 12, 5, 0, 0, time.UTC)

// said is one judgement of every kind of verdict.
var said = []policy.Verdict{
	{Rule: "passed", RuleVersion: 2, Outcome: policy.Pass},
	{Rule: "refused", RuleVersion: 1, Outcome: policy.Denied},
	{Rule: "shadowed", RuleVersion: 1, Outcome: policy.Suppress, Shadow: true},
	{Rule: "overridden", RuleVersion: 1, Outcome: policy.Later, GrantID: "gr_1"},
	{Rule: "asked", RuleVersion: 1, Outcome: policy.Ask},
	{Rule: "ask in shadow", RuleVersion: 1, Outcome: policy.Ask, Shadow: true},
}

func row(rule string, version, evaluations, refusals, shadow, overrides int64) ledger.RuleFigures {
	return ledger.RuleFigures{
		Namespace: "shop", Rule: rule, RuleVersion: version, Hour: noon.Truncate(time.Hour),
		Evaluations: evaluations, Refusals: refusals, ShadowRefusals: shadow, Overrides: overrides,
	}
}

func byRule(rows []ledger.RuleFigures) []ledger.RuleFigures {
	slices.SortFunc(rows, func(a, b ledger.RuleFigures) int { return strings.Compare(a.Rule, b.Rule) })
	return rows
}

// TestFiguresCount holds each kind of verdict against what is counted of it, before and after it is written.
func TestFiguresCount(t *testing.T) {
	engine := openEngine(t)
	f := newFigures(engine, slog.New(slog.DiscardHandler))
	for range 3 {
		f.count("shop", noon, said)
	}
	want := []ledger.RuleFigures{
		row("ask in shadow", 1, 3, 0, 3, 0), row("asked", 1, 3, 0, 0, 0), row("overridden", 1, 3, 0, 0, 3),
		row("passed", 2, 3, 0, 0, 0), row("refused", 1, 3, 3, 0, 0), row("shadowed", 1, 3, 0, 3, 0),
	}
	if got := byRule(f.unwritten("shop", noon.Add(-time.Minute), "")); !slices.Equal(got, want) {
		t.Fatalf("got %+v", got)
	}
	if got := f.unwritten("shop", noon, "refused"); !slices.Equal(got, []ledger.RuleFigures{row("refused", 1, 3, 3, 0, 0)}) {
		t.Fatalf("of one rule: %+v", got)
	}
	for name, got := range map[string][]ledger.RuleFigures{
		"another namespace": f.unwritten("other", noon, ""), "a later hour": f.unwritten("shop", noon.Add(time.Hour), ""),
	} {
		if len(got) != 0 {
			t.Errorf("of %s: %+v", name, got)
		}
	}
	f.write(t.Context())
	for range 2 { // what is written once is not written again
		if got, left := engine.written(t), f.unwritten("shop", noon, ""); !slices.Equal(got, want) || len(left) != 0 {
			t.Fatalf("written are %+v, not written %+v", got, left)
		}
		f.write(t.Context())
	}
}

// TestFiguresThatCannotBeWritten are counted on, and written with the next ones.
func TestFiguresThatCannotBeWritten(t *testing.T) {
	engine := openEngine(t)
	engine.refuse = errors.New("no database")
	f := newFigures(engine, slog.New(slog.DiscardHandler))
	f.count("shop", noon, said[1:2])
	f.write(t.Context())
	f.count("shop", noon, said[1:2])
	want := []ledger.RuleFigures{row("refused", 1, 2, 2, 0, 0)}
	if got := f.unwritten("shop", noon, ""); !slices.Equal(got, want) {
		t.Fatalf("got %+v", got)
	}
	engine.refuse = nil
	f.write(t.Context())
	if got := engine.written(t); !slices.Equal(got, want) {
		t.Fatalf("written are %+v", got)
	}
}

// TestFiguresAreBounded: rules beyond the bound are not counted, those that are counted already are, and the log says so.
func TestFiguresAreBounded(t *testing.T) {
	log := &strings.Builder{}
	engine := openEngine(t)
	f := newFigures(engine, slog.New(slog.NewTextHandler(log, nil)))
	for i := range maxFigures + 7 {
		f.count("shop", noon, []policy.Verdict{{Rule: fmt.Sprintf("rule %d", i), Outcome: policy.Denied}})
	}
	f.count("shop", noon, []policy.Verdict{{Rule: "rule 0", Outcome: policy.Denied}})
	if n := len(f.unwritten("shop", noon, "")); n != maxFigures {
		t.Fatalf("%d rows are kept", n)
	}
	if first := f.unwritten("shop", noon, "rule 0"); first[0].Refusals != 2 {
		t.Fatalf("the first one has %+v", first)
	}
	f.write(t.Context())
	if !strings.Contains(log.String(), "verdicts=7") {
		t.Fatalf("the log says %q", log)
	}
}

// TestFiguresAreWrittenAtEveryTick and not without one.
func TestFiguresAreWrittenAtEveryTick(t *testing.T) {
	engine := openEngine(t)
	engine.wrote = make(chan struct{})
	f := newFigures(engine, slog.New(slog.DiscardHandler))
	ticks, ended := make(chan time.Time), make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		f.run(ctx, ticks)
		close(ended)
	}()
	for range 2 {
		f.count("shop", noon, said)
		ticks <- noon
		<-engine.wrote
	}
	cancel()
	<-ended
	if n := len(engine.written(t)); n != len(said) {
		t.Errorf("%d rules are written", n)
	}
	for _, r := range engine.written(t) {
		if r.Evaluations != 2 {
			t.Errorf("written is %+v", r)
		}
	}
}
