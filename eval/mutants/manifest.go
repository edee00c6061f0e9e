package mutants

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Mutant is one entry of the manifest.
type Mutant struct {
	// Name is the patch's, without its ending: "01-two-permits".
	Name string `yaml:"name"`
	// Rule says what is broken, in a sentence; the patch begins with the same.
	Rule string `yaml:"rule"`
	// Model is the rule's name in the executable model of the core, where it is one of its rules.
	Model string `yaml:"model,omitempty"`
	// Scenario is what shows it: a file in the folder scenarios beside the manifest (its name ends in .yaml), a scenario
	// that comes with the program by its name, a campaign ("campaign/a"), or "smallworld".
	Scenario string `yaml:"scenario"`
	// Engine is "sqlite" (also where it is empty) or "postgresql".
	Engine string `yaml:"engine,omitempty"`
	Seed   uint64 `yaml:"seed,omitempty"` // zero: 1
	// Runs is how many runs a campaign draws; zero: the part's own default.
	Runs int `yaml:"runs,omitempty"`
	// Checker is who must notice.
	Checker string `yaml:"checker"`
}

// Checkers are those whose word counts: they look at records, whatever a scenario expects.
var Checkers = []string{"effects", "history", "linearizability", "ends", "wording", "projection"}

// ReadManifest reads the manifest and holds it to itself.
func ReadManifest(path string) ([]Mutant, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file struct {
		Mutants []Mutant `yaml:"mutants"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for i := range file.Mutants {
		m := &file.Mutants[i]
		m.Engine = first(m.Engine, "sqlite")
		m.Seed = max(m.Seed, 1)
		if err := m.check(file.Mutants[:i]); err != nil {
			return nil, fmt.Errorf("%s: mutant %q: %w", path, m.Name, err)
		}
	}
	return file.Mutants, nil
}

func (m *Mutant) check(before []Mutant) error {
	switch {
	case m.Name == "" || strings.ContainsAny(m.Name, `/\`):
		return fmt.Errorf("a name is that of a patch in this folder")
	case slices.ContainsFunc(before, func(other Mutant) bool { return other.Name == m.Name }):
		return fmt.Errorf("it stands here twice")
	case m.Rule == "" || m.Scenario == "":
		return fmt.Errorf("it needs the rule that it breaks and a scenario that shows it")
	case m.Engine != "sqlite" && m.Engine != "postgresql":
		return fmt.Errorf("%q is no engine", m.Engine)
	case !slices.Contains(Checkers, m.Checker):
		return fmt.Errorf("%q is no checker whose word counts (%s)", m.Checker, strings.Join(Checkers, ", "))
	}
	return nil
}

// File is the mutant's scenario file, or empty where it is a part of the program's own.
func (m *Mutant) File(folder string) string {
	if !strings.HasSuffix(m.Scenario, ".yaml") {
		return ""
	}
	return filepath.Join(folder, "scenarios", m.Scenario)
}

// trial is what two mutants with the same share, so that the program without a mutation runs it once.
func (m *Mutant) trial() string {
	return fmt.Sprintf("%s on %s, seed %d, runs %d", m.Scenario, m.Engine, m.Seed, m.Runs)
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
