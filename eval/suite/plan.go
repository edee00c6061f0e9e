package suite

import "github.com/opledger/opledger/eval"

// Plan is what is done, group after group.
type Plan []Group

// Group are parts that may be done side by side.
type Group struct {
	Parts []eval.Part
	// AtOnce is how many of them at a time; zero: one.
	AtOnce int
	// Drawn: what the parts do hangs on the seed, so that another round finds what the first did not.
	Drawn bool
}

// Drawn are the groups of which another seed makes something else: what a further round does.
func (p Plan) Drawn() Plan {
	var rest Plan
	for _, g := range p {
		if g.Drawn {
			rest = append(rest, g)
		}
	}
	return rest
}

// Parts are all parts in their order.
func (p Plan) Parts() []eval.Part {
	var all []eval.Part
	for _, g := range p {
		all = append(all, g.Parts...)
	}
	return all
}

// Only is the plan of the single part of that name; empty where there is none.
func (p Plan) Only(name string) Plan {
	for _, g := range p {
		for _, part := range g.Parts {
			if part.Name() == name {
				return Plan{{Parts: []eval.Part{part}, Drawn: g.Drawn}}
			}
		}
	}
	return nil
}
