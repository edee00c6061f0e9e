package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/opledger/opledger/eval"
	"github.com/opledger/opledger/eval/suite"
)

// planScenarios chooses scenarios by name, and reads those that files and folders hold. It also says by which word each
// part was chosen.
func planScenarios(attack suite.Attack, chosen, tools []string) (plan suite.Plan, words map[string]string, err error) {
	var parts []eval.Part
	words = map[string]string{}
	seen := map[string]string{}
	for _, name := range chosen {
		found, err := findScenarios(attack, name, tools)
		if err != nil {
			return nil, nil, err
		}
		for _, s := range found {
			if before, twice := seen[s.Name]; twice {
				return nil, nil, fmt.Errorf("the scenario %s is chosen by %s and by %s: each has a name of its own", s.Name, before, name)
			}
			seen[s.Name] = name
			parts = append(parts, s.Part)
			words[s.Part.Name()] = name
		}
	}
	return suite.Plan{{Parts: parts, AtOnce: runtime.GOMAXPROCS(0)}}, words, nil
}

// findScenarios are the scenarios that one word chooses: a single part as its finding names it, a path, or the name of a
// scenario that comes with the program.
func findScenarios(attack suite.Attack, word string, tools []string) ([]suite.Scenario, error) {
	if attack.Single != nil {
		if part, found := attack.Single(word); found {
			return []suite.Scenario{{Part: part, Name: word}}, nil
		}
	}
	_, err := os.Stat(word)
	if isPath := strings.ContainsAny(word, `/\`) || strings.HasSuffix(word, ".yaml") || strings.HasSuffix(word, ".yml"); isPath || err == nil {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err != nil {
			return nil, usagef("--scenario %s: there is no such file or folder", word)
		}
		found, err := attack.Read(word, tools)
		if err == nil && len(found) == 0 {
			return nil, usagef("--scenario %s: there is no scenario in it", word)
		}
		return found, err
	}
	shipped, err := attack.Shipped()
	if err != nil {
		return nil, err
	}
	for _, s := range shipped {
		if s.Name == word {
			return []suite.Scenario{s}, nil
		}
	}
	return nil, usagef("--scenario %q is no scenario that comes with the program, and no file or folder; \"opledger eval list\" names them", word)
}

// completeParts offers the parts of the suite that is chosen.
func completeParts(attack suite.Attack, f *evalFlags) completion {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		chosen, known := attack.Suite(f.suite)
		if !known {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		plan, err := chosen.Plan()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var names []string
		for _, part := range plan.Parts() {
			names = append(names, part.Name())
		}
		return completeWords(names...)(cmd, args, begun)
	}
}

// completeScenarios offers the scenarios that come with the program, beside files.
func completeScenarios(attack suite.Attack) completion {
	return func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		shipped, err := attack.Shipped()
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		var found []string
		for _, s := range shipped {
			if strings.HasPrefix(s.Name, begun) {
				found = append(found, s.Name+"\t"+s.Title)
			}
		}
		return found, cobra.ShellCompDirectiveDefault
	}
}
