package suite

import (
	"runtime"
	"strings"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/campaign"
	"github.com/opledger/opledger/eval/check"
	"github.com/opledger/opledger/eval/crowd"
	"github.com/opledger/opledger/eval/smallworld"
	"github.com/opledger/opledger/eval/storm"
)

// How many runs campaigns draw. In whole ones every fault is drawn often enough in each class; those of the standard suite
// are as large as its three minutes allow on two processors.
const (
	standardA, standardB = 3_000, 1_000
	wholeA, wholeB       = 10_000, 12_000 // a broken promise ends a run early, so that fewer faults of its provider are met
	wholeWires           = 60             // operations of each tool, so that each fault of the wire comes several times
	standardStorms       = 12             // rounds of a storm
	standardDepth        = 8              // steps of the small worlds

	standardIntents, wholeIntents = 40, 400 // that a crowd pursues
	standardActs, wholeActs       = 2, 20   // of a crowd that wants leases
)

// What suites leave out, in sentences that reports end with.
const (
	noStorms    = "Storms of killed and frozen processes were not tried: the suites storm and full have them."
	noScripts   = "Scenarios with exact steps were not tried: the suites scripts, standard and full have them."
	noCampaigns = "Nothing was drawn: the suites a, b, standard and full have campaigns of thousands of runs."
	noModel     = "The small world was not searched: the suites model, standard and full do it."
	noPromise   = "What happens where profiles are wrong was not tried: the suites b, standard and full do it."
	fewStorms   = "Of the storms of killed and frozen processes a few rounds were drawn, and wires did not fail: the suites storm and full have all."
	noCrowd     = "Many callers at once, in real time, were not tried: the suites crowd, standard and full do it."
	noLoad      = "Nothing was measured under load: \"opledger bench\" does that."
)

// Shipped is everything that comes with the program. A part is added here, to the suites that it belongs to.
var Shipped = Attack{
	Suites: []Suite{
		{
			Name: "standard", About: "What every change should pass, in three minutes: scenarios, both campaigns, the small world, a crowd of callers, some storms.",
			LeftOut: []string{fewStorms, noLoad},
			Plan: func() (Plan, error) {
				return planOf(scripts, model(standardDepth), drawn(crowd.Operations{Intents: standardIntents}), leases(standardActs), drawn(storm.Part{Draw: standardStorms, Judge: check.All}),
					drawn(campaign.A(standardA, check.All)), drawn(campaign.B(standardB, check.All)))
			},
		},
		{
			Name: "full", About: "All there is, in full size; with --for, further seeds for as long as told.",
			LeftOut: []string{noLoad},
			Plan: func() (Plan, error) {
				return planOf(scripts, model(0), drawn(campaign.A(wholeA, check.All)), drawn(campaign.B(wholeB, check.All)),
					drawn(crowd.Operations{Intents: wholeIntents}), leases(wholeActs),
					drawn(storm.Part{Judge: check.All}), drawn(storm.Wires{Intents: wholeWires, Judge: check.All}))
			},
		},
		{
			Name: "a", About: "The campaign in which the world keeps what profiles say: no duplicate, no loss.",
			LeftOut: []string{noScripts, noPromise, noModel, noStorms, noCrowd, noLoad},
			Plan:    func() (Plan, error) { return planOf(drawn(campaign.A(wholeA, check.All))) },
		},
		{
			Name: "b", About: "The campaign in which the world breaks what profiles say: nothing passes in silence.",
			LeftOut: []string{noScripts, noModel, noStorms, noCrowd, noLoad},
			Plan:    func() (Plan, error) { return planOf(drawn(campaign.B(wholeB, check.All))) },
		},
		{
			Name: "scripts", About: "All scenarios with exact steps.",
			LeftOut: []string{noCampaigns, noModel, noStorms, noCrowd, noLoad},
			Plan:    func() (Plan, error) { return planOf(scripts) },
		},
		{
			Name: "model", About: "Every interleaving of the small worlds, each to its own depth.",
			LeftOut: []string{noCampaigns, noScripts, noStorms, noCrowd, noLoad},
			Plan:    func() (Plan, error) { return planOf(model(0)) },
		},
		{
			Name: "storm", About: "Real processes, killed and frozen at each step of an operation's life, and wires that fail between them.",
			LeftOut: []string{noCampaigns, noScripts, noModel, noCrowd, noLoad},
			Plan: func() (Plan, error) {
				return planOf(drawn(storm.Part{Judge: check.All}), drawn(storm.Wires{Intents: wholeWires, Judge: check.All}))
			},
		},
		{
			Name: "crowd", About: "Many callers at once, in real time, whose answers need an order that explains them; also of a server that is given.",
			LeftOut: []string{noCampaigns, noScripts, noModel, noStorms, noLoad},
			Plan: func() (Plan, error) {
				return planOf(drawn(crowd.Operations{Intents: standardIntents}), leases(standardActs))
			},
		},
	},
	Shipped: shippedScenarios,
	Single:  single,
	Read:    readScenarios,
}

// single is one round of a storm, storm/STEP/PROCESS/BLOW, the failing wires, or one of the crowds.
func single(name string) (eval.Part, bool) {
	switch name {
	case "wires":
		return checked{storm.Wires{Intents: wholeWires, Judge: check.All}, allCheckers}, true
	case "crowd/operations":
		return checked{crowd.Operations{Intents: standardIntents}, allCheckers}, true
	case "crowd/leases":
		return crowd.Leases{Acts: standardActs}, true
	}
	round, found := strings.CutPrefix(name, "storm/")
	part := storm.Part{Only: round, Judge: check.All}
	return checked{part, allCheckers}, found && round != "" && part.Size(eval.Env{}) == 1
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

// drawn is a part that hangs on the seed, and whose records all checkers judge.
func drawn(part eval.Part) func() (Group, error) {
	return func() (Group, error) {
		return Group{Parts: []eval.Part{checked{part, allCheckers}}, Drawn: true}, nil
	}
}

// leases are so many acts of a crowd that wants leases. It says by itself who judges it: nothing is counted there.
func leases(acts int) func() (Group, error) {
	return func() (Group, error) {
		return Group{Parts: []eval.Part{crowd.Leases{Acts: acts}}, Drawn: true}, nil
	}
}

// model is the search of the small worlds to a depth of steps; zero: each to its own.
func model(depth int) func() (Group, error) {
	return func() (Group, error) {
		return Group{Parts: []eval.Part{checked{apart{smallworld.Part(depth)}, modelCheckers}}}, nil
	}
}
