//go:build unix

package storm

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/opledger/opledger/eval"
)

// side is how many rounds are played side by side: they wait for permits to end, most of the time.
const side = 3

// Run implements eval.Part.
func (p Part) Run(ctx context.Context, env eval.Env) (*eval.Result, error) {
	began := time.Now()
	result := &eval.Result{Part: p.Name(), Engine: env.Engine, Seed: env.Seed}
	if env.Server != "" {
		result.Skipped = "processes are killed only where the evaluation has started them itself"
		return result, nil
	}
	rounds := p.rounds(env.Seed)
	var mu sync.Mutex
	var players sync.WaitGroup
	next, failed := 0, error(nil)
	known, people := 0, 0
	for range side {
		players.Go(func() {
			for {
				mu.Lock()
				if next >= len(rounds) || failed != nil {
					mu.Unlock()
					return
				}
				r := rounds[next]
				next++
				mu.Unlock()
				records, err := play(ctx, env, r)
				mu.Lock()
				if err != nil && failed == nil {
					failed = fmt.Errorf("round %s: %w", r, err)
				}
				for _, record := range records {
					if record.Operations[0].NeedsHuman != nil {
						people++
					} else {
						known++
					}
					result.Findings = append(result.Findings, p.judge(r, env, record)...)
				}
				mu.Unlock()
				env.Step(1)
			}
		})
	}
	players.Wait()
	result.TookMS = time.Since(began).Milliseconds()
	result.Notes = append(result.Notes, fmt.Sprintf("%d rounds of %d: each step of an operation's life, each process, killed and frozen; %d operations ended known, %d with a person",
		len(rounds), len(Rounds()), known, people))
	return result, failed
}

// judge tells what is wrong with a record, and how it is shown again.
func (p Part) judge(r Round, env eval.Env, record eval.Record) []eval.Finding {
	findings := p.Judge(record)
	for i := range findings {
		findings[i].Part = p.Name()
		findings[i].History = append([]string{"round " + r.String()}, findings[i].History...)
		findings[i].Replay = fmt.Sprintf("opledger eval --scenario storm/%s --engine %s", r, env.Engine)
	}
	return findings
}
