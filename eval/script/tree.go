package script

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Fault is something wrong in a scenario file, or in what came of it, with its place.
type Fault struct {
	File    string
	Line    int
	Message string
}

// Error writes the fault as compilers do, so that editors can jump to it.
func (f *Fault) Error() string { return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Message) }

// at makes a fault of a node. Its file is filled in by whoever knows it.
func at(node *yaml.Node, format string, args ...any) error {
	return &Fault{Line: node.Line, Message: fmt.Sprintf(format, args...)}
}

// in fills in the file of a fault.
func in(file string, err error) error {
	var f *Fault
	if errors.As(err, &f) && f.File == "" {
		f.File = file
	}
	return err
}

// maxDepth bounds how deep a file nests: a tool's schema is the deepest that it holds.
const maxDepth = 64

// tidy refuses what readers of YAML disagree on or overlook: members that come twice, and aliases.
func tidy(node *yaml.Node, depth int) error {
	if depth > maxDepth {
		return at(node, "the file nests deeper than %d", maxDepth)
	}
	if node.Kind == yaml.AliasNode || node.Anchor != "" {
		return at(node, "anchors and aliases are not taken: write it out")
	}
	if node.Kind == yaml.MappingNode {
		seen := map[string]bool{}
		for k := range pairs(node) {
			if k.Kind != yaml.ScalarNode {
				return at(k, "a name is wanted here")
			}
			if seen[k.Value] {
				return at(k, "%q comes twice", k.Value)
			}
			seen[k.Value] = true
		}
	}
	for _, child := range node.Content {
		if err := tidy(child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// pairs are the members of a mapping, in their order.
func pairs(node *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(k, v *yaml.Node) bool) {
		if node == nil || node.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(node.Content); i += 2 {
			if !yield(node.Content[i], node.Content[i+1]) {
				return
			}
		}
	}
}

// member finds a mapping's member by its name, or nil.
func member(node *yaml.Node, name string) *yaml.Node {
	for k, v := range pairs(node) {
		if k.Value == name {
			return v
		}
	}
	return nil
}

func mapping(node *yaml.Node) error {
	if node.Kind != yaml.MappingNode {
		return at(node, "a mapping is wanted here, such as {name: value}")
	}
	return nil
}

// text reads a scalar.
func text(node *yaml.Node) (string, error) {
	if node.Kind != yaml.ScalarNode || node.Tag == "!!null" {
		return "", at(node, "one word or text is wanted here")
	}
	return node.Value, nil
}

// texts reads one scalar, or a list of them.
func texts(node *yaml.Node) ([]string, error) {
	if node.Kind != yaml.SequenceNode {
		one, err := text(node)
		return []string{one}, err
	}
	var all []string
	for _, item := range node.Content {
		one, err := text(item)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// unknown is the fault of a name that is none of those that are known.
func unknown(node *yaml.Node, what string, known []string) error {
	known = slices.Sorted(slices.Values(known))
	return at(node, "%q is no %s; there is %s", node.Value, what, strings.Join(known, ", "))
}

// boolean reads true or false.
func boolean(node *yaml.Node) (bool, error) {
	b, err := strconv.ParseBool(node.Value)
	if err != nil {
		return false, at(node, "true or false is wanted here")
	}
	return b, nil
}
