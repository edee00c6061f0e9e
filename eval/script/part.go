package script

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/carrier"
	"github.com/opledger/opledger/eval/world"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/inbox"
	"github.com/opledger/opledger/server"
)

// Judge is whoever judges the record that a scenario leaves.
type Judge func(eval.Record) []eval.Finding

// part is one scenario as a part of an evaluation.
type part struct {
	scenario *Scenario
	judge    Judge
}

// Part makes a scenario a part. The judge is asked about each record that the scenario leaves; nil: nobody is.
func Part(s *Scenario, judge Judge) eval.Part { return &part{s, judge} }

// Name implements eval.Part.
func (p *part) Name() string { return "script/" + p.scenario.Name }

// Size implements eval.Part.
func (p *part) Size(eval.Env) int { return p.scenario.Size() }

// Run implements eval.Part.
func (p *part) Run(ctx context.Context, env eval.Env) (*eval.Result, error) {
	began := time.Now()
	result := &eval.Result{Part: p.Name(), Engine: env.Engine, Seed: env.Seed}
	switch {
	case env.Server != "":
		result.Skipped = "a scenario has the time in its hands, which a server that runs already does not give away"
	case !slices.Contains(p.scenario.Engines, env.Engine):
		result.Skipped = fmt.Sprintf("%s is not for %s", p.scenario.File, env.Engine)
	}
	if result.Skipped != "" {
		env.Step(p.scenario.Size())
		return result, nil
	}
	findings, err := p.run(ctx, env)
	if err != nil {
		return nil, fmt.Errorf("%s on %s: %w", p.Name(), env.Engine, err)
	}
	result.Findings, result.TookMS = findings, time.Since(began).Milliseconds()
	return result, nil
}

func (p *part) run(ctx context.Context, env eval.Env) (findings []eval.Finding, err error) {
	var defects []error
	options := world.Options{
		Engine: env.Engine, DatabaseURL: env.DatabaseURL, Dir: env.Dir, Seed: env.Seed, Callers: p.scenario.authenticator(),
		Defect: func(err error) { defects = append(defects, err) },
	}
	if p.scenario.Webhooks != "" {
		sources, err := inbox.Parse(p.scenario.File, []byte(p.scenario.Webhooks), inbox.Options{Unsigned: true})
		if err != nil {
			return nil, err
		}
		options.Inbox = server.Inbox{Sources: func() *inbox.Sources { return sources }}
	}
	c, err := carrier.New()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	options.Adapter = c
	w, err := world.Open(ctx, options)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	r, err := newRunner(p.scenario, w, env.Engine)
	if err != nil {
		return nil, err
	}
	c.Enter(w, outside{r})
	if err := r.applyTools(ctx); err != nil {
		return nil, err
	}
	if err := r.play(ctx, env); err != nil {
		return nil, err
	}
	return p.found(ctx, r, defects)
}

// found gathers what is wrong: an expectation that did not come true, a server's own defect, and what the judge says.
func (p *part) found(ctx context.Context, r *runner, defects []error) ([]eval.Finding, error) {
	var all []eval.Finding
	finding := func(checker, message string) {
		all = append(all, eval.Finding{
			Checker: checker, Dimension: p.scenario.Dimension, Part: p.Name(), Message: message, History: r.history,
			Replay: p.replay(r),
		})
	}
	if m := r.missed; m != nil {
		finding("expect", (&Fault{p.scenario.File, m.Line, m.Message}).Error())
	}
	for _, d := range defects {
		finding("expect", "the server reports a defect of its own: "+d.Error())
	}
	if p.judge == nil || r.stopped() {
		return all, nil
	}
	if err := r.aftermath(ctx); err != nil {
		return nil, err
	}
	records, err := r.records(ctx)
	for _, record := range records {
		for _, f := range p.judge(record) {
			f.Part, f.Dimension, f.Replay = p.Name(), p.scenario.Dimension, p.replay(r)
			f.WithSteps(r.history)
			all = append(all, f)
		}
	}
	return all, err
}

// replay is the command that shows a finding again.
func (p *part) replay(r *runner) string {
	return fmt.Sprintf("opledger eval --scenario %s --engine %s", p.Name(), r.engine)
}

// lapses are how long the world runs on behind the last step, with nobody in it but the ledger's own due work.
var lapses = []time.Duration{time.Minute, 10 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour, 7 * 24 * time.Hour, 60 * 24 * time.Hour}

// aftermath lets what the scenario left open come to its end, as it does when everybody has gone: the judge asks of every
// operation that it ends known, or before a person.
func (r *runner) aftermath(ctx context.Context) error {
	for _, d := range lapses {
		r.world.Pass(d)
		if err := r.world.Settle(ctx); err != nil {
			return err
		}
	}
	return nil
}

// play does the steps, and looks at the end.
func (r *runner) play(ctx context.Context, env eval.Env) error {
	for _, s := range r.scenario.Steps {
		if err := r.steps(ctx, []*Step{s}); err != nil {
			return err
		}
		env.Step(1)
		if r.stopped() {
			return nil
		}
	}
	if r.scenario.finally == nil {
		return nil
	}
	err := (&final{scenario: r.scenario, labels: r.labels, runner: r}).hold(ctx, r.scenario.finally)
	var missed *mismatch
	if errors.As(err, &missed) {
		r.missed = missed
		return nil
	}
	return in(r.scenario.File, err)
}

// applyTools applies what the scenario starts with, in every namespace that its callers have, as whoever may. Where no
// caller of a namespace administers, the first step that needs a tool says so.
func (r *runner) applyTools(ctx context.Context) error {
	for _, who := range r.administrators() {
		for _, tool := range r.scenario.Tools {
			req := &pb.ApplyToolRequest{RequestId: r.newID(), Definition: tool}
			if err := r.ask(ctx, who, "RegistryService/ApplyTool", req, &pb.ApplyToolResponse{}); err != nil {
				return fmt.Errorf("%s: the tool %s is refused: %w", r.scenario.File, tool.Name, err)
			}
		}
	}
	return nil
}
