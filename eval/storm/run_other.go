//go:build !unix

package storm

import (
	"context"

	"github.com/opledger/opledger/eval"
)

// elsewhere is why nothing is done on a system whose processes cannot be stopped and woken.
const elsewhere = "processes can be frozen and woken on Unix only"

// Run implements eval.Part.
func (p Part) Run(_ context.Context, env eval.Env) (*eval.Result, error) {
	return &eval.Result{Part: p.Name(), Engine: env.Engine, Seed: env.Seed, Skipped: elsewhere}, nil
}

// Run implements eval.Part.
func (w Wires) Run(_ context.Context, env eval.Env) (*eval.Result, error) {
	return &eval.Result{Part: w.Name(), Engine: env.Engine, Seed: env.Seed, Skipped: elsewhere}, nil
}
