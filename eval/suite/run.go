package suite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/report"
)

// Options say how a plan is carried out.
type Options struct {
	// For is how long rounds go on; zero: each part is done once. A round that has begun is ended.
	For time.Duration
	// Now is the real time.
	Now func() time.Time
	// OnStep is told of progress, one call at a time: the number of steps that are done, of those that are foreseen, and
	// what is being done. It may be nil.
	OnStep func(done, all int, part string)
}

// Outcome is what came of a plan.
type Outcome struct {
	Results []*eval.Result
	Broken  []report.Broken
	// Stopped: the context ended before everything had been done.
	Stopped bool
}

// Run does the parts of a plan in their order, those of one group side by side as far as the group allows. A part that
// cannot be done does not keep the others from being done.
func Run(ctx context.Context, plan Plan, env eval.Env, o Options) Outcome {
	p := &progress{report: o.OnStep}
	p.foresee(plan, env)
	began := o.Now()
	var out Outcome
	out.round(ctx, plan, env, 0, p)
	for round := uint64(1); o.For > 0 && !out.Stopped; round++ {
		again := plan.Drawn()
		if len(again) == 0 || o.Now().Sub(began) >= o.For {
			break
		}
		next := env
		next.Seed += round
		p.foresee(again, next)
		out.round(ctx, again, next, round, p)
	}
	return out
}

// progress sums the steps of parts.
type progress struct {
	mu        sync.Mutex
	done, all int
	report    func(done, all int, part string)
}

// foresee adds what parts will do.
func (p *progress) foresee(plan Plan, env eval.Env) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, part := range plan.Parts() {
		p.all += max(part.Size(env), 1)
	}
}

func (p *progress) step(n int, part string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done += n; p.report != nil {
		p.report(p.done, p.all, part)
	}
}

// round does every part once.
func (out *Outcome) round(ctx context.Context, plan Plan, env eval.Env, number uint64, p *progress) {
	for _, group := range plan {
		results, failures := make([]*eval.Result, len(group.Parts)), make([]error, len(group.Parts))
		var side errgroup.Group
		side.SetLimit(max(group.AtOnce, 1))
		for i, part := range group.Parts {
			side.Go(func() error {
				if ctx.Err() == nil {
					results[i], failures[i] = one(ctx, part, env, number, p)
				}
				return nil
			})
		}
		_ = side.Wait() // no function of the group fails
		for i, part := range group.Parts {
			switch {
			case ctx.Err() != nil && (failures[i] != nil || results[i] == nil):
				out.Stopped = true
				out.Broken = append(out.Broken, report.Broken{Part: part.Name(), Error: "stopped before it was done"})
				continue
			case failures[i] != nil:
				out.Broken = append(out.Broken, report.Broken{Part: part.Name(), Error: failures[i].Error()})
			case results[i] == nil:
				out.Broken = append(out.Broken, report.Broken{Part: part.Name(), Error: "it gave no result"})
			}
			if results[i] != nil {
				out.Results = append(out.Results, results[i]) // also of a part that broke: what it found is found
			}
		}
	}
}

// one does a part in a folder of its own. What panics in it is a fault of that part.
func one(ctx context.Context, part eval.Part, env eval.Env, number uint64, p *progress) (result *eval.Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	env.Dir = filepath.Join(env.Dir, folder(part.Name(), number))
	if err := os.MkdirAll(env.Dir, 0o700); err != nil {
		return nil, err
	}
	size, stepped := max(part.Size(env), 1), 0
	var mu sync.Mutex
	env.Progress = func(n int) {
		mu.Lock()
		n = min(n, size-stepped) // a part that reports more than it foresaw does not run ahead
		stepped += n
		mu.Unlock()
		p.step(n, part.Name())
	}
	p.step(0, part.Name())
	result, err = part.Run(ctx, env)
	mu.Lock()
	left := size - stepped
	stepped = size
	mu.Unlock()
	p.step(left, part.Name())
	return result, err
}

// folder names the folder of a part's round.
func folder(part string, round uint64) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, part)
	if round > 0 {
		name += fmt.Sprintf("-%d", round+1)
	}
	return name
}
