package suite

import "github.com/opledger/opledger/eval"

// Suite is a choice of parts that has a name.
type Suite struct {
	Name string
	// About says in a sentence what it does.
	About string
	// LeftOut says, a sentence each, what it does not try.
	LeftOut []string
	// Plan makes its parts. An error means that shipped scenarios cannot be read.
	Plan func() (Plan, error)
}

// Scenario is a part with exact steps.
type Scenario struct {
	eval.Part
	Name      string
	Title     string
	Dimension eval.Dimension
}

// Attack is everything that can be chosen from.
type Attack struct {
	Suites []Suite
	// Shipped are the scenarios that come with the program.
	Shipped func() ([]Scenario, error)
	// Single makes a part that no suite has by itself: one round of a storm, by the name that its finding tells.
	Single func(name string) (eval.Part, bool)
	// Read reads scenarios from a file or folder; tools are files of tool definitions that they may use.
	Read func(path string, tools []string) ([]Scenario, error)
}

// Suite finds a suite by its name.
func (a Attack) Suite(name string) (Suite, bool) {
	for _, s := range a.Suites {
		if s.Name == name {
			return s, true
		}
	}
	return Suite{}, false
}

// Names are the names of the suites.
func (a Attack) Names() []string {
	var names []string
	for _, s := range a.Suites {
		names = append(names, s.Name)
	}
	return names
}
