package toolfile

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/opledger/opledger/internal/yamlproto"
	"github.com/opledger/opledger/registry"
)

// Locate gives problems their places in the file. A path that the file does not write, such as a setting that is
// required, has the place of the nearest setting round it.
func (s *Source) Locate(problems []registry.Problem) []Problem {
	var located []Problem
	for _, p := range problems {
		node := s.find(p.Path)
		located = append(located, Problem{Problem: p, File: s.File, Line: node.Line, Column: node.Column})
	}
	return located
}

// Check checks a tool as the server does when it is applied: problems are refused, warnings are told.
func (s *Source) Check(can registry.Capabilities) (problems, warnings []Problem) {
	found := registry.Check(s.Definition)
	found = append(found, registry.Missing(s.Definition, can)...)
	return s.Locate(found), s.Locate(registry.Lint(s.Definition))
}

// find follows a path as far as the file writes it, and gives the key of the last field that it finds.
func (s *Source) find(path string) *yaml.Node {
	found, node := s.root, s.root
	message := protoreflect.MessageDescriptor(s.Proto.ProtoReflect().Descriptor())
	for _, step := range steps(path) {
		var key, value *yaml.Node
		switch {
		case step.index >= 0:
			if node.Kind == yaml.SequenceNode && step.index < len(node.Content) {
				key, value = node.Content[step.index], node.Content[step.index]
			}
		case step.quoted:
			key, value = member(node, step.name)
		default:
			key, value = member(node, step.name)
			if message != nil {
				if field := yamlproto.FieldOf(message.Fields(), step.name); field != nil {
					if key == nil {
						key, value = member(node, field.JSONName())
					}
					message = yamlproto.Below(field)
				}
			}
		}
		if key == nil {
			return found
		}
		found, node = key, value
	}
	return found
}

func member(node *yaml.Node, name string) (key, value *yaml.Node) {
	if node.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == name {
			return node.Content[i], node.Content[i+1]
		}
	}
	return nil, nil
}

// step is one step of a path: a field's name, a key of a map in quotes, or an index.
type step struct {
	name   string
	quoted bool
	index  int // below zero: none
}

// steps reads a path such as identity.fields["/a.b"].money or reconcile[1]. What it cannot read ends it.
func steps(path string) []step {
	var list []step
	for rest := path; rest != ""; {
		switch rest[0] {
		case '.':
			rest = rest[1:]
		case '[':
			inner := rest[1:]
			if quoted, err := strconv.QuotedPrefix(inner); err == nil && quoted[0] == '"' {
				name, _ := strconv.Unquote(quoted)
				list = append(list, step{name: name, quoted: true, index: -1})
				rest = strings.TrimPrefix(inner[len(quoted):], "]")
				continue
			}
			number, after, closed := strings.Cut(inner, "]")
			i, err := strconv.Atoi(number)
			if !closed || err != nil {
				return list
			}
			list, rest = append(list, step{index: i}), after
		default:
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			list, rest = append(list, step{name: rest[:end], index: -1}), rest[end:]
		}
	}
	return list
}
