package smallworld

import (
	"slices"
	"testing"

	"github.com/opledger/opledger/eval"
)

// TestFindingTellsTheShortestHistory: what a broken rule comes to as a finding of the part.
func TestFindingTellsTheShortestHistory(t *testing.T) {
	i := slices.IndexFunc(mutants, func(m mutant) bool { return m.broken.name == "group_forgotten" })
	r := mutants[i].rules
	r.broken, r.horizon, r.depth = &mutants[i].broken, 3, 10
	steps := 0
	p := &part{worlds: []rules{r}}
	result, err := p.Run(t.Context(), eval.Env{Progress: func(n int) { steps += n }})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Findings) != 1 || steps != p.Size(eval.Env{}) || len(result.Notes) != 2 {
		t.Fatalf("%+v after %d steps", result, steps)
	}
	f := result.Findings[0]
	want := []string{"somebody proposes operation 1", "somebody proposes operation 2"}
	if f.Checker != "history" || f.Dimension != eval.ConcurrencySafety || !slices.Equal(f.History, want) {
		t.Fatalf("%+v", f)
	}
}

// TestSearchIsTheSameEachTime: on however many processors, a search visits the same states.
func TestSearchIsTheSameEachTime(t *testing.T) {
	r := rules{class: class4, operations: 2, group: true, begin: true, horizon: 7, depth: 6}
	var first *found
	for range 2 {
		s := search{rules: r}
		f, err := s.run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if first != nil && f.String() != first.String() {
			t.Fatalf("%s, and before %s", f, first)
		}
		first = f
	}
}
