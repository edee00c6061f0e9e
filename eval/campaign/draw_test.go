package campaign

import (
	"testing"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/registry"
)

// TestEveryFaultIsDrawnInEachClass, a hundred times in ten thousand runs, on writes that are sure to come: the first one, and
// the one that follows a rate limit.
func TestEveryFaultIsDrawnInEachClass(t *testing.T) {
	sure, repeated := map[registry.Class]map[eval.Fault]int{}, 0
	for _, r := range Draw(42, wholeCampaign, Keeps) {
		if sure[r.Class] == nil {
			sure[r.Class] = map[eval.Fault]int{}
		}
		sure[r.Class][r.Provider[0]]++
		if r.Provider[0] == eval.RateLimited || r.Provider[0] == eval.RateLimitedBare || r.Agent == Repeats {
			sure[r.Class][r.Provider[1]]++
		}
		sure[r.Class][r.Process]++
		if r.Agent == Repeats {
			repeated++
		}
		if r.Broken != "" {
			t.Fatalf("a run of this campaign breaks a promise: %+v", r)
		}
	}
	for _, class := range registry.Classes {
		for _, f := range append(append([]eval.Fault(nil), eval.ProviderFaults...), eval.ProcessFaults...) {
			if n := sure[class][f]; n < leastDrawn {
				t.Errorf("%s was drawn %d times in %s", f, n, class)
			}
		}
	}
	if repeated < 1000 {
		t.Errorf("%d repetitions", repeated)
	}
}

// TestASeedIsItsRun: a run is drawn from its own seed alone, and other seeds play it with other luck.
func TestASeedIsItsRun(t *testing.T) {
	a, b := Draw(1, 500, Breaks), Draw(2, 500, Breaks)
	seeds := map[uint64]bool{}
	for i := range a {
		if again := One(a[i].Seed); again.Tool != a[i].Tool || again.Agent != a[i].Agent || again.Broken != a[i].Broken {
			t.Fatalf("%+v is drawn again as %+v", a[i], again)
		}
		if a[i].Seed == b[i].Seed || a[i].Provider[0] != b[i].Provider[0] || a[i].Class != b[i].Class {
			t.Fatalf("%+v and %+v", a[i], b[i])
		}
		if a[i].Seed >= 1<<53 || seeds[a[i].Seed] {
			t.Fatalf("the seed %d", a[i].Seed)
		}
		seeds[a[i].Seed] = true
	}
}
