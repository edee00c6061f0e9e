package smallworld

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/opledger/opledger/eval"
)

// Part searches every world to a depth of steps; zero: each to its own, which takes tens of seconds for all. It needs no
// engine: the core is the same under each.
func Part(depth int) eval.Part { return &part{depth: depth, worlds: worlds} }

type part struct {
	depth  int
	worlds []rules
}

func (p *part) Name() string { return "smallworld" }

func (p *part) Size(eval.Env) int { return len(p.worlds) }

// Run searches the worlds one after the other, each on all processors.
func (p *part) Run(ctx context.Context, env eval.Env) (*eval.Result, error) {
	began := time.Now()
	result := &eval.Result{Part: p.Name(), Engine: env.Engine, Seed: env.Seed}
	total, exhausted := 0, 0
	for _, r := range p.worlds {
		if p.depth > 0 {
			r.depth = p.depth
		}
		s := search{rules: r}
		f, err := s.run(ctx)
		if err != nil {
			return result, fmt.Errorf("the search of %s: %w", r, err)
		}
		total += f.states
		if f.exhausted {
			exhausted++
		}
		result.Notes = append(result.Notes, fmt.Sprintf("%s, up to tick %d: %s", r, r.horizon, f))
		if f.wrong != "" {
			result.Findings = append(result.Findings, p.finding(r, f))
		}
		env.Step(1)
	}
	result.Notes = append(result.Notes, fmt.Sprintf("%d states explored in %d worlds, of which %d were exhausted", total, len(p.worlds), exhausted))
	result.TookMS = time.Since(began).Milliseconds()
	return result, nil
}

// finding is a broken promise with the shortest history that breaks it.
func (p *part) finding(r rules, f *found) eval.Finding {
	promise, _, _ := strings.Cut(f.wrong, ":")
	kind := judged[promise]
	return eval.Finding{
		Checker: kind.checker, Dimension: kind.dimension, Part: p.Name(),
		Message: fmt.Sprintf("%s (in the world of %s, after %d steps)", f.wrong, r, len(f.history)), History: f.history,
	}
}

// judged says which question of an evaluation each promise belongs to.
var judged = map[string]struct {
	checker   string
	dimension eval.Dimension
}{
	"once":          {"effects", eval.RetrySafety},
	"truth":         {"history", eval.WhatIsTold},
	"heed":          {"history", eval.ReplaySafety},
	"one permit":    {"history", eval.ConcurrencySafety},
	"group":         {"history", eval.ConcurrencySafety},
	"lease":         {"history", eval.ConcurrencySafety},
	"fencing":       {"history", eval.ConcurrencySafety},
	"claims":        {"history", eval.ConcurrencySafety},
	"configuration": {"history", eval.ConcurrencySafety},
	"sight":         {"ends", eval.RetrySafety},
	"a way":         {"ends", eval.RetrySafety},
	"defect":        {"history", eval.RetrySafety},
}
