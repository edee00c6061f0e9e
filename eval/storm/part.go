package storm

import (
	"math/rand/v2"
	"slices"

	"github.com/opledger/opledger/eval"
)

// Judge holds a record against what must be.
type Judge func(eval.Record) []eval.Finding

// Part plays rounds: every one there is, or so many that the seed draws.
type Part struct {
	// Only is the one round that is played, "looked/worker/freeze"; empty: see Draw.
	Only string
	// Draw is how many rounds are drawn; zero: all are played.
	Draw  int
	Judge Judge
}

// Name implements eval.Part.
func (p Part) Name() string { return "storm" }

// Size implements eval.Part.
func (p Part) Size(env eval.Env) int { return len(p.rounds(env.Seed)) }

// rounds are those that are played.
func (p Part) rounds(seed uint64) []Round {
	all := Rounds()
	if p.Only != "" {
		return slices.DeleteFunc(all, func(r Round) bool { return r.String() != p.Only })
	}
	if p.Draw == 0 || p.Draw >= len(all) {
		return all
	}
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:p.Draw]
}

// Wires lets operations run to their ends while every wire fails: between the servers and PostgreSQL as CockroachDB's does
// on a bad day, between callers and servers and between servers and the provider by cuts. On SQLite, which has no wire,
// there are the cuts alone.
type Wires struct {
	// Intents is how many operations of each tool are led to their end.
	Intents int
	Judge   Judge
}

// Name implements eval.Part.
func (w Wires) Name() string { return "wires" }

// Size implements eval.Part.
func (w Wires) Size(eval.Env) int { return w.Intents * len(toolNames) }
