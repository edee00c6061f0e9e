package suite

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/opledger/opledger/eval"
)

// stub is a part that does what its test says.
type stub struct {
	name string
	size int
	run  func(ctx context.Context, env eval.Env) (*eval.Result, error)
}

func (s stub) Name() string      { return s.name }
func (s stub) Size(eval.Env) int { return s.size }
func (s stub) Run(ctx context.Context, env eval.Env) (*eval.Result, error) {
	if s.run == nil {
		return &eval.Result{Part: s.name, Seed: env.Seed}, nil
	}
	return s.run(ctx, env)
}

// clock is a time that goes on by a second whenever it is asked for.
func clock() func() time.Time {
	now := time.Unix(0, 0)
	return func() time.Time { now = now.Add(time.Second); return now }
}

func parts(r Outcome) (names []string) {
	for _, result := range r.Results {
		names = append(names, result.Part)
	}
	return names
}

func TestAPartThatCannotBeDoneKeepsNoOtherFromBeingDone(t *testing.T) {
	plan := Plan{{Parts: []eval.Part{
		stub{name: "breaks", run: func(context.Context, eval.Env) (*eval.Result, error) { return nil, errors.New("no database") }},
		stub{name: "panics", run: func(context.Context, eval.Env) (*eval.Result, error) { panic("a nil map") }},
		stub{name: "nothing", run: func(context.Context, eval.Env) (*eval.Result, error) { return nil, nil }},
	}}, {Parts: []eval.Part{stub{name: "works"}}}}
	out := Run(t.Context(), plan, eval.Env{Dir: t.TempDir()}, Options{Now: clock()})
	if got := parts(out); !slices.Equal(got, []string{"works"}) || out.Stopped {
		t.Errorf("done are %v, stopped %v", got, out.Stopped)
	}
	for i, want := range []string{"no database", "panic: a nil map", "it gave no result"} {
		if i >= len(out.Broken) || !strings.Contains(out.Broken[i].Error, want) {
			t.Fatalf("broken are %v", out.Broken)
		}
	}
}

func TestPartsOfAGroupAreDoneSideBySideAndToldInTheirOrder(t *testing.T) {
	var now, most atomic.Int64
	both := make(chan struct{})
	var group []eval.Part
	for _, name := range []string{"a", "b", "c", "d"} {
		group = append(group, stub{name: name, run: func(context.Context, eval.Env) (*eval.Result, error) {
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
				if n == 2 {
					close(both)
				}
			}
			<-both // the first two meet here; alone, one would wait for ever
			now.Add(-1)
			return &eval.Result{Part: name}, nil
		}})
	}
	out := Run(t.Context(), Plan{{Parts: group, AtOnce: 2}}, eval.Env{Dir: t.TempDir()}, Options{Now: clock()})
	if got := parts(out); !slices.Equal(got, []string{"a", "b", "c", "d"}) || most.Load() != 2 {
		t.Errorf("done are %v, at most %d at once", got, most.Load())
	}
}

func TestRoundsGoOnForAsLongAsTold(t *testing.T) {
	plan := Plan{{Parts: []eval.Part{stub{name: "exact"}}}, {Parts: []eval.Part{stub{name: "drawn"}}, Drawn: true}}
	out := Run(t.Context(), plan, eval.Env{Seed: 40, Dir: t.TempDir()}, Options{Now: clock(), For: 3 * time.Second})
	var seeds []uint64
	for _, r := range out.Results {
		if r.Part == "drawn" {
			seeds = append(seeds, r.Seed)
		}
	}
	if !slices.Equal(seeds, []uint64{40, 41, 42}) || len(out.Results) != 4 {
		t.Errorf("seeds are %v of %v", seeds, parts(out))
	}
	if out := Run(t.Context(), plan[:1], eval.Env{Dir: t.TempDir()}, Options{Now: clock(), For: time.Hour}); len(out.Results) != 1 {
		t.Errorf("what is not drawn was done %d times", len(out.Results))
	}
}

func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	plan := Plan{{Parts: []eval.Part{
		stub{name: "first"},
		stub{name: "second", run: func(ctx context.Context, _ eval.Env) (*eval.Result, error) { cancel(); return nil, ctx.Err() }},
		stub{name: "third"},
	}}}
	out := Run(ctx, plan, eval.Env{Dir: t.TempDir()}, Options{Now: clock(), For: time.Hour})
	if !out.Stopped || !slices.Equal(parts(out), []string{"first"}) || len(out.Broken) != 2 || !strings.Contains(out.Broken[1].Error, "stopped") {
		t.Errorf("got %+v", out)
	}
}

func TestProgressEndsAtTheWhole(t *testing.T) {
	steps := func(n int) stub {
		return stub{size: 10, run: func(_ context.Context, env eval.Env) (*eval.Result, error) {
			var all sync.WaitGroup
			for range n {
				all.Go(func() { env.Step(1) })
			}
			all.Wait()
			return &eval.Result{}, nil
		}}
	}
	more, fewer, none := steps(17), steps(3), stub{name: "none"}
	more.name, fewer.name = "more", "fewer"
	last, all := 0, 0
	out := Run(t.Context(), Plan{{Parts: []eval.Part{more, fewer, none}}}, eval.Env{Dir: t.TempDir()}, Options{Now: clock(), OnStep: func(d, a int, _ string) {
		last, all = d, a
	}})
	if len(out.Results) != 3 || last != 21 || all != 21 {
		t.Errorf("ended at %d of %d", last, all)
	}
}

func TestEachPartAndRoundHasAFolderOfItsOwn(t *testing.T) {
	var dirs []string
	part := stub{name: "script/fc-1 ../x", run: func(_ context.Context, env eval.Env) (*eval.Result, error) {
		info, err := os.Stat(env.Dir)
		if err != nil || !info.IsDir() {
			t.Errorf("%s: %v", env.Dir, err)
		}
		dirs = append(dirs, env.Dir)
		return &eval.Result{}, nil
	}}
	root := t.TempDir()
	Run(t.Context(), Plan{{Parts: []eval.Part{part}, Drawn: true}}, eval.Env{Dir: root}, Options{Now: clock(), For: 2 * time.Second})
	if len(dirs) != 2 || dirs[0] != root+"/script-fc-1----x" || dirs[1] != dirs[0]+"-2" {
		t.Errorf("folders are %v", dirs)
	}
}
