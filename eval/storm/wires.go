//go:build unix

package storm

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/internal/wirefault"
)

// fault is something that the database's wire does, and to how many statements of a thousand.
type fault struct {
	name     string
	match    wirefault.Match
	thousand int
	action   wirefault.Action
}

// faults are those of the database's wire. What the codes mean to an application:
// https://www.cockroachlabs.com/docs/stable/common-errors and https://www.postgresql.org/docs/current/errcodes-appendix.html
func faults() []fault {
	return []fault{
		{"40001 at a statement", wirefault.Any(), 4, wirefault.Fail("40001")},
		{"40001 at the commit", wirefault.Commit(), 30, wirefault.Fail("40001")},
		{"40003, the commit not applied", wirefault.Commit(), 15, wirefault.Fail("40003")},
		{"40003, the commit applied", wirefault.Commit(), 15, wirefault.FailAfter("40003")},
		{"cut before the commit", wirefault.Commit(), 15, wirefault.Cut()},
		{"cut after the commit", wirefault.Commit(), 15, wirefault.CutAfter()},
		{"a slow answer", wirefault.Any(), 4, wirefault.Delay(100 * time.Millisecond)},
		{"57P01, a drain", wirefault.Any(), 1, wirefault.Terminate("57P01")},
	}
}

// Run implements eval.Part.
func (w Wires) Run(ctx context.Context, env eval.Env) (*eval.Result, error) {
	began := time.Now()
	result := &eval.Result{Part: w.Name(), Engine: env.Engine, Seed: env.Seed}
	if env.Server != "" {
		result.Skipped = "wires fail only where the evaluation has put its own before a server"
		return result, nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience+time.Duration(w.Intents)*time.Second)
	defer cancel()
	f, err := lay(ctx, env, "wires", true)
	if err != nil {
		return nil, err
	}
	defer f.clear()
	injected := f.misbehave(env.Seed)
	refs := make([]string, w.Intents)
	for i := range refs {
		refs[i] = fmt.Sprintf("wires-%d", i)
	}
	agent, err := f.start(ctx, "agent", "", refs...)
	if err != nil {
		return nil, err
	}
	for i := range 2 {
		if _, err := f.start(ctx, fmt.Sprintf("worker_%d", i), ""); err != nil {
			return nil, err
		}
	}
	proposed, err := agent.await(ctx, "proposed", w.Size(env))
	if err != nil {
		return nil, err
	}
	byRef := map[string]map[string]string{}
	for _, line := range proposed {
		if byRef[line[2]] == nil {
			byRef[line[2]] = map[string]string{}
		}
		byRef[line[2]][line[1]] = line[3]
		if _, err := f.await(ctx, line[3], ended); err != nil {
			return nil, err
		}
		env.Step(1)
	}
	for _, i := range injected {
		i.Remove()
	}
	for _, ref := range refs {
		records, err := f.records(ctx, ref, byRef[ref], began)
		if err != nil {
			return nil, err
		}
		for _, record := range records {
			for _, finding := range w.Judge(record) {
				finding.Part = w.Name()
				finding.Replay = fmt.Sprintf("opledger eval --scenario wires --engine %s --seed %d", env.Engine, env.Seed)
				result.Findings = append(result.Findings, finding)
			}
		}
	}
	result.TookMS = time.Since(began).Milliseconds()
	result.Notes = append(result.Notes, f.toldOf(injected))
	return result, nil
}

// misbehave lets the database's wire fail from now on.
func (f *field) misbehave(seed uint64) (injected []*wirefault.Injection) {
	if f.wire == nil {
		return nil
	}
	random := rand.New(rand.NewPCG(seed, 2)) // a proxy asks its rules one at a time
	for _, x := range faults() {
		injected = append(injected, f.wire.Inject(wirefault.Rule{
			Match:  func(s wirefault.Statement) bool { return x.match(s) && random.IntN(1000) < x.thousand },
			Action: x.action,
		}))
	}
	return injected
}

// toldOf says how often each wire failed.
func (f *field) toldOf(injected []*wirefault.Injection) string {
	var words []string
	for i, x := range faults() {
		if i < len(injected) {
			words = append(words, fmt.Sprintf("%s %d", x.name, injected[i].Hits()))
		}
	}
	cuts := int64(0)
	for _, c := range f.cutters {
		cuts += c.cuts.Load()
	}
	words = append(words, fmt.Sprintf("callers' connections cut %d", cuts), fmt.Sprintf("servers' connections to the provider cut %d", f.outward.cuts.Load()))
	return strings.Join(words, "; ")
}
