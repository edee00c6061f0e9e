package suite

import (
	"runtime"

	"github.com/opledger/opledger/eval"
)

// Shipped is everything that comes with the program. A part is added here, to the suites that it belongs to.
var Shipped = Attack{
	Suites: []Suite{
		{
			Name:  "standard",
			About: "What every change should pass: all scenarios.",
			Plan:  func() (Plan, error) { return planOf(scripts) },
		},
		{
			Name:  "scripts",
			About: "All scenarios with exact steps.",
			LeftOut: []string{
				"Nothing was drawn: campaigns of thousands of runs are in the suites a, b, standard and full.",
			},
			Plan: func() (Plan, error) { return planOf(scripts) },
		},
	},
	Shipped: shippedScenarios,
	Read:    readScenarios,
}

// planOf makes a plan of groups, one after the other.
func planOf(groups ...func() (Group, error)) (Plan, error) {
	var plan Plan
	for _, group := range groups {
		g, err := group()
		if err != nil {
			return nil, err
		}
		plan = append(plan, g)
	}
	return plan, nil
}

// scripts are all scenarios, as many at once as there are processors: each has a world of its own.
func scripts() (Group, error) {
	all, err := shippedScenarios()
	if err != nil {
		return Group{}, err
	}
	var parts []eval.Part
	for _, s := range all {
		parts = append(parts, s.Part)
	}
	return Group{Parts: parts, AtOnce: runtime.GOMAXPROCS(0)}, nil
}
