package campaign

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/world"
	"github.com/opledger/opledger/internal/pgtest"
	"github.com/opledger/opledger/registry"
)

// kept collects the histories of runs by their seeds, and judges as the least.
type kept struct {
	mu    sync.Mutex
	steps map[uint64][]string
}

func (k *kept) judge(r eval.Record) []eval.Finding {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.steps == nil {
		k.steps = map[uint64][]string{}
	}
	k.steps[r.Run] = r.Steps
	return judge(r)
}

// played plays a campaign, and fails the test for each finding.
func played(t *testing.T, c *Campaign, env eval.Env) *eval.Result {
	t.Helper()
	if env.Engine == "" {
		env.Engine = world.SQLite
	}
	env.Dir = t.TempDir()
	r, err := c.Run(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		t.Errorf("%s: %s\n%s\n%s", f.Checker, f.Message, strings.Join(f.History, "\n"), f.Replay)
	}
	return r
}

// TestARunIsAFunctionOfItsSeed, whatever runs in the same world: twice, in one world or in three, and alone, with the run
// on its account where there is one.
func TestARunIsAFunctionOfItsSeed(t *testing.T) {
	var first, again, alone kept
	env := eval.Env{Seed: 7}
	one := A(90, first.judge)
	one.Worlds = 1
	played(t, one, env)
	three := A(90, again.judge)
	three.Worlds = 3
	played(t, three, env)
	few := 0
	for _, r := range Draw(7, 90, Keeps) {
		if few++; r.Beside != 0 || few <= 6 {
			played(t, A(1, alone.judge), eval.Env{Only: r.Seed})
		}
	}
	for _, other := range []*kept{&again, &alone} {
		for seed, steps := range other.steps {
			if want := first.steps[seed]; !slices.Equal(steps, want) {
				t.Errorf("run %d had two histories:\n%s\n\n%s", seed, strings.Join(want, "\n"), strings.Join(steps, "\n"))
			}
		}
	}
	if len(first.steps) != 90 || len(again.steps) != 90 || len(alone.steps) < 8 {
		t.Errorf("%d, %d and %d runs", len(first.steps), len(again.steps), len(alone.steps))
	}
}

// TestKeptPromises: where the profiles keep what they say nothing happens twice, on each engine, and loops without a ledger
// show what there was to avoid.
func TestKeptPromises(t *testing.T) {
	for _, engine := range []string{world.SQLite, world.PostgreSQL} {
		t.Run(engine, func(t *testing.T) {
			env := eval.Env{Engine: engine, Seed: 11}
			if engine == world.PostgreSQL {
				env.DatabaseURL = pgtest.NewDatabase(t)
			}
			r := played(t, A(300, judge), env)
			arms := map[eval.Arm]eval.Figures{}
			for _, f := range r.Figures {
				arms[f.Arm] = f
			}
			ledger, naive, keys := arms[eval.Opledger], arms[eval.Naive], arms[eval.VendorKeys]
			if ledger.Duplicates+ledger.Lost+ledger.FalseDedupes != 0 || ledger.Runs != 300 {
				t.Errorf("with a ledger: %+v", ledger)
			}
			if naive.Duplicates < 100 || keys.Duplicates < 50 || keys.Duplicates >= naive.Duplicates {
				t.Errorf("without one: %+v, %+v", naive, keys)
			}
			if ledger.Ambiguous < 100 || ledger.ResolvedAlone < ledger.Ambiguous/2 || ledger.Reconciled == 0 {
				t.Errorf("nothing was in doubt: %+v", ledger)
			}
		})
	}
}

// TestBrokenPromises: what the ledger hears of is noticed.
func TestBrokenPromises(t *testing.T) {
	r := played(t, B(200, nil), eval.Env{Seed: 3})
	f := r.Figures[2]
	if f.Unflagged != 0 {
		t.Errorf("%d duplicates passed without an incident", f.Unflagged)
	}
	if f.Duplicates == 0 || f.Incidents == 0 {
		t.Errorf("nothing was broken: %+v", f)
	}
	for _, class := range registry.Classes {
		for _, broken := range eval.BrokenPromises {
			if r.Drawn[string(class)][broken] == 0 {
				t.Errorf("%s was not broken in %s", broken, class)
			}
		}
	}
}

// TestTheOtherCampaignsRun is not this one's to repeat.
func TestTheOtherCampaignsRun(t *testing.T) {
	seed := Draw(1, 1, Breaks)[0].Seed
	if r := played(t, A(10, judge), eval.Env{Only: seed}); r.Skipped == "" {
		t.Error("it was played")
	}
}

// TestAFindingIsMadeShort: what a finding does not need is left out of its history, and it says how to see it again.
func TestAFindingIsMadeShort(t *testing.T) {
	timedOut := func(r eval.Record) []eval.Finding {
		if !slices.Contains(r.Faults, eval.TimeoutAfterCommit) {
			return nil
		}
		return []eval.Finding{{Checker: "test", Message: "it timed out"}}
	}
	c := A(60, timedOut)
	r, err := c.Run(t.Context(), eval.Env{Engine: world.SQLite, Dir: t.TempDir(), Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) == 0 {
		t.Fatal("no run met the fault")
	}
	f := r.Findings[0]
	for _, other := range without(append(slices.Clone(eval.ProviderFaults), eval.ProcessFaults...), eval.TimeoutAfterCommit, eval.NoFault) {
		if strings.Contains(f.History[0], string(other)) {
			t.Errorf("the shortest history has %s: %s", other, f.History[0])
		}
	}
	if !strings.Contains(f.History[0], RetryLoop) || f.Run == 0 || !strings.HasSuffix(f.Replay, fmt.Sprintf("--suite a --run %d", f.Run)) {
		t.Errorf("%s, %s", f.History[0], f.Replay)
	}
}

// TestAFindingKeepsWhatItShows: the calls that a checker names stand before the steps of the shortest run that has them.
func TestAFindingKeepsWhatItShows(t *testing.T) {
	named := func(r eval.Record) []eval.Finding {
		if !slices.Contains(r.Faults, eval.TimeoutAfterCommit) {
			return nil
		}
		return []eval.Finding{{Checker: "test", Message: "it timed out", History: []string{"the calls in question of " + r.Agent}}}
	}
	r, err := A(60, named).Run(t.Context(), eval.Env{Engine: world.SQLite, Dir: t.TempDir(), Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range r.Findings {
		if len(f.History) < 4 || !strings.HasPrefix(f.History[0], "the calls in question") || f.History[1] != eval.RunFollows {
			t.Fatalf("the history of finding %d: %q", i, f.History)
		}
	}
	if len(r.Findings) == 0 {
		t.Fatal("no run met the fault")
	}
	if h := r.Findings[0].History; h[0] != "the calls in question of "+RetryLoop || !strings.Contains(h[2], RetryLoop) {
		t.Errorf("the calls and the steps are of two runs: %q, %q", h[0], h[2])
	}
}

// TestAFindingOfSeveralRuns is shown again by all of them; one of a single run that is repeated, by that.
func TestAFindingOfSeveralRuns(t *testing.T) {
	for want, only := range map[string]uint64{"opledger eval --suite a --seed 5 --runs 60": 0, "opledger eval --suite a --run 77": 77} {
		g := newGathering(A(60, nil), eval.Env{Engine: world.SQLite, Seed: 5, Only: only})
		g.together([]eval.Finding{{Checker: "history", Run: 77, Message: "two permits are out at once"}})
		var r eval.Result
		g.env.Dir = t.TempDir()
		if g.finish(t.Context(), &r, 60); len(r.Findings) != 1 || r.Findings[0].Replay != want || r.Findings[0].Part != "campaign/a" {
			t.Errorf("%+v, want the command %q", r.Findings, want)
		}
	}
}
