package campaign

import (
	"context"

	"github.com/opledger/opledger/eval"
)

// shrink looks for the shortest run that shows the same finding: it plays the run alone, and again with one fault or one
// actor less, for as long as the finding stays. What it finds is the finding's history.
func (c *Campaign) shrink(ctx context.Context, env eval.Env, f *eval.Finding) {
	r := One(f.Run)
	history, stays := c.shows(ctx, env, r, f)
	if !stays {
		return // it needs what is played beside it
	}
	f.History = history
	for again := true; again && ctx.Err() == nil; {
		again = false
		for _, less := range simpler(r) {
			if history, stays := c.shows(ctx, env, less, f); stays {
				r, f.History, again = less, history, true
				break
			}
		}
	}
}

// shows plays a run alone, and reports whether the same checker finds something of the same kind, with the history of that.
func (c *Campaign) shows(ctx context.Context, env eval.Env, r Run, f *eval.Finding) (history []string, stays bool) {
	o, err := c.alone(ctx, env, r)
	if err != nil {
		return nil, false
	}
	for _, found := range c.findings(o) {
		if found.Checker == f.Checker && found.Dimension == f.Dimension {
			return found.History, true
		}
	}
	return nil, false
}

// alone plays one run in a world of its own, with the run beside it, if it has one.
func (c *Campaign) alone(ctx context.Context, env eval.Env, r Run) (o outcome, err error) {
	left := r.party()
	err = c.inWorld(ctx, env, func(s *stage) error {
		return s.playAll(func() ([]Run, bool) {
			party := left
			left = nil
			return party, party != nil
		}, func(over outcome) {
			if over.run.Seed == r.Seed {
				o = over
			}
		})
	})
	return o, err
}

// simpler lists the runs that have none beside them, one fault less, or a plain agent in place of another.
func simpler(r Run) []Run {
	var list []Run
	with := func(change func(*Run)) {
		less := r
		less.Provider = append([]eval.Fault(nil), r.Provider...)
		change(&less)
		list = append(list, less)
	}
	if r.Beside != 0 {
		with(func(l *Run) { l.Beside = 0 })
	}
	if r.Process != "" {
		with(func(l *Run) { l.Process = "" })
	}
	for i, f := range r.Provider {
		if f != eval.NoFault {
			with(func(l *Run) { l.Provider[i] = eval.NoFault })
		}
	}
	if r.Agent != RetryLoop {
		with(func(l *Run) { l.Agent = RetryLoop })
	}
	if r.Broken != "" {
		with(func(l *Run) { l.Broken = "" })
	}
	return list
}
