package rulefile

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/opledger/opledger/policy"
)

// tidy refuses what YAML allows and a rule does not need: fields that come twice, aliases and endless nesting.
func tidy(file string, node *yaml.Node, depth int) []Problem {
	switch {
	case depth > maxNesting:
		return []Problem{at(file, node, policy.CodeBounds, fmt.Sprintf("The file nests more than %d levels deep.", maxNesting))}
	case node.Kind == yaml.AliasNode:
		return []Problem{at(file, node, CodeAlias, "Aliases are not read; write it out, so that a rule can be read by itself.")}
	}
	var problems []Problem
	if node.Kind == yaml.MappingNode {
		first := map[string]int{}
		for i := 0; i+1 < len(node.Content); i += 2 {
			key := node.Content[i]
			if line, twice := first[key.Value]; twice {
				problems = append(problems, at(file, key, CodeTwice, fmt.Sprintf("The field %s stands in line %d already, and readers disagree on which one counts.", key.Value, line)))
			}
			first[key.Value] = key.Line
		}
	}
	for _, child := range node.Content {
		problems = append(problems, tidy(file, child, depth+1)...)
	}
	return problems
}
