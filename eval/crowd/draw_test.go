package crowd

import (
	"slices"
	"testing"

	"github.com/opledger/opledger/eval"
)

func TestTheSameSeedDrawsTheSame(t *testing.T) {
	one, same, other := draw(7, 40, "a"), draw(7, 40, "a"), draw(8, 40, "a")
	if len(one) != 40 {
		t.Fatalf("%d intents of 40", len(one))
	}
	differs := false
	for n, i := range one {
		if i.key != same[n].key || !slices.Equal(i.faults, same[n].faults) || !slices.Equal(i.spellings, same[n].spellings) {
			t.Errorf("%s: another draw from the same seed", i.key)
		}
		differs = differs || !slices.Equal(i.faults, other[n].faults)
	}
	if !differs {
		t.Error("another seed draws the same")
	}
}

// TestAnotherEvaluationMeetsNoKeyOfThis, so that a server can be evaluated again.
func TestAnotherEvaluationMeetsNoKeyOfThis(t *testing.T) {
	here, there := draw(7, 40, "a"), draw(7, 40, "b")
	seen := map[string]bool{}
	for _, i := range append(here, there...) {
		if seen[i.key] {
			t.Errorf("%s comes twice", i.key)
		}
		seen[i.key] = true
	}
}

func TestSizes(t *testing.T) {
	for runs, want := range map[int][]int{0: {40, 40, 5}, 3: {3}, 41: {40, 1}} {
		if got := (Operations{Intents: 85}).scenes(eval.Env{Runs: runs}); !slices.Equal(got, want) {
			t.Errorf("%d runs: %v", runs, got)
		}
	}
	if got := (Leases{Acts: 2}).acts(eval.Env{Runs: 41}); got != 5 {
		t.Errorf("%d acts", got)
	}
}
