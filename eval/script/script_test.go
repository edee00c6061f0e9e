package script_test

import (
	"context"
	"strings"
	"testing"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/check"
	"github.com/opledger/opledger/eval/script"
	"github.com/opledger/opledger/eval/world"
	"github.com/opledger/opledger/internal/pgtest"
)

// TestShipped runs every scenario that ships on every engine. What one of them finds is a defect of the ledger.
func TestShipped(t *testing.T) {
	scenarios, err := script.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	server := pgtest.NewDatabase(t)
	ctx, drop := world.WithTemplates(t.Context())
	t.Cleanup(func() {
		if err := drop(); err != nil {
			t.Error(err)
		}
	})
	for _, s := range scenarios {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel() // most of it is waiting for disks
			for _, engine := range s.Engines {
				t.Run(engine, func(t *testing.T) { run(ctx, t, s, engine, server) })
			}
		})
	}
}

func run(ctx context.Context, t *testing.T, s *script.Scenario, engine, server string) {
	t.Helper()
	env := eval.Env{Engine: engine, Dir: t.TempDir(), Seed: 1}
	if engine == world.PostgreSQL {
		env.DatabaseURL = server
	}
	result, err := script.Part(s, check.All).Run(ctx, env)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range result.Findings {
		t.Errorf("%s: %s\n\t%s", f.Checker, f.Message, strings.Join(f.History, "\n\t"))
	}
}
