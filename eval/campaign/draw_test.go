package campaign

import (
	"testing"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/registry"
)

// TestEveryFaultIsDrawnInEachClass, well above a hundred times in ten thousand runs: some of the later faults are never met,
// because nothing is sent a second time.
func TestEveryFaultIsDrawnInEachClass(t *testing.T) {
	drawn, repeated := map[registry.Class]map[eval.Fault]int{}, 0
	for _, r := range Draw(42, wholeCampaign, Keeps) {
		if drawn[r.Class] == nil {
			drawn[r.Class] = map[eval.Fault]int{}
		}
		for _, f := range r.Faults() {
			drawn[r.Class][f]++
		}
		if r.Agent == Repeats && r.Class != registry.PureRead { // a read that is made again repeats nothing
			repeated++
		}
		if r.Broken != "" {
			t.Fatalf("a run of this campaign breaks a promise: %+v", r)
		}
	}
	for _, class := range registry.Classes {
		for _, f := range eval.ProviderFaults {
			if n := drawn[class][f]; n < 6*leastDrawn/5 {
				t.Errorf("%s was drawn %d times in %s", f, n, class)
			}
		}
		for _, f := range eval.ProcessFaults {
			if n := drawn[class][f]; n < 5*leastDrawn/4 {
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
