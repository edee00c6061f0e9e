package eval_test

import (
	"slices"
	"testing"

	"github.com/opledger/opledger/eval"
)

// TestWithSteps: what a checker shows by itself comes first, and the run behind it; a run is not told twice.
func TestWithSteps(t *testing.T) {
	steps := []string{"a step", "another"}
	for _, c := range []struct{ own, want []string }{
		{nil, steps},
		{steps, steps},
		{[]string{"a call"}, []string{"a call", eval.RunFollows, "a step", "another"}},
	} {
		f := eval.Finding{History: c.own}
		if f.WithSteps(steps); !slices.Equal(f.History, c.want) {
			t.Errorf("%q with the steps is %q, want %q", c.own, f.History, c.want)
		}
	}
	own := make([]string, 1, 9)
	f, g := eval.Finding{History: own}, eval.Finding{History: own}
	f.WithSteps(steps)
	g.WithSteps([]string{"of another run"})
	if f.History[2] != "a step" {
		t.Errorf("two findings share their histories: %q", f.History)
	}
}
