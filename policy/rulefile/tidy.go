package rulefile

import (
	"fmt"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

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

// shortNames lets values of enums be written without their prefix. It prepares a message's fields and leaves the rest to
// protoyaml.
type shortNames struct{}

// Unmarshal completes the names among the fields of one message.
func (shortNames) Unmarshal(node *yaml.Node, message proto.Message) (bool, error) {
	if node.Kind != yaml.MappingNode {
		return false, nil
	}
	fields := message.ProtoReflect().Descriptor().Fields()
	for i := 0; i+1 < len(node.Content); i += 2 {
		field := fieldOf(fields, node.Content[i].Value)
		if field == nil || field.Enum() == nil {
			continue
		}
		values := []*yaml.Node{node.Content[i+1]}
		if field.IsList() {
			values = node.Content[i+1].Content
		}
		for _, v := range values {
			if full := protoreflect.Name(enumPrefix(field.Enum()) + v.Value); field.Enum().Values().ByName(full) != nil {
				v.Value = string(full)
			}
		}
	}
	return false, nil
}

// fieldOf finds a field by its name in the proto or in JSON.
func fieldOf(fields protoreflect.FieldDescriptors, name string) protoreflect.FieldDescriptor {
	if f := fields.ByTextName(name); f != nil {
		return f
	}
	return fields.ByJSONName(name)
}
