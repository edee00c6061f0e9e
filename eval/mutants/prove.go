package mutants

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/opledger/opledger/eval/report"
)

// Outcome is what became of one mutant.
type Outcome struct {
	Mutant *Mutant
	Caught bool
	// Noticed is what the checker said, of one that was caught; Why it counts as survived, of one that was not.
	Noticed, Why string
	Took         time.Duration
}

// Prover tries mutants.
type Prover struct {
	Builder
	Run
	Parallel int
	// Told is called with each outcome as soon as it is known, from one goroutine at a time. It may be nil.
	Told func(Outcome)

	mu    sync.Mutex
	plain string // the program without a mutation
	once  map[string]*passed
}

// passed is a scenario's run without a mutation, which mutants of the same one share.
type passed struct {
	sync.Once
	why string // it does not pass; empty: it does
}

// Prove tries each mutant, and answers the outcomes in their order. The error is of the prover: it could not try.
func (p *Prover) Prove(ctx context.Context, all []Mutant) ([]Outcome, error) {
	p.once = map[string]*passed{}
	var err error
	if p.plain, err = p.Build(ctx, "plain", true, AssertionsOff); err != nil {
		return nil, fmt.Errorf("without a mutation: %w", err)
	}
	outcomes := make([]Outcome, len(all))
	turns := make(chan struct{}, max(p.Parallel, 1))
	var tried sync.WaitGroup
	for i := range all {
		turns <- struct{}{}
		tried.Go(func() {
			defer func() { <-turns }()
			began := time.Now()
			outcomes[i] = p.try(ctx, &all[i])
			outcomes[i].Took = time.Since(began)
			p.tell(outcomes[i])
		})
	}
	tried.Wait()
	return outcomes, ctx.Err()
}

// Check builds each mutant and runs nothing, so that one that no longer applies or compiles is found within a minute.
func (p *Prover) Check(ctx context.Context, all []Mutant) []Outcome {
	outcomes := make([]Outcome, len(all))
	for i := range all {
		began := time.Now()
		outcomes[i] = Outcome{Mutant: &all[i], Caught: true, Noticed: "it applies and builds"}
		program, err := p.Build(ctx, all[i].Name, false, AssertionsOff, all[i].Name)
		if err != nil {
			outcomes[i] = Outcome{Mutant: &all[i], Why: err.Error()}
		}
		_ = os.Remove(program)
		outcomes[i].Took = time.Since(began)
		p.tell(outcomes[i])
	}
	return outcomes
}

func (p *Prover) tell(o Outcome) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.Told != nil {
		p.Told(o)
	}
}

// try builds one mutant and runs its scenario with it and without it.
func (p *Prover) try(ctx context.Context, m *Mutant) Outcome {
	survived := func(format string, args ...any) Outcome {
		return Outcome{Mutant: m, Why: fmt.Sprintf(format, args...)}
	}
	if m.Engine == "postgresql" && p.DatabaseURL == "" {
		return survived("there is no PostgreSQL to try it on")
	}
	program, err := p.Build(ctx, m.Name, m.Scenario == smallWorld, AssertionsOff, m.Name)
	if err != nil {
		return survived("%v", err)
	}
	defer func() { _ = os.Remove(program) }()
	if why := p.passes(ctx, m); why != "" {
		return survived("without the mutation the scenario does not pass: %s", why)
	}
	found, err := p.Evaluate(ctx, program, m)
	if err != nil {
		return survived("%v", err)
	}
	if noticed := m.Noticed(found); noticed != "" {
		return Outcome{Mutant: m, Caught: true, Noticed: noticed}
	}
	return survived("%s", m.Others(found))
}

// passes runs the scenario without the mutation, and says why it does not pass; empty: it does.
func (p *Prover) passes(ctx context.Context, m *Mutant) string {
	p.mu.Lock()
	before := p.once[m.trial()]
	if before == nil {
		before = &passed{}
		p.once[m.trial()] = before
	}
	p.mu.Unlock()
	before.Do(func() {
		found, err := p.Evaluate(ctx, p.plain, m)
		switch {
		case err != nil:
			before.why = err.Error()
		case found.Verdict != report.Passed:
			before.why = m.Noticed(found) + " " + m.Others(found)
		}
	})
	return before.why
}
