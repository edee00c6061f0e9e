package crowd

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/check"
	"github.com/opledger/opledger/eval/provider"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
)

const (
	// sceneSize is how many intents the crowd pursues at once, and turnsPerIntent how many things are done to each before
	// it is led to its end.
	sceneSize, turnsPerIntent = 40, 60
	// stride is how many turns make a step of progress.
	stride = 25
	// farewell bounds what is done when an evaluation has ended or was stopped.
	farewell = 10 * time.Second
)

// Operations is the part in which agents pursue business intents, so many of them; scene after scene.
type Operations struct{ Intents int }

// Name implements eval.Part.
func (o Operations) Name() string { return "crowd/operations" }

// Size implements eval.Part.
func (o Operations) Size(env eval.Env) int {
	size := 0
	for _, n := range o.scenes(env) {
		size += callers*turns(n)/stride + n
	}
	return size
}

// scenes are the numbers of intents of each.
func (o Operations) scenes(env eval.Env) (sizes []int) {
	left := o.Intents
	if env.Runs > 0 {
		left = env.Runs
	}
	for ; left > 0; left -= sceneSize {
		sizes = append(sizes, min(left, sceneSize))
	}
	return sizes
}

// turns are those of each agent in a scene of so many intents.
func turns(intents int) int { return (intents*turnsPerIntent + callers - 1) / callers }

// Run implements eval.Part.
func (o Operations) Run(ctx context.Context, env eval.Env) (result *eval.Result, err error) {
	began := time.Now()
	result = &eval.Result{
		Part: o.Name(), Engine: env.Engine, Seed: env.Seed, Checked: []string{"effects", "history", "ends", "answers", "wording", "linearizability"},
	}
	s, err := open(ctx, env)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := applyTools(ctx, s.conn); err != nil {
		return result, s.trouble(err)
	}
	if s.given != "" {
		defer func() {
			after, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
			defer cancel()
			err = errors.Join(err, s.trouble(disableTools(after, s.conn)))
		}()
	}
	t := newTally()
	for n, size := range o.scenes(env) {
		found, err := play(ctx, env, s, env.Seed+uint64(n)<<32, size, t)
		result.Findings = append(result.Findings, signed(found, o.Name(), env)...)
		if err != nil {
			return result, err
		}
	}
	result.Figures, result.Drawn, result.TookMS = []eval.Figures{t.figures()}, t.drawn, time.Since(began).Milliseconds()
	result.Notes = append(result.Notes, t.calls("agents"), t.ordered.String(),
		fmt.Sprintf("operations: %d; permits that ended by themselves: %d", t.operations, t.expired))
	if s.given != "" && t.NeedsHuman > 0 {
		result.Notes = append(result.Notes, fmt.Sprintf("operations of the evaluation that wait for a person at the server: %d (opledger ops list --needs-human)", t.NeedsHuman))
	}
	return result, nil
}

// play lets the crowd pursue one scene's intents, leads each to its end, and judges what came of it.
func play(ctx context.Context, env eval.Env, s *site, seed uint64, size int, t *tally) ([]eval.Finding, error) {
	mark := uuid.NewString()[:8]
	scene := &scene{
		mark: mark, intents: draw(seed, size, mark), record: check.NewRecorder(time.Now),
		provider: provider.New(provider.Options{Clock: time.Now, Profile: stated}),
	}
	if err := s.admit(ctx, scene.intents); err != nil {
		return nil, err
	}
	b := &books{scene: scene, api: pb.NewOperationServiceClient(s.conn), began: time.Now()}
	err := s.admitted(ctx, func(ctx context.Context) error { return scene.act(ctx, env, s, seed) })
	if b.calls = scene.record.Calls(); err != nil {
		return nil, err
	}
	scene.awaitProvider(ctx)
	records, err := b.records(ctx)
	if err != nil {
		return nil, s.trouble(err)
	}
	t.call(b.calls)
	t.costs = append(t.costs, scene.costs...)
	found := t.order(b.calls)
	for _, r := range records {
		t.add(r)
		for _, judge := range []func(eval.Record) []eval.Finding{check.Effects, check.History, check.Ends, check.Answers, check.Wording} {
			found = append(found, judge(r)...)
		}
	}
	return append(found, check.Together(records)...), nil
}

// act lets every agent take its turns at once, and then lead intents to their end.
func (sc *scene) act(ctx context.Context, env eval.Env, s *site, seed uint64) error {
	var agents []*agent
	for n := range callers {
		c, err := s.meet(n, sc.mark, seed, sc.record)
		if err != nil {
			return err
		}
		defer func() { _ = c.conn.Close() }()
		agents = append(agents, &agent{caller: c, scene: sc, api: pb.NewOperationServiceClient(c.conn)})
	}
	all := make(chan *intent, len(sc.intents))
	for _, i := range sc.intents {
		all <- i
	}
	close(all)
	var acting, settling sync.WaitGroup
	for _, a := range agents {
		acting.Go(func() {
			for n := 1; n <= turns(len(sc.intents)) && ctx.Err() == nil; n++ {
				a.turn(ctx)
				if n%stride == 0 {
					env.Step(1)
				}
			}
		})
	}
	acting.Wait()
	ends, cancel := context.WithTimeout(ctx, settleWithin)
	defer cancel()
	for _, a := range agents {
		settling.Go(func() {
			for i := range all {
				a.settle(ends, i)
				env.Step(1)
			}
		})
	}
	settling.Wait()
	return nil
}

// awaitProvider waits until nothing is on its way to a commit any more.
func (sc *scene) awaitProvider(ctx context.Context) {
	for sc.provider.Counts().Late > 0 && ctx.Err() == nil {
		pause(ctx, shortest)
	}
}
