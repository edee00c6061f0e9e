package suite

import (
	"context"
	"slices"

	"github.com/opledger/opledger/eval"
)

// The checkers by which kinds of parts are judged: those of check.All, those with an own word for what must come of a step,
// and those of the small world's promises.
var (
	allCheckers    = []string{"effects", "history", "ends", "answers", "wording", "projection", "linearizability"}
	scriptCheckers = slices.Concat([]string{"expect"}, allCheckers)
	modelCheckers  = []string{"effects", "history", "ends"}
)

// checked is a part that says by whom it was judged, so that a report can tell "passed" from "nobody looked".
type checked struct {
	eval.Part
	by []string
}

// Run implements eval.Part.
func (p checked) Run(ctx context.Context, env eval.Env) (*eval.Result, error) {
	r, err := p.Part.Run(ctx, env)
	if r != nil && r.Skipped == "" && len(r.Checked) == 0 {
		r.Checked = p.by
		if expected := func(f eval.Finding) bool { return f.Checker == scriptCheckers[0] }; slices.ContainsFunc(r.Findings, expected) {
			r.Checked = scriptCheckers[:1] // a scenario that did not come true stops there, and nobody else looked
		}
	}
	return r, err
}
