package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/world"
)

const (
	// wholeCampaign is how many runs meet every fault often enough in each class, and leastDrawn how often that is.
	wholeCampaign, leastDrawn = 10_000, 100
	// mostFindings bounds what one campaign keeps, and mostShrunk how many of these are made as short as they can be.
	mostFindings, mostShrunk = 50, 3
)

// Judge is the checkers, which judge one run's record.
type Judge func(eval.Record) []eval.Finding

// Campaign is a part that plays drawn runs.
type Campaign struct {
	// Worlds is how many worlds the runs are spread over; zero: one for each processor. It makes no difference to a run.
	Worlds int
	suite  Suite
	runs   int
	judge  Judge
	// between stands between the runs and their ledger; nil: nothing does. Tests break answers there.
	between func(grpc.ClientConnInterface) grpc.ClientConnInterface
}

// A is the campaign in which the profiles keep what they say: no duplicate, no lost effect.
func A(runs int, judge Judge) *Campaign { return &Campaign{suite: Keeps, runs: runs, judge: judge} }

// B is the campaign that breaks one promise of a profile in each run: what the ledger hears of must be noticed.
func B(runs int, judge Judge) *Campaign { return &Campaign{suite: Breaks, runs: runs, judge: judge} }

// Name implements eval.Part.
func (c *Campaign) Name() string { return "campaign/" + string(c.suite) }

// Size implements eval.Part: a step for each run.
func (c *Campaign) Size(env eval.Env) int { return len(c.drawn(env)) }

// drawn are the runs that are to be played.
func (c *Campaign) drawn(env eval.Env) []Run {
	if env.Only != 0 {
		return []Run{One(env.Only)}
	}
	n := c.runs
	if env.Runs > 0 {
		n = env.Runs
	}
	return Draw(env.Seed, n, c.suite)
}

// Run implements eval.Part.
func (c *Campaign) Run(ctx context.Context, env eval.Env) (*eval.Result, error) {
	began := time.Now()
	result := &eval.Result{Part: c.Name(), Engine: env.Engine, Seed: env.Seed}
	runs := c.drawn(env)
	switch {
	case env.Server != "":
		result.Skipped = "The runs are played on virtual time, which a server that is given does not have."
		return result, nil
	case env.Only != 0 && runs[0].Suite != c.suite:
		result.Skipped = fmt.Sprintf("The run %d belongs to the other campaign.", env.Only)
		return result, nil
	}
	g := newGathering(c, env)
	err := c.spread(ctx, env, runs, g)
	g.finish(ctx, result, len(runs))
	result.TookMS = time.Since(began).Milliseconds()
	return result, err
}

// spread plays the runs in several worlds, each in a goroutine of its own.
func (c *Campaign) spread(ctx context.Context, env eval.Env, runs []Run, g *gathering) error {
	all, counted := parties(runs)
	worlds := min(len(all), c.Worlds)
	if c.Worlds == 0 {
		worlds = min((len(runs)+atOnce-1)/atOnce, runtime.GOMAXPROCS(0))
	}
	var next atomic.Int64
	take := func() ([]Run, bool) {
		i := next.Add(1) - 1
		if i >= int64(len(all)) {
			return nil, false
		}
		return all[i], true
	}
	errs := make([]error, worlds)
	var playing sync.WaitGroup
	for i := range worlds {
		playing.Go(func() {
			errs[i] = c.inWorld(ctx, env, func(s *stage) error {
				before, err := s.world.Stored(ctx)
				if err != nil {
					return err
				}
				found, err := s.playParties(take, counted, g.over)
				if err != nil {
					return err
				}
				g.together(found)
				after, err := s.world.Stored(ctx)
				g.stored(after.Less(before))
				return err
			})
		})
	}
	playing.Wait()
	return errors.Join(errs...)
}

// inWorld opens a world of its own for what is done in it.
func (c *Campaign) inWorld(ctx context.Context, env eval.Env, do func(*stage) error) (err error) {
	dir, err := os.MkdirTemp(env.Dir, "campaign-")
	if err != nil {
		return err
	}
	s, err := openStage(ctx, world.Options{Engine: env.Engine, DatabaseURL: env.DatabaseURL, Dir: dir, Seed: env.Seed, SteadyJitter: true}, c.between)
	if err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	return errors.Join(do(s), s.close(), os.RemoveAll(dir))
}

// replayCommand shows one run again, with the one beside it, or, where the finding is of several runs, all of them.
func (c *Campaign) replayCommand(env eval.Env, run uint64, runs int) string {
	text := fmt.Sprintf("opledger eval --suite %s", c.suite)
	if run != 0 {
		text += fmt.Sprintf(" --run %d", run)
	} else {
		text += fmt.Sprintf(" --seed %d --runs %d", env.Seed, runs)
	}
	if env.Engine != world.SQLite {
		text += " --engine " + env.Engine
	}
	return text
}
