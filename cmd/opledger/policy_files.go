package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	pb "github.com/opledger/opledger/gen/go/opledger/v1"
	"github.com/opledger/opledger/policy"
	"github.com/opledger/opledger/policy/rulefile"
)

// isCases reports whether a file holds cases for "policy test" by its name, so that a folder of rules can keep its tests
// beside them.
func isCases(name string) bool {
	base := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(name), ".yml"), ".yaml")
	return base == "test" || strings.HasSuffix(base, "_test") || strings.HasSuffix(base, ".test")
}

// ruleFiles are rules as they were read from files.
type ruleFiles struct {
	rules   []rulefile.Source
	faults  []problem
	leftOut []string // files of cases
}

// readRules reads rules and checks what can be checked without knowing the tools.
func readRules(cmd *cobra.Command, names []string) (*ruleFiles, error) {
	names, err := filesIn(names)
	if err != nil {
		return nil, err
	}
	read := &ruleFiles{}
	first := map[string]string{}
	for _, name := range names {
		if isCases(name) {
			read.leftOut = append(read.leftOut, name)
			continue
		}
		text, err := readFile(cmd, name)
		if err != nil {
			return nil, err
		}
		sources, unread := rulefile.Parse(name, text)
		read.faults = append(read.faults, ruleProblems(unread)...)
		for _, s := range sources {
			at := fmt.Sprintf("%s:%d", s.File, s.Line)
			if before := first[s.Rule.ID]; before != "" {
				read.faults = append(read.faults, ruleProblems(s.Locate([]policy.Problem{{
					Rule: s.Rule.ID, Path: "rule_id", Code: policy.CodeTwice, Message: "The rule stands in " + before + " already.",
				}}))...)
			}
			first[s.Rule.ID] = at
			read.rules = append(read.rules, s)
		}
	}
	return read, nil
}

func ruleProblems(list []rulefile.Problem) []problem {
	told := make([]problem, len(list))
	for i, p := range list {
		told[i] = problem{File: p.File, Line: p.Line, Column: p.Column, Path: p.Path, Code: string(p.Code), Message: p.Message, text: p.Error()}
	}
	return told
}

// candidates are the rules of files as they are sent, for a question that is only asked.
func candidates(cmd *cobra.Command, names []string) ([]*pb.PolicyRule, error) {
	if len(names) == 0 {
		return nil, nil
	}
	read, err := readRules(cmd, names)
	if err != nil {
		return nil, err
	}
	if len(read.faults) > 0 {
		return nil, fmt.Errorf("%s (and %d more)", read.faults[0].text, len(read.faults)-1)
	}
	var rules []*pb.PolicyRule
	for _, s := range read.rules {
		rules = append(rules, s.Proto)
	}
	return rules, nil
}
