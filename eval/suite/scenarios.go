package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/opledger/opledger/eval/check"
	"github.com/opledger/opledger/eval/script"
	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/registry/toolfile"
)

// sharedTools is the file of tools that scenarios of one folder share.
const sharedTools = "tools.yaml"

// maxScenarioBytes bounds a file of a scenario: a hundred steps are some kilobytes.
const maxScenarioBytes = 1 << 20

// shippedScenarios are those that come with the program.
func shippedScenarios() ([]Scenario, error) {
	all, err := script.Shipped()
	return judged(all), err
}

func judged(all []*script.Scenario) []Scenario {
	var list []Scenario
	for _, s := range all {
		part := checked{script.Part(s, check.All), scriptCheckers}
		list = append(list, Scenario{Part: part, Name: s.Name, Title: s.Title, Dimension: s.Dimension})
	}
	return list
}

// readScenarios reads scenarios of a file, or of all files of a folder; folders inside it are not looked into. They may use
// the tools of tools.yaml beside them and those of the named files and folders, which go first.
func readScenarios(path string, tools []string) ([]Scenario, error) {
	files, err := yamlFiles(path)
	if err != nil {
		return nil, err
	}
	known := map[string]*pb.ToolDefinition{}
	if len(files) > 0 {
		if err := readTools(known, filepath.Join(filepath.Dir(files[0]), sharedTools)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	for _, name := range tools {
		list, err := yamlFiles(name)
		if err != nil {
			return nil, err
		}
		for _, file := range list {
			if err := readTools(known, file); err != nil {
				return nil, err
			}
		}
	}
	var all []*script.Scenario
	var faults []error
	for _, file := range files {
		if filepath.Base(file) == sharedTools {
			continue
		}
		text, err := readFile(file, maxScenarioBytes)
		if err != nil {
			return nil, err
		}
		s, err := script.Parse(file, text, known)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		all = append(all, s)
	}
	return judged(all), errors.Join(faults...)
}

// yamlFiles are the YAML files of a folder in the order of their names, or the one file.
func yamlFiles(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}, err
	}
	entries, err := os.ReadDir(path) // sorted by name
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		if ending := filepath.Ext(e.Name()); !e.IsDir() && (ending == ".yaml" || ending == ".yml") {
			files = append(files, filepath.Join(path, e.Name()))
		}
	}
	return files, nil
}

func readTools(known map[string]*pb.ToolDefinition, file string) error {
	text, err := readFile(file, toolfile.MaxFileBytes)
	if err != nil {
		return err
	}
	sources, problems := toolfile.Parse(file, text)
	var faults []error
	for _, p := range problems {
		faults = append(faults, p)
	}
	for _, s := range sources {
		known[s.Proto.GetName()] = s.Proto
	}
	return errors.Join(faults...)
}

func readFile(name string, limit int64) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%s is larger than %d bytes, the limit of such a file", name, limit)
	}
	return os.ReadFile(name)
}
