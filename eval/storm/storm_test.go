//go:build unix

package storm_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/check"
	"github.com/opledger/opledger/eval/storm"
	"github.com/opledger/opledger/internal/pgtest"
)

// binary is the program under test: what is killed is what users run.
var binary string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "opledger-storm-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	binary = filepath.Join(dir, "opledger")
	build := exec.Command("go", "build", "-o", binary, "github.com/opledger/opledger/cmd/opledger")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		panic(err)
	}
	return m.Run()
}

// on runs a part on every engine, and expects that nothing is found.
func on(t *testing.T, part eval.Part) {
	t.Helper()
	for _, engine := range []string{"sqlite", "postgresql"} {
		t.Run(engine, func(t *testing.T) {
			env := eval.Env{Engine: engine, Seed: 7, Dir: t.TempDir(), Binary: binary}
			if engine == "postgresql" {
				env.DatabaseURL = pgtest.NewDatabase(t)
			}
			result, err := part.Run(t.Context(), env)
			if err != nil {
				t.Fatal(err)
			}
			if result.Skipped != "" {
				t.Fatalf("nothing was done: %s", result.Skipped)
			}
			for _, f := range result.Findings {
				t.Errorf("%s: %s: %s %q\n%s", f.Checker, f.Key, f.Message, f.History, f.Replay)
			}
			t.Log(result.Notes)
		})
	}
}

// TestTheWorstRounds plays the rounds in which a promise is easiest to break; the standard suite draws from all of them.
func TestTheWorstRounds(t *testing.T) {
	for _, r := range []storm.Round{
		{Step: storm.Looked, Victim: storm.Worker, Blow: storm.Freeze},
		{Step: storm.Sent, Victim: storm.Provider, Blow: storm.Kill},
		{Step: storm.Answered, Victim: storm.Server, Blow: storm.Kill},
	} {
		t.Run(r.String(), func(t *testing.T) { on(t, storm.Part{Only: r.String(), Judge: check.All}) })
	}
}

func TestEveryStepMeetsEveryBlow(t *testing.T) {
	all := storm.Rounds()
	if want := len(storm.Steps) * len(storm.Victims) * 2; len(all) != want {
		t.Fatalf("%d rounds of %d", len(all), want)
	}
	drawn := storm.Part{Draw: 9}
	if drawn.Size(eval.Env{Seed: 1}) != 9 {
		t.Error("not as many rounds as were to be drawn")
	}
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b storm.Round) int {
		switch {
		case a.String() < b.String():
			return -1
		case a.String() > b.String():
			return 1
		}
		t.Fatalf("%s comes twice", a)
		return 0
	})
}

func TestWires(t *testing.T) { on(t, storm.Wires{Intents: 12, Judge: check.All}) }
