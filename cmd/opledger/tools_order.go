package main

import (
	"github.com/opledger/opledger/registry/toolfile"
)

// undoersFirst orders tools so that those by which a playbook undoes another come before it, whatever files they stand
// in; else they keep their order. A tool is warned about where its playbook names one that is not there yet.
func undoersFirst(tools []toolfile.Source) []toolfile.Source {
	at := map[string]int{}
	for i, s := range tools {
		at[s.Definition.Name] = i
	}
	ordered := make([]toolfile.Source, 0, len(tools))
	placed := make([]bool, len(tools))
	var place func(i int)
	place = func(i int) {
		if placed[i] {
			return // or under way: a circle of playbooks has no order
		}
		placed[i] = true
		if p := tools[i].Definition.Playbook; p != nil {
			for _, step := range p.Steps {
				if j, here := at[step.Tool]; here {
					place(j)
				}
			}
		}
		ordered = append(ordered, tools[i])
	}
	for i := range tools {
		place(i)
	}
	return ordered
}
