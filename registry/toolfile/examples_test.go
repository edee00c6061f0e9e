package toolfile_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/registry"
	"github.com/opledger/opledger/registry/toolfile"
)

// examples reads the tools that ship with the project.
func examples(t *testing.T) map[string]toolfile.Source {
	t.Helper()
	files, err := filepath.Glob("../../examples/tools/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	tools := map[string]toolfile.Source{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sources, problems := toolfile.Parse(file, text)
		for _, p := range problems {
			t.Error(p)
		}
		for _, s := range sources {
			tools[s.Definition.Name] = s
			if want := s.Definition.Name + ".yaml"; filepath.Base(file) != want {
				t.Errorf("%s holds %s; a reader looks for it in %s", file, s.Definition.Name, want)
			}
		}
	}
	return tools
}

// TestExamplesAreAccepted: a server of this release takes every example, and none has a warning.
func TestExamplesAreAccepted(t *testing.T) {
	tools := examples(t)
	classes := map[registry.Class]int{}
	for name, s := range tools {
		problems, warnings := s.Check(registry.ThisRelease())
		for _, p := range append(problems, warnings...) {
			t.Errorf("%s: %v", name, p)
		}
		if _, err := registry.Compile(s.Definition); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		classes[s.Definition.Class]++
	}
	var all policy.Config
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		all.Tools = append(all.Tools, registry.PolicyTool(tools[name].Definition))
	}
	for _, tool := range all.Tools {
		for _, p := range policy.CheckTool(all, tool) {
			t.Error(p)
		}
	}
	for _, class := range registry.Classes {
		if classes[class] == 0 {
			t.Errorf("no example of the class %s", class)
		}
	}
	if len(tools) != 11 {
		t.Errorf("there are %d examples", len(tools))
	}
}
