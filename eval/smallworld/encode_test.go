package smallworld

import (
	"maps"
	"testing"
)

// reached lists the keys that a state leads to.
func reached(w world, r rules) map[key]bool {
	all := map[key]bool{}
	w.steps(r, func(_ step, n world) {
		state, _ := n.keys(r)
		all[state] = true
	})
	return all
}

// TestOneKeyIsOneState: states that are taken for one another lead to the same states. What the encoding leaves out
// decides nothing, and which operation or server is which does not matter.
func TestOneKeyIsOneState(t *testing.T) {
	for _, r := range worlds {
		t.Run(r.String(), func(t *testing.T) {
			t.Parallel()
			merged := 0
			leads := map[key]map[key]bool{}
			level := []world{{}}
			for range 6 {
				var deeper []world
				for _, w := range level {
					w.steps(r, func(s step, n world) {
						state, _ := n.keys(r)
						have, known := leads[state]
						if !known {
							leads[state] = reached(n, r)
							deeper = append(deeper, n)
							return
						}
						merged++
						if !maps.Equal(have, reached(n, r)) {
							t.Fatalf("after %q a state is taken for one that leads elsewhere", s)
						}
					})
				}
				level = deeper
			}
			if merged == 0 {
				t.Fatal("no two histories led to one state")
			}
		})
	}
}

// TestOperationsAreAlike: which of two operations was proposed makes no difference.
func TestOperationsAreAlike(t *testing.T) {
	r := rules{class: class4, operations: 2, group: true, begin: true, horizon: 1}
	proposed := map[key]int{}
	world{}.steps(r, func(s step, n world) {
		if s.verb == proposes {
			state, _ := n.keys(r)
			proposed[state]++
		}
	})
	if len(proposed) != 1 {
		t.Fatalf("the first proposals lead to %d states", len(proposed))
	}
	for _, n := range proposed {
		if n != 2 {
			t.Fatalf("%d proposals lead there", n)
		}
	}
}
