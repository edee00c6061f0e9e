package crowd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/crowd"
	"github.com/opledger/opledger/internal/pgtest"
)

// binary is the program whose servers the crowd calls.
var binary string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "opledger-crowd-")
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
			for _, f := range result.Findings {
				t.Errorf("%s: %s: %s", f.Checker, f.Key, f.Message)
				for _, line := range f.History {
					t.Log(line)
				}
			}
			if f := result.Figures[0]; f.Proposals < 200 || f.Contended == 0 {
				t.Errorf("of %d proposals %d met a lock: nothing was tried", f.Proposals, f.Contended)
			}
			t.Log(result.Notes)
		})
	}
}

// TestOperations: whatever a crowd does to few intents by one server or two, each acts once, and its answers have an order.
func TestOperations(t *testing.T) { on(t, crowd.Operations{Intents: 20}) }

// TestLeases: the same of the leases of few entities.
func TestLeases(t *testing.T) { on(t, crowd.Leases{Acts: 2}) }
