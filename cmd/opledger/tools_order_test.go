package main

import (
	"slices"
	"testing"

	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
)

func TestUndoersComeFirst(t *testing.T) {
	source := func(name string, undoers ...string) toolfile.Source {
		s := toolfile.Source{Definition: registry.Definition{Name: name}}
		for _, u := range undoers {
			if s.Definition.Playbook == nil {
				s.Definition.Playbook = &registry.Playbook{}
			}
			s.Definition.Playbook.Steps = append(s.Definition.Playbook.Steps, registry.PlaybookStep{Tool: u})
		}
		return s
	}
	got := undoersFirst([]toolfile.Source{
		source("a", "d", "elsewhere"), source("b"), source("c", "c"), source("d", "e"), source("e", "a"),
	})
	var names []string
	for _, s := range got {
		names = append(names, s.Definition.Name)
	}
	if want := []string{"e", "d", "a", "b", "c"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
}
