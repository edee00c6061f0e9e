package suite

import (
	"context"

	"github.com/opledger/opledger/eval"
)

// apart is a part that no server takes part in. Of a server that is given it says nothing, and so it does not count there.
type apart struct{ eval.Part }

// Run implements eval.Part.
func (p apart) Run(ctx context.Context, env eval.Env) (*eval.Result, error) {
	if env.Server != "" {
		return &eval.Result{Part: p.Name(), Engine: env.Engine, Seed: env.Seed, Skipped: "it searches the decisions by themselves, which says nothing of a server that is given"}, nil
	}
	return p.Part.Run(ctx, env)
}
